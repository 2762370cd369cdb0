// Where the bytes of a suite come from. Suites have no limit in size: they are read piece by piece,
// and read again where that saves holding them.
#pragma once

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tw {

/// Where something is wrong, and of its line as much as fits into a message.
struct SuitePlace {
  std::size_t line = 1;
  std::size_t column = 1;  // in characters
  std::string text;        // what cannot be printed is replaced
  std::size_t mark = 0;    // the character of the text that it is about
};

class SuiteSource {
 public:
  /// Regular files only. None, and why not, in words that name the path.
  [[nodiscard]] static std::optional<SuiteSource> open(const std::string& path,
                                                       std::string& problem);
  [[nodiscard]] static SuiteSource from_text(std::string path, std::string text);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// From the beginning.
  [[nodiscard]] std::unique_ptr<std::istream> bytes() const;

  [[nodiscard]] SuitePlace place(std::size_t offset) const;

 private:
  explicit SuiteSource(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::optional<std::string> text_;  // none: it is in the file
};

}  // namespace tw
