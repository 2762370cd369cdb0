// What the user wrote, before names mean anything: the syntax tree of an UPPAAL model, shared by
// the XML and the text reader. The parser builds it without a symbol table; the checker gives it
// meaning.
//
// Nodes live in one pool and refer to each other by id. Names are kept as written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/base/small_vector.hpp"
#include "engine/model/network.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal::ast {

using ExprId = Id<struct AstExprTag>;
using StmtId = Id<struct AstStmtTag>;
using TypeId = Id<struct AstTypeTag>;
using LtlId = Id<struct AstLtlTag>;

// Kept as they are for later stages.
using tw::Annotation;
using tw::Layout;
using tw::Point;

struct Name {
  std::string text;
  SourceRange where;
};

enum class ExprKind : std::uint8_t {
  kNumber,  // value
  kReal,    // text
  kString,  // text without the quotes
  kTrue,
  kFalse,
  kName,         // text
  kUnary,        // op, args[0]
  kBinary,       // op, args[0], args[1]
  kAssign,       // op (kAssign or a compound one), args[0], args[1]
  kPrefix,       // op kIncrement/kDecrement, args[0]
  kPostfix,      // op kIncrement/kDecrement, args[0]
  kConditional,  // args[0] ? args[1] : args[2]
  kIndex,        // args[0] [ args[1] ]
  kField,        // args[0] . text
  kCall,         // args[0] ( args[1…] )
  kRate,         // args[0] '
  kQuantifier,   // op kForall/kExists/kSum, text (the variable), type, args[0] (the body)
  kComma,        // args[0], args[1]
  kList,         // { args… }, with names[i] empty where the element is positional
  kSpawn,  // spawn args[0](…), exit(), numOf(T), foreach: dynamic templates, text = the word
};

enum class Op : std::uint8_t {
  kNone,
  kPlus,
  kMinus,
  kNot,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kShiftLeft,
  kShiftRight,
  kMin,
  kMax,
  kLess,
  kLessEqual,
  kGreaterEqual,
  kGreater,
  kEqual,
  kNotEqual,
  kBitAnd,
  kBitXor,
  kBitOr,
  kAnd,
  kOr,
  kXor,
  kImply,
  kAssign,
  kIncrement,
  kDecrement,
  kForall,
  kExists,
  kSum,
};

struct Expr {
  ExprKind kind = ExprKind::kNumber;
  Op op = Op::kNone;  // for compound assignment the operator in front of '='; kAssign for plain
  TypeId type;        // kQuantifier only
  std::uint32_t value = 0;  // kNumber: 0 … 2147483648 (the latter only below a unary minus)
  SourceRange where;        // the whole expression
  SourceRange op_where;     // the operator, the field name, the variable of a quantifier
  std::string text;
  SmallVector<ExprId, 3> args;
  std::vector<Name> names;  // kList only
};

/// One array dimension: an expression (which may turn out to name a type) or a type.
struct Dimension {
  ExprId size;
  TypeId type;
  SourceRange where;
};

struct Declarator {
  Name name;
  std::vector<Dimension> dimensions;
  ExprId initialiser;  // invalid: none
};

enum class BaseType : std::uint8_t {
  kInt,
  kBool,
  kDouble,
  kString,
  kChannel,
  kClock,
  kVoid,
  kScalar,
  kStruct,
  kNamed,
};

struct Field;

struct Type {
  BaseType base = BaseType::kInt;
  bool is_const = false;
  bool is_meta = false;
  bool is_urgent = false;
  bool is_broadcast = false;
  bool is_hybrid = false;
  ExprId low;                 // int[low,high]
  ExprId high;                // int[low,high], scalar[high]
  Name name;                  // kNamed
  std::vector<Field> fields;  // kStruct
  SourceRange where;
};

/// `int a, b[2];` inside a struct: one type, several names.
struct Field {
  TypeId type;
  Declarator declarator;
};

struct Parameter {
  TypeId type;
  bool by_reference = false;
  Declarator declarator;  // never with an initialiser
};

struct VariableDeclaration {
  TypeId type;
  std::vector<Declarator> declarators;
  SourceRange where;
};

struct TypeDeclaration {
  TypeId type;
  std::vector<Declarator> declarators;  // name and dimensions
  SourceRange where;
};

enum class StmtKind : std::uint8_t {
  kEmpty,
  kBlock,       // variables/types in declarations, then body
  kExpression,  // exprs[0]
  kIf,          // exprs[0], body[0], optional body[1]
  kFor,         // exprs[0]; exprs[1]; exprs[2], body[0]
  kIterate,     // for (variable : type) body[0]
  kWhile,       // exprs[0], body[0]
  kDoWhile,     // exprs[0], body[0]
  kReturn,      // optional exprs[0]
  kAssert,      // exprs[0]
};

/// A declaration inside a block: exactly one of the two is present.
struct LocalDeclaration {
  std::optional<VariableDeclaration> variables;
  std::optional<TypeDeclaration> types;
};

struct Stmt {
  StmtKind kind = StmtKind::kEmpty;
  SourceRange where;
  std::vector<ExprId> exprs;
  std::vector<StmtId> body;
  std::vector<LocalDeclaration> declarations;  // kBlock
  Name variable;                               // kIterate
  TypeId type;                                 // kIterate
};

struct Function {
  TypeId result;
  Name name;
  std::vector<Parameter> parameters;
  StmtId body;
};

struct Location {
  Name name;       // empty text: unnamed
  std::string id;  // XML id; in text models the name
  SourceRange where;
  ExprId invariant;
  ExprId rate;  // exponential rate, or its numerator
  ExprId rate_divisor;
  bool urgent = false;
  bool committed = false;
  std::vector<Annotation> annotations;
  Layout layout;
};

struct Branchpoint {
  Name name;  // text models only
  std::string id;
  SourceRange where;
  Layout layout;
};

struct Select {
  Name name;
  TypeId type;
};

enum class SyncDirection : std::uint8_t {
  kNone,  // a bare channel: CSP style
  kSend,
  kReceive,
};

struct Sync {
  ExprId channel;
  SyncDirection direction = SyncDirection::kNone;
  SourceRange where;
};

struct Edge {
  Name source;  // id of a location or branchpoint (XML) or its name (text)
  Name target;
  SourceRange where;
  std::vector<Select> selects;
  ExprId guard;
  std::optional<Sync> sync;
  std::vector<ExprId> updates;
  ExprId probability;
  bool controllable = true;
  std::string id;      // XML id of the transition, if any
  std::string action;  // ECDAR leftover, opaque
  std::vector<Annotation> annotations;
  Layout layout;
};

struct Declaration;

struct Template {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<Declaration> declarations;  // variables, types and functions only
  std::vector<Location> locations;
  std::vector<Branchpoint> branchpoints;
  std::optional<Name> initial;
  std::vector<Edge> edges;
  bool incomplete = false;  // a syntax error lost some of it
  SourceRange where;
};

/// `Q(params) = T(args);`
struct Instantiation {
  Name name;
  std::vector<Parameter> parameters;
  bool has_parameter_list = false;
  Name target;
  std::vector<ExprId> arguments;
  SourceRange where;
};

/// `chan priority a, d[0] < default < b;`: groups from lowest to highest; an invalid id is
/// `default`.
struct ChannelPriority {
  std::vector<std::vector<ExprId>> groups;
  SourceRange where;
};

struct UpdateHook {
  bool after = false;
  std::vector<ExprId> updates;
  SourceRange where;
};

/// Parsed only to be refused with one precise message (import, dynamic templates, IO).
struct Unsupported {
  std::string what;
  SourceRange where;
};

/// Exactly one member is present.
struct Declaration {
  std::optional<VariableDeclaration> variables;
  std::optional<TypeDeclaration> types;
  std::optional<Function> function;
  std::optional<Template> process;  // `process P() {…}` in text
  std::optional<Instantiation> instantiation;
  std::optional<ChannelPriority> channel_priority;
  std::optional<UpdateHook> hook;
  std::optional<Unsupported> unsupported;
};

/// `system A < B, C;`: level counts the '<' in front.
struct SystemEntry {
  Name name;
  std::uint32_t level = 0;
};

struct SystemLine {
  std::vector<SystemEntry> entries;
  SourceRange where;
};

struct Query {
  std::string formula;
  std::string comment;
  std::string expected;  // the outcome attribute of <expect>, if any
  SourceRange where;
  SourceText text;  // the formula with its way back to the file
};

enum class LtlKind : std::uint8_t {
  kExpression,  // connectives inside belong to the expression language
  kNot,
  kAnd,
  kOr,
  kImply,
  kXor,
  kEquivalent,
  kNext,
  kAlways,
  kEventually,
  kUntil,
  kWeakUntil,
  kRelease,
  kForall,  // variable, type, left
  kExists,
};

/// What stands above the expressions in a requirement.
struct Ltl {
  LtlKind kind = LtlKind::kExpression;
  ExprId expression;
  LtlId left;
  LtlId right;
  Name variable;
  TypeId type;
  SourceRange where;
};

/// One entry of a file of requirements.
struct Requirement {
  Name name;  // empty: none was given
  LtlId formula;
  SourceRange where;
};

/// The language in which a model is written.
enum class Dialect : std::uint8_t {
  kToday,
  kUppaal3,  // const N 5; lists as conjunctions; parameters by reference (docs/uppaal.md 2.2)
};

/// A whole model. Templates of the XML come after the declarations and before the system part.
struct Document {
  Dialect dialect = Dialect::kToday;
  IdVector<ExprId, Expr> exprs;
  IdVector<StmtId, Stmt> stmts;
  IdVector<TypeId, Type> types;
  IdVector<LtlId, Ltl> ltl;

  std::vector<Declaration> declarations;
  std::vector<Template> templates;
  std::vector<Name> skipped_templates;  // live sequence charts: instances are skipped as well
  std::vector<Declaration>
      system_declarations;  // <instantiation> and <system> up to the system line
  std::optional<SystemLine> system;
  std::vector<ExprId> progress;  // parsed, checked, not used
  std::vector<Query> queries;
  std::vector<Annotation>
      comments;  // raw text of the system section (test settings live in comments)
  // Names in parts that a syntax error lost: they may have been declared there. Looked up only.
  std::unordered_set<std::string> lost_names;
  SourceRange where;
};

}  // namespace tw::uppaal::ast
