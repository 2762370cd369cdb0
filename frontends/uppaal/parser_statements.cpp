// Statements (docs/uppaal.md 4.3).

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

using ast::StmtKind;

struct ForeignWord {
  std::string_view word;
  TokenKind next;  // what follows it in C; the word alone may be a user's name
  std::string_view hint;
};

constexpr std::array kForeignWords{
    ForeignWord{"break", TokenKind::kSemicolon, "end the loop through its condition"},
    ForeignWord{"continue", TokenKind::kSemicolon, "put the rest of the loop under an 'if'"},
    ForeignWord{"switch", TokenKind::kLeftParen, "use 'if' and 'else'"},
    ForeignWord{"case", TokenKind::kNumber, "use 'if' and 'else'"},
    ForeignWord{"case", TokenKind::kName, "use 'if' and 'else'"},
};

}  // namespace

/// Invalid if a part is: the headers of statements end their panics on their own.
ast::StmtId TextParser::make(StmtParts parts, std::uint32_t begin) {
  const auto invalid = [](auto id) { return !id.valid(); };
  if (panic_ || std::ranges::any_of(parts.exprs, invalid) ||
      std::ranges::any_of(parts.body, invalid))
    return {};
  ast::Stmt stmt;
  stmt.kind = parts.kind;
  stmt.exprs = std::move(parts.exprs);
  stmt.body = std::move(parts.body);
  stmt.where = since(begin);
  return document_.stmts.push_back(std::move(stmt));
}

ast::StmtId TextParser::statement() {
  const Nesting nesting(*this);
  if (at(TokenKind::kLeftBrace))
    return block();
  if (at(TokenKind::kIf))
    return if_statement();
  if (at(TokenKind::kFor))
    return for_statement();
  if (at(TokenKind::kWhile))
    return while_statement();
  if (at(TokenKind::kDo))
    return do_statement();
  if (at(TokenKind::kReturn))
    return return_statement();
  return simple_statement();
}

// In the pool before its content, so that nested blocks keep no node on the stack.
ast::StmtId TextParser::push_block() {
  ast::Stmt stmt;
  stmt.kind = StmtKind::kBlock;
  return document_.stmts.push_back(std::move(stmt));
}

ast::StmtId TextParser::block() {
  const std::size_t open = pos_;
  advance();
  const ast::StmtId id = push_block();
  std::size_t late = 0;  // token of the first declaration behind a statement
  while (!at(TokenKind::kRightBrace) && !at_end() && !at_outer_word()) {
    const std::size_t start = pos_;
    const bool declares = at_declaration();
    if (declares) {
      if (late == 0 && !document_.stmts[id].body.empty())
        late = pos_;
      local_declaration(id);
    } else if (const ast::StmtId inner = statement(); inner.valid()) {
      document_.stmts[id].body.push_back(inner);
    }
    settle(declares ? Construct::kLocal : Construct::kStatement, start);
  }
  // Behind a missing '}' the declarations of the model would look late.
  if (late != 0 && at(TokenKind::kRightBrace))
    report_late_declaration(tokens_[late].where);
  expect_close(open, "at the end of the block");
  document_.stmts[id].where = since(tokens_[open].where.begin);
  return id;
}

/// What cannot stand inside a function: a '}' is missing.
bool TextParser::at_outer_word() const {
  const bool function = (at_type() || at(TokenKind::kName)) && next_is(TokenKind::kName) &&
                        peek(2).kind == TokenKind::kLeftParen && at_declaration();
  return function || at(TokenKind::kProcess) || at(TokenKind::kSystem) || at(TokenKind::kState) ||
         at(TokenKind::kInit) || at(TokenKind::kTrans) || at(TokenKind::kCommit);
}

void TextParser::report_late_declaration(SourceRange where) {
  report(where, "declaration after a statement",
         "move it to the beginning of the block, or open a new block");
}

void TextParser::local_declaration(ast::StmtId block) {
  ast::LocalDeclaration local;
  if (at(TokenKind::kTypedef)) {
    local.types = type_declaration();
  } else {
    const std::uint32_t begin = current().where.begin;
    local.variables = variables(type(), begin);
  }
  if (!panic_)
    document_.stmts[block].declarations.push_back(std::move(local));
}

/// `( expression list )` behind the word of a statement.
ast::ExprId TextParser::condition(const char* context) {
  const std::size_t open = pos_;
  expect(TokenKind::kLeftParen, context);
  ast::ExprId condition = expression_list();
  if (!at(TokenKind::kRightParen)) {
    expect(TokenKind::kRightParen, "after the condition");
    condition = {};
    recover_parentheses(open);
  }
  accept(TokenKind::kRightParen);
  return condition;
}

ast::StmtId TextParser::if_statement() {
  const std::uint32_t begin = current().where.begin;
  advance();
  const ast::ExprId test = condition("after 'if'");
  const ast::StmtId then = statement();
  if (!accept(TokenKind::kElse))
    return make({.kind = StmtKind::kIf, .exprs = {test}, .body = {then}}, begin);
  const ast::StmtId otherwise = statement();
  return make({.kind = StmtKind::kIf, .exprs = {test}, .body = {then, otherwise}}, begin);
}

ast::StmtId TextParser::for_statement() {
  const std::uint32_t begin = current().where.begin;
  advance();
  const std::size_t open = pos_;
  expect(TokenKind::kLeftParen, "after 'for'");
  if (at(TokenKind::kName) && next_is(TokenKind::kColon))
    return for_each(begin);
  if (at_type() || (at(TokenKind::kName) && next_is(TokenKind::kName) && peek(1).text != "xor"))
    fail_expected("an expression", "declare the variable before the loop, or write 'for (i : T)'");
  const ast::ExprId first = loop_part();
  expect(TokenKind::kSemicolon, "after the first part of 'for'");
  const ast::ExprId test = loop_part();
  expect(TokenKind::kSemicolon, "after the condition of 'for'");
  ast::ExprId step = loop_part();
  if (!at(TokenKind::kRightParen)) {
    expect(TokenKind::kRightParen, "after the last part of 'for'");
    step = {};
    recover_parentheses(open);
  }
  accept(TokenKind::kRightParen);
  const ast::StmtId body = statement();
  return make({.kind = StmtKind::kFor, .exprs = {first, test, step}, .body = {body}}, begin);
}

ast::ExprId TextParser::loop_part() {
  if (at(TokenKind::kSemicolon) || at(TokenKind::kRightParen))
    fail_expected("an expression",
                  "no part of 'for' may be empty; write 'true', or use 'while (true)'");
  return expression_list();
}

ast::StmtId TextParser::for_each(std::uint32_t begin) {
  const std::size_t variable = pos_;
  advance();
  advance();
  const ast::TypeId domain = type();
  expect(TokenKind::kRightParen, "after the type of the loop variable");
  const ast::StmtId body = statement();
  const ast::StmtId id = make({.kind = StmtKind::kIterate, .exprs = {}, .body = {body}}, begin);
  if (id.valid()) {
    const Token& token = tokens_[variable];
    document_.stmts[id].variable = {.text = std::string(token.text), .where = token.where};
    document_.stmts[id].type = domain;
  }
  return id;
}

ast::StmtId TextParser::while_statement() {
  const std::uint32_t begin = current().where.begin;
  advance();
  const ast::ExprId test = condition("after 'while'");
  const ast::StmtId body = statement();
  return make({.kind = StmtKind::kWhile, .exprs = {test}, .body = {body}}, begin);
}

ast::StmtId TextParser::do_statement() {
  const std::uint32_t begin = current().where.begin;
  advance();
  const ast::StmtId body = statement();
  expect(TokenKind::kWhile, "after the body of 'do'");
  const ast::ExprId test = condition("after 'while'");
  expect_semicolon("after the loop");
  return make({.kind = StmtKind::kDoWhile, .exprs = {test}, .body = {body}}, begin);
}

ast::StmtId TextParser::return_statement() {
  const std::uint32_t begin = current().where.begin;
  advance();
  std::vector<ast::ExprId> value;
  if (!at(TokenKind::kSemicolon))
    value.push_back(expression());
  expect_semicolon("after 'return'");
  return make({.kind = StmtKind::kReturn, .exprs = std::move(value)}, begin);
}

ast::StmtId TextParser::simple_statement() {
  const std::uint32_t begin = current().where.begin;
  if (accept(TokenKind::kSemicolon))
    return make({.kind = StmtKind::kEmpty}, begin);
  if (fail_foreign_statement())
    return {};
  const bool asserts = at_assert();
  if (asserts)
    advance();
  const ast::ExprId expr = expression();
  expect_semicolon("after the statement",
                   at(TokenKind::kComma) ? "separate statements by ';'" : "");
  return make({.kind = asserts ? StmtKind::kAssert : StmtKind::kExpression, .exprs = {expr}},
              begin);
}

/// 'assert' is a statement only in front of an expression that could not continue a name.
bool TextParser::at_assert() const {
  if (!at_word("assert"))
    return false;
  const TokenKind next = peek(1).kind;
  return (next == TokenKind::kName && peek(1).text != "xor") || next == TokenKind::kNumber ||
         next == TokenKind::kLeftParen || next == TokenKind::kTrue || next == TokenKind::kFalse ||
         next == TokenKind::kNot || next == TokenKind::kBang || next == TokenKind::kForall ||
         next == TokenKind::kExists;
}

/// Words that C has and this language has not.
bool TextParser::fail_foreign_statement() {
  if (at(TokenKind::kElse)) {
    fail(current(), "'else' without 'if'", "only one statement may stand between 'if' and 'else'");
    return true;
  }
  if (at(TokenKind::kDefault)) {
    fail(current(), "'default' is not part of the language here", "use 'if' and 'else'");
    return true;
  }
  if (!at(TokenKind::kName))
    return false;
  for (const ForeignWord& foreign : kForeignWords) {
    if (current().text == foreign.word && next_is(foreign.next)) {
      fail(current(), "'" + std::string(foreign.word) + "' is not part of the language",
           std::string(foreign.hint));
      return true;
    }
  }
  return false;
}

}  // namespace tw::uppaal
