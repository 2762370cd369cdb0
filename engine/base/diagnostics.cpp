#include "engine/base/diagnostics.hpp"

#include <algorithm>
#include <utility>

namespace tw {
namespace {

// Generated models put everything on one line; show only what is around the caret.
constexpr std::size_t kMaxShownColumns = 160;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;  // without the line break
};

Line line_at(std::string_view text, std::size_t offset) {
  const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;  // npos + 1 == 0: first line
  std::size_t end = std::min(text.find('\n', offset), text.size());
  if (end > begin && text[end - 1] == '\r')
    --end;
  return {begin, std::max(end, begin)};
}

SourcePosition position_between(std::string_view text, std::size_t from, std::size_t offset) {
  offset = std::clamp(offset, from, text.size());
  const std::string_view before = text.substr(from, offset - from);
  const auto breaks = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;
  return {.line = static_cast<std::size_t>(breaks) + 1,
          .column = count_characters(before.substr(start)) + 1};
}

// The same inside a part: what lies in a gap counts as many characters as it stands for.
SourcePosition position_in_part(std::string_view text, const SourcePart& part, std::size_t offset) {
  SourcePosition at;
  std::size_t from = part.where.begin;
  const auto walk = [&](std::size_t to) {
    const SourcePosition step = position_between(text, from, to);
    at.column = step.line == 1 ? at.column + step.column - 1 : step.column;
    at.line += step.line - 1;
    from = to;
  };
  for (const SourceGap& gap : part.gaps) {
    if (gap.where.begin >= offset)
      break;
    walk(gap.where.begin);
    at.column += gap.characters;
    from = gap.where.end;
  }
  if (offset > from)
    walk(offset);
  return at;
}

// The part of a line that is shown, cut at character boundaries around [begin, end).
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  // characters before the caret
  std::size_t width = 1;  // characters under the marker
};

Excerpt excerpt_of(std::string_view text, SourceRange where) {
  const std::size_t offset = std::min<std::size_t>(where.begin, text.size());
  const Line line = line_at(text, offset);
  const std::size_t first = std::min(offset, line.end);
  const std::size_t last = std::clamp<std::size_t>(where.end, first, line.end);
  std::size_t from = line.begin;
  std::size_t to = line.end;
  if (line.end - line.begin > kMaxShownColumns) {
    from = first > line.begin + kMaxShownColumns / 2 ? first - kMaxShownColumns / 2 : line.begin;
    to = std::min(line.end, from + kMaxShownColumns);
    while (from > line.begin && continues_character(text[from]))
      --from;
    while (to < line.end && continues_character(text[to]))
      ++to;
  }
  Excerpt out;
  if (from > line.begin)
    out.text += "...";
  out.caret = out.text.size() + count_characters(text.substr(from, first - from));
  out.width = std::max<std::size_t>(
      1, count_characters(text.substr(first, std::max(first, std::min(last, to)) - first)));
  out.text += text.substr(from, to - from);
  if (to < line.end)
    out.text += "...";
  return out;
}

// Control characters would garble a terminal; a tab keeps its place in both lines as one blank.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text;
}

// The user's words are quoted, but nobody reads a name of a million characters.
void cut(std::string& text) {
  constexpr std::size_t kLongest = 400;
  if (text.size() <= kLongest)
    return;
  std::size_t head = kLongest / 2;
  std::size_t tail = text.size() - kLongest / 2;
  while (head > 0 && continues_character(text[head]))
    --head;
  while (tail < text.size() && continues_character(text[tail]))
    ++tail;
  text = text.substr(0, head) + "..." + text.substr(tail);
}

const SourcePart* part_at(const SourceFile& file, std::size_t offset) {
  auto after = std::upper_bound(
      file.parts.begin(), file.parts.end(), offset,
      [](std::size_t value, const SourcePart& part) { return value < part.where.begin; });
  if (after == file.parts.begin())
    return nullptr;
  const SourcePart& part = *--after;
  return offset <= part.where.end ? &part : nullptr;
}

}  // namespace

SourceRange join(SourceRange a, SourceRange b) {
  return {.begin = std::min(a.begin, b.begin), .end = std::max(a.end, b.end)};
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

SourcePosition position_of(const SourceFile& file, std::size_t offset) {
  return position_between(file.text, 0, offset);
}

PartPosition part_position_of(const SourceFile& file, SourceRange where) {
  const SourcePart* part = part_at(file, where.begin);
  if (part == nullptr)
    return {};
  const std::size_t end =
      std::clamp(where.end, where.begin, std::max(where.begin, part->where.end));
  return {.address = part->address,
          .begin = position_in_part(file.text, *part, where.begin),
          .end = position_in_part(file.text, *part, end)};
}

void Diagnostics::add(Diagnostic diagnostic) {
  std::size_t& count = diagnostic.severity == Severity::kError ? errors_ : warnings_;
  if (++count > kMaxStored)
    return;
  cut(diagnostic.message);
  cut(diagnostic.hint);
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(SourceRange where, std::string message, std::string hint) {
  add({Severity::kError, where, std::move(message), std::move(hint)});
}

void Diagnostics::warning(SourceRange where, std::string message, std::string hint) {
  add({Severity::kWarning, where, std::move(message), std::move(hint)});
}

void Diagnostics::sort() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.where.begin < b.where.begin;
  });
}

std::string render(const Diagnostic& diagnostic, const SourceFile& file) {
  const SourcePosition at = position_of(file, diagnostic.where.begin);
  const Excerpt excerpt = excerpt_of(file.text, diagnostic.where);
  const std::string number = std::to_string(at.line);
  const std::string margin = "  " + std::string(number.size(), ' ');

  std::string out = file.path + ':' + number + ':' + std::to_string(at.column) + ": ";
  out += name_of(diagnostic.severity);
  out += ": " + diagnostic.message + '\n';
  if (file.text.empty()) {  // there was nothing to read
    if (!diagnostic.hint.empty())
      out += "  hint: " + diagnostic.hint + '\n';
    return out;
  }
  out += "  " + number + " | " + printable(excerpt.text) + '\n';
  out += margin + " | " + std::string(excerpt.caret, ' ') + '^' +
         std::string(excerpt.width - 1, '~') + '\n';
  const PartPosition part = part_position_of(file, diagnostic.where);
  if (!part.address.empty())
    out += "  in " + std::string(part.address) + ", line " + std::to_string(part.begin.line) +
           ", column " + std::to_string(part.begin.column) + '\n';
  if (!diagnostic.hint.empty())
    out += "  hint: " + diagnostic.hint + '\n';
  return out;
}

}  // namespace tw
