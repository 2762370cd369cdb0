// A picture as SVG: self-contained, no scripts, no fonts of its own. It is as large as what is
// drawn needs, so nothing is ever cut off; widths of text are estimated, for the wide one of the
// usual fonts, since nobody knows which font will be there. For this room only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tw {

/// In pixels, as an upper bound.
[[nodiscard]] double text_width(std::string_view text, double size);

/// Lines that are no wider; words that are wider are cut.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double size, double width);

class Svg {
 public:
  struct Style {
    std::string_view fill = "#1a1a1a";
    double size = 12;
    std::string_view anchor = "start";  // or middle, end
    bool bold = false;
    bool upright = false;  // turned by a quarter to the left around its place
  };

  struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] bool meets(const Box& other) const {
      return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
             other.y < y + height;
    }
  };

  /// The base line of the text begins, or is centred, or ends here.
  void text(double x, double y, std::string_view what, const Style& style);
  /// `attributes`: fill, stroke …
  void rect(const Box& box, std::string_view attributes);
  void line(double x1, double y1, double x2, double y2, std::string_view attributes);
  void circle(double x, double y, double radius, std::string_view attributes);
  /// Anything else, and the room it takes.
  void raw(std::string_view element, const Box& box);
  /// The same where it takes no more room.
  void raw(std::string_view element) { body_ += element; }

  /// Around what was drawn so far.
  [[nodiscard]] Box extent() const { return extent_; }

  struct Frame {
    std::string title;                     // in bold above all
    std::vector<std::string> subtitles;    // below it
    std::vector<std::string> notes;        // below all
    std::vector<std::string> description;  // for whoever asks where it comes from: not drawn
  };
  /// With a title and notes, wrapped to the width of the picture.
  [[nodiscard]] std::string finish(const Frame& frame);

  [[nodiscard]] static std::string escaped(std::string_view text);

 private:
  void grow(const Box& box);
  /// Downwards from y; where they end.
  double lines(double y, const std::vector<std::string>& texts, const Style& style, double width);

  std::string body_;
  Box extent_;
  bool any_ = false;
};

/// "12.5", "12": shortest, with one decimal at most.
[[nodiscard]] std::string short_number(double value);

}  // namespace tw
