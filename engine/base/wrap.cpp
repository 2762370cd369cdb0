#include "engine/base/wrap.hpp"

#include <algorithm>

namespace tw {

std::size_t width_of(std::string_view text) {
  constexpr unsigned kMark = 0xC0U;
  constexpr unsigned kContinued = 0x80U;  // bytes of UTF-8 that begin no character
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & kMark) != kContinued; }));
}

std::string wrap(std::string_view line, std::size_t width, std::size_t indent) {
  if (width == 0 || width_of(line) <= width)
    return std::string(line);
  std::size_t at = std::min(line.find_first_not_of(' '), line.size());
  std::string out(line.substr(0, at));
  std::size_t used = at;
  bool is_first = true;  // on its line
  while (at < line.size()) {
    const std::size_t gap = std::min(line.find_first_not_of(' ', at), line.size()) - at;
    const std::size_t begin = at + gap;
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    if (!is_first && used + gap + width_of(word) > width) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
    } else {
      out.append(gap, ' ');
      used += gap;
    }
    out += word;
    used += width_of(word);
    is_first = false;
    at = end;
  }
  return out;
}

std::string wrap_list(std::string_view line, std::size_t width, std::size_t indent) {
  constexpr char kGlue = '\x1f';  // a blank where no line ends
  std::string glued(line);
  for (std::size_t i = 1; i + 1 < glued.size(); ++i)
    if (glued[i] == ' ' && glued[i - 1] != ',' && glued[i - 1] != ' ' && glued[i + 1] != ' ')
      glued[i] = kGlue;
  std::string wrapped = wrap(glued, width, indent);
  std::ranges::replace(wrapped, kGlue, ' ');
  std::string out;
  for (std::size_t begin = 0; begin < wrapped.size();) {
    const std::size_t end = std::min(wrapped.find('\n', begin), wrapped.size());
    out += (begin == 0 ? "" : "\n") +
           wrap(std::string_view(wrapped).substr(begin, end - begin), width, indent);
    begin = end + 1;
  }
  return out;
}

}  // namespace tw
