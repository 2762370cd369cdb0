#include "frontends/uppaal/parser.hpp"

#include <algorithm>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {

namespace {

// Words that UPPAAL 3 did not have, so that its models use them as names.
bool is_younger_than_uppaal_3(TokenKind kind) {
  switch (kind) {
    case TokenKind::kSelect:
    case TokenKind::kFor:
    case TokenKind::kWhile:
    case TokenKind::kDo:
    case TokenKind::kIf:
    case TokenKind::kElse:
    case TokenKind::kDefault:
    case TokenKind::kReturn:
    case TokenKind::kTypedef:
    case TokenKind::kStruct:
    case TokenKind::kMeta:
    case TokenKind::kForall:
    case TokenKind::kExists:
      return true;
    default:
      return false;
  }
}

}  // namespace

TextParser::TextParser(ast::Document& document,
                       Diagnostics& diagnostics,
                       const SourceText& text,
                       ast::Dialect dialect)
    : document_(document),
      diagnostics_(diagnostics),
      text_(text),
      old_(dialect == ast::Dialect::kUppaal3),
      tokens_(tokenize(text, diagnostics)),
      first_expr_(document.exprs.size()) {
  if (!old_)
    return;
  for (Token& token : tokens_)
    if (is_younger_than_uppaal_3(token.kind))
      token.kind = TokenKind::kName;
}

const Token& TextParser::peek(std::size_t distance) const {
  return panic_ ? tokens_.back() : tokens_[std::min(pos_ + distance, tokens_.size() - 1)];
}

bool TextParser::at_word(const char* word) const {
  return at(TokenKind::kName) && current().text == word;
}

/// From begin to the end of the last token that was read.
SourceRange TextParser::since(std::uint32_t begin) const {
  return {.begin = begin, .end = std::max(begin, previous().where.end)};
}

void TextParser::advance() {
  if (!at(TokenKind::kEnd))
    ++pos_;
}

bool TextParser::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

void TextParser::expect_end(const char* context, const char* hint) {
  if (!at_end())
    fail_expected(std::string("nothing more ") + context, hint);
}

void Parser::global_declarations(const SourceText& text) {
  TextParser(document_, diagnostics_, text).model(Section::kGlobal, document_.declarations);
}

std::vector<ast::Declaration> Parser::template_declarations(const SourceText& text) {
  std::vector<ast::Declaration> declarations;
  TextParser(document_, diagnostics_, text).model(Section::kTemplate, declarations);
  return declarations;
}

void Parser::instantiation_section(const SourceText& text) {
  TextParser(document_, diagnostics_, text)
      .model(Section::kInstantiation, document_.system_declarations);
}

void Parser::system_section(const SourceText& text) {
  TextParser(document_, diagnostics_, text).model(Section::kSystem, document_.system_declarations);
}

void Parser::text_model(const SourceText& text) {
  document_.where = text.where();
  TextParser(document_, diagnostics_, text).model(Section::kTextModel, document_.declarations);
}

std::vector<ast::Parameter> Parser::parameters(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return {};
  std::vector<ast::Parameter> parameters = parser.parameter_list();
  parser.expect_end("after the parameters");
  parser.note_all_lost();
  return parameters;
}

ast::ExprId Parser::expression(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return {};
  const ast::ExprId expr = parser.constraint();
  parser.expect_end("after the expression");
  return parser.failed() ? ast::ExprId() : expr;
}

std::vector<ast::ExprId> Parser::updates(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return {};
  std::vector<ast::ExprId> updates = parser.updates();
  parser.expect_end("after the update", "separate updates by ','");
  return updates;
}

std::vector<ast::Select> Parser::selects(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return {};
  std::vector<ast::Select> selects = parser.selects();
  parser.expect_end("after the selection");
  parser.note_all_lost();
  return selects;
}

std::optional<ast::Sync> Parser::sync(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return std::nullopt;
  return parser.sync();
}

Parser::Rate Parser::rate(const SourceText& text) {
  TextParser parser(document_, diagnostics_, text);
  if (parser.at_end())
    return {};
  const Rate rate = parser.rate();
  parser.expect_end("after the rate");
  return parser.failed() ? Rate() : rate;
}

}  // namespace tw::uppaal
