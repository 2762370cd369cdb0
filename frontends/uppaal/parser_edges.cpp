// The `trans` list of a process (docs/uppaal.md 2.1).

#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {

void TextParser::transitions(ast::Template& process) {
  ast::Name source;  // of the last edge that named one; `-> target` continues it
  do {
    const std::size_t start = pos_;
    edge(process, source);
    settle(Construct::kListItem, start);
  } while (accept(TokenKind::kComma));
  expect_semicolon("after the edges");
}

void TextParser::edge(ast::Template& process, ast::Name& source) {
  const std::uint32_t begin = current().where.begin;
  const bool is_short = at(TokenKind::kArrow) || at(TokenKind::kUncontrollableArrow);
  if (is_short && source.text.empty()) {
    fail_expected("the source location of the edge",
                  "only a later edge may leave it out and use that of the edge before");
    return;
  }
  if (!is_short)
    source = expect_location("the name of the source location");
  ast::Edge edge;
  edge.source = source;
  edge.controllable = !accept(TokenKind::kUncontrollableArrow);
  if (edge.controllable)
    expect(TokenKind::kArrow, "after the source location");
  edge.target = expect_location("the name of the target location");
  const std::size_t open = pos_;
  expect(TokenKind::kLeftBrace, "after the target location",
         "an edge without labels is 'a -> b { }'");
  while (!at(TokenKind::kRightBrace) && !at_end()) {
    const std::size_t start = pos_;
    edge_part(edge);
    settle(Construct::kEdgePart, start);
  }
  expect_close(open, "at the end of the edge");
  edge.where = since(begin);
  if (!panic_)
    process.edges.push_back(std::move(edge));
}

void TextParser::edge_part(ast::Edge& edge) {
  const Token& word = current();
  if (accept(TokenKind::kSelect)) {
    expect_first(word, edge.selects.empty());
    edge.selects = selects();
    expect_semicolon("after the selection");
  } else if (accept(TokenKind::kGuard)) {
    expect_first(word, !edge.guard.valid());
    edge.guard = constraint();
    expect_semicolon("after the guard");
  } else if (accept(TokenKind::kSync)) {
    expect_first(word, !edge.sync.has_value());
    edge_sync(edge);
  } else if (accept(TokenKind::kAssignWord)) {
    expect_first(word, edge.updates.empty());
    edge.updates = updates();
    expect_semicolon("after the update");
  } else if (at_word("probability")) {
    advance();
    expect_first(word, !edge.probability.valid());
    edge.probability = constraint();
    expect_semicolon("after the probability");
  } else {
    fail_misplaced("'select', 'guard', 'sync', 'assign', 'probability' or '}'",
                   edge.updates.empty() ? meant("select guard sync assign probability")
                                        : "separate updates by ','");
  }
}

void TextParser::edge_sync(ast::Edge& edge) {
  std::size_t end = pos_;
  while (tokens_[end].kind != TokenKind::kSemicolon &&
         tokens_[end].kind != TokenKind::kRightBrace && tokens_[end].kind != TokenKind::kEnd)
    ++end;
  edge.sync = sync_until(end);
  expect_semicolon("after the synchronisation");
}

}  // namespace tw::uppaal
