// A piece of model text taken out of its file: decoded (XML entities replaced, CDATA and text nodes
// joined) together with the way back to file offsets, so that the lexer sees plain text and every
// diagnostic still points at the byte the user typed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"

namespace tw::uppaal {

class SourceText {
 public:
  /// Appends characters that stand in the file, one to one, from file_offset on.
  void append(std::string_view text, std::size_t file_offset);

  /// Appends decoded text that stands for file bytes [begin, end), such as '<' for "&lt;".
  void append_decoded(std::string_view text, std::size_t begin, std::size_t end);

  [[nodiscard]] std::string_view text() const { return text_; }

  [[nodiscard]] bool blank() const;

  /// File range of text()[begin, end).
  [[nodiscard]] SourceRange map(std::size_t begin, std::size_t end) const;

  /// The way back: the text that stands in this file range.
  [[nodiscard]] std::string_view at(SourceRange where) const;

  /// Where file and text differ: entities, and what was left out between pieces.
  [[nodiscard]] std::vector<SourceGap> gaps() const;

  /// File range of the whole piece; where an empty piece would stand.
  [[nodiscard]] SourceRange where() const { return where_; }

  void set_where(SourceRange where) { where_ = where; }

 private:
  struct Run {
    std::uint32_t text = 0;         // offset in text_ where the run begins
    std::uint32_t file = 0;         // file offset of its first byte
    std::uint32_t file_length = 0;  // bytes it takes in the file; decoded runs only
    bool decoded = false;
  };

  [[nodiscard]] std::uint32_t file_offset(std::size_t offset, bool end) const;

  std::string text_;
  std::vector<Run> runs_;
  SourceRange where_;
};

}  // namespace tw::uppaal
