#include "frontends/uppaal/parser.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace tw::uppaal {
namespace {

using ast::ExprKind;
using ast::Op;
using ast::StmtKind;
using ast::SyncDirection;

/// Writes trees as s-expressions, so that a test shows what was grouped with what.
class Dumper {
 public:
  explicit Dumper(const ast::Document& document) : document_(document) {}

  [[nodiscard]] std::string expr(ast::ExprId id) const {
    if (!id.valid())
      return "<none>";
    const ast::Expr& expr = document_.exprs[id];
    switch (expr.kind) {
      case ExprKind::kNumber:
        return std::to_string(expr.value);
      case ExprKind::kReal:
      case ExprKind::kName:
        return expr.text;
      case ExprKind::kString:
        return '"' + expr.text + '"';
      case ExprKind::kTrue:
        return "true";
      case ExprKind::kFalse:
        return "false";
      case ExprKind::kUnary:
      case ExprKind::kBinary:
      case ExprKind::kPrefix:
        return group(symbol(expr.op), expr);
      case ExprKind::kAssign:
        return group(expr.op == Op::kAssign ? "=" : symbol(expr.op) + "=", expr);
      case ExprKind::kPostfix:
        return group("post" + symbol(expr.op), expr);
      case ExprKind::kConditional:
        return group("?", expr);
      case ExprKind::kIndex:
        return group("index", expr);
      case ExprKind::kField:
        return "(. " + this->expr(expr.args[0]) + " " + expr.text + ")";
      case ExprKind::kCall:
        return group("call", expr);
      case ExprKind::kRate:
        return group("'", expr);
      case ExprKind::kQuantifier:
        return group(symbol(expr.op) + " " + expr.text + " " + type(expr.type), expr);
      case ExprKind::kComma:
        return group(",", expr);
      case ExprKind::kList:
        return group("list", expr);
      case ExprKind::kSpawn:
        return group(expr.text, expr);
    }
    return "";
  }

  [[nodiscard]] std::string type(ast::TypeId id) const {
    const ast::Type& type = document_.types[id];
    std::string text;
    text += type.is_const ? "const " : "";
    text += type.is_meta ? "meta " : "";
    text += type.is_urgent ? "urgent " : "";
    text += type.is_broadcast ? "broadcast " : "";
    text += type.is_hybrid ? "hybrid " : "";
    return text + base(type);
  }

  [[nodiscard]] std::string stmt(ast::StmtId id) const {
    const ast::Stmt& stmt = document_.stmts[id];
    std::string text;
    switch (stmt.kind) {
      case StmtKind::kEmpty:
        return ";";
      case StmtKind::kBlock:
        return block(stmt);
      case StmtKind::kExpression:
        return expr(stmt.exprs.at(0)) + ";";
      case StmtKind::kIf:
        text = "if " + expr(stmt.exprs.at(0)) + " " + this->stmt(stmt.body.at(0));
        return stmt.body.size() == 1 ? text : text + " else " + this->stmt(stmt.body[1]);
      case StmtKind::kFor:
        return "for " + expr(stmt.exprs.at(0)) + " " + expr(stmt.exprs.at(1)) + " " +
               expr(stmt.exprs.at(2)) + " " + this->stmt(stmt.body.at(0));
      case StmtKind::kIterate:
        return "for " + stmt.variable.text + ":" + type(stmt.type) + " " +
               this->stmt(stmt.body.at(0));
      case StmtKind::kWhile:
        return "while " + expr(stmt.exprs.at(0)) + " " + this->stmt(stmt.body.at(0));
      case StmtKind::kDoWhile:
        return "do " + this->stmt(stmt.body.at(0)) + " while " + expr(stmt.exprs.at(0));
      case StmtKind::kReturn:
        return stmt.exprs.empty() ? "return;" : "return " + expr(stmt.exprs[0]) + ";";
      case StmtKind::kAssert:
        return "assert " + expr(stmt.exprs.at(0)) + ";";
    }
    return "";
  }

  [[nodiscard]] std::string variables(const ast::VariableDeclaration& variables) const {
    return type(variables.type) + declarators(variables.declarators);
  }

  [[nodiscard]] std::string types(const ast::TypeDeclaration& types) const {
    return "typedef " + type(types.type) + declarators(types.declarators);
  }

 private:
  [[nodiscard]] std::string group(const std::string& head, const ast::Expr& expr) const {
    std::string text = "(" + head;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const bool named = expr.kind == ExprKind::kList && !expr.names.at(i).text.empty();
      text += " " + (named ? expr.names[i].text + ":" : "") + this->expr(expr.args[i]);
    }
    return text + ")";
  }

  [[nodiscard]] std::string base(const ast::Type& type) const {
    switch (type.base) {
      case ast::BaseType::kInt:
        return type.low.valid() ? "int[" + expr(type.low) + "," + expr(type.high) + "]" : "int";
      case ast::BaseType::kBool:
        return "bool";
      case ast::BaseType::kDouble:
        return "double";
      case ast::BaseType::kString:
        return "string";
      case ast::BaseType::kChannel:
        return "chan";
      case ast::BaseType::kClock:
        return "clock";
      case ast::BaseType::kVoid:
        return "void";
      case ast::BaseType::kScalar:
        return "scalar[" + expr(type.high) + "]";
      case ast::BaseType::kNamed:
        return type.name.text;
      case ast::BaseType::kStruct:
        break;
    }
    std::string text = "struct{";
    for (const ast::Field& field : type.fields)
      text += this->type(field.type) + declarators({field.declarator}) + ";";
    return text + "}";
  }

  [[nodiscard]] std::string declarators(const std::vector<ast::Declarator>& declarators) const {
    std::string text;
    for (const ast::Declarator& declarator : declarators) {
      text += " " + declarator.name.text;
      for (const ast::Dimension& dimension : declarator.dimensions)
        text += "[" +
                (dimension.type.valid() ? "type " + type(dimension.type) : expr(dimension.size)) +
                "]";
      if (declarator.initialiser.valid())
        text += "=" + expr(declarator.initialiser);
    }
    return text;
  }

  [[nodiscard]] std::string block(const ast::Stmt& block) const {
    std::string text = "{ ";
    for (const ast::LocalDeclaration& local : block.declarations)
      text += (local.variables ? variables(*local.variables) : types(*local.types)) + "; ";
    for (const ast::StmtId id : block.body)
      text += stmt(id) + " ";
    return text + "}";
  }

  static std::string symbol(Op op) {
    static constexpr std::array<const char*, 31> kSymbols{
        "",   "+",   "-",     "!",  "*",  "/",  "%",      "**",     "<<", ">>", "<?",
        ">?", "<",   "<=",    ">=", ">",  "==", "!=",     "&",      "^",  "|",  "&&",
        "||", "xor", "imply", "=",  "++", "--", "forall", "exists", "sum"};
    return kSymbols.at(static_cast<std::size_t>(op));
  }

  const ast::Document& document_;  // borrowed for one dump
};

std::string dump(const ast::Document& document, ast::ExprId id) {
  return Dumper(document).expr(id);
}

std::string dump(const ast::Document& document, ast::TypeId id) {
  return Dumper(document).type(id);
}

std::string dump(const ast::Document& document, ast::StmtId id) {
  return Dumper(document).stmt(id);
}

std::string dump(const ast::Document& document, const ast::Declaration& declaration) {
  if (declaration.variables)
    return Dumper(document).variables(*declaration.variables);
  if (declaration.types)
    return Dumper(document).types(*declaration.types);
  return "";
}

SourceText source_of(std::string_view text) {
  SourceText source;
  source.append(text, 0);
  source.set_where({0, static_cast<std::uint32_t>(text.size())});
  return source;
}

/// A parser with everything it needs, and its results as text.
struct Fixture {
  ast::Document document;
  Diagnostics diagnostics;
  Parser parser{document, diagnostics};

  std::string expression(std::string_view text) {
    return dump(document, parser.expression(source_of(text)));
  }

  Fixture& model(std::string_view text) {
    parser.text_model(source_of(text));
    return *this;
  }

  Fixture& global(std::string_view text) {
    parser.global_declarations(source_of(text));
    return *this;
  }

  std::string function_body(std::string_view text) {
    global("void f() {" + std::string(text) + "}");
    if (document.declarations.empty() || !document.declarations.back().function)
      return "";
    return dump(document, document.declarations.back().function->body);
  }

  [[nodiscard]] std::vector<std::string> messages() const {
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : diagnostics.all())
      messages.push_back(diagnostic.message);
    return messages;
  }

  [[nodiscard]] std::string hint() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().hint;
  }
};

std::string parsed(std::string_view text) {
  Fixture fixture;
  std::string dumped = fixture.expression(text);
  return fixture.diagnostics.has_errors() ? fixture.messages().front() : dumped;
}

std::string body(std::string_view text) {
  Fixture fixture;
  std::string dumped = fixture.function_body(text);
  return fixture.diagnostics.has_errors() ? fixture.messages().front() : dumped;
}

using Messages = std::vector<std::string>;

Messages errors_of_globals(std::string_view text) { return Fixture().global(text).messages(); }

Messages errors_of_model(std::string_view text) { return Fixture().model(text).messages(); }

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

TEST_CASE("expressions follow the precedence table, strongest first", "[uppaal][parser]") {
  CHECK(parsed("-a[i].f(x)'") == "(- (' (call (. (index a i) f) x)))");
  CHECK(parsed("not a == b") == "(== (! a) b)");
  CHECK(parsed("-i ** 2") == "(** (- i) 2)");
  CHECK(parsed("2 ** 3 ** 2") == "(** (** 2 3) 2)");
  CHECK(parsed("a * b ** c") == "(* a (** b c))");
  CHECK(parsed("a + b * c - d / e % f") == "(- (+ a (* b c)) (% (/ d e) f))");
  CHECK(parsed("a << b + c") == "(<< a (+ b c))");
  CHECK(parsed("i + j <? k") == "(<? (+ i j) k)");
  CHECK(parsed("i <? j << k") == "(<? i (<< j k))");
  CHECK(parsed("i <? j < k") == "(< (<? i j) k)");
  CHECK(parsed("0 <= i < 5") == "(< (<= 0 i) 5)");
  CHECK(parsed("a == b < c != d") == "(!= (== a (< b c)) d)");
  CHECK(parsed("i & 1 == 0") == "(& i (== 1 0))");
  CHECK(parsed("a | b ^ c & d") == "(| a (^ b (& c d)))");
  CHECK(parsed("a && b | c and d") == "(&& (&& a (| b c)) d)");
  CHECK(parsed("a || b && c") == "(|| a (&& b c))");
}

TEST_CASE("or, xor and imply share one level", "[uppaal][parser]") {
  CHECK(parsed("a imply b or c") == "(|| (imply a b) c)");
  CHECK(parsed("a or b imply c") == "(imply (|| a b) c)");
  CHECK(parsed("a imply b imply c") == "(imply (imply a b) c)");
  CHECK(parsed("a xor b || c xor d") == "(xor (|| (xor a b) c) d)");
}

TEST_CASE("conditional and assignment associate to the right", "[uppaal][parser]") {
  CHECK(parsed("a ? b : c ? d : e") == "(? a b (? c d e))");
  CHECK(parsed("a || b ? c : d") == "(? (|| a b) c d)");
  CHECK(parsed("i = a ? 1 : 2") == "(= i (? a 1 2))");
  CHECK(parsed("(p ? i : j) = 2") == "(= (? p i j) 2)");
  CHECK(parsed("p ? i : j = 2") == "(= (? p i j) 2)");
  CHECK(parsed("a = b := c") == "(= a (= b c))");
  CHECK(parsed("a += b -= c") == "(+= a (-= b c))");
  CHECK(parsed("a <<= 1") == "(<<= a 1)");
}

TEST_CASE("a quantifier takes everything to its right", "[uppaal][parser]") {
  CHECK(parsed("a && forall (i : T) p && q") == "(&& a (forall i T (&& p q)))");
  CHECK(parsed("exists (i : int[0,3]) a ? b : c") == "(exists i int[0,3] (? a b c))");
  CHECK(parsed("(forall (i : T) p) && q") == "(&& (forall i T p) q)");
  CHECK(parsed("3 < sum (i : T) a[i] + 1") == "(< 3 (sum i T (+ (index a i) 1)))");
}

TEST_CASE("unary plus disappears and postfix binds before prefix", "[uppaal][parser]") {
  CHECK(parsed("+ + a") == "a");
  CHECK(parsed("-+-a") == "(- (- a))");
  CHECK(parsed("++i") == "(++ i)");
  CHECK(parsed("!a[i]++") == "(! (post++ (index a i)))");
  CHECK(parsed("i-->0") == "(> (post-- i) 0)");
}

TEST_CASE("the smallest number may be written, its magnitude may not", "[uppaal][parser]") {
  CHECK(parsed("-2147483648") == "(- 2147483648)");
  CHECK(parsed("- 2147483648 + 1") == "(+ (- 2147483648) 1)");
  CHECK(parsed("2147483647") == "2147483647");
  CHECK(parsed("2147483648") == "number is too large");
  CHECK(parsed("5 - 2147483648") == "number is too large");
  CHECK(parsed("-(2147483648)") == "number is too large");
  CHECK(parsed("99999999999") == "number is too large");
}

TEST_CASE("later words of the language stay names where they are used as names",
          "[uppaal][parser]") {
  CHECK(parsed("sum + double * string") == "(+ sum (* double string))");
  CHECK(parsed("sum(a)") == "(call sum a)");
  CHECK(parsed("exit() + numOf(T)") == "(+ (call exit) (call numOf T))");
  CHECK(parsed("A.location == E[U]") == "(== (. A location) (index E U))");
  CHECK(parsed("spawn T(1)") == "(spawn (call T 1))");
  CHECK(body("assert = 1; xor = assert; priority++;") ==
        "{ (= assert 1); (= xor assert); (post++ priority); }");
  CHECK(errors_of_globals("int exit, location, query, random, branchpoint, double, hybrid;"
                          "chan priority; chan priority2, import;")
            .empty());
}

TEST_CASE("an expression knows its place and that of its operator", "[uppaal][parser]") {
  Fixture fixture;
  const ast::ExprId id = fixture.parser.expression(source_of(" (a + b) * c.d"));
  const ast::Expr& product = fixture.document.exprs[id];

  CHECK(product.where == SourceRange{1, 14});
  CHECK(product.op_where == SourceRange{9, 10});
  CHECK(fixture.document.exprs[product.args[0]].where == SourceRange{2, 7});
  CHECK(fixture.document.exprs[product.args[1]].op_where == SourceRange{13, 14});
}

TEST_CASE("a text without tokens is no label", "[uppaal][parser]") {
  Fixture fixture;
  CHECK_FALSE(fixture.parser.expression(source_of("/* nothing */")).valid());
  CHECK(fixture.parser.updates(source_of(" ")).empty());
  CHECK(fixture.parser.selects(source_of("// none")).empty());
  CHECK(fixture.parser.parameters(source_of("")).empty());
  CHECK_FALSE(fixture.parser.sync(source_of("\n")).has_value());
  CHECK_FALSE(fixture.diagnostics.has_errors());
}

TEST_CASE("UPPAAL 3 guards are refused with today's spelling", "[uppaal][parser]") {
  Fixture less;
  less.expression("x =< 3");
  CHECK(less.messages() == Messages{"'=<' is UPPAAL 3 syntax"});
  CHECK(less.hint() == "write '<='");

  CHECK(parsed("x => 3") == "'=>' is UPPAAL 3 syntax");

  Fixture list;
  list.expression("x > 3, y < 2");
  CHECK(list.messages() == Messages{"expected a single expression, found ','"});
  CHECK(list.hint().find("UPPAAL 3") != std::string::npos);
}

TEST_CASE("expression errors quote what was found", "[uppaal][parser]") {
  CHECK(parsed("a +") == "expected an expression, found the end of the text");
  CHECK(parsed("(a") == "expected ')' to match '(', found the end of the text");
  CHECK(parsed("a[1") == "expected ']' after the index, found the end of the text");
  CHECK(parsed("a b") == "expected nothing more after the expression, found 'b'");
  CHECK(parsed("()") == "expected an expression, found ')'");
  CHECK(parsed("w = {1,2}") == "expected an expression, found '{'");
  CHECK(parsed("a.state") == "expected a name after '.', found 'state'");
  CHECK(parsed("a ? b") == "expected ':' between the two values of '?', found the end of the text");
  CHECK(parsed("~a") == "character '~' is not part of the language");

  Fixture end;
  end.expression("a +  ");
  CHECK(end.diagnostics.all().front().where == SourceRange{3, 3});
}

TEST_CASE("updates are a list and selections have types", "[uppaal][parser]") {
  Fixture fixture;
  const std::vector<ast::ExprId> updates = fixture.parser.updates(source_of("x := 0, f(i), i++"));
  REQUIRE(updates.size() == 3);
  CHECK(dump(fixture.document, updates[0]) == "(= x 0)");
  CHECK(dump(fixture.document, updates[2]) == "(post++ i)");

  const std::vector<ast::Select> selects =
      fixture.parser.selects(source_of("i : id_t, j : int[0,N-1]"));
  REQUIRE(selects.size() == 2);
  CHECK(dump(fixture.document, selects[0].type) == "id_t");
  CHECK(dump(fixture.document, selects[1].type) == "int[0,(- N 1)]");

  const Parser::Rate rate = fixture.parser.rate(source_of("2 : 3"));
  CHECK(dump(fixture.document, rate.rate) == "2");
  CHECK(dump(fixture.document, rate.divisor) == "3");
  CHECK_FALSE(fixture.diagnostics.has_errors());
}

TEST_CASE("a synchronisation is directed by its last token", "[uppaal][parser]") {
  const auto sync = [](std::string_view text) {
    Fixture fixture;
    const std::optional<ast::Sync> parsed_sync = fixture.parser.sync(source_of(text));
    if (!parsed_sync)
      return std::pair(fixture.messages().front(), SyncDirection::kNone);
    return std::pair(dump(fixture.document, parsed_sync->channel), parsed_sync->direction);
  };
  CHECK(sync("c!") == std::pair(std::string("c"), SyncDirection::kSend));
  CHECK(sync("c[i + 1] ? // now") ==
        std::pair(std::string("(index c (+ i 1))"), SyncDirection::kReceive));
  CHECK(sync("(p ? a : b)!") == std::pair(std::string("(? p a b)"), SyncDirection::kSend));
  CHECK(sync("p ? a : b ?") == std::pair(std::string("(? p a b)"), SyncDirection::kReceive));
  CHECK(sync("c") == std::pair(std::string("c"), SyncDirection::kNone));
  CHECK(sync("c! d").first == "expected the end of the synchronisation, found '!'");
  CHECK(sync("!").first == "expected an expression, found '!'");
}

TEST_CASE("variables, types and initialisers are declared", "[uppaal][parser]") {
  Fixture fixture;
  fixture.global(
      "int a, b[2], c = 3; const int[0,5] m[2][T] := {{1,2},{3,4}};\n"
      "typedef struct { int x; bool y[3], z; } s_t; s_t s = {y: 1, 2};\n"
      "urgent broadcast chan go[N]; hybrid clock h; meta bool k; typedef scalar[3] id;\n"
      "double d = 1.5; const string t = \"abc\"; int w[int[2,3]], v[bool];");
  REQUIRE_FALSE(fixture.diagnostics.has_errors());
  const std::vector<ast::Declaration>& all = fixture.document.declarations;
  REQUIRE(all.size() == 11);
  CHECK(dump(fixture.document, all[0]) == "int a b[2] c=3");
  CHECK(dump(fixture.document, all[1]) == "const int[0,5] m[2][T]=(list (list 1 2) (list 3 4))");
  CHECK(dump(fixture.document, all[2]) == "typedef struct{int x;bool y[3];bool z;} s_t");
  CHECK(dump(fixture.document, all[3]) == "s_t s=(list y:1 2)");
  CHECK(dump(fixture.document, all[4]) == "urgent broadcast chan go[N]");
  CHECK(dump(fixture.document, all[5]) == "hybrid clock h");
  CHECK(dump(fixture.document, all[6]) == "meta bool k");
  CHECK(dump(fixture.document, all[7]) == "typedef scalar[3] id");
  CHECK(dump(fixture.document, all[8]) == "double d=1.5");
  CHECK(dump(fixture.document, all[9]) == "const string t=\"abc\"");
  CHECK(dump(fixture.document, all[10]) == "int w[type int[2,3]] v[type bool]");
}

TEST_CASE("instances, functions and variables of a named type are told apart", "[uppaal][parser]") {
  Fixture fixture;
  fixture.global(
      "T x; T f(int &a, const T b[2]) { return b[0]; } P = Q(); R := Q(1, x);\n"
      "S(int &y, const int i) = Q(y, i); U() = Q(2);");
  REQUIRE(fixture.messages().empty());
  const std::vector<ast::Declaration>& all = fixture.document.declarations;
  REQUIRE(all.size() == 6);
  CHECK(dump(fixture.document, all[0]) == "T x");
  REQUIRE(all[1].function.has_value());
  CHECK(all[1].function->parameters.at(0).by_reference);
  CHECK_FALSE(all[1].function->parameters.at(1).by_reference);
  REQUIRE(all[2].instantiation.has_value());
  CHECK_FALSE(all[2].instantiation->has_parameter_list);
  REQUIRE(all[3].instantiation.has_value());
  CHECK(all[3].instantiation->arguments.size() == 2);
  REQUIRE(all[4].instantiation.has_value());
  CHECK(all[4].instantiation->parameters.size() == 2);
  CHECK(all[4].instantiation->target.text == "Q");
  CHECK(all[5].instantiation->has_parameter_list);
}

TEST_CASE("priorities, hooks and unsupported declarations are read", "[uppaal][parser]") {
  Fixture fixture;
  fixture.global(
      "chan priority a, d[0] < default < b; before_update { i = 0, j = 1 } after_update { i++ }\n"
      "import \"lib.so\" { int ext(int k); }; dynamic D(int k); IO P { a!, b? }");
  REQUIRE(fixture.messages().empty());
  const std::vector<ast::Declaration>& all = fixture.document.declarations;
  REQUIRE(all.size() == 6);
  REQUIRE(all[0].channel_priority.has_value());
  REQUIRE(all[0].channel_priority->groups.size() == 3);
  CHECK(all[0].channel_priority->groups[0].size() == 2);
  CHECK_FALSE(all[0].channel_priority->groups[1].front().valid());
  CHECK(all[1].hook->updates.size() == 2);
  CHECK(all[2].hook->after);
  CHECK(all[3].unsupported->what == "import");
  CHECK(all[4].unsupported->what == "dynamic");
  CHECK(all[5].unsupported->what == "IO");
}

TEST_CASE("every statement is read", "[uppaal][parser]") {
  CHECK(body(";") == "{ ; }");
  CHECK(body("{ int k = 1; typedef int T; k = 2; }") == "{ { int k=1; typedef int T; (= k 2); } }");
  CHECK(body("if (a) b++;") == "{ if a (post++ b); }");
  CHECK(body("if (a) if (b) c(); else d();") == "{ if a if b (call c); else (call d); }");
  CHECK(body("if (a, b) ; else if (c) ; else ;") == "{ if (, a b) ; else if c ; else ; }");
  CHECK(body("for (i = 0; i < 3; i++) s += i;") == "{ for (= i 0) (< i 3) (post++ i) (+= s i); }");
  CHECK(body("for (i : int[0,3]) s += i;") == "{ for i:int[0,3] (+= s i); }");
  CHECK(body("while (a) { }") == "{ while a { } }");
  CHECK(body("do a(); while (b, c);") == "{ do (call a); while (, b c) }");
  CHECK(body("return; return a + b;") == "{ return; return (+ a b); }");
  CHECK(body("assert a > 0; assert(b);") == "{ assert (> a 0); assert b; }");
  CHECK(body("T x; x = 1;") == "{ T x; (= x 1); }");
}

TEST_CASE("statements of C get a message of their own", "[uppaal][parser]") {
  CHECK(body("while (a) { break; }") == "'break' is not part of the language");
  CHECK(body("continue;") == "'continue' is not part of the language");
  CHECK(errors_of_globals("void f() { switch (k) { case 1: k = 2; default: k = 3; } k = 1; }") ==
        Messages{"'switch' is not part of the language"});
  CHECK(body("case A: k = 1;") == "'case' is not part of the language");
  CHECK(errors_of_globals("void f() { for (int k = 0; k < 3; k++) s += k; k = 1; }") ==
        Messages{"expected an expression, found 'int'"});
  CHECK(errors_of_globals("void f() { for (;;) ; }") ==
        Messages{"expected an expression, found ';'"});
  CHECK(errors_of_globals("void f() { int k; k = 1; int m; int n; m = 2; }") ==
        Messages{"declaration after a statement"});
  CHECK(errors_of_globals("enum T { A, B }; int x;") ==
        Messages{"'enum' is not part of the language"});
}

TEST_CASE("old declarations are refused with a hint", "[uppaal][parser]") {
  Fixture constant;
  constant.global("const N 5, M 6; int x;");
  CHECK(constant.messages() == Messages{"expected a type after 'const', found 'N'"});
  CHECK(constant.hint().find("old UPPAAL 3.x syntax") != std::string::npos);
  CHECK(constant.document.declarations.size() == 1);

  Fixture parameters;
  (void)parameters.parser.parameters(source_of("int a; clock b"));
  CHECK(parameters.messages() == Messages{"expected ',' or ')' after the parameter, found ';'"});
  CHECK(parameters.hint().find("old UPPAAL 3.x syntax") != std::string::npos);

  CHECK(errors_of_model("process P(int a, b; const c) { state s; init s; } system P;") ==
        Messages{"expected a name after the type 'b', found ';'"});
}

TEST_CASE("words reserved only in the documentation are warned about", "[uppaal][parser]") {
  Fixture fixture;
  fixture.global("int break, enum; bool ok;");
  CHECK_FALSE(fixture.diagnostics.has_errors());
  CHECK(fixture.diagnostics.warnings() == 2);
}

TEST_CASE("prefixes combine only as the language says", "[uppaal][parser]") {
  CHECK(errors_of_globals("broadcast urgent chan c; int x;") ==
        Messages{"expected a type after 'broadcast', found 'urgent'"});
  CHECK(errors_of_globals("const meta int x;") ==
        Messages{"expected a type after 'const', found 'meta'"});
  CHECK(errors_of_globals("const clock x;").size() == 1);
  CHECK(errors_of_globals("int w[2] = {1,2,};") == Messages{"expected an expression, found '}'"});
}

constexpr std::string_view kProcess =
    "process P(int &n, const int k) {\n"
    "  clock x; urgent chan u; void f() { x = 0; }\n"
    "  state a { x <= 3; 2 : 3 }, b, c { ; 5 };\n"
    "  branchpoint q;\n"
    "  commit b; urgent c;\n"
    "  init a;\n"
    "  trans a -> b { select i : int[0,3]; guard x > 1; sync (n > 0 ? d : e)!; assign x := 0, f(); "
    "},\n"
    "    -> q { }, q -u-> c { probability 3; };\n"
    "}\n";

TEST_CASE("a process of a text model is read completely", "[uppaal][parser]") {
  Fixture fixture;
  fixture.model(std::string(kProcess) + "P1 = P(m, 1); system P1;");
  REQUIRE(fixture.messages().empty());
  REQUIRE(fixture.document.declarations.size() == 2);
  REQUIRE(fixture.document.declarations[0].process.has_value());
  const ast::Template& process = *fixture.document.declarations[0].process;

  CHECK(process.name.text == "P");
  CHECK(process.parameters.size() == 2);
  CHECK(process.declarations.size() == 3);
  REQUIRE(process.locations.size() == 3);
  CHECK(process.locations[0].id == "a");
  CHECK(dump(fixture.document, process.locations[0].invariant) == "(<= x 3)");
  CHECK(dump(fixture.document, process.locations[0].rate_divisor) == "3");
  CHECK(process.locations[1].committed);
  CHECK(process.locations[2].urgent);
  CHECK_FALSE(process.locations[2].invariant.valid());
  CHECK(dump(fixture.document, process.locations[2].rate) == "5");
  CHECK(process.branchpoints.size() == 1);
  CHECK(process.initial->text == "a");
  REQUIRE(process.edges.size() == 3);
  CHECK(process.edges[0].selects.size() == 1);
  CHECK(dump(fixture.document, process.edges[0].guard) == "(> x 1)");
  CHECK(process.edges[0].sync->direction == SyncDirection::kSend);
  CHECK(process.edges[0].updates.size() == 2);
  CHECK(process.edges[1].source.text == "a");
  CHECK(process.edges[1].target.text == "q");
  CHECK(process.edges[1].controllable);
  CHECK_FALSE(process.edges[2].controllable);
  CHECK(dump(fixture.document, process.edges[2].probability) == "3");
}

TEST_CASE("the parts of a process may come in another order", "[uppaal][parser]") {
  Fixture fixture;
  fixture.model("process P() { init a; commit b; trans a -> b { }; state a, b; } system P;");
  REQUIRE(fixture.messages().empty());
  CHECK(fixture.document.declarations[0].process->locations[1].committed);
}

TEST_CASE("a process may stand among the global declarations of XML", "[uppaal][parser]") {
  Fixture fixture;
  fixture.global("int i; process P() { } process Q() { state a; init a; }");
  CHECK(fixture.messages().empty());
  CHECK(fixture.document.declarations.size() == 3);
}

TEST_CASE("broken processes are named precisely", "[uppaal][parser]") {
  CHECK(errors_of_model("process P() { state a; } system P;") ==
        Messages{"process 'P' has no initial location"});
  CHECK(errors_of_model("process P() { state a; commit b; init a; } system P;") ==
        Messages{"unknown location 'b'"});
  CHECK(errors_of_model("process P { state a; init a; } system P;") ==
        Messages{"expected '(' after the process name, found '{'"});
  CHECK(errors_of_model("process P() { state a; init a; init a; } system P;") ==
        Messages{"second 'init' in one process"});
  CHECK(errors_of_model("process P() { state a; init a; trans -> a { }; } system P;") ==
        Messages{"expected the source location of the edge, found '->'"});
  CHECK(errors_of_model("process P() { state a; int i; init a; } system P;").size() == 1);
  CHECK(errors_of_model("process P() { P = Q(); state a; init a; } system P;").size() == 1);
}

TEST_CASE("the system line carries priorities", "[uppaal][parser]") {
  Fixture fixture;
  fixture.parser.system_section(source_of("P = T(); int i; system A < P, C < D;"));
  REQUIRE(fixture.messages().empty());
  CHECK(fixture.document.system_declarations.size() == 2);
  REQUIRE(fixture.document.system.has_value());
  std::string levels;
  for (const ast::SystemEntry& entry : fixture.document.system->entries)
    levels += entry.name.text + std::to_string(entry.level) + " ";
  CHECK(levels == "A0 P1 C1 D2 ");
}

TEST_CASE("progress, gantt and query follow the system line", "[uppaal][parser]") {
  Fixture fixture;
  fixture.model(
      "process P() { state a; init a; }\nsystem P;\n"
      "progress { i; i > 1 : i + 2; }\n"
      "gantt { G1: i > 0 -> 1, P.a -> 2; G2(k : int[0,1]): for (m : T) k == m -> k; }\n"
      "query { E<> P.a and x-->3 }\nquery { simulate [<=10] { x } }");
  REQUIRE(fixture.messages().empty());
  CHECK(fixture.document.progress.size() == 3);
  REQUIRE(fixture.document.queries.size() == 2);
  CHECK(fixture.document.queries[0].formula == "E<> P.a and x-->3");
  CHECK(fixture.document.queries[1].formula == "simulate [<=10] { x }");
}

TEST_CASE("the system line is where it belongs, once", "[uppaal][parser]") {
  CHECK(errors_of_model("int i;") == Messages{"expected a system line, found the end of the text"});
  CHECK(errors_of_model("system ;") == Messages{"expected the name of a process, found ';'"});
  CHECK(errors_of_model("system P; system Q;") == Messages{"second 'system' in one model"});
  CHECK(errors_of_model("system P; int i;").size() == 1);
  CHECK(errors_of_globals("system P;") == Messages{"'system' is not allowed here"});

  Fixture fixture;
  fixture.parser.instantiation_section(source_of("P = T(1);"));
  CHECK(fixture.messages().empty());
}

TEST_CASE("a template declares variables, types and functions only", "[uppaal][parser]") {
  Fixture fixture;
  CHECK(fixture.parser.template_declarations(source_of("int i; typedef int T; void f() { }"))
            .size() == 3);
  CHECK(fixture.messages().empty());
  (void)fixture.parser.template_declarations(source_of("P = Q(); process R() { } int j;"));
  CHECK(fixture.messages() ==
        Messages{"expected a variable, a type or a function, found 'P'",
                 "expected a variable, a type or a function, found 'process'"});
}

TEST_CASE("one run reports every mistake once", "[uppaal][parser]") {
  CHECK(errors_of_globals("int a b; int c = 3 +; bool d; int [3] e; clock x = ;") ==
        Messages{"expected ';' after the declaration, found 'b'",
                 "expected an expression, found ';'",
                 "expected ',' between the bounds of the type, found ']'",
                 "expected an expression, found ';'"});
  CHECK(
      errors_of_globals("void f() { a = ; if (b ==) { c 4; } else e = 1; while (g(1 2)) h(); }") ==
      Messages{"expected an expression, found ';'", "expected an expression, found ')'",
               "expected ';' after the statement, found '4'",
               "expected ')' after the arguments, found '2'"});
  CHECK(errors_of_model("process P() { state a { x < }, b; init a;\n"
                        "trans a -> b { guard ; assign x = 1 y = 2; }, b - a { }, b -> { }; }\n"
                        "system P") ==
        Messages{"expected an expression, found '}'", "expected an expression, found ';'",
                 "expected ';' after the update, found 'y'",
                 "expected '->' after the source location, found '-'",
                 "expected the name of the target location, found '{'",
                 "expected ';' after the system line, found the end of the text"});
  CHECK(errors_of_model("int i = ~1; system P;") ==
        Messages{"character '~' is not part of the language"});
  CHECK(errors_of_model("int i; /* system P;") == Messages{"comment is never closed"});
}

TEST_CASE("a missing brace does not swallow the next process", "[uppaal][parser]") {
  Fixture fixture;
  fixture.model(
      "void f() { if (a) { b = 1;\n"
      "process P() { state a; init a;\n"
      "process Q() { state a; init a; }\nsystem Q;");
  CHECK(fixture.messages() == Messages{"'{' is never closed", "'{' is never closed"});
  CHECK(fixture.document.system.has_value());
  CHECK(errors_of_model("} int i; system P;") == Messages{"unexpected '}'"});
}

TEST_CASE("nesting up to the limit is read, deeper nesting is one error", "[uppaal][parser]") {
  const std::string too_deep = "nesting is deeper than " + std::to_string(kMaxNesting) + " levels";
  const auto check = [&](const char* open, const char* close) {
    CAPTURE(open);
    const auto wrapped = [&](std::size_t n) {
      return repeated(open, n) + "a" + repeated(close, n);
    };
    Fixture shallow;
    shallow.expression(wrapped(kMaxNesting / 2 - 2));
    CHECK(shallow.messages().empty());
    Fixture deep;
    deep.expression(wrapped(20000));
    CHECK(deep.messages() == Messages{too_deep});
  };
  check("(", ")");
  check("!", "");
  check("- ", "");
  check("a[", "]");
  check("f(", ")");
  check("", "+a");
  check("", "[0]");
  check("", ".b");
  check("a = ", "");
  check("a ? b : ", "");
  check("a ? ", ": b");
  check("forall (i : T) ", "");
}

TEST_CASE("deep statements, types and lists are one error, too", "[uppaal][parser]") {
  const Messages too_deep{"nesting is deeper than " + std::to_string(kMaxNesting) + " levels"};
  constexpr std::size_t kDeep = 20000;
  CHECK(errors_of_globals("void f() {" + repeated("{", kDeep)) == too_deep);
  CHECK(errors_of_globals("void f() {" + repeated("if (a) b(); else ", kDeep) + "; }") == too_deep);
  CHECK(errors_of_globals("void f() {" + repeated("while (a) ", kDeep) + "; }") == too_deep);
  CHECK(errors_of_globals("void f() {" + repeated("do ", kDeep) + "; }") == too_deep);
  CHECK(errors_of_globals("void f() { if (a" + repeated(", a", kDeep) + ") ; }") == too_deep);
  CHECK(errors_of_globals("int a = " + repeated("{", kDeep) + ";") == too_deep);
  CHECK(errors_of_globals(repeated("struct { ", kDeep) + "int a;") == too_deep);
  CHECK(errors_of_globals(repeated("struct { int a[", kDeep)) == too_deep);
}

TEST_CASE("a hopeless text is read in linear time", "[uppaal][parser]") {
  CHECK(Fixture().model(repeated("f(3;", 20000)).diagnostics.errors() == 20001);
  CHECK(Fixture().model(repeated("process P() {", 20000)).diagnostics.has_errors());
  CHECK(Fixture().model(repeated("}", 20000)).diagnostics.has_errors());
  CHECK(Fixture().model("int a" + repeated("[2]", 20000) + "; system P;").messages().empty());
}

}  // namespace
}  // namespace tw::uppaal
