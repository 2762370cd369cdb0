#include "exporters/suite_source.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/base/file.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostShown = 60;  // bytes on each side
constexpr int kEnd = std::istream::traits_type::eof();

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// One character each for what a terminal would not show as one; bytes above ASCII stay as they are.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, ' ');
  return text;
}

}  // namespace

std::optional<SuiteSource> SuiteSource::open(const std::string& path, std::string& problem) {
  problem = unreadable(path);
  return problem.empty() ? std::optional(SuiteSource(path)) : std::nullopt;
}

SuiteSource SuiteSource::from_text(std::string path, std::string text) {
  SuiteSource out(std::move(path));
  out.text_ = std::move(text);
  return out;
}

std::unique_ptr<std::istream> SuiteSource::bytes() const {
  if (text_)
    return std::make_unique<std::istringstream>(*text_);
  return std::make_unique<std::ifstream>(path_, std::ios::binary);
}

SuitePlace SuiteSource::place(std::size_t offset) const {
  const std::unique_ptr<std::istream> in = bytes();
  SuitePlace out;
  std::string line;  // as far as it may be shown
  int c = in->get();
  for (std::size_t i = 0; i < offset && c != kEnd; ++i, c = in->get()) {
    if (c == '\n') {
      ++out.line;
      out.column = 1;
      line.clear();
      continue;
    }
    out.column += begins_character(static_cast<char>(c)) ? 1U : 0U;
    line += static_cast<char>(c);
    // Twice as much is kept for a moment, so that little is moved.
    if (line.size() >= 2 * kMostShown)
      line.erase(0, kMostShown);
  }
  // A character that was cut in two is left out.
  line.erase(0,
             static_cast<std::size_t>(std::ranges::find_if(line, begins_character) - line.begin()));
  out.mark = static_cast<std::size_t>(std::ranges::count_if(line, begins_character));
  const std::size_t most = line.size() + kMostShown;
  for (; c != kEnd && c != '\n' && c != '\r' && line.size() < most; c = in->get())
    line += static_cast<char>(c);
  out.text = printable(line);
  return out;
}

}  // namespace tw
