// Queries and requirements: how they are read, and what is said about wrong ones.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kModel =
    "const int N = 3;\ntypedef int[0,N-1] id_t;\nint[0,9] n, list[N];\nbool ok;\nmeta int m;\n"
    "clock z;\nstruct { int[0,3] a; bool b; } s;\nint[0,1] U;\n"
    "int[0,99] twice(int[0,9] i) { return 2 * i; }\nvoid set() { n = 1; }\n"
    "process Train(const id_t id) { clock x; int[0,5] len; state Safe, Cross; init Safe;\n"
    "  trans Safe -> Cross { assign x = 0, len = id, m = 1; }; }\n"
    "process Gate(int[0,9]& out) { state Free, G; init Free;\n"
    "  trans Free -> G { assign out = 1; }; }\n"
    "process Unused() { state A; init A; }\n"
    "G1 = Gate(n);\nsystem Train, G1;\n";

// The tree with all parentheses.
std::string tree(const Property& property, PropertyNodeId id) {
  using Kind = PropertyNode::Kind;
  const PropertyNode& node = property[id];
  if (node.is_clause)
    return node.text;
  const auto left = [&] { return tree(property, node.left); };
  const auto right = [&] { return tree(property, node.right); };
  const auto infix = [&](const char* word) { return "(" + left() + word + right() + ")"; };
  switch (node.kind) {
    case Kind::kConstant:
      return node.value ? "true" : "false";
    case Kind::kNot:
      return "!" + left();
    case Kind::kAnd:
      return infix(" & ");
    case Kind::kOr:
      return infix(" | ");
    case Kind::kImply:
      return infix(" -> ");
    case Kind::kXor:
      return infix(" ^ ");
    case Kind::kNext:
      return "X " + left();
    case Kind::kAlways:
      return "G " + left();
    case Kind::kEventually:
      return "F " + left();
    case Kind::kUntil:
      return infix(" U ");
    case Kind::kWeakUntil:
      return infix(" W ");
    case Kind::kRelease:
      return infix(" R ");
    case Kind::kExpression:
    case Kind::kLocation:
      break;
  }
  return "?";
}

// Trees of requirements, or what is wrong with them: line and column, and the message.
Words read(const std::string& text) {
  const LoadedModel model =
      load_model_text("model.xta", kModel, {{.file = {.path = "rules.ltl", .text = text}}});
  REQUIRE(model.network);
  const PropertyText& given = model.properties.front();
  Words out;
  for (const Diagnostic& d : given.diagnostics.all()) {
    const SourcePosition at = position_of(given.file, d.where.begin);
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message);
  }
  if (!given.diagnostics.has_errors())
    for (const Property& property : model.network->properties)
      out.push_back(property.name + ": " + tree(property, property.root));
  return out;
}

std::string one(const std::string& text) {
  const Words all = read(text);
  REQUIRE(all.size() == 1);
  return all.front();
}

TEST_CASE("requirements: operators and how they bind", "[uppaal][properties]") {
  CHECK(one("G ok") == "P1: G ok");
  CHECK(one("[] ok -> <> n == 3") == "P1: (G ok -> F n == 3)");
  CHECK(one("[](ok -> <> n == 3)") == "P1: G (ok -> F n == 3)");
  CHECK(one("ok -> n > 1 -> n > 2") == "P1: (ok -> (n > 1 -> n > 2))");
  CHECK(one("ok || n > 1 && n > 2 U n > 3") == "P1: (ok | (n > 1 & (n > 2 U n > 3)))");
  CHECK(one("ok U n > 1 W n > 2 R n > 3") == "P1: (ok U (n > 1 W (n > 2 R n > 3)))");
  CHECK(one("ok <-> n > 1") == "P1: !(ok ^ n > 1)");
  CHECK(one("! X ok and not F n > 1") == "P1: (!X ok & !F n > 1)");
  CHECK(one("(n + 1) > 2 && (ok)") == "P1: ((n + 1) > 2 & ok)");
  CHECK(one("!(ok && n > 1)") == "P1: !(ok & n > 1)");
  CHECK(one("G (ok ? n > 1 : n > 2)") == "P1: G ok ? n > 1 : n > 2");
  CHECK(one("G (n > 1) -> G (n) > 2") == "P1: (G n > 1 -> G (n) > 2)");
  CHECK(one("s.b -> s.a == 2 && twice(n) == 4") == "P1: (s.b -> (s.a == 2 & twice(n) == 4))");
  // Operators are names where they cannot be operators.
  CHECK(one("U == 1 U U == 0") == "P1: (U == 1 U U == 0)");
  CHECK(one("G G1.G") == "P1: G G1.G");
}

TEST_CASE("requirements: names, comments and several in one file", "[uppaal][properties]") {
  CHECK(read("// all of them\nR1: G ok; /* and */ F ok;\n\nR2: X\n  ok\n") ==
        Words{"R1: G ok", "P2: F ok", "R2: X ok"});
  CHECK(read("R: ok; R: ok") == Words{"1:8 two requirements are called 'R'"});
  CHECK(read("").empty());
}

TEST_CASE("requirements: quantifiers are written out, constants folded", "[uppaal][properties]") {
  CHECK(one("forall (i : id_t) G Train(i).Safe") ==
        "P1: ((G Train(0).Safe & G Train(1).Safe) & G Train(2).Safe)");
  CHECK(one("G exists (i : int[1,2]) Train(i).Cross && i == 1") == "P1: G Train(1).Cross");
  CHECK(one("G forall (i : int[0,1]) forall (j : int[0,1]) "
            "Train(i).Cross && Train(j).Cross imply i == j") ==
        "P1: G (!(Train(0).Cross & Train(1).Cross) & !(Train(1).Cross & Train(0).Cross))");
  CHECK(one("G forall (i : int[1,0]) ok") == "P1: true");
  CHECK(one("sum (i : id_t) list[i] > N") == "P1: sum (i : id_t) list[i] > N");
  CHECK(one("Train(1).id == 1 && Train(N - 1).len > 0") == "P1: Train(N - 1).len > 0");
  CHECK(one("true U ok") == "P1: F ok");
  CHECK(one("ok W false") == "P1: G ok");
  CHECK(one("false R ok") == "P1: G ok");
}

TEST_CASE("requirements: locations may be counted", "[uppaal][properties]") {
  CHECK(one("G sum (i : id_t) Train(i).Cross <= 1") == "P1: G sum (i : id_t) Train(i).Cross <= 1");
  CHECK(one("Train(0).Safe == Train(1).Safe") == "P1: Train(0).Safe == Train(1).Safe");
  CHECK(one("Train(0).Safe == true") == "P1: Train(0).Safe == true");
}

TEST_CASE("requirements: what is wrong is said with its place", "[uppaal][properties][bad]") {
  CHECK(read("G Train(7).Safe") == Words{"1:3 there is no process 'Train(7)'"});
  CHECK(read("G Train.Safe") == Words{"1:3 there is no process 'Train'"});
  CHECK(read("G Train(n).Safe") ==
        Words{"1:9 which process is meant must be known before the model runs"});
  CHECK(read("G Unused.A") == Words{"1:3 'Unused' is no process of the system"});
  CHECK(read("G Train(0).Croos") ==
        Words{"1:12 process 'Train(0)' has no location or variable 'Croos'"});
  CHECK(read("G G1.out == 1") == Words{"1:6 'out' only stands for another variable"});
  CHECK(read("G len > 1") == Words{"1:3 unknown name 'len'"});
  CHECK(read("G set()") == Words{"1:3 a property must not change anything"});
  CHECK(read("G (n = 1)") == Words{"1:6 expected ')' to match '(', found '='"});
  CHECK(read("G z") == Words{"1:3 a property needs a truth value, not a clock"});
  CHECK(read("G list") == Words{"1:3 a property must be a number or truth value, not an array"});
  CHECK(read("G m == 1") == Words{"1:3 a 'meta' variable has no value in a state"});
  CHECK(read("G ok\nF ok;") == Words{"2:1 expected ';' after the requirement, found 'F'"});
  CHECK(read("G (ok; G nothing;\nA: X;") == Words{"1:6 expected ')' to match '(', found ';'",
                                                  "1:10 unknown name 'nothing'",
                                                  "2:4 unknown name 'X'"});
  // Nothing closes what was never opened, and nothing hangs.
  CHECK(read("}") == Words{"1:1 unexpected '}'"});
  CHECK(read("R: } G ok; }} G no;") == Words{"1:4 expected an expression, found '}'",
                                             "1:12 unexpected '}'", "1:13 unexpected '}'",
                                             "1:17 unknown name 'no'"});
  CHECK(read("forall (i : int) ok") ==
        Words{"1:13 a quantifier needs a bounded range, not all 65536 values of 'int'"});
}

TEST_CASE("queries: E<> p and A[] p become properties, the rest is text", "[uppaal][properties]") {
  const std::string text =
      std::string(kModel) +
      "query { E<> Train(1).Cross and z >= 2 }\nquery { A [ ] forall (i : id_t) list[i] >= 0 }\n"
      "query { A[] not deadlock }\nquery { A<> ok }\nquery { E[] ok }\nquery { ok --> n == 1 }\n"
      "query { E<> ok xor }\nquery { sup: n }\n";
  const LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  const LoadedModel plain = load_model_text("model.xta", kModel);
  REQUIRE(model.diagnostics.all().size() == plain.diagnostics.all().size() + 1);
  const Diagnostic& unread = model.diagnostics.all().back();
  CHECK(unread.message ==
        "this query is not read: expected an expression, found the end of the text");
  CHECK(position_of(model.file, unread.where.begin).column == 19);
  Words trees;
  for (const Query& query : model.network->queries)
    trees.push_back(query.property ? tree(*query.property, query.property->root) : "-");
  CHECK(trees == Words{"F (Train(1).Cross & z >= 2)",
                       "G ((list[0] >= 0 & list[1] >= 0) & list[2] >= 0)", "-", "-", "-", "-", "-",
                       "-"});
  CHECK(model.network->queries[0].property->name == "Q1");
  // Expressions of properties are no part of the network that is compared.
  CHECK(first_difference(*model.network, *plain.network) == std::nullopt);
  CHECK(print_xta(*model.network) == print_xta(*plain.network));
}

TEST_CASE("queries: names come from comments, places from the XML", "[uppaal][properties]") {
  const std::string text =
      "<nta><declaration>int n;</declaration><template><name>T</name><location id='a'>"
      "<name>init</name></location><init ref='a'/></template><system>system T;</system><queries>"
      "<query><formula>E&lt;&gt; T.init &amp;&amp; m</formula><comment>R1: go</comment></query>"
      "<query><formula>A[] T.init</formula><comment>R1: stay</comment></query></queries></nta>";
  const LoadedModel model = load_model_text("model.xml", text);
  REQUIRE(model.network);
  const Query& wrong = model.network->queries[0];
  REQUIRE(wrong.problems.size() == 1);
  CHECK(text.substr(wrong.problems[0].where.begin, 10) == "m</formula");
  REQUIRE(model.network->queries[1].property);
  CHECK(model.network->queries[1].property->name == "R1.2");
}

}  // namespace
}  // namespace tw
