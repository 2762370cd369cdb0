#include "cli/explore.hpp"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>

#include "cli/model.hpp"
#include "engine/search/search.hpp"

namespace tw {
namespace {

void report(const LoadedModel& model, Search& search) {
  const bool initial = !search.failed_entry().valid();
  const std::vector<Step> steps =
      initial ? std::vector<Step>() : search.traces(search.failed_entry()).front();
  show_model_error(model, {.error = search.error(), .initial = initial, .steps = steps});
}

std::vector<RunError> what_of(const std::vector<ModelError>& errors) {
  std::vector<RunError> out;
  for (const ModelError& error : errors)
    out.push_back(error.what());
  return out;
}

}  // namespace

ExitCode code_of(StopReason reason) {
  switch (reason) {
    case StopReason::kExhausted:
    case StopReason::kDecided:
    case StopReason::kStop:
      return ExitCode::kOk;
    case StopReason::kModelError:
      return ExitCode::kBadInput;
    case StopReason::kInterrupted:
      return ExitCode::kInterrupted;
    case StopReason::kStates:
    case StopReason::kMemory:
    case StopReason::kTime:
      return ExitCode::kLimit;
  }
  return ExitCode::kInternal;
}

ExitCode code_of(Limit limit) {
  switch (limit) {
    case Limit::kNone:
      return ExitCode::kOk;
    case Limit::kTime:
    case Limit::kMemory:
      return ExitCode::kLimit;
    case Limit::kInterrupt:
      return ExitCode::kInterrupted;
  }
  return ExitCode::kInternal;
}

Exploration explore(const LoadedModel& model, const SearchOptions& options) {
  if (!can_explore(model))
    return {.code = ExitCode::kBadInput};
  const Network& network = *model.network;
  const auto started = std::chrono::steady_clock::now();
  const System system(network, {}, options.execution);
  CoverageRules nothing;
  Effects effects(network, nothing);
  Search search(system, effects, Ledger(nothing), options);
  const StopReason reason = search.run();
  if (reason == StopReason::kModelError)
    report(model, search);
  else if (!search.has_initial_state())
    show_no_initial_state(model);
  else
    show_left_out(model, what_of(search.errors()), {});
  const SearchStatistics& s = search.statistics();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return {.code = search.has_initial_state() ? code_of(reason) : ExitCode::kBadInput,
          .counts = StateCounts{.states = s.states,
                                .discrete_states = network.is_timed()
                                                       ? std::optional(search.store().size())
                                                       : std::nullopt,
                                .transitions = s.transitions,
                                .deadlocks = s.deadlocks,
                                .depth = s.depth,
                                .bytes_per_state = s.states == 0 ? 0 : s.bytes / s.states,
                                .seconds = seconds.count(),
                                .exhaustive = reason == StopReason::kExhausted,
                                .limit = std::string(limit_name(reason))}};
}

}  // namespace tw
