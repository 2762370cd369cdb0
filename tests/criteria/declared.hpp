// A model in UPPAAL's text format, the items one criterion declares for it, and what runs cover.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/replay/check_run.hpp"
#include "frontends/load.hpp"
#include "tests/support/brute_force.hpp"

namespace tw::test {

using Words = std::vector<std::string>;

inline Network network_of(const std::string& text) {
  LoadedModel model = load_model_text("model.xta", text);
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      FAIL(render(diagnostic, model.file));
  REQUIRE(model.network);
  return std::move(*model.network);
}

class Declared {
 public:
  Network network;
  CoverageRules rules;
  Diagnostics diagnostics;

  Declared(const std::string& text,
           std::string_view criterion,
           const CriterionOptions& options = {},
           ItemFilter only = {})
      : Declared(network_of(text), criterion, options, std::move(only)) {}

  Declared(Network of,
           std::string_view criterion,
           const CriterionOptions& options = {},
           ItemFilter only = {})
      : network(std::move(of)),
        rules(std::move(only)) {
    make_criterion(criterion)->declare(network, options, rules, diagnostics);
  }

  /// As declared, without the name of the criterion.
  [[nodiscard]] Words ids() const {
    Words out;
    for (const Item& item : rules.items())
      out.push_back(item.id.substr(item.id.find(':') + 1));
    return out;
  }

  [[nodiscard]] Words labels() const {
    Words out;
    for (const Item& item : rules.items())
      out.push_back(item.label);
    return out;
  }

  /// Ids of what can be covered, and in how many steps.
  std::map<std::string, std::size_t> coverable() {
    std::map<std::string, std::size_t> out;
    const BruteForce found = brute_force(network, rules);
    REQUIRE(found.complete);
    const Words names = ids();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (found.shortest[i])
        out.emplace(names[i], *found.shortest[i]);
    return out;
  }

  /// The names of the cells that are watched.
  [[nodiscard]] Words watched() const {
    Words out;
    for (std::size_t i = 0; i < rules.watched().size(); ++i)
      if (rules.watched()[i])
        out.push_back(network.cell_name(CellId(i)));
    return out;
  }

  /// Ids covered by a run of single edges, given by number; before each its delay, or none at all.
  Words covered_by(const std::vector<std::size_t>& edges,
                   const std::vector<Rational>& delays = {}) {
    std::vector<Step> steps;
    for (const std::size_t edge : edges)
      steps.push_back({.edges = {{.edge = EdgeId(edge)}}});
    const replay::RunCheck run = replay::check_run(network, rules, steps, delays);
    CHECK(run.why_not.empty());
    Words out;
    for (const ItemId item : run.covered)
      out.push_back(ids()[item.index()]);
    return out;
  }
};

using Lengths = std::map<std::string, std::size_t>;

inline Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

}  // namespace tw::test
