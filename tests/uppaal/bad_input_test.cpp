// Input that is no model, is out of all proportion, or asks for a computation without end. Each
// must be refused with a message that says why, in bounded time and memory. The inputs are made
// here, because as files they would be large.
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

constexpr std::size_t kMany = 100'000;
constexpr const char* kTooDeep = "nesting is deeper than 2000 levels";
constexpr const char* kSystem = "process P() { state A; init A; }\nsystem P;\n";

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    out += text;
  return out;
}

// "0", "1", … put where the text says '#'.
std::string number_each(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i)
    for (const char c : text) {
      if (c == '#')
        out += std::to_string(i);
      else
        out += c;
    }
  return out;
}

std::string with_guard(const std::string& guard) {
  return "int x;\nprocess P() { state A; init A; trans A -> A { guard " + guard +
         "; }; }\nsystem P;\n";
}

std::string with_body(const std::string& body) {
  return "int x;\nvoid f() {\n" + body + "\n}\n" + kSystem;
}

std::string with_constant(const std::string& value) {
  return "const int N = " + value + ";\n" + kSystem;
}

std::string xml_template(std::string_view content) {
  return "<nta><template><name>P</name>" + std::string(content) +
         "</template><system>system P;</system></nta>";
}

// The first error of a model that must be refused.
std::string refusal_of(const LoadedModel& model) {
  CHECK_FALSE(model.network.has_value());
  CHECK(model.diagnostics.errors() > 0);
  for (const Diagnostic& diagnostic : model.diagnostics.all()) {
    if (diagnostic.severity != Severity::kError)
      continue;
    CHECK(diagnostic.where.begin <= diagnostic.where.end);
    CHECK(diagnostic.where.end <= model.file.text.size());
    return diagnostic.message;
  }
  return "(no error was stored)";
}

std::string refuse_xta(std::string text) {
  return refusal_of(load_model_text("m.xta", std::move(text)));
}

std::string refuse_xml(std::string text) {
  return refusal_of(load_model_text("m.xml", std::move(text)));
}

std::string refuse_file(const std::string& path) { return refusal_of(load_model(path)); }

TEST_CASE("a file that is no file is named in the message", "[uppaal][bad-input]") {
  const std::string directory = std::filesystem::temp_directory_path().string();
  CHECK(refuse_file("/no/such/model.xml") ==
        "cannot read '/no/such/model.xml': no such file or directory");
  CHECK(refuse_file("") != "");
  CHECK_THAT(refuse_file(directory), Contains("'" + directory + "'") && Contains("is a directory"));
  CHECK_THAT(refuse_file("/dev/null"), Contains("'/dev/null'") && Contains("device"));
  CHECK_THAT(refuse_file("/dev/zero"), Contains("'/dev/zero'") && Contains("device"));
}

TEST_CASE("a text without content is called empty", "[uppaal][bad-input]") {
  for (const char* path : {"m.xml", "m.xta", "m.ta", "m"})
    for (const char* text : {"", " ", "\n", " \r\n\t\n"}) {
      CAPTURE(path, text);
      CHECK(refusal_of(load_model_text(path, text)) == "the file is empty");
    }
  CHECK_THAT(refuse_xta("// only a comment\n"), Contains("system line"));
}

TEST_CASE("a text that is no model is told apart", "[uppaal][bad-input]") {
  CHECK(refuse_xml("hello world\n") == "this is not XML: the file begins with 'hello world'");
  CHECK_THAT(refusal_of(load_model_text("model", kSystem)), StartsWith("unknown kind of model"));
  CHECK_THAT(refusal_of(load_model_text("model.pdf", kSystem)),
             StartsWith("unknown kind of model"));
  CHECK(refuse_xml("<html><body/></html>") == "root element is 'html', expected 'nta'");
  // Content decides, whatever the name.
  CHECK(refuse_xta("<html/>") == "root element is 'html', expected 'nta'");
}

TEST_CASE("a model cut off anywhere is refused", "[uppaal][bad-input]") {
  const std::string xml = xml_template(
      "<location id='a'><label kind='invariant'>1 &lt; 2</label></location>"
      "<init ref='a'/>");
  REQUIRE(load_model_text("m.xml", xml).network.has_value());
  for (std::size_t length = 0; length < xml.size(); ++length) {
    CAPTURE(xml.substr(0, length));
    CHECK(refuse_xml(xml.substr(0, length)) != "");
  }
  CHECK(refuse_xml("<nta><template><name>P</name><loca") == "the file ends inside a start tag");
  const std::string xta =
      "const int N = 3;\nprocess P() { clock x; state A { x <= N }, B; init A;\n"
      "trans A -> B { guard x >= 1; assign x = 0; }; }\nsystem P;";
  REQUIRE(load_model_text("m.xta", xta).network.has_value());
  for (std::size_t length = 0; length < xta.size(); ++length) {
    CAPTURE(xta.substr(0, length));
    CHECK(refuse_xta(xta.substr(0, length)) != "");
  }
}

TEST_CASE("bytes that are no text are refused with their offset", "[uppaal][bad-input]") {
  const std::string tail = std::string("\n") + kSystem;
  CHECK(refuse_xta("int \xFFx;" + tail) == "byte 0xFF at byte offset 4 is not valid UTF-8");
  CHECK(refuse_xta("// \xC3\x28" + tail) == "byte 0xC3 at byte offset 3 is not valid UTF-8");
  CHECK(refuse_xta(std::string("int x;\0int y;", 13) + tail) ==
        "NUL byte at byte offset 6, expected text");
  CHECK(refuse_xta(std::string(1000, '\0')) == "NUL byte at byte offset 0, expected text");
  CHECK(refuse_xml("<nta><declaration>// \xFF</declaration></nta>") ==
        "byte 0xFF at byte offset 21 is not valid UTF-8");
  CHECK(refuse_xml(std::string("<nta>\0</nta>", 12)) == "NUL byte at byte offset 5, expected text");
  CHECK(refuse_xml(std::string(1000, '\0')) == "NUL byte at byte offset 0, expected text");
}

TEST_CASE("calls that nest too deep are refused", "[uppaal][bad-input]") {
  const auto chain = [](std::size_t length) {
    std::string out = "int f0(int x) { return x; }\n";
    for (std::size_t i = 1; i < length; ++i)
      out += "int f" + std::to_string(i) + "(int x) { return f" + std::to_string(i - 1) +
             "(x) + 1; }\n";
    return out + "process P() { int y; state A; init A; trans A -> A { guard f" +
           std::to_string(length - 1) + "(y) > 0; }; }\nsystem P;\n";
  };
  CHECK(load_model_text("m.xta", chain(900)).network.has_value());
  CHECK_THAT(refuse_xta(chain(20'000)), Contains("nest deeper than 4000 levels"));
}

TEST_CASE("nested expressions are refused beyond the limit", "[uppaal][bad-input]") {
  const auto around = [](std::string_view open, std::string_view close) {
    return repeat(open, kMany) + "x" + repeat(close, kMany);
  };
  CHECK(refuse_xta(with_guard(around("(", ")"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(repeat("(", kMany))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("-", "") + " > 0")) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("- ", "") + " > 0")) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("!", ""))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("", " + x") + " > 0")) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("", " && x"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("x ? 1 : ", ""))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("x[", "]"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("", "[0]"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("", ".y"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("f(", ")"))) == kTooDeep);
  CHECK(refuse_xta(with_guard(around("forall (i : int[0,1]) ", ""))) == kTooDeep);
  CHECK(refuse_xta(with_constant(repeat("{", kMany) + "1" + repeat("}", kMany))) == kTooDeep);
  CHECK(refuse_xta(with_body(around("x = ", "") + ";")) == kTooDeep);
}

TEST_CASE("a sum of constants is refused beyond the limit", "[uppaal][bad-input]") {
  CHECK(refuse_xta(with_constant("1" + repeat(" + 1", kMany))) == kTooDeep);
}

TEST_CASE("nested statements are refused beyond the limit", "[uppaal][bad-input]") {
  CHECK(refuse_xta(with_body(repeat("{", kMany) + repeat("}", kMany))) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("{", kMany))) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("if (x > 0) ", kMany) + "x = 1;")) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("if (x > 0) x = 2; else ", kMany) + "x = 1;")) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("while (x > 0) ", kMany) + "x = 1;")) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("for (i : int[0,1]) ", kMany) + "x = 1;")) == kTooDeep);
  CHECK(refuse_xta(with_body(repeat("do ", kMany) + "x = 1;")) == kTooDeep);
}

TEST_CASE("nested elements are read, however deep", "[uppaal][bad-input]") {
  const std::string unknown = repeat("<a>", kMany) + repeat("</a>", kMany);
  const std::string location = "<location id='a'/><init ref='a'/>";
  CHECK(load_model_text("m.xml", xml_template(location + unknown)).network.has_value());
  CHECK(refuse_xml("<nta>" + repeat("<template>", kMany)) == "element 'template' is never closed");
  CHECK(refuse_xml(repeat("<nta>", kMany) + repeat("</nta>", kMany)) != "");
  CHECK(refuse_xml("<nta>" + repeat("<template>", kMany) + repeat("</template>", kMany) +
                   "<system>system P;</system></nta>") == "template without name");
}

TEST_CASE("nested structs are refused beyond the limit", "[uppaal][bad-input]") {
  CHECK(refuse_xta(repeat("struct { ", kMany) + "int a; " + repeat("} s; ", kMany) + kSystem) ==
        kTooDeep);
}

TEST_CASE("array dimensions are refused beyond the limit", "[uppaal][bad-input]") {
  CHECK(refuse_xta("int a" + repeat("[1]", kMany) + ";\n" + kSystem) == kTooDeep);
}

TEST_CASE("types that nest by name are refused beyond the limit", "[uppaal][bad-input]") {
  // T# is the type before it in a struct, so the depth never shows in the text.
  std::string arrays = "typedef int[0,1] T0;\n";
  std::string structs = arrays;
  for (std::size_t i = 0; i < 10'000; ++i) {
    const std::string before = "T" + std::to_string(i);
    const std::string name = "T" + std::to_string(i + 1);
    arrays += "typedef " + before + " " + name + "[1];\n";
    structs += "typedef struct { " + before + " a; } " + name + ";\n";
  }
  CHECK_THAT(refuse_xta(arrays + "T10000 x;\n" + kSystem), Contains("2000"));
  CHECK_THAT(refuse_xta(structs + "T10000 x;\n" + kSystem), Contains("2000"));
}

TEST_CASE("an array that is too large is refused with its size", "[uppaal][bad-input]") {
  CHECK(refuse_xta(std::string("int a[2000000000];\n") + kSystem) ==
        "the array has 2000000000 elements; the limit is 1048576");
  CHECK(refuse_xta(std::string("int a[100000][100000];\n") + kSystem) ==
        "the array has 10000000000 elements; the limit is 1048576");
  CHECK_THAT(refuse_xta("int a" + repeat("[2000000000]", 9) + ";\n" + kSystem),
             Contains("the limit is 1048576"));
  CHECK_THAT(refuse_xta(std::string("clock a[2000000000];\n") + kSystem),
             Contains("the limit is 1048576"));
  CHECK_THAT(refuse_xta(std::string("chan a[2000000000];\n") + kSystem),
             Contains("the limit is 1048576"));
  CHECK_THAT(refuse_xta(with_body("int a[2000000000];")), Contains("the limit is 1048576"));
  CHECK_THAT(refuse_xta(std::string("int a[2147483647 + 1];\n") + kSystem), Contains("array"));
}

TEST_CASE("arrays that are too large together are refused", "[uppaal][bad-input]") {
  CHECK_THAT(refuse_xta(number_each("int a#[1000000];\n", 5) + kSystem), Contains("4194304"));
}

TEST_CASE("an array sized by a parameter is refused beyond the limit", "[uppaal][bad-input]") {
  const std::string head = "process P(const int n) { ";
  const std::string tail = " state A; init A; }\nQ = P(2000000000);\nsystem Q;\n";
  CHECK_THAT(refuse_xta(head + "int a[n];" + tail), Contains("1048576"));
  CHECK_THAT(refuse_xta(head + "int f() { int a[n]; return a[0]; } const int N = f();" + tail),
             Contains("1048576"));
}

TEST_CASE("a struct that doubles with every name is refused beyond the limit",
          "[uppaal][bad-input]") {
  std::string text = "typedef int[0,1] T0;\n";
  for (std::size_t i = 0; i < 100; ++i) {
    const std::string before = "T" + std::to_string(i);
    text +=
        "typedef struct { " + before + " a; " + before + " b; } T" + std::to_string(i + 1) + ";\n";
  }
  CHECK_THAT(refuse_xta(text + "T100 x;\n" + kSystem), Contains("1048576"));
}

TEST_CASE("free parameters that stand for too many processes are refused", "[uppaal][bad-input]") {
  const auto with_parameters = [](const std::string& parameters) {
    return "process P(" + parameters + ") { state A; init A; }\nsystem P;\n";
  };
  CHECK(refuse_xta(with_parameters("const int[1,5000000] i")) ==
        "'P' stands for 5000000 processes; the limit is 100000");
  CHECK_THAT(refuse_xta(with_parameters("const int[1,1048576] i, const int[1,1048576] j")),
             StartsWith("'P' stands for ") && Contains("processes; the limit is 100000"));
  CHECK_THAT(refuse_xta(with_parameters("const int[-2147483647,2147483647] i, "
                                        "const int[-2147483647,2147483647] j, "
                                        "const int[-2147483647,2147483647] k")),
             StartsWith("'P' stands for ") && Contains("processes; the limit is 100000"));
}

TEST_CASE("a recursive function is refused", "[uppaal][bad-input]") {
  CHECK(refuse_xta(std::string("int f(int n) { return n == 0 ? 1 : f(n - 1); }\n") + kSystem) ==
        "'f' calls itself");
  CHECK(refuse_xta(std::string("int f(int n) { return g(n); }\nint g(int n) { return f(n); }\n") +
                   kSystem) == "unknown function 'g'");
  CHECK(refuse_xta("process P() { int f() { return f(); } state A; init A; }\nsystem P;\n") ==
        "'f' calls itself");
}

TEST_CASE("a division by a zero constant is refused where it must be computed",
          "[uppaal][bad-input]") {
  const std::string zero = "const int Z = 0;\n";
  CHECK(refuse_xta(with_constant("1 / 0")) == "cannot evaluate '1 / 0': division by zero");
  CHECK(refuse_xta(with_constant("1 % 0")) == "cannot evaluate '1 % 0': division by zero");
  CHECK(refuse_xta(zero + "int a[4 / Z];\n" + kSystem) ==
        "cannot evaluate '4 / Z': division by zero");
  CHECK(refuse_xta(zero + "int[0, 4 / Z] a;\n" + kSystem) ==
        "cannot evaluate '4 / Z': division by zero");
  CHECK(refuse_xta(zero + with_guard("1 / Z > 0")) ==
        "the guard cannot be evaluated: division by zero");
  CHECK(refuse_xta("process P(const int n) { int a[4 / n]; state A; init A; }\nQ = P(0);\n"
                   "system Q;\n") == "cannot evaluate '4 / n': division by zero");
}

TEST_CASE("a reference to an id that nothing has is refused", "[uppaal][bad-input]") {
  const std::string place = "<location id='a'/>";
  const auto with_edge = [&](const std::string& ends) {
    return xml_template(place + "<init ref='a'/><transition>" + ends + "</transition>");
  };
  CHECK(refuse_xml(xml_template(place + "<init ref='zz'/>")) == "no location has id 'zz'");
  CHECK(refuse_xml(with_edge("<source ref='q'/><target ref='a'/>")) ==
        "no location or branchpoint has id 'q'");
  CHECK(refuse_xml(with_edge("<source ref='a'/><target ref='q'/>")) ==
        "no location or branchpoint has id 'q'");
  CHECK(refuse_xml(with_edge("<source ref='a'/>")) == "transition without target");
  CHECK(refuse_xml(xml_template(place + place + "<init ref='a'/>")) ==
        "id 'a' is used twice in one template");
}

TEST_CASE("a dangling id is reported once", "[uppaal][bad-input]") {
  const LoadedModel model = load_model_text(
      "m.xml", xml_template("<location id='a'/><init ref='p'/><transition><source ref='q'/>"
                            "<target ref='r'/></transition>"));
  CHECK(model.diagnostics.errors() == 3);
}

TEST_CASE("a computation without end is given up", "[uppaal][bad-input]") {
  const std::string tail = std::string("\nconst int N = f();\n") + kSystem;
  const char* const message = "the computation takes more than 20000000 steps";
  CHECK_THAT(refuse_xta("int f() { while (true) { } return 1; }" + tail), Contains(message));
  CHECK_THAT(refuse_xta(with_constant("sum (i : int[0,2147483647]) 0")), Contains(message));
}

TEST_CASE("calls that double with every function are given up", "[uppaal][bad-input]") {
  std::string text = "int f0() { return 0; }\n";
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string before = "f" + std::to_string(i) + "()";
    text += "int f" + std::to_string(i + 1) + "() { return " + before + " + " + before + "; }\n";
  }
  CHECK_THAT(refuse_xta(text + "const int N = f60();\n" + kSystem),
             Contains("more than 20000000 steps"));
}

TEST_CASE("a long chain of calls in a constant is refused", "[uppaal][bad-input]") {
  std::string text = "int f0() { return 1; }\n";
  for (std::size_t i = 0; i < 5000; ++i)
    text += "int f" + std::to_string(i + 1) + "() { return f" + std::to_string(i) + "(); }\n";
  CHECK_THAT(refuse_xta(text + "const int N = f5000();\n" + kSystem),
             Contains("nest deeper than 4000 levels"));
}

TEST_CASE("a long name is an ordinary name", "[uppaal][bad-input]") {
  for (const std::size_t length : {std::size_t{4000}, std::size_t{1'000'000}}) {
    const std::string name(length, 'a');
    const LoadedModel model = load_model_text("m.xta", "int " + name + ";\n" + kSystem);
    CAPTURE(length);
    REQUIRE(model.network.has_value());
    CHECK(model.network->variables[model.network->globals.front()].name.size() == length);
  }
}

TEST_CASE("a long unknown name is cut in the message", "[uppaal][bad-input]") {
  const std::string name(1'000'000, 'q');
  for (const std::string& declared : {std::string("a"), name + "r"}) {
    const LoadedModel model =
        load_model_text("m.xta", "int " + declared + ";\nint b = " + name + ";\n" + kSystem);
    const std::string message = refusal_of(model);
    CHECK(message.substr(0, 20) == "unknown name 'qqqqqq");
    CHECK(message.size() < 1000);
    CHECK(render(model.diagnostics.all().front(), model.file).size() < 3000);
  }
}

TEST_CASE("errors beyond the number stored are counted", "[uppaal][bad-input]") {
  constexpr std::size_t kErrors = 10'000;
  for (const char* line : {"int ;\n", "int a#[0];\n"}) {
    CAPTURE(line);
    const LoadedModel model = load_model_text("m.xta", number_each(line, kErrors) + kSystem);
    CHECK_FALSE(model.network.has_value());
    CHECK(model.diagnostics.errors() == kErrors);
    CHECK(model.diagnostics.all().size() == Diagnostics::kMaxStored);
    CHECK(model.diagnostics.dropped() == kErrors - Diagnostics::kMaxStored);
  }
}

TEST_CASE("an error is kept, however many warnings come before it", "[uppaal][bad-input]") {
  const LoadedModel model = load_model_text(
      "m.xta", with_body(repeat("x;\n", 2 * Diagnostics::kMaxStored) + "x = unknown;"));
  CHECK(model.diagnostics.warnings() == 2 * Diagnostics::kMaxStored);
  CHECK(model.diagnostics.all().size() == Diagnostics::kMaxStored + 1);
  CHECK(refusal_of(model) == "unknown name 'unknown'");
}

}  // namespace
}  // namespace tw
