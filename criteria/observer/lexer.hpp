// The words of an observer file. `//` and `/* */` are comments.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"

namespace tw::observer {

struct Lexeme {
  enum class Kind : std::uint8_t {
    kName,
    kNumber,  // digits
    kSign,    // punctuation; two characters if they belong together
    kEnd,
  };

  Kind kind = Kind::kEnd;
  std::string_view text;  // borrowed from the file
  SourceRange where;

  [[nodiscard]] bool is(std::string_view word) const { return kind != Kind::kEnd && text == word; }
};

/// Ends with one of kind kEnd. What is no word is reported and left out.
[[nodiscard]] std::vector<Lexeme> split(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace tw::observer
