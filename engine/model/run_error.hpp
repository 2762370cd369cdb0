// A run-time error of a model, with the numbers it is about, and how people are told.
#pragma once

#include <cstdint>
#include <string>

#include "engine/model/ids.hpp"
#include "engine/model/network.hpp"
#include "engine/model/run_status.hpp"

namespace tw {

/// The number that does not fit: a value, an index, the count of a shift, the bound of a clock; of
/// a division what is divided. And where there is one, the range it should lie in.
struct Misfit {
  std::int64_t value = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(const Misfit&, const Misfit&) = default;
};

struct RunError {
  RunStatus status = RunStatus::kOk;
  ExprId at;
  Misfit misfit;
};

/// "'n' would be set to 10, outside its range [0,5]" …: to follow a colon.
[[nodiscard]] std::string describe(const Network& network, const RunError& error);

}  // namespace tw
