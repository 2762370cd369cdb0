// Diagnostics as the user sees them: place, source line, caret, the place inside the XML element,
// hint. Everything that makes a column wrong stands before the errors: entities, CDATA, XML
// comments, CRLF, tabs, and characters of several bytes.
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

constexpr std::string_view kXtaEnd = "process P() { state A; init A; }\nsystem P;\n";

struct ModelText {
  std::string declaration;
  std::string location = "<location id='a'><name>A</name></location>";
  std::string edge;  // labels of the only edge, on line 8 if the declaration is one line
  std::string system = "system P;";
};

std::string xml_of(const ModelText& model) {
  return "<nta>\n<declaration>" + model.declaration +
         "</declaration>\n<template>\n<name>P</name>\n" + model.location +
         "\n<init ref='a'/>\n<transition><source ref='a'/><target ref='a'/>\n" + model.edge +
         "\n</transition>\n</template>\n<system>" + model.system + "</system>\n</nta>\n";
}

std::string guard(std::string_view text) {
  return "<label kind='guard'>" + std::string(text) + "</label>";
}

std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += '\r';
    out += c;
  }
  return out;
}

// All diagnostics in the order in which they are shown.
std::string shown(const std::string& path, std::string text) {
  const LoadedModel model = load_model_text(path, std::move(text));
  CHECK(model.network.has_value() == !model.diagnostics.has_errors());
  std::string out;
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    out += render(diagnostic, model.file);
  return out;
}

std::string shown(const ModelText& model) { return shown("m.xml", xml_of(model)); }

std::string shown_xta(std::string_view text) {
  return shown("m.xta", std::string(text) + std::string(kXtaEnd));
}

TEST_CASE("a caret stands under the word behind entities", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;", .edge = guard("len &lt; 3 &amp;&amp; lenn &gt; 0")}) ==
        "m.xml:8:43: error: unknown name 'lenn'\n"
        "  8 | <label kind='guard'>len &lt; 3 &amp;&amp; lenn &gt; 0</label>\n"
        "    |                                           ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 12\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a caret stands under the word behind character references", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;", .edge = guard("len &#60; 3 &#x26;&#38; lenn == 0")}) ==
        "m.xml:8:45: error: unknown name 'lenn'\n"
        "  8 | <label kind='guard'>len &#60; 3 &#x26;&#38; lenn == 0</label>\n"
        "    |                                             ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 12\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a marker spans an operator written as an entity", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "const int N = 3;", .edge = guard("N &lt; 3")}) ==
        "m.xml:8:21: warning: this guard is always false\n"
        "  8 | <label kind='guard'>N &lt; 3</label>\n"
        "    |                     ^~~~~~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: the edge can never be taken\n");
}

TEST_CASE("a caret stands under the word inside CDATA", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;", .edge = guard("<![CDATA[len < 3 && lenn > 0]]>")}) ==
        "m.xml:8:41: error: unknown name 'lenn'\n"
        "  8 | <label kind='guard'><![CDATA[len < 3 && lenn > 0]]></label>\n"
        "    |                                         ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 12\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a caret stands under the word behind an XML comment", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;",
               .edge = guard("len == 0 <!-- why --> &amp;&amp; lenn == 0")}) ==
        "m.xml:8:54: error: unknown name 'lenn'\n"
        "  8 | <label kind='guard'>len == 0 <!-- why --> &amp;&amp; lenn == 0</label>\n"
        "    |                                                      ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 14\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a line break of two bytes counts as one line", "[uppaal][diagnostics]") {
  const ModelText model{.declaration = "int len;\nint b;",
                        .edge = guard("\nlen == 0 &amp;&amp;\n  lenn == 0")};
  CHECK(shown("m.xml", with_crlf(xml_of(model))) ==
        "m.xml:11:3: error: unknown name 'lenn'\n"
        "  11 |   lenn == 0</label>\n"
        "     |   ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 3, column 3\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a tab counts and shows as one column", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;", .edge = "\t\t" + guard("\tlenn == 0")}) ==
        "m.xml:8:24: error: unknown name 'lenn'\n"
        "  8 |   <label kind='guard'> lenn == 0</label>\n"
        "    |                        ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 2\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
  CHECK(shown("m.xta", with_crlf("\tint\ta = \tb;\n" + std::string(kXtaEnd))) ==
        "m.xta:1:11: error: unknown name 'b'\n"
        "  1 |  int a =  b;\n"
        "    |           ^\n"
        "  hint: declare it before its first use\n");
}

TEST_CASE("a character of several bytes counts as one column", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len; // höhe", .edge = guard("/* äöü€ 😀 */ lenn == 0")}) ==
        "m.xml:8:34: error: unknown name 'lenn'\n"
        "  8 | <label kind='guard'>/* äöü€ 😀 */ lenn == 0</label>\n"
        "    |                                  ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 14\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n");
}

TEST_CASE("a long line is cut around the caret", "[uppaal][diagnostics]") {
  const std::string blanks(300, ' ');
  CHECK(shown_xta("int x;" + blanks + "int y = unknown;" + blanks + "\n") ==
        "m.xta:1:315: error: unknown name 'unknown'\n"
        "  1 | ..." +
            std::string(72, ' ') + "int y = unknown;" + std::string(72, ' ') +
            "...\n"
            "    |    " +
            std::string(80, ' ') +
            "^~~~~~~\n"
            "  hint: declare it before its first use\n");
}

TEST_CASE("errors are shown in the order of the file", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int len;\nint b = unknown;\nint len;",
               .edge = guard("lenn == 0"),
               .system = "system Other;"}) ==
        "m.xml:3:9: error: unknown name 'unknown'\n"
        "  3 | int b = unknown;\n"
        "    |         ^~~~~~~\n"
        "  in /nta/declaration, line 2, column 9\n"
        "  hint: declare it before its first use\n"
        "m.xml:4:5: error: 'len' is declared twice\n"
        "  4 | int len;</declaration>\n"
        "    |     ^~~\n"
        "  in /nta/declaration, line 3, column 5\n"
        "  hint: rename one of the two (the first one is at m.xml:2:18)\n"
        "m.xml:10:21: error: unknown name 'lenn'\n"
        "  10 | <label kind='guard'>lenn == 0</label>\n"
        "     |                     ^~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: did you mean 'len'? (declared at m.xml:2:18)\n"
        "m.xml:13:16: error: there is no process 'Other'\n"
        "  13 | <system>system Other;</system>\n"
        "     |                ^~~~~\n"
        "  in /nta/system, line 1, column 8\n"
        "  hint: list templates or instantiations of templates\n");
}

TEST_CASE("a syntax error points behind the last word", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int x = ;\nint y", .edge = guard("x ==")}) ==
        "m.xml:2:22: error: expected an expression, found ';'\n"
        "  2 | <declaration>int x = ;\n"
        "    |                      ^\n"
        "  in /nta/declaration, line 1, column 9\n"
        "m.xml:3:6: error: expected ';' after the declaration, found the end of the text\n"
        "  3 | int y</declaration>\n"
        "    |      ^\n"
        "  in /nta/declaration, line 2, column 6\n"
        "m.xml:9:25: error: expected an expression, found the end of the text\n"
        "  9 | <label kind='guard'>x ==</label>\n"
        "    |                         ^\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 5\n");
}

TEST_CASE("malformed XML is shown where it goes wrong", "[uppaal][diagnostics]") {
  CHECK(shown("m.xml", "<nta>\n<declaration>int a;</declaration>\n<template>\n<name>P</nmae>\n") ==
        "m.xml:4:8: error: end tag '</nmae>' does not close the element opened last\n"
        "  4 | <name>P</nmae>\n"
        "    |        ^~~~~~~\n"
        "  hint: write '</name>': that is the element opened last (at m.xml:4:1)\n");
}

TEST_CASE("an element that is never closed is shown where it was opened", "[uppaal][diagnostics]") {
  CHECK(shown("m.xml",
              "<nta>\n<template>\n<name>P</name>\n<location id='a'>\n</template>\n</nta>\n") ==
        "m.xml:4:1: error: element 'location' is never closed\n"
        "  4 | <location id='a'>\n"
        "    | ^~~~~~~~~\n"
        "  hint: '</location>' is missing before '</template>' at m.xml:5:1\n");
  CHECK(
      shown("m.xml", "<nta>\n<!-- <x> -->\n<template a='>'>\n<init ref='a'/>\n") ==
      "m.xml:3:1: error: element 'template' is never closed\n"
      "  3 | <template a='>'>\n"
      "    | ^~~~~~~~~\n"
      "  hint: the file ends without '</template>': it may be cut off; save it again, or complete "
      "it by hand\n");
}

TEST_CASE("a brace that is never closed is shown where it was opened", "[uppaal][diagnostics]") {
  CHECK(shown_xta("int x;\nvoid f() {\n  if (x == 0) {\n    x = 1;\n}\nvoid g() { x = y; }\n") ==
        "m.xta:2:10: error: '{' is never closed\n"
        "  2 | void f() {\n"
        "    |          ^\n"
        "  hint: a '}' is missing at the end of the block, before 'void'\n"
        "m.xta:6:16: error: unknown name 'y'\n"
        "  6 | void g() { x = y; }\n"
        "    |                ^\n"
        "  hint: declare it before its first use\n");
}

TEST_CASE("a guard on a clock says what to write instead", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "clock x;", .edge = guard("x != 3")}) ==
        "m.xml:8:21: error: a guard must be a conjunction of clock constraints and integer "
        "conditions\n"
        "  8 | <label kind='guard'>x != 3</label>\n"
        "    |                     ^~~~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: '!=' on a clock is a disjunction: write two edges, one with '<', one with "
        "'>'\n");
}

TEST_CASE("an invariant that fixes a clock is refused", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "clock x;",
               .location = "<location id='a'><name>A</name><label kind='invariant'>x == 3</label>"
                           "</location>"}) ==
        "m.xml:5:56: error: an invariant must be a conjunction of clock bounds and integer "
        "conditions\n"
        "  5 | <location id='a'><name>A</name><label kind='invariant'>x == 3</label></location>\n"
        "    |                                                        ^~~~~~\n"
        "  in /nta/template[1]/location[1]/label[1], line 1, column 1\n"
        "  hint: an invariant cannot fix a clock to one value\n");
}

TEST_CASE("a synchronisation without direction says what to write", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "chan c;", .edge = "<label kind='synchronisation'>c</label>"}) ==
        "m.xml:8:31: error: CSP synchronisation (a channel without '!' or '?') is not supported\n"
        "  8 | <label kind='synchronisation'>c</label>\n"
        "    |                               ^\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: write channel! on one side and channel? on the other\n");
}

TEST_CASE("a second label of one kind names the first", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int x;", .edge = guard("x == 0") + guard("x == 1")}) ==
        "m.xml:8:55: error: second label of kind 'guard' on one transition, expected at most one\n"
        "  8 | <label kind='guard'>x == 0</label><label kind='guard'>x == 1</label>\n"
        "    |                                                       ^~~~~~\n"
        "  in /nta/template[1]/transition[1]/label[2], line 1, column 1\n"
        "  hint: join the two with '&&' (the first one is at m.xml:8:21)\n");
}

TEST_CASE("a constant that is changed is named", "[uppaal][diagnostics]") {
  CHECK(shown("m.xta",
              "const int N = 3;\nprocess P() { state A; init A; trans A -> A { assign N = 4; }; }\n"
              "system P;\n") ==
        "m.xta:2:54: error: 'N' is a constant and cannot be changed\n"
        "  2 | process P() { state A; init A; trans A -> A { assign N = 4; }; }\n"
        "    |                                                      ^\n");
}

TEST_CASE("old syntax is recognised", "[uppaal][diagnostics]") {
  CHECK(shown_xta("const N 5;\nint[0,N] x = M;\n") ==
        "m.xta:1:7: error: expected a type after 'const', found 'N'\n"
        "  1 | const N 5;\n"
        "    |       ^\n"
        "  hint: this is old UPPAAL 3.x syntax, which --old-syntax reads; write 'const int N = "
        "...;'\n"
        "m.xta:2:14: error: unknown name 'M'\n"
        "  2 | int[0,N] x = M;\n"
        "    |              ^\n"
        "  hint: declare it before its first use\n");
  CHECK(shown_xta("const N 5;\n") ==
        "m.xta:1:7: warning: 'N' is never used\n"
        "  1 | const N 5;\n"
        "    |       ^\n"
        "m.xta:1:7: warning: the model is read in the language of UPPAAL 3: today, expected a type "
        "after 'const', found 'N'\n"
        "  1 | const N 5;\n"
        "    |       ^\n"
        "  hint: --old-syntax says that this is meant\n");
}

TEST_CASE("a label of an unknown kind is a warning", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int x;",
               .edge = "<label kind='Guard'>x == 0</label>" + guard("x == 1")}) ==
        "m.xml:8:14: warning: label of kind 'Guard' is ignored\n"
        "  8 | <label kind='Guard'>x == 0</label><label kind='guard'>x == 1</label>\n"
        "    |              ^~~~~\n"
        "  hint: did you mean 'guard'?\n");
}

TEST_CASE("a name that hides another is a warning", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int x;",
               .edge = "<label kind='select'>x : int[0,1]</label>" + guard("x == 1")}) ==
        "m.xml:2:18: warning: 'x' is never used\n"
        "  2 | <declaration>int x;</declaration>\n"
        "    |                  ^\n"
        "  in /nta/declaration, line 1, column 5\n"
        "m.xml:8:22: warning: 'x' hides a global variable of the same name\n"
        "  8 | <label kind='select'>x : int[0,1]</label><label kind='guard'>x == 1</label>\n"
        "    |                      ^\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: rename one of the two\n");
}

TEST_CASE("a guard that is always true is a warning", "[uppaal][diagnostics]") {
  CHECK(shown({.edge = guard("1 &lt; 2")}) ==
        "m.xml:8:21: warning: this guard is always true\n"
        "  8 | <label kind='guard'>1 &lt; 2</label>\n"
        "    |                     ^~~~~~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: it can be left out\n");
}

TEST_CASE("a channel that nobody receives on is a warning", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "chan c;", .edge = "<label kind='synchronisation'>c!</label>"}) ==
        "m.xml:2:19: warning: nobody receives on channel 'c'\n"
        "  2 | <declaration>chan c;</declaration>\n"
        "    |                   ^\n"
        "  in /nta/declaration, line 1, column 6\n");
}

TEST_CASE("a template that is never instantiated is a warning", "[uppaal][diagnostics]") {
  CHECK(shown("m.xml",
              "<nta>\n<template><name>P</name><location id='a'/><init ref='a'/></template>\n"
              "<template><name>Q</name><location id='a'/><init ref='a'/></template>\n"
              "<system>system P;</system>\n</nta>\n") ==
        "m.xml:3:17: warning: the template 'Q' is never instantiated\n"
        "  3 | <template><name>Q</name><location id='a'/><init ref='a'/></template>\n"
        "    |                 ^\n"
        "  in /nta/template[2]/name, line 1, column 1\n");
}

TEST_CASE("a chained comparison is a warning", "[uppaal][diagnostics]") {
  CHECK(shown({.declaration = "int i;", .edge = guard("0 &lt;= i &lt; 5")}) ==
        "m.xml:8:21: warning: a chained comparison compares a truth value with a number\n"
        "  8 | <label kind='guard'>0 &lt;= i &lt; 5</label>\n"
        "    |                     ^~~~~~~~~~~~~~~~\n"
        "  in /nta/template[1]/transition[1]/label[1], line 1, column 1\n"
        "  hint: write a <= b && b <= c\n");
}

}  // namespace
}  // namespace tw
