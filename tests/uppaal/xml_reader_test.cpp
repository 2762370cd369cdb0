#include "frontends/uppaal/xml_reader.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace tw::uppaal {
namespace {

struct Result {
  SourceFile file;
  ast::Document document;
  Diagnostics diagnostics;

  [[nodiscard]] std::string_view at(SourceRange where) const {
    return std::string_view(file.text).substr(where.begin, where.end - where.begin);
  }
  [[nodiscard]] std::string verdict() const {
    if (diagnostics.has_errors())
      return "error";
    return diagnostics.warnings() != 0 ? "warning" : "ok";
  }
  // "message @ the text it points at"
  [[nodiscard]] std::string only() const {
    REQUIRE(diagnostics.all().size() == 1);
    const Diagnostic& diagnostic = diagnostics.all().front();
    return diagnostic.message + " @ " + std::string(at(diagnostic.where));
  }
  [[nodiscard]] std::string hint() const { return diagnostics.all().front().hint; }
};

Result read(std::string text) {
  Result result;
  result.file = {.path = "m.xml", .text = std::move(text), .parts = {}};
  read_xml(result.file, result.document, result.diagnostics);
  return result;
}

// A whole model from its parts; the defaults make a correct one.
struct Model {
  std::string declaration = "<declaration>clock x; int i; chan c;</declaration>";
  std::string name = "<name>T</name>";
  std::string locations = "<location id='id0'><name>A</name></location><location id='id1'/>";
  std::string init = "<init ref='id0'/>";
  std::string transitions = "<transition><source ref='id0'/><target ref='id1'/></transition>";
  std::string system = "<system>system T;</system>";
  std::string after = {};

  [[nodiscard]] Result read() const {
    return uppaal::read("<nta>" + declaration + "<template>" + name + locations + init +
                        transitions + "</template>" + system + after + "</nta>");
  }
};

Result read_location(const std::string& inner) {
  return Model{.locations = "<location id='id0'>" + inner + "</location><location id='id1'/>"}
      .read();
}

Result read_transition(const std::string& labels) {
  return Model{.transitions =
                   "<transition><source ref='id0'/><target ref='id1'/>" + labels + "</transition>"}
      .read();
}

TEST_CASE("a model is read with all its parts", "[uppaal][xml]") {
  const Result result = read(
      "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE nta PUBLIC 'x' 'http://x/flat.dtd'>\n"
      "<nta><declaration>clock x; int i; chan c;</declaration><template><name x='1'> T </name>"
      "<location id='id0' x='-8' y='16' color='#ff0000'><name>A</name>"
      "<label kind='exponentialrate'>1</label><label kind='invariant'>x &lt;= 3</label>"
      "<label kind='comments'>a &amp; b</label><urgent/></location>"
      "<location id='id1'/><branchpoint id='id2' x='1' y='2'/><init ref='id0'/>"
      "<transition id='t1' controllable='false' action='go' color='#00ff00'>"
      "<source ref='id0'/><target ref='id2'/><label kind='guard'>x &gt;= k</label>"
      "<label kind='select'>k : int[0,3]</label><label kind='synchronisation'>c!</label>"
      "<label kind='assignment'>i = k, x = 0</label><label kind='testcode'>go();</label>"
      "<nail x='3' y='4'/><nail x='5' y='6'/></transition>"
      "<transition><source ref='id2'/><target ref='id1'/>"
      "<label kind='probability'>3</label></transition>"
      "</template><system>/* TEST */ system T;</system></nta>");
  CHECK(result.verdict() == "ok");
  REQUIRE(result.document.templates.size() == 1);
  const ast::Template& model = result.document.templates.front();
  CHECK(model.name.text == "T");
  CHECK(result.at(model.name.where) == "T");
  REQUIRE(model.initial);
  CHECK(model.initial->text == "id0");

  REQUIRE(model.locations.size() == 2);
  const ast::Location& location = model.locations[0];
  CHECK(location.name.text == "A");
  CHECK(result.at(location.where) == "A");
  CHECK(location.id == "id0");
  CHECK(location.urgent);
  CHECK_FALSE(location.committed);
  CHECK(location.layout.at->x == -8);
  CHECK(location.layout.at->y == 16);
  CHECK(location.layout.colour == "#ff0000");
  CHECK(result.at(result.document.exprs[location.invariant].where) == "x &lt;= 3");
  CHECK(result.at(result.document.exprs[location.rate].where) == "1");
  REQUIRE(location.annotations.size() == 1);
  CHECK(location.annotations[0].kind == "comments");
  CHECK(location.annotations[0].text == "a & b");
  CHECK(model.locations[1].name.text.empty());
  CHECK(result.at(model.locations[1].where) == "<location id='id1'");
  REQUIRE(model.branchpoints.size() == 1);
  CHECK(model.branchpoints[0].id == "id2");

  REQUIRE(model.edges.size() == 2);
  const ast::Edge& edge = model.edges[0];
  CHECK(result.at(edge.where) == "<transition id='t1'");
  CHECK(edge.source.text == "id0");
  CHECK(result.at(edge.target.where) == "id2");
  CHECK_FALSE(edge.controllable);
  CHECK(edge.id == "t1");
  CHECK(edge.action == "go");
  CHECK(edge.selects.size() == 1);
  CHECK(result.at(result.document.exprs[edge.guard].where) == "x &gt;= k");
  CHECK(edge.sync.has_value());
  CHECK_FALSE(edge.updates.empty());
  CHECK(edge.layout.nails.size() == 2);
  CHECK(edge.layout.nails[1].x == 5);
  REQUIRE(edge.annotations.size() == 1);
  CHECK(edge.annotations[0].text == "go();");
  CHECK(model.edges[1].controllable);
  CHECK(model.edges[1].probability.valid());
  REQUIRE(result.document.comments.size() == 1);
  CHECK(result.document.comments[0].kind == "system");
  CHECK(result.document.comments[0].text == "/* TEST */ system T;");
}

TEST_CASE("every text has the XPath address that UPPAAL uses", "[uppaal][xml]") {
  const Result result = read(
      "<nta><declaration>int i;</declaration>"
      "<template><name>S</name><location id='a'/><init ref='a'/></template>"
      "<template><name>T</name><parameter>int k</parameter><declaration>int j;</declaration>"
      "<location id='a'><label kind='invariant'/></location>"
      "<location id='b'><name>B</name><label kind='comments'/><label kind='invariant'>1</label>"
      "</location><init ref='a'/>"
      "<transition><source ref='a'/><target ref='b'/></transition>"
      "<transition><source ref='a'/><target ref='b'/><label kind='guard'>1</label></transition>"
      "</template><instantiation>P = T(1);</instantiation><system>system S;</system>"
      "<queries><query><formula>A</formula><comment>B</comment></query>"
      "<query><formula>C</formula><comment/></query></queries></nta>");
  std::vector<std::string> addresses;
  for (const SourcePart& part : result.file.parts)
    addresses.push_back(part.address + " " + std::string(result.at(part.where)));
  CHECK(addresses ==
        std::vector<std::string>{
            "/nta/declaration int i;", "/nta/template[1]/name S", "/nta/template[2]/name T",
            "/nta/template[2]/parameter int k", "/nta/template[2]/declaration int j;",
            "/nta/template[2]/location[2]/name B", "/nta/template[2]/location[2]/label[2] 1",
            "/nta/template[2]/transition[2]/label[1] 1", "/nta/instantiation P = T(1);",
            "/nta/system system S;", "/nta/queries/query[1]/formula A",
            "/nta/queries/query[1]/comment B", "/nta/queries/query[2]/formula C"});
}

TEST_CASE("parts are sorted and disjoint also when elements are out of order", "[uppaal][xml]") {
  const Result result = read(
      "<nta><system>system T;</system><template><location id='a'><label kind='invariant'>1"
      "</label><name>A</name></location><init ref='a'/><name>T</name></template>"
      "<declaration>int i;</declaration></nta>");
  REQUIRE(result.file.parts.size() == 5);
  for (std::size_t i = 1; i < result.file.parts.size(); ++i)
    CHECK(result.file.parts[i - 1].where.end <= result.file.parts[i].where.begin);
  // One warning for the document, one for the template and all inside it.
  CHECK(result.verdict() == "warning");
  CHECK(result.diagnostics.warnings() == 2);
}

TEST_CASE("text is joined across CDATA and XML comments", "[uppaal][xml]") {
  const Result result = Model{.system =
                                  "<system>/*a<!-- note -->b &lt;<![CDATA[<&amp;]]>c*/&#x41;"
                                  "&#66;&quot;&apos;&gt; system T;</system>"}
                            .read();
  REQUIRE(result.document.comments.size() == 1);
  CHECK(result.document.comments[0].text == "/*ab <<&amp;c*/AB\"'> system T;");
}

TEST_CASE("an unknown entity is an error at its place", "[uppaal][xml]") {
  CHECK(read_transition("<label kind='comments'>a &foo; b</label>").only() ==
        "unknown entity '&foo;' @ &foo;");
  CHECK(read_transition("<label kind='comments'>a && b</label>").only() ==
        "'&&' begins no entity @ &&");
  CHECK(read_transition("<label kind='comments'>&#xD800;</label>").only() ==
        "no character has the number '&#xD800;' @ &#xD800;");
  CHECK(read_transition("<label kind='comments'>&#99999999999;</label>").verdict() == "error");
  CHECK(read_transition("<label kind='comments'>&#0;&</label>").diagnostics.errors() == 2);
  CHECK(read_transition("<label kind='&bar;'>1</label>").diagnostics.has_errors());
}

TEST_CASE("ids are unescaped before they are compared", "[uppaal][xml]") {
  CHECK(Model{.locations = "<location id='&lt;0&gt;'/>",
              .init = "<init ref='&#60;0>'/>",
              .transitions = ""}
            .read()
            .verdict() == "ok");
}

TEST_CASE("blank labels and names are none", "[uppaal][xml]") {
  const Result result =
      Model{
          .locations =
              "<location id='id0'><name> </name><label kind='invariant'> \n</label>"
              "<label kind='invariant'/><label kind='foo'/></location>"
              "<location id='id1'><name/></location>",
      }
          .read();
  CHECK(result.verdict() == "ok");
  CHECK(result.document.templates[0].locations[0].name.text.empty());
  CHECK_FALSE(result.document.templates[0].locations[0].invariant.valid());
}

TEST_CASE("a label that would be lost is reported", "[uppaal][xml]") {
  const Result american = read_transition("<label kind='synchronization'>c!</label>");
  CHECK(american.verdict() == "warning");
  CHECK(american.only() == "label of kind 'synchronization' is ignored @ synchronization");
  CHECK(american.hint() == "did you mean 'synchronisation'?");
  CHECK(read_transition("<label kind='Guard'>1</label>").hint() == "did you mean 'guard'?");
  CHECK(read_transition("<label kind='update'>i = 1</label>").hint() ==
        "did you mean 'assignment'?");
  CHECK(read_transition("<label kind='invariant'>1</label>").verdict() == "warning");
  CHECK(read_transition("<label>1</label>").only() == "label without kind @ <label");
}

TEST_CASE("two labels of one kind are an error that names both places", "[uppaal][xml]") {
  const Result guards =
      read_transition("<label kind='guard'>i == 0</label>\n<label kind='guard'>i == 1</label>");
  CHECK(guards.only() ==
        "second label of kind 'guard' on one transition, expected at most one @ i == 1");
  const std::size_t first = guards.file.text.find("i == 0");
  CHECK(guards.hint() ==
        "join the two with '&&' (the first one is at m.xml:1:" + std::to_string(first + 1) + ")");
  CHECK(read_location("<label kind='invariant'>1</label><label kind='invariant'>1</label>")
            .verdict() == "error");
}

TEST_CASE("an element out of order is a warning", "[uppaal][xml]") {
  CHECK(read_location("<label kind='invariant'>1</label><name>A</name>").only() ==
        "element 'name' stands after 'label', expected it before @ <name");
  CHECK(read_location("<urgent/><label kind='invariant'>1</label>").verdict() == "warning");
  CHECK(read_transition("<nail x='1' y='1'/><label kind='guard'>1</label>").verdict() == "warning");
  CHECK(Model{.transitions = "<transition><target ref='id0'/><source ref='id1'/></transition>"}
            .read()
            .verdict() == "warning");
  Model model;
  std::swap(model.init, model.transitions);
  CHECK(model.read().verdict() == "warning");
}

TEST_CASE("an edge element is read as a transition with a warning", "[uppaal][xml]") {
  const Result result =
      Model{.transitions = "<edge><source ref='id0'/><target ref='id1'/></edge>"}.read();
  CHECK(result.only() == "element 'edge' is read as 'transition' @ <edge");
  CHECK(result.verdict() == "warning");
  CHECK(result.document.templates[0].edges.size() == 1);
}

TEST_CASE("ids are scoped per template", "[uppaal][xml]") {
  const std::string one = "<location id='id0'/><init ref='id0'/></template>";
  CHECK(read("<nta><template><name>S</name>" + one + "<template><name>T</name>" + one +
             "<system>system S, T;</system></nta>")
            .verdict() == "ok");
  CHECK(Model{.locations = "<location id='id0'/><location id='id1'/><branchpoint id='id1'/>"}
            .read()
            .only() == "id 'id1' is used twice in one template @ id1");
}

TEST_CASE("every broken structure has its own error", "[uppaal][xml]") {
  const std::string both = "<location id='id0'/><location id='id1'/>";
  CHECK(Model{.name = ""}.read().only() == "template without name @ <template");
  CHECK(Model{.name = "<name> </name>"}.read().verdict() == "error");
  CHECK(Model{.locations = "", .init = "", .transitions = ""}.read().only() ==
        "template without locations @ T");
  CHECK(Model{.locations = both + "<location/>"}.read().only() ==
        "location without id @ <location");
  CHECK(Model{.locations = both + "<branchpoint/>"}.read().only() ==
        "branchpoint without id @ <branchpoint");
  CHECK(Model{.init = ""}.read().only() == "template without initial location @ T");
  CHECK(Model{.init = "<init/>"}.read().only() == "init without ref @ <init");
  CHECK(Model{.init = "<init ref='zz'/>"}.read().only() == "no location has id 'zz' @ zz");
  CHECK(Model{.init = "<branchpoint id='b'/><init ref='b'/>"}.read().only() ==
        "initial location 'b' is a branchpoint @ b");
  CHECK(Model{.init = "<init ref='id0'/><init ref='id1'/>"}.read().only() ==
        "second element 'init', expected at most one @ <init");
  CHECK(Model{.transitions = "<transition><target ref='id0'/></transition>"}.read().only() ==
        "transition without source @ <transition");
  CHECK(Model{.transitions = "<transition><source ref='id0'/></transition>"}.read().only() ==
        "transition without target @ <transition");
  CHECK(
      Model{.transitions = "<transition><source/><target ref='id0'/></transition>"}.read().only() ==
      "source without ref @ <source");
  CHECK(Model{.transitions = "<transition><source ref='q'/><target ref='id0'/></transition>"}
            .read()
            .only() == "no location or branchpoint has id 'q' @ q");
  CHECK(read_location("<name>A</name><urgent/><committed/>").only() ==
        "location is both urgent and committed @ A");
  CHECK(read_location("<name> A B </name>").only() == "'A B' is not a name @ A B");
  CHECK(read_location("<name>1a</name>").verdict() == "error");
  CHECK(Model{.system = ""}.read().only() == "the model has no system @ <nta");
  CHECK(Model{.system = "<system> </system>"}.read().only() == "the system is empty @ <system");
  CHECK(Model{.declaration = "<imports>a</imports>"}.read().only() ==
        "element 'imports' is not supported @ <imports");
}

TEST_CASE("a name that is a keyword is a warning", "[uppaal][xml]") {
  CHECK(read_location("<name>sup</name>").only() ==
        "'sup' is a keyword of the model or query language @ sup");
  CHECK(read_location("<name>init</name>").verdict() == "warning");
  CHECK(Model{.name = "<name>control</name>", .system = "<system>system control;</system>"}
            .read()
            .verdict() == "warning");
  CHECK(read_location("<name>E</name>").verdict() == "ok");
  CHECK(read_location("<name>supper</name>").verdict() == "ok");
}

TEST_CASE("a model needs a template or a process", "[uppaal][xml]") {
  CHECK(read("<nta><declaration>int i;</declaration></nta>").diagnostics.errors() == 2);
  CHECK(read("<nta><declaration>process Q() { state a; init a; }</declaration>"
             "<system>system Q;</system></nta>")
            .verdict() == "ok");
}

TEST_CASE("unknown elements are ignored, not silently", "[uppaal][xml]") {
  CHECK(Model{.after = "<simulator type='a'><b/></simulator>"}.read().verdict() == "ok");
  CHECK(Model{.after = "<foo>x</foo><foo/>"}.read().only() ==
        "element 'foo' of 'nta' is ignored @ <foo");
  CHECK(read_location("<foo a='b'><bar/></foo>").only() ==
        "element 'foo' of 'location' is ignored @ <foo");
  CHECK(read_transition("<foo/>").only() == "element 'foo' of 'transition' is ignored @ <foo");
}

TEST_CASE("misspelt elements and attributes get a suggestion", "[uppaal][xml]") {
  const auto hint = [](const Result& result) {
    REQUIRE(result.diagnostics.all().size() == 1);
    CHECK(result.verdict() == "warning");
    return result.only() + ": " + result.diagnostics.all().front().hint;
  };
  CHECK(hint(read_location("<comitted/>")) ==
        "element 'comitted' of 'location' is ignored @ <comitted: did you mean 'committed'?");
  CHECK(hint(read_location("<Urgent/>")) ==
        "element 'Urgent' of 'location' is ignored @ <Urgent: did you mean 'urgent'?");
  CHECK(hint(read_transition("<lable kind='guard'>1</lable>")) ==
        "element 'lable' of 'transition' is ignored @ <lable: did you mean 'label'?");
  CHECK(hint(Model{.after = "<Queries/>"}.read()) ==
        "element 'Queries' of 'nta' is ignored @ <Queries: did you mean 'queries'?");
  const Result kind = read_transition("<label Kind='guard' x='1' y='2'>1</label>");
  REQUIRE(kind.diagnostics.all().size() == 2);
  CHECK(kind.at(kind.diagnostics.all()[0].where) == "Kind");
  CHECK(kind.diagnostics.all()[0].hint == "did you mean 'kind'?");
  CHECK(kind.diagnostics.all()[1].message == "label without kind");
  const Result twice = read_location("<comitted/><comitted/>");
  CHECK(twice.diagnostics.warnings() == 2);
}

TEST_CASE("what UPPAAL and other tools write is no slip", "[uppaal][xml]") {
  CHECK(read_location("<name x='1' y='2'>B</name><label kind='comments' x='1' y='2'>c</label>"
                      "<label kind='testcodeEnter'>x</label>")
            .verdict() == "ok");
  CHECK(read_transition("<label kind='testcode'>x</label><nail x='1' y='2'/>").verdict() == "ok");
  CHECK(Model{.after =
                  "<queries><option key='a' value='b'/><query><formula/><comment/><option key='x' "
                  "value='1'/><expect outcome='success' type='quality'><resource type='time' "
                  "value='1' unit='s'/></expect><result outcome='success' type='quality' "
                  "timestamp='now'><details>d</details></result></query></queries>"}
            .read()
            .verdict() == "ok");
}

TEST_CASE("live sequence charts are skipped with a warning", "[uppaal][xml]") {
  const Result result =
      Model{.system = "<lsc><name>x y</name></lsc><system>system T;</system>"}.read();
  CHECK(result.only() == "live sequence chart is skipped @ <lsc");
  CHECK(result.verdict() == "warning");
}

TEST_CASE("queries keep formula, comment and expected outcome", "[uppaal][xml]") {
  const Result result =
      Model{.after =
                "<queries><option key='a' value='b'/><query><formula>E&lt;&gt; T.A</formula>"
                "<comment>reach</comment><expect outcome='success'/><result><plot/></result>"
                "</query><query><formula/><comment/></query></queries>"}
          .read();
  REQUIRE(result.document.queries.size() == 1);
  CHECK(result.document.queries[0].formula == "E<> T.A");
  CHECK(result.document.queries[0].comment == "reach");
  CHECK(result.document.queries[0].expected == "success");
  CHECK(result.at(result.document.queries[0].where) == "E&lt;&gt; T.A");
}

TEST_CASE("the root is nta or project", "[uppaal][xml]") {
  const std::string inner =
      "<template><name>T</name><location id='a'/><init ref='a'/></template>"
      "<system>system T;</system>";
  const Result project = read(" \n<?xml version='1.0'?><project>" + inner + "</project>\n");
  CHECK(project.verdict() == "ok");
  CHECK(project.file.parts.front().address == "/project/template[1]/name");
  CHECK(read("<scxml>" + inner + "</scxml>").only() ==
        "root element is 'scxml', expected 'nta' @ <scxml");
  CHECK(read("<nta>" + inner + "</nta><nta/>").verdict() == "warning");
}

}  // namespace
}  // namespace tw::uppaal
