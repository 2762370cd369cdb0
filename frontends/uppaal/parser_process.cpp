// `process P(…) {…}` of text models: declarations, states and their kinds (docs/uppaal.md 2.1). The
// parts behind the declarations are accepted in any order.

#include <unordered_map>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {

/// A process body while it is read. The lists may stand before the states they name.
struct TextParser::Body {
  ast::Template process;
  std::vector<ast::Name> committed;
  std::vector<ast::Name> urgent;
  bool has_states = false;
  bool has_transitions = false;
};

ast::Template TextParser::process() {
  const std::uint32_t begin = current().where.begin;
  advance();
  const std::size_t errors = diagnostics_.errors();
  Body body;
  body.process.name = expect_name("the name of the process");
  if (!at(TokenKind::kLeftBrace))
    body.process.parameters = parenthesised_parameters();
  else if (!old_)
    report(current().where, "expected '(' after the process name, found '{'",
           "write 'process " + body.process.name.text + "()' even if there are no parameters");
  const std::size_t open = pos_;
  expect(TokenKind::kLeftBrace, "before the body of the process");
  while (!at(TokenKind::kRightBrace) && !at_end()) {
    // A missing '}' must not swallow the rest of the file.
    if (at(TokenKind::kProcess) || at(TokenKind::kSystem))
      break;
    const std::size_t start = pos_;
    process_part(body);
    settle(Construct::kProcessPart, start);
  }
  expect_close(open, "at the end of the process");
  body.process.where = since(begin);
  // A broken body may have lost the very parts that would be missed.
  body.process.incomplete = diagnostics_.errors() != errors;
  finish_process(body);
  body.process.incomplete = diagnostics_.errors() != errors;
  return std::move(body.process);
}

void TextParser::process_part(Body& body) {
  if (accept(TokenKind::kSemicolon) || state_section(body))
    return;
  if (body.has_states && (at_type() || at(TokenKind::kTypedef) || at(TokenKind::kName)))
    fail_expected("'commit', 'urgent', 'init', 'trans' or '}'",
                  at(TokenKind::kName) && !meant("commit urgent init trans").empty()
                      ? meant("commit urgent init trans")
                      : "declarations stand before 'state'");
  declaration(Section::kTemplate, body.process.declarations);
}

bool TextParser::state_section(Body& body) {
  const Token& word = current();
  if (accept(TokenKind::kState)) {
    expect_first(word, !std::exchange(body.has_states, true));
    do
      state(body.process);
    while (accept(TokenKind::kComma));
    expect_semicolon("after the states");
  } else if (at_word("branchpoint") && next_is(TokenKind::kName)) {
    branchpoints(body.process);
  } else if (accept(TokenKind::kCommit)) {
    for (ast::Name& name : name_list("a location after 'commit'"))
      body.committed.push_back(std::move(name));
  } else if (at(TokenKind::kUrgent) && next_is(TokenKind::kName) &&
             peek(2).kind != TokenKind::kName) {
    // Followed by two names or a word it is the prefix of a channel type.
    advance();
    for (ast::Name& name : name_list("a location after 'urgent'"))
      body.urgent.push_back(std::move(name));
  } else if (accept(TokenKind::kInit)) {
    expect_first(word, !body.process.initial.has_value());
    ast::Name name = expect_location("the name of the initial location");
    expect_semicolon("after the initial location");
    if (!panic_)
      body.process.initial = std::move(name);
  } else if (accept(TokenKind::kTrans)) {
    expect_first(word, !std::exchange(body.has_transitions, true));
    transitions(body.process);
  } else {
    return false;
  }
  return true;
}

/// Complains about a part that stands twice, but lets it be read.
void TextParser::expect_first(const Token& word, bool first) {
  if (!first)
    report(word.where, "second '" + std::string(word.text) + "' in one process",
           "join the two into one list");
}

void TextParser::state(ast::Template& process) {
  const std::size_t start = pos_;
  const std::uint32_t begin = current().where.begin;
  ast::Location location;
  location.name = expect_location("the name of a location");
  location.id = location.name.text;
  if (accept(TokenKind::kLeftBrace))
    state_content(location);
  location.where = since(begin);
  if (panic_)
    recover(Construct::kListItem, start);
  if (!location.id.empty())
    process.locations.push_back(std::move(location));
}

/// `invariant; rate }`, where both may be absent but not both at once.
void TextParser::state_content(ast::Location& location) {
  if (at(TokenKind::kRightBrace))
    fail_expected("an invariant", "leave '{}' out if the location has none");
  if (!at(TokenKind::kSemicolon))
    location.invariant = constraint();
  if (accept(TokenKind::kSemicolon) && !at(TokenKind::kRightBrace)) {
    const Parser::Rate parsed = rate();
    location.rate = parsed.rate;
    location.rate_divisor = parsed.divisor;
  }
  expect(TokenKind::kRightBrace, "after the invariant");
}

void TextParser::branchpoints(ast::Template& process) {
  advance();
  for (ast::Name& name : name_list("the name of a branchpoint")) {
    ast::Branchpoint branchpoint;
    branchpoint.id = name.text;
    branchpoint.where = name.where;
    branchpoint.name = std::move(name);
    process.branchpoints.push_back(std::move(branchpoint));
  }
}

std::vector<ast::Name> TextParser::name_list(std::string_view what) {
  std::vector<ast::Name> names;
  do {
    ast::Name name = expect_location(what);
    if (!panic_)
      names.push_back(std::move(name));
  } while (accept(TokenKind::kComma));
  expect_semicolon("after the list of names");
  return names;
}

void TextParser::finish_process(Body& body) {
  mark_locations(body);
  if (body.has_states && !body.process.initial && !body.process.incomplete)
    report(body.process.name.where,
           "process '" + body.process.name.text + "' has no initial location",
           "add 'init' and the name of a location behind the states");
}

void TextParser::mark_locations(Body& body) {
  std::unordered_map<std::string_view, ast::Location*> by_name;
  for (ast::Location& location : body.process.locations)
    by_name.emplace(location.id, &location);
  const auto find = [&](const ast::Name& name) -> ast::Location* {
    const auto found = by_name.find(name.text);
    if (found != by_name.end())
      return found->second;
    if (document_.lost_names.count(name.text) == 0)
      report(name.where, "unknown location '" + name.text + "'",
             "list it behind 'state' in process '" + body.process.name.text + "'");
    return nullptr;
  };
  for (const ast::Name& name : body.committed) {
    if (ast::Location* location = find(name))
      location->committed = true;
  }
  for (const ast::Name& name : body.urgent) {
    if (ast::Location* location = find(name))
      location->urgent = true;
  }
}

}  // namespace tw::uppaal
