#include "frontends/uppaal/encoding.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace tw::uppaal {
namespace {

// All bytes of a literal, NUL included.
template <std::size_t kSize>
std::string_view raw(const char (&literal)[kSize]) {
  return {literal, kSize - 1};
}

struct Result {
  SourceFile file;
  Diagnostics diagnostics;

  [[nodiscard]] SourcePosition error_position() const {
    REQUIRE(diagnostics.errors() == 1);
    return position_of(file, diagnostics.all().back().where.begin);
  }
  [[nodiscard]] const std::string& message() const { return diagnostics.all().back().message; }
};

Result decode(std::string_view bytes, ModelFormat format = ModelFormat::kXml) {
  Result result;
  result.file.text = decode_model(bytes, format, result.diagnostics);
  return result;
}

std::string widen(std::string_view ascii, bool little) {
  std::string out;
  for (const char c : ascii) {
    out += little ? c : '\0';
    out += little ? '\0' : c;
  }
  return out;
}

TEST_CASE("plain UTF-8 passes unchanged", "[uppaal][encoding]") {
  const std::string_view text = "<nta>\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\r\n</nta>";
  const Result result = decode(text);
  CHECK(result.file.text == text);
  CHECK(result.diagnostics.all().empty());
  CHECK(decode("").file.text.empty());
}

TEST_CASE("a UTF-8 byte-order mark is stripped", "[uppaal][encoding]") {
  CHECK(decode("\xEF\xBB\xBF<nta/>").file.text == "<nta/>");
  CHECK(decode("\xEF\xBB\xBFint i;", ModelFormat::kText).file.text == "int i;");
}

TEST_CASE("UTF-16 is read with a byte-order mark and without", "[uppaal][encoding]") {
  const std::string xml = "<?xml version='1.0' encoding='utf-16'?><nta/>";
  CHECK(decode("\xFF\xFE" + widen(xml, true)).file.text == xml);
  CHECK(decode("\xFE\xFF" + widen(xml, false)).file.text == xml);
  CHECK(decode(widen(xml, true)).file.text == xml);
  CHECK(decode(widen(xml, false)).file.text == xml);
  CHECK(decode("\xFF\xFE" + widen("int i;", true), ModelFormat::kText).file.text == "int i;");
}

TEST_CASE("UTF-16 surrogate pairs become one character", "[uppaal][encoding]") {
  CHECK(decode(raw("\xFF\xFE\x3D\xD8\x00\xDE")).file.text == "\xF0\x9F\x98\x80");
  CHECK(decode(raw("\xFE\xFF\x20\xAC")).file.text == "\xE2\x82\xAC");
}

TEST_CASE("broken UTF-16 is an error at its place", "[uppaal][encoding]") {
  const Result lone = decode(raw("\xFE\xFF\0a\0\n\0b\xDC\x00"));
  CHECK(lone.error_position().line == 2);
  CHECK(lone.error_position().column == 2);
  CHECK(lone.message() == "unit 0xDC00 at byte offset 8 is not valid UTF-16");
  CHECK(decode(raw("\xFF\xFE\x61")).diagnostics.errors() == 1);
  CHECK(decode(raw("\xFF\xFE\x3D\xD8")).diagnostics.errors() == 1);
  CHECK(decode(raw("\xFF\xFE\0\0")).message() == "NUL byte at byte offset 2, expected text");
}

TEST_CASE("a declared 8-bit encoding is converted", "[uppaal][encoding]") {
  const std::string head = "<?xml version=\"1.0\" encoding=";
  CHECK(decode(head + "\"iso-8859-1\"?>\xE9").file.text == head + "\"iso-8859-1\"?>\xC3\xA9");
  CHECK(decode(head + " 'Latin1' ?>\xE9").file.text == head + " 'Latin1' ?>\xC3\xA9");
  CHECK(decode(head + "'windows-1252'?>\x80").file.text == head + "'windows-1252'?>\xE2\x82\xAC");
  CHECK(decode("\n " + head + "'CP1252'?>\xFF").file.text == "\n " + head + "'CP1252'?>\xC3\xBF");
  CHECK_FALSE(decode(head + "'us-ascii'?>a").diagnostics.has_errors());
  CHECK(decode(head + "'us-ascii'?>\n\xE9").error_position().line == 2);
}

TEST_CASE("an unknown declared encoding is an error at its name", "[uppaal][encoding]") {
  const Result result = decode("<?xml version='1.0' encoding='klingon'?><nta/>");
  CHECK(result.message() == "unknown encoding 'klingon'");
  CHECK(result.error_position().column == 31);
}

TEST_CASE("a false claim of UTF-16 is a warning", "[uppaal][encoding]") {
  const Result result = decode("<?xml version='1.0' encoding='utf-16'?><nta/>");
  CHECK_FALSE(result.diagnostics.has_errors());
  CHECK(result.diagnostics.warnings() == 1);
}

TEST_CASE("text models have no XML declaration", "[uppaal][encoding]") {
  const std::string_view bytes = "<?xml encoding='iso-8859-1'?>\xE9";
  CHECK_FALSE(decode(bytes, ModelFormat::kXml).diagnostics.has_errors());
  const Result text = decode(bytes, ModelFormat::kText);
  CHECK(text.diagnostics.has_errors());
  CHECK(text.diagnostics.all().front().hint == "save the file as UTF-8");
}

TEST_CASE("an invalid UTF-8 byte is an error at its line and column", "[uppaal][encoding]") {
  const Result result = decode("int \xC3\xA9;\n// \xC3\xA9 caf\xE9 here\n", ModelFormat::kText);
  CHECK(result.error_position().line == 2);
  CHECK(result.error_position().column == 9);
  CHECK(result.message() == "byte 0xE9 at byte offset 17 is not valid UTF-8");
  const Result marked = decode(
      "\xEF\xBB\xBF"
      "a\xFF");
  CHECK(marked.message() == "byte 0xFF at byte offset 4 is not valid UTF-8");
  CHECK(marked.error_position().column == 2);
}

TEST_CASE("every malformed UTF-8 form is refused", "[uppaal][encoding]") {
  const auto bytes =
      GENERATE(raw("\x80"), raw("\xC0\x80"), raw("\xC1\xBF"), raw("\xE0\x80\x80"),
               raw("\xE0\x9F\xBF"), raw("\xED\xA0\x80"), raw("\xF0\x80\x80\x80"),
               raw("\xF4\x90\x80\x80"), raw("\xF5\x80\x80\x80"), raw("\xFF"), raw("\xC3"),
               raw("\xE2\x82"), raw("\xF0\x9F\x98"), raw("\xE2\x28\xA1"));
  CHECK(decode(std::string("ab") + std::string(bytes)).diagnostics.errors() == 1);
}

TEST_CASE("a NUL byte is an error", "[uppaal][encoding]") {
  const Result result = decode(raw("<nta>\n\0</nta>"));
  CHECK(result.message() == "NUL byte at byte offset 6, expected text");
  CHECK(result.error_position().line == 2);
  CHECK(decode(raw("int i;\0"), ModelFormat::kText).diagnostics.errors() == 1);
  CHECK(decode(raw("<?xml version='1.0' encoding='latin1'?>\0")).diagnostics.errors() == 1);
}

}  // namespace
}  // namespace tw::uppaal
