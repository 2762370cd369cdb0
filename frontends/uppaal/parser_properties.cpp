// Requirements: queries `E<> p` and `A[] p`, and files of formulas in linear temporal logic. What
// binds weakest comes first:
//
//   formula    = implication { '<->' implication }
//   implication = disjunction [ ('->' | 'imply') implication ]
//   disjunction = conjunction { ('||' | 'or' | 'xor') conjunction }
//   conjunction = until { ('&&' | 'and') until }
//   until      = unary [ ('U' | 'W' | 'R') until ]
//   unary      = ('!' | 'not') unary | ('G' | '[]' | 'F' | '<>' | 'X') unary
//              | ('forall' | 'exists') '(' name ':' type ')' formula
//              | '(' formula ')' | expression without the operators above
//
// G, F, X, U, W and R are names as well: each is an operator where it can be one.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

using ast::LtlKind;

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view after_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_character(text[at - 1])) &&
        (end == text.size() || !is_name_character(text[end])))
      return true;
  }
  return false;
}

struct Word {
  const char* text;
  LtlKind kind;
};

constexpr std::array kPrefixes{Word{"G", LtlKind::kAlways}, Word{"F", LtlKind::kEventually},
                               Word{"X", LtlKind::kNext}};
constexpr std::array kInfixes{Word{"U", LtlKind::kUntil}, Word{"W", LtlKind::kWeakUntil},
                              Word{"R", LtlKind::kRelease}};

// What begins a query about more than states: kept as text.
constexpr std::array<std::string_view, 19> kOtherQueries{
    "sup",  "inf",     "bounds",    "Pr",      "Pmax",         "simulate",     "simulation",
    "minE", "maxE",    "minPr",     "maxPr",   "loadStrategy", "saveStrategy", "strategy",
    "sat",  "control", "control_t", "imitate", "query"};

// The text with blanks in place of comments.
std::string blank_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at + 1 < out.size(); ++at) {
    const std::string_view mark = std::string_view(out).substr(at, 2);
    if (mark != "//" && mark != "/*")
      continue;
    const std::size_t end = mark == "//" ? out.find('\n', at) : out.find("*/", at + 2);
    const std::size_t stop = end == std::string::npos ? out.size() : end + (mark == "//" ? 0 : 2);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(at),
              out.begin() + static_cast<std::ptrdiff_t>(stop), ' ');
    at = stop - 1;
  }
  return out;
}

// Behind a closing parenthesis: what was inside is a value.
bool continues_expression(TokenKind kind) {
  switch (kind) {
    case TokenKind::kDot:
    case TokenKind::kQuestion:
    case TokenKind::kPrime:
    case TokenKind::kMin:
    case TokenKind::kMax:
    case TokenKind::kPlus:
    case TokenKind::kMinus:
    case TokenKind::kTimes:
    case TokenKind::kDivide:
    case TokenKind::kModulo:
    case TokenKind::kPower:
    case TokenKind::kBitOr:
    case TokenKind::kBitAnd:
    case TokenKind::kBitXor:
    case TokenKind::kShiftLeft:
    case TokenKind::kShiftRight:
    case TokenKind::kLessEqual:
    case TokenKind::kGreaterEqual:
    case TokenKind::kLess:
    case TokenKind::kGreater:
    case TokenKind::kEqual:
    case TokenKind::kNotEqual:
      return true;
    default:
      return false;
  }
}

}  // namespace

QueryForm form_of_query(std::string_view query) {
  const std::string without_comments = blank_comments(query);
  const std::string_view text = after_blanks(without_comments);
  if (text.empty() || text.find("-->") != std::string_view::npos || text[0] == '{')
    return QueryForm::kOther;
  const std::size_t length = std::min(
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_character) - text.begin()),
      text.size());
  const std::string_view word = text.substr(0, length);
  const std::string_view open = after_blanks(text.substr(length));
  if (std::ranges::find(kOtherQueries, word) != kOtherQueries.end() ||
      (!word.empty() && open.starts_with(':')))
    return QueryForm::kOther;
  if ((word != "E" && word != "A") || open.empty() || (open[0] != '<' && open[0] != '['))
    return QueryForm::kUnknown;
  const std::string_view close = after_blanks(open.substr(1));
  const std::string_view expected = word == "E" ? "<>" : "[]";
  if (open[0] != expected[0] || close.empty() || close[0] != expected[1])
    return QueryForm::kOther;
  const std::string_view body = close.substr(1);
  const bool nested = body.find("<>") != std::string_view::npos ||
                      body.find("[]") != std::string_view::npos || has_word(body, "under") ||
                      has_word(body, "deadlock");
  return nested ? QueryForm::kOther : QueryForm::kState;
}

ast::LtlId Parser::query(const SourceText& text) {
  return TextParser(document_, diagnostics_, text, ast::Dialect::kToday).query_formula();
}

ast::LtlId Parser::condition(const SourceText& text) {
  return TextParser(document_, diagnostics_, text, ast::Dialect::kToday).state_condition();
}

std::vector<ast::Requirement> Parser::requirements(const SourceText& text) {
  return TextParser(document_, diagnostics_, text, ast::Dialect::kToday).requirements();
}

ast::LtlId TextParser::query_formula() {
  constexpr std::size_t kPrefixTokens = 3;  // E < > or A [ ]
  const bool reach = at_word("E");
  const std::uint32_t begin = current().where.begin;
  for (std::size_t i = 0; i < kPrefixTokens; ++i)
    advance();
  return make_ltl(reach ? LtlKind::kEventually : LtlKind::kAlways, begin, state_condition(), {});
}

ast::LtlId TextParser::state_condition() {
  in_property_ = true;
  const std::uint32_t begin = current().where.begin;
  const ast::ExprId expression = constraint();
  expect_end("after the condition");
  if (panic_)
    return {};
  ast::Ltl out;
  out.expression = expression;
  out.where = since(begin);
  return document_.ltl.push_back(std::move(out));
}

std::vector<ast::Requirement> TextParser::requirements() {
  in_property_ = true;
  std::vector<ast::Requirement> out;
  while (!at_end()) {
    if (accept(TokenKind::kSemicolon))
      continue;
    if (at(TokenKind::kRightBrace)) {
      // Where braces mean a block, recovery stops in front of one that closes it. Here none does.
      if (!unsettled_)
        report(current().where, "unexpected '}'", "there is no '{' that it could close");
      advance();
      continue;
    }
    const std::size_t start = pos_;
    ast::Requirement requirement;
    if (at(TokenKind::kName) && next_is(TokenKind::kColon)) {
      requirement.name = expect_name("the name of a requirement");
      advance();
    }
    const std::uint32_t begin = current().where.begin;
    requirement.formula = ltl();
    requirement.where = since(begin);
    if (!panic_ && !at_end())
      expect(TokenKind::kSemicolon, "after the requirement",
             at(TokenKind::kAssign) ? "compare with '=='"
                                    : "each requirement ends with ';', also at the end of a line");
    if (!panic_)
      out.push_back(std::move(requirement));
    settle(Construct::kStatement, start);
    if (stopped_)
      break;
  }
  return out;
}

ast::LtlId TextParser::make_ltl(LtlKind kind,
                                std::uint32_t begin,
                                ast::LtlId left,
                                ast::LtlId right) {
  if (panic_)
    return {};
  ast::Ltl out;
  out.kind = kind;
  out.left = left;
  out.right = right;
  out.where = since(begin);
  return document_.ltl.push_back(std::move(out));
}

// '<' and '->' are two tokens. Nothing else of the language has them side by side.
bool TextParser::at_equivalence() const {
  return at(TokenKind::kLess) && next_is(TokenKind::kArrow);
}

ast::LtlId TextParser::ltl() {
  const Nesting nesting(*this);
  const std::uint32_t begin = current().where.begin;
  ast::LtlId left = ltl_implication();
  while (at_equivalence()) {
    advance();
    advance();
    left = make_ltl(LtlKind::kEquivalent, begin, left, ltl_implication());
  }
  return left;
}

ast::LtlId TextParser::ltl_implication() {
  const Nesting nesting(*this);
  const std::uint32_t begin = current().where.begin;
  const ast::LtlId left = ltl_disjunction();
  if (!accept(TokenKind::kArrow) && !accept(TokenKind::kImply))
    return left;
  return make_ltl(LtlKind::kImply, begin, left, ltl_implication());
}

ast::LtlId TextParser::ltl_disjunction() {
  const std::uint32_t begin = current().where.begin;
  ast::LtlId left = ltl_conjunction();
  for (;;) {
    const bool exclusive = at_word("xor");
    if (!exclusive && !at(TokenKind::kOrOr) && !at(TokenKind::kOr))
      return left;
    advance();
    left = make_ltl(exclusive ? LtlKind::kXor : LtlKind::kOr, begin, left, ltl_conjunction());
  }
}

ast::LtlId TextParser::ltl_conjunction() {
  const std::uint32_t begin = current().where.begin;
  ast::LtlId left = ltl_until();
  while (accept(TokenKind::kAndAnd) || accept(TokenKind::kAnd))
    left = make_ltl(LtlKind::kAnd, begin, left, ltl_until());
  return left;
}

std::optional<LtlKind> TextParser::temporal_infix() const {
  for (const Word& word : kInfixes)
    if (at_word(word.text))
      return word.kind;
  return std::nullopt;
}

ast::LtlId TextParser::ltl_until() {
  const Nesting nesting(*this);
  const std::uint32_t begin = current().where.begin;
  const ast::LtlId left = ltl_unary();
  const std::optional<LtlKind> infix = temporal_infix();
  if (!infix)
    return left;
  advance();
  return make_ltl(*infix, begin, left, ltl_until());
}

// Whether a formula can begin so many tokens ahead; '-' is left to subtraction.
bool TextParser::can_begin_formula(std::size_t distance) const {
  const Token& token = peek(distance);
  switch (token.kind) {
    case TokenKind::kNumber:
    case TokenKind::kLeftParen:
    case TokenKind::kBang:
    case TokenKind::kNot:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kForall:
    case TokenKind::kExists:
      return true;
    case TokenKind::kName:
      return token.text != "xor" && token.text != "U" && token.text != "W" && token.text != "R";
    case TokenKind::kLess:
      return peek(distance + 1).kind == TokenKind::kGreater;
    case TokenKind::kLeftBracket:
      return peek(distance + 1).kind == TokenKind::kRightBracket;
    default:
      return false;
  }
}

std::optional<LtlKind> TextParser::temporal_prefix(std::size_t& length) const {
  length = 2;
  if (at(TokenKind::kLeftBracket) && next_is(TokenKind::kRightBracket))
    return LtlKind::kAlways;
  if (at(TokenKind::kLess) && next_is(TokenKind::kGreater))
    return LtlKind::kEventually;
  length = 1;
  for (const Word& word : kPrefixes)
    if (at_word(word.text) && can_begin_formula(1))
      return word.kind;
  return std::nullopt;
}

// `(a + b) > 3` and `(p ? a : b)` are expressions, `(a && F b)` need not be one.
bool TextParser::is_expression_in_parentheses(std::size_t open) const {
  const std::size_t close = matching(open);
  std::size_t depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    const TokenKind kind = tokens_[i].kind;
    if (kind == TokenKind::kLeftParen || kind == TokenKind::kLeftBracket)
      ++depth;
    else if (kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket)
      depth -= depth == 0 ? 0 : 1;
    else if (kind == TokenKind::kQuestion && depth == 0)
      return true;
  }
  if (close + 1 >= tokens_.size())
    return false;
  const TokenKind next = tokens_[close + 1].kind;
  if (next == TokenKind::kLess && tokens_[close + 2].kind == TokenKind::kArrow)
    return false;
  return continues_expression(next);
}

ast::LtlId TextParser::ltl_unary() {
  const Nesting nesting(*this);
  const std::uint32_t begin = current().where.begin;
  std::size_t length = 0;
  if (const std::optional<LtlKind> prefix = temporal_prefix(length)) {
    for (std::size_t i = 0; i < length; ++i)
      advance();
    return make_ltl(*prefix, begin, ltl_unary(), {});
  }
  if (at(TokenKind::kForall) || at(TokenKind::kExists))
    return ltl_quantifier();
  if (at(TokenKind::kLeftParen) && !is_expression_in_parentheses(pos_)) {
    advance();
    const ast::LtlId inner = ltl();
    expect(TokenKind::kRightParen, "to match '('");
    return panic_ ? ast::LtlId() : inner;
  }
  if (!at(TokenKind::kBang) && !at(TokenKind::kNot))
    return ltl_expression();
  // `!x == 3` compares `!x`, as everywhere in the language.
  std::size_t operand = pos_;
  while (tokens_[operand].kind == TokenKind::kBang || tokens_[operand].kind == TokenKind::kNot)
    ++operand;
  const std::size_t before = std::exchange(pos_, operand);
  const bool above = temporal_prefix(length).has_value() || at(TokenKind::kForall) ||
                     at(TokenKind::kExists) ||
                     (at(TokenKind::kLeftParen) && !is_expression_in_parentheses(pos_));
  pos_ = before;
  if (!above)
    return ltl_expression();
  advance();
  return make_ltl(LtlKind::kNot, begin, ltl_unary(), {});
}

ast::LtlId TextParser::ltl_quantifier() {
  ast::Ltl out;
  out.kind = at(TokenKind::kForall) ? LtlKind::kForall : LtlKind::kExists;
  const std::uint32_t begin = current().where.begin;
  advance();
  expect(TokenKind::kLeftParen, "after the quantifier", "write it as 'forall (i : T) formula'");
  out.variable = expect_name("the name of the bound variable");
  expect(TokenKind::kColon, "after the bound variable");
  out.type = type();
  expect(TokenKind::kRightParen, "after the type of the bound variable");
  out.left = ltl();
  out.where = since(begin);
  return panic_ ? ast::LtlId() : document_.ltl.push_back(std::move(out));
}

ast::LtlId TextParser::ltl_expression() {
  const std::uint32_t begin = current().where.begin;
  const ast::ExprId value = expression(Level::kBitOr);
  if (panic_)
    return {};
  ast::Ltl out;
  out.expression = value;
  out.where = since(begin);
  return document_.ltl.push_back(std::move(out));
}

}  // namespace tw::uppaal
