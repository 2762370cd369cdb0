// What is wrong with the user's input, as values: collected, shown all at once, and printed the way
// a good compiler prints them. Offsets are kept; lines and columns are derived only when printing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tw {

/// Half-open byte range in a loaded file.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

/// The smallest range that holds both.
[[nodiscard]] SourceRange join(SourceRange a, SourceRange b);

enum class Severity {
  kError,
  kWarning,
  kNote,
};

[[nodiscard]] std::string_view name_of(Severity severity);

struct Diagnostic {
  Severity severity = Severity::kError;
  SourceRange where;
  std::string message;  // lower case, no full stop, quotes the user's own words
  std::string hint;     // what to do next; may be empty
};

/// File bytes that stand for another number of characters: an entity, a comment inside a text.
struct SourceGap {
  SourceRange where;
  std::uint32_t characters = 0;
};

/// A part of a file that editors address by a path of their own, such as the XPath of a label. They
/// count lines and columns in the text as they show it, so the gaps are known.
struct SourcePart {
  SourceRange where;
  std::string address;
  std::vector<SourceGap> gaps;  // sorted, inside where
};

/// The text a diagnostic points into, as UTF-8.
struct SourceFile {
  std::string path;
  std::string text;
  std::vector<SourcePart> parts;  // sorted by begin, disjoint; empty when the format has none
};

/// A place as people and editors name it: lines and columns count from 1, columns in characters.
struct SourcePosition {
  std::size_t line = 1;
  std::size_t column = 1;
};

[[nodiscard]] SourcePosition position_of(const SourceFile& file, std::size_t offset);

/// A range inside one part of a file, counted from the start of that part; address is empty if the
/// range lies in no part.
struct PartPosition {
  std::string_view address;  // points into the file's parts
  SourcePosition begin;
  SourcePosition end;
};

[[nodiscard]] PartPosition part_position_of(const SourceFile& file, SourceRange where);

/// Collects problems so that one run reports all of them. After kMaxStored errors or warnings it
/// keeps counting but stores no more of that kind, so that a hopeless input cannot fill the memory.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxStored = 1000;

  void error(SourceRange where, std::string message, std::string hint = {});
  void warning(SourceRange where, std::string message, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return errors_ != 0; }

  [[nodiscard]] std::size_t errors() const { return errors_; }

  [[nodiscard]] std::size_t warnings() const { return warnings_; }

  /// How many were counted but not stored.
  [[nodiscard]] std::size_t dropped() const { return errors_ + warnings_ - all_.size(); }

  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

  /// Orders by place in the file; equal places keep the order in which they were reported.
  void sort();

 private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

/// Renders "path:line:col: error: message", the source line, a caret line, the part's address and
/// the hint.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, const SourceFile& file);

}  // namespace tw
