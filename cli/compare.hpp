// Compares criteria on models: the work behind `tracewright compare`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/comparison.hpp"

namespace tw {

/// Criteria whose suites are put together.
struct CombinationRequest {
  std::string name;
  std::vector<std::string> members;
};

/// Those of docs/compare.md, as far as their members are among the criteria.
[[nodiscard]] std::vector<CombinationRequest> usual_combinations(
    const std::vector<std::string>& criteria);

struct CompareOptions {
  CoverageOptions coverage;
  GenerateOptions generate;
  RunLimits limits;  // time: of all together; each search gets a share
  std::vector<CombinationRequest> combinations;
  std::optional<std::uint64_t> most_mutants;  // none: all
  std::size_t jobs = 1;                       // searches at the same time
  bool quiet = false;
};

struct CompareResult {
  Comparison comparison;
  ExitCode code = ExitCode::kOk;
};

/// Models that cannot be read or explored are told on stderr and marked; the others are compared.
[[nodiscard]] CompareResult compare(const std::vector<std::string>& models,
                                    const CompareOptions& options);

}  // namespace tw
