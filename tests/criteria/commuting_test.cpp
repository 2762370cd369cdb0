#include "engine/coverage/commuting.hpp"

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

bool keep_to_cells(const std::vector<std::string>& criteria, const CriterionOptions& options = {}) {
  const LoadedModel model =
      load_model(std::string(TW_SOURCE_DIR) + "/models/train_gate/train_gate.xml");
  REQUIRE(model.network);
  CoverageRules rules;
  Diagnostics diagnostics;
  for (const std::string& criterion : criteria)
    make_criterion(criterion)->declare(*model.network, options, rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return tokens_keep_to_cells(rules);
}

TEST_CASE("tokens of definitions stay with their variable, others need not",
          "[coverage][commuting]") {
  CHECK(keep_to_cells({"def-use"}));
  CHECK(keep_to_cells({"edge", "all-defs", "p-use", "c-use"}));
  // They are handed on at the beginning of every step.
  CHECK_FALSE(keep_to_cells({"def-use"}, {.def_use = DefUseReading::kAtomic}));
  // They belong to a process, to the step before, or to what is seen in a state.
  CHECK_FALSE(keep_to_cells({"edge-pair"}));
  CHECK_FALSE(keep_to_cells({"edge-pair-global"}));
  CHECK_FALSE(keep_to_cells({"edge-init"}));
  CHECK_FALSE(keep_to_cells({"def-use", "cacc"}));
}

}  // namespace
}  // namespace tw
