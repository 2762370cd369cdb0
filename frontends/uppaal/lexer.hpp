// Cuts decoded model text into tokens (docs/uppaal.md 3). Only words that can never be a user's
// name are keywords here; later additions of the language (exit, query, location, random, the
// built-in functions …) are plain names and get their meaning from where they stand, because older
// models use them as names.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal {

// Spelling of every fixed token; the lexer takes the longest that matches.
// clang-format off
#define TW_UPPAAL_PUNCTUATION(X)                                                           \
  X(kDot, ".") X(kComma, ",") X(kSemicolon, ";") X(kColon, ":") X(kLeftBrace, "{")         \
  X(kRightBrace, "}") X(kLeftBracket, "[") X(kRightBracket, "]") X(kLeftParen, "(")        \
  X(kRightParen, ")") X(kQuestion, "?") X(kPrime, "'") X(kBang, "!") X(kArrow, "->")       \
  X(kUncontrollableArrow, "-u->") X(kAssign, "=") X(kColonAssign, ":=")                    \
  X(kPlusAssign, "+=") X(kMinusAssign, "-=") X(kTimesAssign, "*=") X(kDivideAssign, "/=")  \
  X(kModuloAssign, "%=") X(kOrAssign, "|=") X(kAndAssign, "&=") X(kXorAssign, "^=")        \
  X(kShiftLeftAssign, "<<=") X(kShiftRightAssign, ">>=") X(kMin, "<?") X(kMax, ">?")       \
  X(kPlus, "+") X(kMinus, "-") X(kTimes, "*") X(kDivide, "/") X(kModulo, "%")              \
  X(kPower, "**") X(kBitOr, "|") X(kBitAnd, "&") X(kBitXor, "^") X(kShiftLeft, "<<")       \
  X(kShiftRight, ">>") X(kOrOr, "||") X(kAndAnd, "&&") X(kLessEqual, "<=")                 \
  X(kGreaterEqual, ">=") X(kLess, "<") X(kGreater, ">") X(kEqual, "==") X(kNotEqual, "!=") \
  X(kIncrement, "++") X(kDecrement, "--")
// clang-format on

// clang-format off
#define TW_UPPAAL_KEYWORDS(X)                                                              \
  X(kConst, "const") X(kSelect, "select") X(kGuard, "guard") X(kSync, "sync")              \
  X(kAssignWord, "assign") X(kProcess, "process") X(kState, "state") X(kInit, "init")      \
  X(kTrans, "trans") X(kUrgent, "urgent") X(kCommit, "commit") X(kBroadcast, "broadcast")  \
  X(kSystem, "system") X(kTrue, "true") X(kFalse, "false") X(kAnd, "and") X(kOr, "or")     \
  X(kNot, "not") X(kImply, "imply") X(kFor, "for") X(kWhile, "while") X(kDo, "do")         \
  X(kIf, "if") X(kElse, "else") X(kDefault, "default") X(kReturn, "return")                \
  X(kTypedef, "typedef") X(kStruct, "struct") X(kMeta, "meta") X(kForall, "forall")        \
  X(kExists, "exists") X(kBool, "bool") X(kInt, "int") X(kChan, "chan") X(kClock, "clock") \
  X(kVoid, "void") X(kScalar, "scalar")
// clang-format on

enum class TokenKind : std::uint8_t {
#define TW_ENUMERATOR(name, spelling) name,
  TW_UPPAAL_PUNCTUATION(TW_ENUMERATOR)
  TW_UPPAAL_KEYWORDS(TW_ENUMERATOR)
#undef TW_ENUMERATOR
      kName,
  kNumber,
  kReal,
  kString,
  kUnknown,  // a character that belongs to no token; the lexer has reported it
  kEnd,
};

/// How a token kind is named in messages: "';'", "a name", "the end of the text".
[[nodiscard]] std::string_view describe(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::kEnd;
  SourceRange where;      // in the file
  std::string_view text;  // in the SourceText, which outlives the token
};

/// All tokens of a text; the last one is always kEnd. Problems (unknown character, number too
/// large, unclosed comment or string) are reported once each.
[[nodiscard]] std::vector<Token> tokenize(const SourceText& text, Diagnostics& diagnostics);

}  // namespace tw::uppaal
