#include "frontends/uppaal/source_text.hpp"

#include <algorithm>

namespace tw::uppaal {

void SourceText::append(std::string_view text, std::size_t file_offset) {
  if (text.empty())
    return;
  runs_.push_back({.text = static_cast<std::uint32_t>(text_.size()),
                   .file = static_cast<std::uint32_t>(file_offset)});
  text_ += text;
}

void SourceText::append_decoded(std::string_view text, std::size_t begin, std::size_t end) {
  if (text.empty())
    return;
  runs_.push_back({.text = static_cast<std::uint32_t>(text_.size()),
                   .file = static_cast<std::uint32_t>(begin),
                   .file_length = static_cast<std::uint32_t>(end - begin),
                   .decoded = true});
  text_ += text;
}

bool SourceText::blank() const {
  return text_.find_first_not_of(" \t\r\n\f\v") == std::string::npos;
}

SourceRange SourceText::map(std::size_t begin, std::size_t end) const {
  if (runs_.empty())
    return where_;
  if (runs_.size() == 1 && !runs_.front().decoded)  // most labels
    return {.begin = runs_.front().file + static_cast<std::uint32_t>(begin),
            .end = runs_.front().file + static_cast<std::uint32_t>(end)};
  const std::uint32_t first = file_offset(begin, false);
  // The end is mapped through the last character inside, so that a range that stops before a gap
  // (an entity, an XML comment) does not swallow the gap.
  const std::uint32_t last = end > begin ? file_offset(end - 1, true) : first;
  return {.begin = first, .end = std::max(first, last)};
}

std::string_view SourceText::at(SourceRange where) const {
  std::size_t begin = 0;
  while (begin < text_.size() && map(begin, begin + 1).begin < where.begin)
    ++begin;
  std::size_t end = begin;
  while (end < text_.size() && map(end, end + 1).end <= where.end)
    ++end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::vector<SourceGap> SourceText::gaps() const {
  std::vector<SourceGap> out;
  if (runs_.size() == 1 && !runs_.front().decoded && runs_.front().file == where_.begin)
    return out;
  std::uint32_t file = where_.begin;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    if (run.file > file)
      out.push_back({.where = {file, run.file}, .characters = 0});
    const std::size_t end = i + 1 < runs_.size() ? runs_[i + 1].text : text_.size();
    const auto length = static_cast<std::uint32_t>(end - run.text);
    file = run.file + (run.decoded ? run.file_length : length);
    if (run.decoded)
      out.push_back({.where = {run.file, file}, .characters = 1});
  }
  return out;
}

std::uint32_t SourceText::file_offset(std::size_t offset, bool end) const {
  auto after = std::upper_bound(runs_.begin(), runs_.end(), offset,
                                [](std::size_t value, const Run& run) { return value < run.text; });
  const Run& run = after == runs_.begin() ? *after : *(after - 1);
  const auto inside = static_cast<std::uint32_t>(offset) - run.text;
  if (run.decoded) {
    const bool past = offset >= text_.size();
    return end || past ? run.file + run.file_length : run.file;
  }
  return run.file + inside + (end ? 1 : 0);
}

}  // namespace tw::uppaal
