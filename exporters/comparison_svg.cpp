// The matrix of a comparison as a heat map. Light means little, dark means all; the numbers stand
// in the cells, so that nobody has to compare colours, and change from dark to white where the cell
// gets dark.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "exporters/comparison.hpp"
#include "exporters/comparison_frame.hpp"
#include "exporters/svg.hpp"

namespace tw {
namespace {

constexpr double kCell = 34;
constexpr double kLegendBottom = 42;  // below the matrix

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

// From nearly white to a deep blue, even in lightness.
Colour colour_of(double share) {
  static constexpr std::array<Colour, 5> kStops = {Colour{247, 251, 255}, Colour{198, 219, 239},
                                                   Colour{107, 174, 214}, Colour{33, 113, 181},
                                                   Colour{8, 48, 107}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double part = at - static_cast<double>(i);
  const auto mix = [part](double a, double b) { return std::round(a + (b - a) * part); };
  return {mix(kStops[i].red, kStops[i + 1].red), mix(kStops[i].green, kStops[i + 1].green),
          mix(kStops[i].blue, kStops[i + 1].blue)};
}

std::string name_of(const Colour& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(c.red), static_cast<int>(c.green),
                     static_cast<int>(c.blue));
}

// Relative luminance as WCAG 2 defines it; the text takes the side with more contrast.
bool needs_white_text(const Colour& c) {
  const auto linear = [](double channel) {
    const double v = channel / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double luminance =
      0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05;
}

class Matrix {
 public:
  explicit Matrix(const Comparison& comparison)
      : comparison_(comparison),
        matrix_(comparison.mean_matrix()) {}

  std::string draw() {
    for (std::size_t i = 0; i < comparison_.criteria.size(); ++i)
      name(i);
    for (std::size_t row = 0; row < matrix_.size(); ++row)
      for (std::size_t column = 0; column < matrix_.size(); ++column)
        cell(row, column);
    legend();
    return svg_.finish(picture_frame(comparison_, "Cross coverage in percent",
                                     "suite of the row, measured by the criterion of the column"));
  }

 private:
  void name(std::size_t i) {
    const double at = static_cast<double>(i) * kCell + kCell / 2;
    svg_.text(-6, at + 4, comparison_.criteria[i], {.anchor = "end"});
    svg_.text(at + 4, -6, comparison_.criteria[i], {.upright = true});
  }

  void cell(std::size_t row, std::size_t column) {
    const double x = static_cast<double>(column) * kCell;
    const double y = static_cast<double>(row) * kCell;
    const std::optional<double>& share = matrix_[row][column];
    const Colour colour = share ? colour_of(*share / 100) : Colour{238, 238, 238};
    const std::string number = share ? std::to_string(static_cast<int>(std::floor(*share))) : "–";
    svg_.raw(fmt::format("<g><title>{} suite: {} of {}</title>",
                         Svg::escaped(comparison_.criteria[row]),
                         share ? fmt::format("{:.1f} %", *share) : "nothing",
                         Svg::escaped(comparison_.criteria[column])));
    svg_.rect({.x = x, .y = y, .width = kCell, .height = kCell},
              fmt::format("fill=\"{}\" stroke=\"{}\"", name_of(colour),
                          row == column ? "#1a1a1a" : "#ffffff"));
    svg_.text(x + kCell / 2, y + kCell / 2 + 4, number,
              {.fill = share && needs_white_text(colour) ? "#ffffff" : "#1a1a1a",
               .size = 11,
               .anchor = "middle"});
    svg_.raw("</g>\n");
  }

  void legend() {
    constexpr int kSteps = 50;
    constexpr double kWidth = 4;
    const double x = svg_.extent().x;
    const double y = static_cast<double>(matrix_.size()) * kCell + kLegendBottom - 30;
    for (int i = 0; i < kSteps; ++i)
      svg_.rect(
          {.x = x + i * kWidth, .y = y, .width = kWidth, .height = 14},
          fmt::format("fill=\"{}\"", name_of(colour_of(static_cast<double>(i) / (kSteps - 1)))));
    svg_.text(x, y + 28, "0", {});
    svg_.text(x + kSteps * kWidth, y + 28, "100 %", {.anchor = "end"});
    svg_.text(x + kSteps * kWidth + 20, y + 12, "– nothing to cover", {});
    svg_.text(x + kSteps * kWidth + 20, y + 28, "rounded down, so 100 means all", {});
  }

  const Comparison& comparison_;
  const std::vector<std::vector<std::optional<double>>> matrix_;
  Svg svg_;
};

}  // namespace

std::string comparison_matrix_svg(const Comparison& comparison) {
  return Matrix(comparison).draw();
}

}  // namespace tw
