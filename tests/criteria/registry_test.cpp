#include "criteria/registry.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

std::string document() {
  std::ifstream file(std::string(TW_SOURCE_DIR) + "/docs/criteria.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_CASE("registry: every listed criterion can be made", "[criteria][registry]") {
  CHECK(known_criteria().size() >= 4);
  for (const CriterionSummary& known : known_criteria()) {
    CHECK(make_criterion(known.name) != nullptr);
    CHECK_FALSE(known.summary.empty());
  }
}

TEST_CASE("registry: case and underscores do not matter", "[criteria][registry]") {
  CHECK(make_criterion("DEF_USE") != nullptr);
  CHECK(make_criterion("Edge-Init") != nullptr);
  CHECK(make_criterion("AllDU") != nullptr);
  CHECK(criterion_name("TP") == "edge-pair");
  CHECK(criterion_name("ALLDEF") == "all-defs");
  CHECK(criterion_name("m") == "mutation");
  CHECK(criterion_name("GACC") == "gacc");
  CHECK(make_criterion("edges") == nullptr);
  CHECK(make_criterion("") == nullptr);
}

TEST_CASE("registry: a slip of the finger is recognised", "[criteria][registry]") {
  CHECK(nearest_criterion("egde") == "edge");
  CHECK(nearest_criterion("defuse") == "def-use");
  CHECK(nearest_criterion("Locations") == "location");
  CHECK(nearest_criterion("something").empty());
}

TEST_CASE("registry: docs/criteria.md has a row and a section for every criterion",
          "[criteria][registry][docs]") {
  const std::string text = document();
  for (const CriterionSummary& known : known_criteria()) {
    const std::string name(known.name);
    CHECK_THAT(text, Catch::Contains("| `" + name + "` | " + std::string(known.summary) + " |"));
    CHECK_THAT(text, Catch::Contains("\n## " + name + "\n"));
  }
}

TEST_CASE("registry: the items that docs/criteria.md shows exist", "[criteria][registry][docs]") {
  const LoadedModel model =
      load_model(std::string(TW_SOURCE_DIR) + "/models/peterson/peterson.xml");
  REQUIRE(model.network);
  CoverageRules rules;
  Diagnostics diagnostics;
  for (const CriterionSummary& known : known_criteria())
    make_criterion(known.name)->declare(*model.network, {}, rules, diagnostics);
  std::istringstream lines(document());
  bool fenced = false;
  std::size_t shown = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```") {
      fenced = !fenced;
    } else if (fenced) {
      INFO(line);
      CHECK(rules.find_item(line).valid());
      ++shown;
    }
  }
  CHECK(shown >= 20);
}

}  // namespace
}  // namespace tw
