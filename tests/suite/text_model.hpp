// Suites of models that stand in the test, for locations, since those are the easiest to count.
#pragma once

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"

namespace tw {

inline Generated generate_locations(const std::string& text, const GenerateOptions& options = {}) {
  const LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion("location")->declare(*model.network, {}, rules, diagnostics);
  return generate(*model.network, rules, options);
}

inline std::size_t count(const Generated& generated, ItemStatus status) {
  return static_cast<std::size_t>(std::ranges::count(generated.verdicts, status, &Verdict::status));
}

}  // namespace tw
