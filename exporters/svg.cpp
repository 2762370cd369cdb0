#include "exporters/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>

namespace tw {
namespace {

constexpr double kMargin = 16;
constexpr double kLeast = 480;  // so that titles are not wrapped to a column

// Bytes that begin a character; what is no UTF-8 counts as Latin 1 would.
bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Of the size, for Verdana, which is wider than most; DejaVu Sans is nearly the same.
double width_of(char c) {
  if (static_cast<unsigned char>(c) >= 0x80U)
    return begins(c) ? 1.05 : 0;
  if (std::string_view("ijlIJft.,:;|!'`()[]{}/\\ -\"").find(c) != std::string_view::npos)
    return 0.47;
  if (std::string_view("mwMW@%+=<>~^_&").find(c) != std::string_view::npos)
    return 1.08;
  return c >= 'A' && c <= 'Z' ? 0.79 : 0.66;
}

}  // namespace

std::string short_number(double value) {
  const double tenths = std::round(value * 10);
  const auto whole = static_cast<long long>(tenths);
  return whole % 10 == 0 ? fmt::format("{}", whole / 10) : fmt::format("{:.1f}", tenths / 10);
}

double text_width(std::string_view text, double size) {
  double sum = 0;
  for (const char c : text)
    sum += width_of(c);
  return sum * size;
}

std::vector<std::string> wrapped(std::string_view text, double size, double width) {
  std::vector<std::string> out;
  while (!text.empty()) {
    std::size_t end = 0;    // as much as fits …
    std::size_t blank = 0;  // … and up to the last blank in it
    double so_far = 0;
    for (; end < text.size(); ++end) {
      so_far += width_of(text[end]) * size;
      if (text[end] == ' ')
        blank = end;
      if (so_far > width && begins(text[end]) && end > 0)
        break;
    }
    const bool at_blank = end < text.size() && blank != 0;
    if (at_blank)
      end = blank;
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + (at_blank ? 1 : 0)));
  }
  return out;
}

// XML knows no control characters.
std::string Svg::escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

void Svg::grow(const Box& box) {
  if (!any_) {
    extent_ = box;
    any_ = true;
    return;
  }
  const double right = std::max(extent_.x + extent_.width, box.x + box.width);
  const double bottom = std::max(extent_.y + extent_.height, box.y + box.height);
  extent_.x = std::min(extent_.x, box.x);
  extent_.y = std::min(extent_.y, box.y);
  extent_.width = right - extent_.x;
  extent_.height = bottom - extent_.y;
}

void Svg::text(double x, double y, std::string_view what, const Style& style) {
  const double width = text_width(what, style.size) * (style.bold ? 1.15 : 1);
  const double shift = style.anchor == "middle" ? width / 2 : style.anchor == "end" ? width : 0;
  const double above = style.size;
  const double height = style.size * 1.3;
  grow(style.upright ? Box{.x = x - above, .y = y - width + shift, .width = height, .height = width}
                     : Box{.x = x - shift, .y = y - above, .width = width, .height = height});
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\" font-size=\"{}\"", short_number(x),
                       short_number(y), style.fill, short_number(style.size));
  if (style.anchor != "start")
    body_ += fmt::format(" text-anchor=\"{}\"", style.anchor);
  if (style.bold)
    body_ += " font-weight=\"bold\"";
  if (style.upright)
    body_ += fmt::format(" transform=\"rotate(-90 {} {})\"", short_number(x), short_number(y));
  body_ += fmt::format(">{}</text>\n", escaped(what));
}

void Svg::rect(const Box& box, std::string_view attributes) {
  grow(box);
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n",
                       short_number(box.x), short_number(box.y), short_number(box.width),
                       short_number(box.height), attributes);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view attributes) {
  grow({.x = std::min(x1, x2),
        .y = std::min(y1, y2),
        .width = std::abs(x2 - x1),
        .height = std::abs(y2 - y1)});
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", short_number(x1),
                       short_number(y1), short_number(x2), short_number(y2), attributes);
}

void Svg::circle(double x, double y, double radius, std::string_view attributes) {
  grow({.x = x - radius, .y = y - radius, .width = 2 * radius, .height = 2 * radius});
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", short_number(x),
                       short_number(y), short_number(radius), attributes);
}

void Svg::raw(std::string_view element, const Box& box) {
  grow(box);
  body_ += element;
}

double Svg::lines(double y,
                  const std::vector<std::string>& texts,
                  const Style& style,
                  double width) {
  for (const std::string& whole : texts)
    for (const std::string& part : wrapped(whole, style.size * (style.bold ? 1.15 : 1), width)) {
      y += style.size * 1.5;
      text(extent_.x, y, part, style);
    }
  return y;
}

std::string Svg::finish(const Frame& frame) {
  const double width = std::max(kLeast, extent_.width);
  const Style bold{.size = 14, .bold = true};
  std::size_t subtitles = 0;
  for (const std::string& text : frame.subtitles)
    subtitles += wrapped(text, Style().size, width).size();
  const double height =
      static_cast<double>(wrapped(frame.title, bold.size * 1.15, width).size()) * bold.size * 1.5 +
      static_cast<double>(subtitles) * Style().size * 1.5;
  constexpr double kGap = 14;
  const double bottom = extent_.y + extent_.height;
  const double top = lines(extent_.y - height - kGap, {frame.title}, bold, width);
  (void)lines(top, frame.subtitles, {}, width);
  (void)lines(bottom + kGap / 2, frame.notes, {.fill = "#444444", .size = 11}, width);
  const Box all{.x = std::floor(extent_.x - kMargin),
                .y = std::floor(extent_.y - kMargin),
                .width = std::ceil(extent_.width + 2 * kMargin + 1),
                .height = std::ceil(extent_.height + 2 * kMargin + 1)};
  const std::string size =
      fmt::format("width=\"{}\" height=\"{}\"", short_number(all.width), short_number(all.height));
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" {} "
      "viewBox=\"{} {} {} {}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" role=\"img\">\n"
      "<title>{}</title>\n<desc>",
      size, short_number(all.x), short_number(all.y), short_number(all.width),
      short_number(all.height), escaped(frame.title));
  for (const std::string& text : frame.description)
    out += escaped(text) + '\n';
  return out +
         fmt::format("</desc>\n<rect x=\"{}\" y=\"{}\" {} fill=\"#ffffff\"/>\n",
                     short_number(all.x), short_number(all.y), size) +
         body_ + "</svg>\n";
}

}  // namespace tw
