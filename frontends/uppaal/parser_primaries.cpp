// What expressions are made of (literals, names, quantifiers) and the lists they stand in.

#include <charconv>
#include <limits>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

using ast::ExprKind;
using ast::Op;

constexpr std::int64_t kLargestNumber = std::numeric_limits<std::int32_t>::max();

}  // namespace

ast::ExprId TextParser::primary() {
  if (at_binder("sum"))
    return quantifier(ExprKind::kQuantifier, Op::kSum);
  if (at_binder("foreach"))
    return quantifier(ExprKind::kSpawn, Op::kNone);
  if (at_word("spawn") && next_is(TokenKind::kName) && peek(2).kind == TokenKind::kLeftParen)
    return spawn();
  if (at(TokenKind::kName))
    return leaf(ExprKind::kName);
  if (at(TokenKind::kNumber))
    return number();
  if (at(TokenKind::kLeftParen))
    return parenthesised();
  if (at(TokenKind::kTrue))
    return leaf(ExprKind::kTrue);
  if (at(TokenKind::kFalse))
    return leaf(ExprKind::kFalse);
  if (at(TokenKind::kForall))
    return quantifier(ExprKind::kQuantifier, Op::kForall);
  if (at(TokenKind::kExists))
    return quantifier(ExprKind::kQuantifier, Op::kExists);
  if (at(TokenKind::kReal))
    return leaf(ExprKind::kReal);
  if (at(TokenKind::kString))
    return leaf(ExprKind::kString);
  return fail_primary();
}

ast::ExprId TextParser::leaf(ExprKind kind) {
  advance();
  ast::Expr expr;
  expr.kind = kind;
  expr.where = previous().where;
  std::string_view text = previous().text;
  if (kind == ExprKind::kString)
    text = text.substr(1, text.size() - 2);
  if (kind != ExprKind::kTrue && kind != ExprKind::kFalse)
    expr.text = text;
  return make(std::move(expr));
}

ast::ExprId TextParser::number() {
  const std::string_view text = current().text;
  ast::Expr expr;
  expr.kind = ExprKind::kNumber;
  expr.where = current().where;
  // The lexer has reported what does not fit; any value will do in its place.
  if (std::from_chars(text.data(), text.data() + text.size(), expr.value).ec != std::errc())
    expr.value = kLargestNumber;
  if (expr.value == kLargestNumber + 1 && negated_ != pos_)
    report(expr.where, "number is too large",
           "the largest number is 2147483647; only '-2147483648' may be written");
  advance();
  return make(std::move(expr));
}

ast::ExprId TextParser::parenthesised() {
  advance();
  const ast::ExprId inner = expression();
  expect(TokenKind::kRightParen, "to match '('",
         at(TokenKind::kComma) ? "',' cannot join expressions here; '&&' means a conjunction" : "");
  return panic_ ? ast::ExprId() : inner;
}

/// At `word (name :`, the only place where a word like 'sum' is more than a name.
bool TextParser::at_binder(const char* word) const {
  return at_word(word) && next_is(TokenKind::kLeftParen) && peek(2).kind == TokenKind::kName &&
         peek(3).kind == TokenKind::kColon;
}

ast::ExprId TextParser::quantifier(ExprKind kind, Op op) {
  const std::uint32_t begin = current().where.begin;
  const std::size_t word = pos_;
  advance();
  expect(TokenKind::kLeftParen, "after the quantifier", "write it as 'forall (i : T) condition'");
  const std::size_t variable = pos_;
  if (!at(TokenKind::kName))
    expect_name("the name of the bound variable");
  advance();
  expect(TokenKind::kColon, "after the bound variable");
  const ast::TypeId bound = type();
  expect(TokenKind::kRightParen, "after the type of the bound variable");
  const ast::ExprId body = expression();
  const ast::ExprId id =
      make({.kind = kind, .op = op, .op_where = tokens_[variable].where, .begin = begin}, {body});
  if (id.valid()) {
    ast::Expr& expr = document_.exprs[id];
    expr.text = tokens_[kind == ExprKind::kSpawn ? word : variable].text;
    expr.type = bound;
  }
  return id;
}

ast::ExprId TextParser::spawn() {
  const SourceRange word = current().where;
  advance();
  const std::uint32_t begin = current().where.begin;
  const ast::ExprId call = call_tail(leaf(ExprKind::kName), begin);
  const ast::ExprId id =
      make({.kind = ExprKind::kSpawn, .op_where = word, .begin = word.begin}, {call});
  if (id.valid())
    document_.exprs[id].text = "spawn";
  return id;
}

ast::ExprId TextParser::fail_primary() {
  std::string_view hint;
  if (at(TokenKind::kLeftBrace))
    hint = "a list may only stand behind '=' in a declaration";
  else if (at(TokenKind::kIf) || at(TokenKind::kFor) || at(TokenKind::kWhile))
    hint = "statements belong into a function; an expression may use '? :'";
  else if (at(TokenKind::kAssign) && previous().kind == TokenKind::kEqual)
    hint = "compare with '=='";
  else if (previous().kind == TokenKind::kComma && !at(TokenKind::kComma))
    hint = "remove the last ','";
  fail_expected("an expression", hint);
  return {};
}

/// A guard, an invariant or another single expression.
ast::ExprId TextParser::constraint() {
  const std::uint32_t begin = current().where.begin;
  ast::ExprId expr = expression();
  while (old_ && at(TokenKind::kComma)) {
    const SourceRange op_where = current().where;
    advance();
    const ast::ExprId next = expression();
    expr = make({.kind = ExprKind::kBinary, .op = Op::kAnd, .op_where = op_where, .begin = begin},
                {expr, next});
  }
  if (at(TokenKind::kComma))
    fail_expected("a single expression",
                  "a list that means a conjunction is UPPAAL 3 syntax; write '&&' instead of ','");
  return panic_ ? ast::ExprId() : expr;
}

std::vector<ast::ExprId> TextParser::updates() {
  std::vector<ast::ExprId> updates;
  do {
    if (const ast::ExprId update = expression(); update.valid())
      updates.push_back(update);
  } while (accept(TokenKind::kComma));
  return updates;
}

/// The comma expression of a statement header.
ast::ExprId TextParser::expression_list() {
  const std::uint32_t begin = current().where.begin;
  ast::ExprId list = expression();
  while (at(TokenKind::kComma)) {
    const SourceRange op_where = current().where;
    advance();
    const ast::ExprId next = expression();
    list = make({.kind = ExprKind::kComma, .op_where = op_where, .begin = begin}, {list, next});
  }
  return list;
}

std::vector<ast::Select> TextParser::selects() {
  std::vector<ast::Select> selects;
  do {
    ast::Name name = expect_name("the name of the selected variable");
    expect(TokenKind::kColon, "after the selected variable", "write it as 'i : int[0,3]'");
    const ast::TypeId domain = type();
    if (domain.valid())
      selects.push_back({.name = std::move(name), .type = domain});
  } while (accept(TokenKind::kComma));
  return selects;
}

Parser::Rate TextParser::rate() {
  Parser::Rate rate;
  rate.rate = expression();
  if (accept(TokenKind::kColon))
    rate.divisor = expression();
  return panic_ ? Parser::Rate() : rate;
}

std::optional<ast::Sync> TextParser::sync() { return sync_until(tokens_.size() - 1); }

/// A synchronisation that ends before token end. Its last token decides the direction, because a
/// '?' before that begins a conditional expression.
std::optional<ast::Sync> TextParser::sync_until(std::size_t end) {
  const std::uint32_t begin = current().where.begin;
  const std::size_t last = end - 1;
  const TokenKind mark = tokens_[last].kind;
  const bool directed = mark == TokenKind::kBang || mark == TokenKind::kQuestion;
  const std::size_t stop = directed ? last : end;
  // The channel must not read on into the mark; for its parser the text ends there.
  const TokenKind hidden = std::exchange(tokens_[stop].kind, TokenKind::kEnd);
  ast::Sync sync;
  sync.channel = expression();
  if (!at_end())
    fail_expected("the end of the synchronisation", "write it as 'channel!' or 'channel?'");
  tokens_[stop].kind = hidden;
  if (panic_)
    return std::nullopt;
  if (directed) {
    sync.direction =
        mark == TokenKind::kBang ? ast::SyncDirection::kSend : ast::SyncDirection::kReceive;
    advance();
  }
  sync.where = since(begin);
  return sync;
}

ast::ExprId TextParser::initialiser() {
  const Nesting nesting(*this);
  return at(TokenKind::kLeftBrace) ? initialiser_list() : expression();
}

ast::ExprId TextParser::initialiser_list() {
  const std::uint32_t begin = current().where.begin;
  advance();
  ArgList args;
  std::vector<ast::Name> names;
  do {
    names.emplace_back();
    if (at(TokenKind::kName) && next_is(TokenKind::kColon)) {
      names.back() = expect_name("the name of a field");
      advance();
    }
    args.push_back(initialiser());
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightBrace, "after the list");
  const ast::ExprId list = make({.kind = ExprKind::kList, .begin = begin}, std::move(args));
  if (list.valid())
    document_.exprs[list].names = std::move(names);
  return list;
}

}  // namespace tw::uppaal
