// The matrix of a comparison as a heat map: one self-contained SVG, no scripts, no fonts of its
// own. Light means little, dark means all; the numbers stand in the cells, so that nobody has to
// compare colours, and change from dark to white where the cell gets dark.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "exporters/comparison.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

constexpr int kCell = 34;
constexpr int kMargin = 16;
constexpr double kLetter = 6.9;  // of the row and column names, at 12 pixels
constexpr int kTitle = 46;
constexpr int kLegend = 58;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

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

class Picture {
 public:
  explicit Picture(const Comparison& comparison)
      : comparison_(comparison),
        matrix_(comparison.mean_matrix()) {
    std::size_t longest = 4;
    for (const std::string& name : comparison.criteria)
      longest = std::max(longest, name.size());
    names_ = static_cast<int>(static_cast<double>(longest) * kLetter) + 10;
    const int cells = static_cast<int>(comparison.criteria.size()) * kCell;
    left_ = kMargin + names_ + 22;
    top_ = kMargin + kTitle + names_;
    width_ = std::max(left_ + cells + kMargin, 520);
    height_ = top_ + cells + kLegend + kMargin;
  }

  std::string draw() {
    std::size_t models = 0;
    for (const ComparedModel& model : comparison_.models)
      models += model.problem.empty() ? 1U : 0U;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" role=\"img\">\n"
        "<title>Cross coverage of criteria</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        width_, height_);
    text({.x = kMargin,
          .y = kMargin + 12,
          .what = "Cross coverage in percent",
          .style = "font-weight=\"bold\" font-size=\"14\""});
    text({.x = kMargin,
          .y = kMargin + 30,
          .what = fmt::format("suite of the row, measured by the criterion of the column; {}",
                              models == 1 ? comparison_.models.front().file
                                          : fmt::format("mean of {} models", models)),
          .style = ""});
    for (std::size_t i = 0; i < comparison_.criteria.size(); ++i)
      name(i);
    for (std::size_t row = 0; row < matrix_.size(); ++row)
      for (std::size_t column = 0; column < matrix_.size(); ++column)
        cell(row, column);
    legend();
    return out_ + "</svg>\n";
  }

 private:
  struct Text {
    int x = 0;
    int y = 0;
    std::string what;
    std::string style;  // further attributes
  };

  void text(const Text& t) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#1a1a1a\"{}{}>{}</text>\n", t.x, t.y,
                        t.style.empty() ? "" : " ", t.style, escaped(t.what));
  }

  void name(std::size_t i) {
    const int at = static_cast<int>(i) * kCell + kCell / 2;
    text({.x = left_ - 6,
          .y = top_ + at + 4,
          .what = comparison_.criteria[i],
          .style = "text-anchor=\"end\""});
    const int x = left_ + at + 4;
    const int y = top_ - 6;
    text({.x = x,
          .y = y,
          .what = comparison_.criteria[i],
          .style = fmt::format("transform=\"rotate(-90 {} {})\"", x, y)});
  }

  void cell(std::size_t row, std::size_t column) {
    const int x = left_ + static_cast<int>(column) * kCell;
    const int y = top_ + static_cast<int>(row) * kCell;
    const std::optional<double>& share = matrix_[row][column];
    const Colour colour = share ? colour_of(*share / 100) : Colour{238, 238, 238};
    const std::string number = share ? std::to_string(static_cast<int>(std::floor(*share))) : "–";
    out_ += fmt::format(
        "<g><title>{} suite: {} of {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
        "fill=\"{}\" stroke=\"{}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" "
        "font-size=\"11\" "
        "fill=\"{}\">{}</text></g>\n",
        escaped(comparison_.criteria[row]), share ? fmt::format("{:.1f} %", *share) : "nothing",
        escaped(comparison_.criteria[column]), x, y, kCell, kCell, name_of(colour),
        row == column ? "#1a1a1a" : "#ffffff", x + kCell / 2, y + kCell / 2 + 4,
        share && needs_white_text(colour) ? "#ffffff" : "#1a1a1a", number);
  }

  void legend() {
    const int y = height_ - kMargin - 30;
    constexpr int kSteps = 50;
    constexpr int kWidth = 4;
    for (int i = 0; i < kSteps; ++i)
      out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" fill=\"{}\"/>\n",
                          kMargin + i * kWidth, y, kWidth,
                          name_of(colour_of(static_cast<double>(i) / (kSteps - 1))));
    text({.x = kMargin, .y = y + 28, .what = "0", .style = ""});
    text({.x = kMargin + kSteps * kWidth,
          .y = y + 28,
          .what = "100 %",
          .style = "text-anchor=\"end\""});
    text({.x = kMargin + kSteps * kWidth + 20,
          .y = y + 12,
          .what = "– nothing to cover; rounded down, so 100 means all",
          .style = ""});
  }

  const Comparison& comparison_;
  const std::vector<std::vector<std::optional<double>>> matrix_;
  int names_ = 0;
  int left_ = 0;
  int top_ = 0;
  int width_ = 0;
  int height_ = 0;
  std::string out_;
};

}  // namespace

std::string comparison_svg(const Comparison& comparison) { return Picture(comparison).draw(); }

}  // namespace tw
