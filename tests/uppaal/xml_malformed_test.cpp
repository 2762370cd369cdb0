// Files that are no model, no XML, or out of all proportion.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "frontends/uppaal/xml_reader.hpp"

namespace tw::uppaal {
namespace {

struct Result {
  SourceFile file;
  ast::Document document;
  Diagnostics diagnostics;

  [[nodiscard]] std::string verdict() const { return diagnostics.has_errors() ? "error" : "ok"; }
  // "message @ the text it points at"
  [[nodiscard]] std::string only() const {
    REQUIRE(diagnostics.all().size() == 1);
    const Diagnostic& diagnostic = diagnostics.all().front();
    const SourceRange where = diagnostic.where;
    return diagnostic.message + " @ " + file.text.substr(where.begin, where.end - where.begin);
  }
};

Result read(std::string text) {
  Result result;
  result.file = {.path = "m.xml", .text = std::move(text), .parts = {}};
  read_xml(result.file, result.document, result.diagnostics);
  return result;
}

TEST_CASE("a file that is no XML is told apart", "[uppaal][xml]") {
  CHECK(read("").only() == "the file is empty @ ");
  CHECK(read(" \r\n\t").only() == "the file is empty @ ");
  CHECK(read("int i;\nsystem P;").only() ==
        "this is not XML: the file begins with 'int i;' @ int i;");
  CHECK(read("<!-- nothing -->").verdict() == "error");
}

TEST_CASE("malformed XML is reported where it goes wrong", "[uppaal][xml]") {
  CHECK(read("<nta><declaration>x < 3</declaration></nta>").only() == "'<' begins no tag @ < ");
  CHECK(read("<nta><declaration>i<n; </declaration></nta>").only() == "malformed start tag @ <n; ");
  CHECK(read("<nta><template></tempalte></nta>").only() ==
        "end tag '</tempalte>' does not close the element opened last @ </tempalte>");
  CHECK(read("<nta><declaration>int").only() ==
        "element 'declaration' is never closed @ <declaration");
  CHECK(read("<nta><declaration></declaration").only() == "the file ends inside an end tag @ ");
  CHECK(read("<nta><a b='").verdict() == "error");
  CHECK(read("<nta><!-- a --><!-- b </nta>").only() ==
        "the file ends inside an XML comment @ <!--");
  CHECK(read("<nta><![CDATA[ b </nta>").only() ==
        "the file ends inside a CDATA section @ <![CDATA[");
  CHECK(read("<nta x=1></nta>").only() == "malformed attribute @ 1");
}

TEST_CASE("no prefix of a model crashes the reader", "[uppaal][xml]") {
  const std::string text =
      "<?xml version='1.0'?><!DOCTYPE nta [<!ENTITY a 'b'>]><nta><!-- c --><template><name>T</name>"
      "<location id='a&lt;'/><init ref=\"a&#60;\"/></template><system><![CDATA[system T;]]>"
      "</system></nta>";
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK(read(text.substr(0, length)).verdict() == "error");
  CHECK(read(text).verdict() == "ok");
}

TEST_CASE("entities of a DTD are never resolved", "[uppaal][xml]") {
  const Result result = read(
      "<!DOCTYPE nta [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><nta><template><name>T</name>"
      "<location id='a'><label kind='comments'>&a;</label></location><init ref='a'/></template>"
      "<system>system T;</system></nta>");
  CHECK(result.only() == "unknown entity '&a;' @ &a;");
}

TEST_CASE("deep nesting and many attributes are read in linear time", "[uppaal][xml]") {
  constexpr std::size_t kMany = 100'000;
  const std::string head =
      "<nta><template><name>T</name><location id='a'/><init ref='a'/></template>";
  const std::string tail = "<system>system T;</system></nta>";
  std::string deep;
  for (std::size_t i = 0; i < kMany; ++i)
    deep += "<a>";
  CHECK(read("<nta>" + deep).verdict() == "error");
  std::string closed = deep;
  for (std::size_t i = 0; i < kMany; ++i)
    closed += "</a>";
  CHECK(read(head + closed + tail).verdict() == "ok");
  std::string attributes;
  for (std::size_t i = 0; i < kMany; ++i)
    attributes += " a" + std::to_string(i) + "='1'";
  CHECK(read("<nta><template><name>T</name><location" + attributes +
             " id='a'/><init ref='a'/></template>" + tail)
            .verdict() == "ok");
}

}  // namespace
}  // namespace tw::uppaal
