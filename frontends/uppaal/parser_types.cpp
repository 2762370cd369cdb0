// Types, declarators and parameters (docs/uppaal.md 4).

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

using ast::BaseType;

struct BaseWord {
  TokenKind token;
  BaseType base;
};

constexpr std::array kBaseWords{
    BaseWord{TokenKind::kInt, BaseType::kInt},
    BaseWord{TokenKind::kBool, BaseType::kBool},
    BaseWord{TokenKind::kChan, BaseType::kChannel},
    BaseWord{TokenKind::kClock, BaseType::kClock},
    BaseWord{TokenKind::kVoid, BaseType::kVoid},
    BaseWord{TokenKind::kScalar, BaseType::kScalar},
    BaseWord{TokenKind::kStruct, BaseType::kStruct},
};

const BaseWord* base_word_of(TokenKind kind) {
  const auto* found = std::ranges::find(kBaseWords, kind, &BaseWord::token);
  return found == kBaseWords.end() ? nullptr : found;
}

bool is_prefix(TokenKind kind) {
  return kind == TokenKind::kConst || kind == TokenKind::kMeta || kind == TokenKind::kUrgent ||
         kind == TokenKind::kBroadcast;
}

// What follows the name in `const N 5;` and `const N = 5;`.
bool begins_value(TokenKind kind) {
  return kind == TokenKind::kNumber || kind == TokenKind::kMinus || kind == TokenKind::kTrue ||
         kind == TokenKind::kFalse || kind == TokenKind::kAssign || kind == TokenKind::kColonAssign;
}

// The documentation reserves these words, the language does not.
constexpr std::array<std::string_view, 5> kReservedInDocs{"break", "continue", "switch", "case",
                                                          "enum"};

}  // namespace

/// At a word that can only begin a type. The name of a type is not enough: it may be a variable.
bool TextParser::at_type() const {
  return is_prefix(current().kind) || base_word_of(current().kind) != nullptr ||
         (at_word("hybrid") && next_is(TokenKind::kClock));
}

// In the pool before its content, so that nested types keep no node on the stack.
ast::TypeId TextParser::push_type() { return document_.types.push_back({}); }

ast::TypeId TextParser::type() {
  const Nesting nesting(*this);
  if (panic_)
    return {};
  const std::uint32_t begin = current().where.begin;
  const ast::TypeId id = push_type();
  type_prefix(id);
  base_type(id);
  document_.types[id].where = since(begin);
  return panic_ ? ast::TypeId() : id;
}

void TextParser::type_prefix(ast::TypeId id) {
  ast::Type& type = document_.types[id];
  type.is_const = accept(TokenKind::kConst);
  type.is_meta = !type.is_const && accept(TokenKind::kMeta);
  const bool value = type.is_const || type.is_meta;
  type.is_urgent = !value && accept(TokenKind::kUrgent);
  type.is_broadcast = !value && accept(TokenKind::kBroadcast);
  if (at(TokenKind::kUrgent) && type.is_broadcast)
    fail_expected("a type after 'broadcast'", "write 'urgent broadcast'");
  else if (is_prefix(current().kind))
    fail_expected("a type after " + std::string(describe(previous().kind)),
                  "these two words cannot be combined");
}

void TextParser::base_type(ast::TypeId id) {
  if (at_word("hybrid") && next_is(TokenKind::kClock)) {
    document_.types[id].is_hybrid = true;
    advance();
  }
  if (at(TokenKind::kName)) {
    named_type(id);
    return;
  }
  const BaseWord* word = base_word_of(current().kind);
  if (word == nullptr) {
    fail_expected("a type");
    return;
  }
  const bool fixed = document_.types[id].is_const || document_.types[id].is_meta;
  if (word->base == BaseType::kClock && fixed) {
    fail_clock();
    return;
  }
  document_.types[id].base = word->base;
  advance();
  if (word->base == BaseType::kInt && at(TokenKind::kLeftBracket))
    int_range(id);
  else if (word->base == BaseType::kScalar)
    scalar_size(id);
  else if (word->base == BaseType::kStruct)
    struct_fields(id);
}

void TextParser::fail_clock() {
  fail_expected("a type that may be 'const' or 'meta'", "a clock cannot; remove the word");
}

void TextParser::named_type(ast::TypeId id) {
  ast::Type& type = document_.types[id];
  if (type.is_const && begins_value(peek(1).kind)) {
    fail_untyped_constant();
    return;
  }
  type.name = expect_name("the name of a type");
  if (type.name.text == "double")
    type.base = BaseType::kDouble;
  else if (type.name.text == "string")
    type.base = BaseType::kString;
  else
    type.base = BaseType::kNamed;
}

void TextParser::fail_untyped_constant() {
  const std::string name(current().text);
  const bool old = !next_is(TokenKind::kAssign) && !next_is(TokenKind::kColonAssign);
  fail_expected("a type after 'const'",
                (old ? "this is old UPPAAL 3.x syntax, which --old-syntax reads; write 'const int "
                     : "write 'const int ") +
                    name + " = ...;'");
}

void TextParser::int_range(ast::TypeId id) {
  advance();
  const ast::ExprId low = expression();
  expect(TokenKind::kComma, "between the bounds of the type",
         "write 'int[low,high]'; an array size stands behind the name");
  const ast::ExprId high = expression();
  expect(TokenKind::kRightBracket, "after the bounds of the type");
  document_.types[id].low = low;
  document_.types[id].high = high;
}

void TextParser::scalar_size(ast::TypeId id) {
  expect(TokenKind::kLeftBracket, "after 'scalar'", "write 'scalar[n]'");
  const ast::ExprId size = expression();
  expect(TokenKind::kRightBracket, "after the size of the scalar set");
  document_.types[id].high = size;
}

void TextParser::struct_fields(ast::TypeId id) {
  const std::size_t open = pos_;
  expect(TokenKind::kLeftBrace, "after 'struct'");
  do {
    const ast::TypeId field_type = type();
    do
      field(id, field_type);
    while (accept(TokenKind::kComma));
    expect_semicolon("after the field");
  } while (!at(TokenKind::kRightBrace) && !at_end());
  expect_close(open, "after the fields of the struct");
}

void TextParser::field(ast::TypeId id, ast::TypeId field_type) {
  const Nesting nesting(*this);
  ast::Field field;
  field.type = field_type;
  field.declarator = declarator("the name of a field");
  if (!panic_)
    document_.types[id].fields.push_back(std::move(field));
}

/// A name with its dimensions; context tells what it names.
ast::Declarator TextParser::declarator(std::string_view context) {
  ast::Declarator declarator;
  declarator.name = expect_name(context);
  warn_reserved(declarator.name);
  while (at(TokenKind::kLeftBracket))
    dimension(declarator);
  return declarator;
}

void TextParser::warn_reserved(const ast::Name& name) {
  if (!panic_ && std::ranges::find(kReservedInDocs, name.text) != kReservedInDocs.end())
    diagnostics_.warning(name.where,
                         "'" + name.text + "' is a reserved word in UPPAAL's documentation",
                         "choose another name");
}

void TextParser::dimension(ast::Declarator& declarator) {
  const std::uint32_t begin = current().where.begin;
  advance();
  ast::TypeId index;
  ast::ExprId size;
  const bool word = (at_word("double") || at_word("string")) && next_is(TokenKind::kRightBracket);
  if (at_type() || word)
    index = type();
  else
    size = expression();
  expect(TokenKind::kRightBracket, "after the array size");
  declarator.dimensions.push_back({.size = size, .type = index, .where = since(begin)});
}

/// `const` without a type: an integer.
ast::TypeId TextParser::old_constant_type() {
  const ast::TypeId id = push_type();
  document_.types[id].is_const = true;
  document_.types[id].where = current().where;
  advance();
  return id;
}

/// `int x, y; const n`: grouped by type, and everything but constants by reference.
std::vector<ast::Parameter> TextParser::old_parameter_list() {
  std::vector<ast::Parameter> parameters;
  do {
    const bool constant = at(TokenKind::kConst);
    const ast::TypeId of = constant ? old_constant_type() : type();
    do {
      ast::Parameter parameter;
      parameter.type = of;
      parameter.by_reference = !constant;
      parameter.declarator = declarator("the name of the parameter");
      if (!panic_)
        parameters.push_back(std::move(parameter));
    } while (accept(TokenKind::kComma));
  } while (accept(TokenKind::kSemicolon));
  return parameters;
}

std::vector<ast::Parameter> TextParser::parameter_list() {
  if (old_)
    return old_parameter_list();
  std::vector<ast::Parameter> parameters;
  do
    parameter(parameters);
  while (accept(TokenKind::kComma));
  if (at(TokenKind::kSemicolon))
    fail_expected("',' or ')' after the parameter",
                  "this is old UPPAAL 3.x syntax; separate parameters by ',', give each its own "
                  "type, and mark references by '&'");
  return parameters;
}

void TextParser::parameter(std::vector<ast::Parameter>& parameters) {
  ast::Parameter parameter;
  parameter.type = type();
  parameter.by_reference = accept(TokenKind::kBitAnd);
  const bool lone_name = !parameter.by_reference && previous().kind == TokenKind::kName;
  if (lone_name && !at(TokenKind::kName) && !panic_)
    fail_expected("a name after the type '" + std::string(previous().text) + "'",
                  "each parameter needs its own type; a list behind one type is old UPPAAL 3.x "
                  "syntax");
  parameter.declarator = declarator("the name of the parameter");
  if (!panic_)
    parameters.push_back(std::move(parameter));
}

/// `( parameters? )`; goes on behind the list even if it is broken.
std::vector<ast::Parameter> TextParser::parenthesised_parameters() {
  std::vector<ast::Parameter> parameters;
  const std::size_t open = pos_;
  expect(TokenKind::kLeftParen, "before the parameters");
  if (panic_ || accept(TokenKind::kRightParen))
    return parameters;
  parameters = parameter_list();
  if (!panic_ && !at(TokenKind::kRightParen))
    fail_expected("',' or ')' after the parameter");
  recover_parentheses(open);
  accept(TokenKind::kRightParen);
  return parameters;
}

}  // namespace tw::uppaal
