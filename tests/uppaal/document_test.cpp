// docs/uppaal.md as a test: what its tables say of conditions with clocks, of operators and of
// keywords is what the front end does.

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// The lines of a section, up to the next heading.
std::vector<std::string> section(const std::string& number) {
  std::ifstream in(std::string(TW_SOURCE_DIR) + "/docs/uppaal.md");
  REQUIRE(in.is_open());
  std::vector<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#"))
      inside = line.starts_with("### " + number + " ");
    else if (inside)
      out.push_back(line);
  }
  REQUIRE(!out.empty());
  return out;
}

// Cells of a row of a table; a vertical line inside a cell is written \|.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> out;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += row[++i];
    } else if (row[i] == '|') {
      out.push_back(std::exchange(cell, ""));
    } else {
      cell += row[i];
    }
  }
  return out;
}

std::vector<std::string> code_in(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    REQUIRE(end != std::string::npos);
    out.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return out;
}

// The function keeps the text from being read as one of UPPAAL 3.
std::string model(const std::string& declaration,
                  const std::string& invariant,
                  const std::string& guard) {
  return "clock x, y, z[3]; int i, j, k, n; bool a, b, c; typedef int[0,2] T;\n"
         "int one() { return 1; }\n" +
         declaration + "process P() { state s { " + invariant +
         " }, t; init s; trans s -> t { guard " + guard + "; }; }\nsystem P;\n";
}

bool loads(const std::string& text) { return load_model_text("m.xta", text).network.has_value(); }

std::string printed(const std::string& text) {
  const LoadedModel loaded = load_model_text("m.xta", text);
  INFO(text);
  REQUIRE(loaded.network);
  return print_xta(*loaded.network);
}

TEST_CASE("the document says which conditions with clocks may stand where", "[uppaal][docs]") {
  std::size_t conditions = 0;
  for (const std::string& line : section("8.1")) {
    if (!line.starts_with("|"))
      continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == 4);
    for (const std::string& condition : code_in(cells[0])) {
      ++conditions;
      INFO(condition);
      CHECK(loads(model("", "true", condition)) == (cells[1] == " yes "));
      CHECK(loads(model("", condition, "true")) == (cells[2] == " yes "));
      const LoadedModel with_query =
          load_model_text("m.xta", model("", "true", "true") + "query { E<> " + condition + " }");
      REQUIRE(with_query.network);
      REQUIRE(with_query.network->queries.size() == 1);
      CHECK(with_query.network->queries[0].property.has_value() == (cells[3] == " yes "));
    }
  }
  CHECK(conditions >= 12);
}

TEST_CASE("the document says how tightly operators bind", "[uppaal][docs]") {
  std::size_t pairs = 0;
  for (const std::string& line : section("5.1")) {
    const std::vector<std::string> code = code_in(line);
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      if (line.find('`' + code[i] + "` is `" + code[i + 1] + '`') == std::string::npos)
        continue;
      ++pairs;
      CHECK(printed(model("", "true", code[i])) == printed(model("", "true", code[i + 1])));
    }
  }
  CHECK(pairs >= 6);
}

TEST_CASE("the document lists the keywords", "[uppaal][docs]") {
  std::string all;
  for (const std::string& line : section("3.1"))
    all += line + ' ';
  const std::size_t others = all.find("All other words");
  REQUIRE(others != std::string::npos);
  std::istringstream listed(code_in(all.substr(0, others)).at(0));
  const std::set<std::string> keywords{std::istream_iterator<std::string>(listed), {}};
  CHECK(keywords.size() >= 30);
  const auto is_name = [](const std::string& word) {
    return loads(model("int " + word + ";\n", "true", word + " == 0"));
  };
  for (const std::string& word : keywords) {
    INFO(word);
    CHECK_FALSE(is_name(word));
  }
  for (const std::string& word : code_in(all.substr(others))) {
    INFO(word);
    CHECK(is_name(word));
  }
}

}  // namespace
}  // namespace tw
