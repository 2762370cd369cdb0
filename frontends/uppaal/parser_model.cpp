// The parts of a model: declarations, the system line, and what may follow it (docs/uppaal.md 1.3
// and 7).

#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {

/// Reads a whole text as declarations and what else its section allows.
void TextParser::model(Section section, std::vector<ast::Declaration>& declarations) {
  while (!at_end_of_tokens()) {
    const std::size_t start = pos_;
    if (at(TokenKind::kRightBrace)) {
      if (!unsettled_)
        report(current().where, "unexpected '}'", "there is no '{' that it could close");
      advance();
      continue;
    }
    if (accept(TokenKind::kSemicolon))
      continue;
    if (!model_part(section)) {
      if (system_seen_)
        fail_misplaced("'progress', 'gantt', 'query' or the end of the text",
                       "declarations stand before the system line");
      declaration(section, declarations);
    }
    settle(Construct::kDeclaration, start);
  }
  const bool needs_system = section == Section::kSystem || section == Section::kTextModel;
  // Behind an unclosed comment the line may well be there.
  const bool unread = stopped_ || previous().kind == TokenKind::kUnknown;
  if (needs_system && !system_seen_ && !unread)
    fail_expected("a system line", "list the processes in 'system P, Q;'");
}

/// The parts that are no declarations; false if none begins here.
bool TextParser::model_part(Section section) {
  if (at(TokenKind::kSystem)) {
    system_line(section);
    return true;
  }
  if (!at(TokenKind::kName) || !next_is(TokenKind::kLeftBrace))
    return false;
  const std::string_view word = current().text;
  if (word != "progress" && word != "gantt" && word != "query")
    return false;
  if (!system_seen_)
    report(current().where, "'" + std::string(word) + "' before the system line",
           "move it behind 'system ...;'");
  if (word == "progress")
    progress();
  else if (word == "gantt")
    gantt();
  else
    query();
  return true;
}

void TextParser::system_line(Section section) {
  const std::uint32_t begin = current().where.begin;
  if (section != Section::kSystem && section != Section::kTextModel)
    report(current().where, "'system' is not allowed here",
           "the system line belongs into the system declarations");
  else if (system_seen_)
    report(current().where, "second 'system' in one model", "join the two lines into one");
  system_seen_ = true;
  advance();
  ast::SystemLine line;
  std::uint32_t level = 0;
  bool more = true;
  while (more) {
    line.entries.push_back({.name = expect_name("the name of a process"), .level = level});
    const bool higher = accept(TokenKind::kLess);
    level += higher ? 1 : 0;
    more = higher || accept(TokenKind::kComma);
  }
  const bool call = at(TokenKind::kLeftParen);
  expect_semicolon("after the system line",
                   call ? "name the process first: 'P = T(1); system P;'" : "");
  line.where = since(begin);
  if (!panic_)
    document_.system = std::move(line);
}

void TextParser::progress() {
  advance();
  advance();
  while (!at(TokenKind::kRightBrace) && !at_end()) {
    const std::size_t start = pos_;
    ast::ExprId measure = expression();
    if (accept(TokenKind::kColon)) {
      document_.progress.push_back(measure);
      measure = expression();
    }
    expect_semicolon("after the progress measure");
    if (panic_)
      recover(Construct::kDeclaration, start);
    else
      document_.progress.push_back(measure);
  }
  expect(TokenKind::kRightBrace, "after the progress measures");
}

// A chart only draws; it is read to find mistakes and then forgotten.
void TextParser::gantt() {
  advance();
  advance();
  while (!at(TokenKind::kRightBrace) && !at_end()) {
    const std::size_t start = pos_;
    expect_name("the name of a line of the chart");
    if (accept(TokenKind::kLeftParen)) {
      selects();
      expect(TokenKind::kRightParen, "after the variables");
    }
    expect(TokenKind::kColon, "after the name of the line");
    do
      gantt_entry();
    while (accept(TokenKind::kComma));
    expect_semicolon("after the line of the chart");
    if (panic_)
      recover(Construct::kDeclaration, start);
  }
  expect(TokenKind::kRightBrace, "after the chart");
}

void TextParser::gantt_entry() {
  if (accept(TokenKind::kFor)) {
    expect(TokenKind::kLeftParen, "after 'for'");
    selects();
    expect(TokenKind::kRightParen, "after the variables");
  }
  expression();
  expect(TokenKind::kArrow, "after the condition");
  expression();
}

/// `query { formula }`: the formula has a grammar of its own and is kept as text.
void TextParser::query() {
  advance();
  const std::size_t open = pos_;
  skip_braces();
  if (panic_ || pos_ < open + 3)
    return;
  const Token& first = tokens_[open + 1];
  const Token& last = tokens_[pos_ - 2];
  const std::string_view formula(
      first.text.data(),
      static_cast<std::size_t>(last.text.data() + last.text.size() - first.text.data()));
  SourceText text;
  text.append(formula, first.where.begin);
  text.set_where(join(first.where, last.where));
  document_.queries.push_back({.formula = std::string(formula),
                               .comment = {},
                               .expected = {},
                               .where = text.where(),
                               .text = text});
}

}  // namespace tw::uppaal
