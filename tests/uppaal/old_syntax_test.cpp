// The language of UPPAAL 3 (docs/uppaal.md 2.2): read on demand, or where today's
// reading has errors and the old one has none.
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

constexpr const char* kEnd = "process P() { state A; init A; }\nsystem P;\n";

LoadedModel load(const std::string& text) { return load_model_text("m.ta", text); }

LoadedModel load_old(const std::string& text, const char* path = "m.ta") {
  return load_model_text(path, text, {}, {.old_syntax = true});
}

// The first error of a model; empty: it loads.
std::string refusal_of(const LoadedModel& model) {
  CHECK(model.network.has_value() == !model.diagnostics.has_errors());
  for (const Diagnostic& d : model.diagnostics.all())
    if (d.severity == Severity::kError)
      return d.message;
  return "";
}

void check_same(const LoadedModel& old, const std::string& today) {
  const LoadedModel other = load_model_text("m.xta", today);
  CHECK(refusal_of(old) == "");
  CHECK(refusal_of(other) == "");
  REQUIRE(old.network);
  REQUIRE(other.network);
  CHECK(print_xta(*old.network) == print_xta(*other.network));
}

constexpr const char* kOld =
    "const N 5, M := 2, T[2] {1, -3};\nint[0,N] i := 3, a[2] := {0, 1};\nchan go, urgent_go;\n"
    "urgent chan now;\nclock z;\n"
    "process P(int[0,N] n; const lo, hi; clock x; chan c) {\n"
    "  clock y; int if;\n"
    "  state A { x <= hi, y=<N }, B, C;\n  commit C;\n  urgent B;\n  init A;\n"
    "  trans A -> B { guard x >= lo, n < 3, y => 1; sync c!; assign x := 0, n := n + 1, if := 1; "
    "},\n"
    "    -> C { guard if == T[0]; },\n    C -> A { sync now?; };\n}\n"
    "process Q { state A; init A; trans A -> A { sync go?; }, A -> A { sync now!; }; }\n"
    "P1 := P(i, 1, 4, z, go);\nsystem P1, Q;\n";

constexpr const char* kToday =
    "const int N = 5, M = 2, T[2] = {1, -3};\nint[0,N] i = 3, a[2] = {0, 1};\nchan go, urgent_go;\n"
    "urgent chan now;\nclock z;\n"
    "process P(int[0,N] &n, const int lo, const int hi, clock &x, chan &c) {\n"
    "  clock y; int when;\n"
    "  state A { x <= hi && y <= N }, B, C;\n  commit C;\n  urgent B;\n  init A;\n"
    "  trans A -> B { guard x >= lo && n < 3 && y >= 1; sync c!; assign x = 0, n = n + 1, when = "
    "1; "
    "},\n    A -> C { guard when == T[0]; },\n    C -> A { sync now?; };\n}\n"
    "process Q() { state A; init A; trans A -> A { sync go?; }, A -> A { sync now!; }; }\n"
    "P1 = P(i, 1, 4, z, go);\nsystem P1, Q;\n";

// A name that today is a keyword cannot be printed; the rest can.
std::string renamed(std::string text) {
  for (const auto& [from, to] : {std::pair(" if", " when")})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string_view(from).size(), to);
  return text;
}

TEST_CASE("a model of UPPAAL 3 means what it means today", "[uppaal][old]") {
  check_same(load_old(renamed(kOld)), kToday);
  CHECK(refusal_of(load_old(kOld)) == "");
}

TEST_CASE("text that only UPPAAL 3 reads is read so with one warning", "[uppaal][old]") {
  const LoadedModel model = load(renamed(kOld));
  check_same(model, kToday);
  const auto first = model.diagnostics.all().front();
  CHECK(first.message ==
        "the model is read in the language of UPPAAL 3: today, expected a type after 'const', "
        "found 'N'");
  CHECK(first.hint == "--old-syntax says that this is meant");
  CHECK(model.diagnostics.warnings() == load_old(renamed(kOld)).diagnostics.warnings() + 1);
  // Syntax tells: a forgotten '&' of today is not taken for a reference of old.
  const char* reference =
      "clock x;\nprocess P(clock y) { state A { y <= 3 }; init A; }\nQ = P(x);\nsystem Q;\n";
  CHECK(refusal_of(load(reference)) == "a clock can only be passed by reference");
  CHECK(refusal_of(load_old(reference)) == "");
}

TEST_CASE("the old reading counts only if it has no error", "[uppaal][old]") {
  CHECK(refusal_of(load(std::string("const N 5;\nint x = y;\n") + kEnd)) ==
        "expected a type after 'const', found 'N'");
  // A slip in a model of today: functions tell.
  CHECK(refusal_of(load("int x;\nvoid f() { x = 1; }\nprocess P() { state A; init A;\n"
                        "trans A -> A { guard x == 0, x < 3; assign f(); }; }\nsystem P;\n")) ==
        "expected a single expression, found ','");
  CHECK(refusal_of(load_old("const int N = 5;\nprocess P { state A; init A; }\nsystem P;\n")) ==
        "expected the name of a constant, found 'int'");
  CHECK(refusal_of(load_old("process P(int &x) { state A; init A; }\nsystem P;\n")) ==
        "expected the name of the parameter, found '&'");
  // What is younger is no misspelling of itself.
  const LoadedModel younger = load_old("typedef int id;\nprocess P { state A; init A; }\n");
  REQUIRE(younger.diagnostics.has_errors());
  CHECK(younger.diagnostics.all().front().hint == "");
}

TEST_CASE("the old language in XML", "[uppaal][old][xml]") {
  const auto xml = [](const char* parameter, const char* guard, const char* declaration) {
    return "<nta><declaration>" + std::string(declaration) +
           "</declaration><template><name>T</name><parameter>" + parameter +
           "</parameter><location id='a'/><init ref='a'/><transition><source ref='a'/>"
           "<target ref='a'/><label kind='guard'>" +
           guard +
           "</label><label kind='assignment'>x:=0, i:=i+1</label></transition></template>"
           "<instantiation>P:=T(c,j,3);</instantiation><system>system P;</system></nta>";
  };
  const LoadedModel old = load_model_text(
      "m.xml", xml("clock x; int[0,9] i; const n", "x&gt;=n, i&lt;9", "clock c; int[0,9] j;"));
  const LoadedModel today =
      load_model_text("m.xml", xml("clock &amp;x, int[0,9] &amp;i, const int n",
                                   "x&gt;=n &amp;&amp; i&lt;9", "clock c; int[0,9] j;"));
  CHECK(refusal_of(old) == "");
  CHECK(refusal_of(today) == "");
  REQUIRE(old.network);
  REQUIRE(today.network);
  CHECK(print_xta(*old.network) == print_xta(*today.network));
}

}  // namespace
}  // namespace tw
