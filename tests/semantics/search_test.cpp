#include "engine/search/search.hpp"

#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/base/budget.hpp"
#include "engine/replay/interpreter.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// No criterion: only exploring.
struct Exploration {
  explicit Exploration(const System& system) : effects(system.network(), rules) {}

  CoverageRules rules;
  Effects effects;
};

Network load(const std::string& model) {
  LoadedModel loaded = load_model(std::string(TW_SOURCE_DIR) + "/models/" + model);
  REQUIRE(loaded.network);
  return std::move(*loaded.network);
}

struct Count {
  const char* model;
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint64_t deadlocks;
};

// Counted by an independent enumeration of the same files (see the models' READMEs).
TEST_CASE("the shipped models have as many states and transitions as counted by hand",
          "[search][models]") {
  const Count count = GENERATE(
      Count{"train_gate/train_gate.xml", 413, 596, 0},
      Count{"coffee_machine/coffee_machine.xml", 25, 37, 0},
      Count{"vending_machine/vending_machine.xml", 644, 1553, 0},
      Count{"peterson/peterson.xml", 20, 34, 0}, Count{"peterson_n/peterson_n.xml", 288, 651, 0},
      Count{"philosophers/philosophers.xml", 80, 212, 1},
      Count{"alternating_bit/alternating_bit.xml", 326, 803, 0},
      Count{"sliding_window/sliding_window.xml", 4424, 18576, 0},
      Count{"lift/lift.xml", 176, 473, 0}, Count{"cruise_control/cruise_control.xml", 69, 383, 0},
      Count{"safety_injection/safety_injection.xml", 2312, 50714, 0},
      Count{"wiper/wiper.xml", 1344, 5264, 0},
      Count{"logic_controller/logic_controller.xml", 4124, 12608, 0},
      Count{"infeasible/infeasible.xml", 6915, 30723, 0});
  INFO(count.model);
  const Network network = load(count.model);
  const System system(network);
  Exploration nothing(system);
  Search search(system, nothing.effects, Ledger(nothing.rules), {});
  CHECK(search.run() == StopReason::kExhausted);
  CHECK(search.statistics().states == count.states);
  CHECK(search.statistics().transitions == count.transitions);
  CHECK(search.statistics().deadlocks == count.deadlocks);
  CHECK(search.statistics().expansions == count.states);
}

TEST_CASE("the trace to every state replays and ends there", "[search][replay]") {
  const Network network = load("vending_machine/vending_machine.xml");
  const System system(network);
  Exploration nothing(system);
  Search search(system, nothing.effects, Ledger(nothing.rules), {});
  search.run();
  const replay::Interpreter interpreter(network);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < search.store().size(); i += 7) {
    const std::vector<Step> trace = search.traces(EntryId(i)).front();
    longest = std::max(longest, trace.size());
    replay::RunState state = interpreter.initial();
    for (const Step& step : trace) {
      replay::StepResult result = interpreter.step(state, step);
      REQUIRE(result.possible);
      state = std::move(result.state);
    }
    std::vector<std::uint32_t> locations;
    for (std::size_t p = 0; p < state.locations.size(); ++p)
      locations.push_back(static_cast<std::uint32_t>(
          state.locations[p].index() - network.processes[ProcessId(p)].first_location.index()));
    std::vector<std::uint64_t> packed(system.layout().words());
    system.layout().pack(locations, state.cells.data(), packed.data());
    REQUIRE(std::equal(packed.begin(), packed.end(), search.store()[StateId(i)]));
  }
  CHECK(longest > 5);
  CHECK(longest <= search.statistics().depth);
}

TEST_CASE("a limit on states ends the search with what it has", "[search][limits]") {
  const Network network = load("sliding_window/sliding_window.xml");
  const System system(network);
  Exploration nothing(system);
  Search search(system, nothing.effects, Ledger(nothing.rules), {.max_states = 100});
  CHECK(search.run() == StopReason::kStates);
  CHECK(search.statistics().states >= 100);
  CHECK(search.statistics().states < 200);
}

TEST_CASE("an interrupt ends the search", "[search][limits]") {
  const Network network = load("sliding_window/sliding_window.xml");
  const System system(network);
  int asked = 0;
  Exploration nothing(system);
  Budget budget({.most = {},
                 .interrupted = [&asked](std::string_view) { return ++asked == 3; },
                 .now = {},
                 .resident = {}});
  const BudgetScope scope(&budget);
  Search search(system, nothing.effects, Ledger(nothing.rules), {});
  CHECK(search.run() == StopReason::kInterrupted);
  CHECK(search.statistics().states < 4424);
}

TEST_CASE("a run-time error is reported with the state it happens in", "[search][errors]") {
  const LoadedModel loaded = load_model_text("m.xta",
                                             "int[0,2] n; process P() { state a; init a; "
                                             "trans a -> a { assign n++; }; } system P;");
  REQUIRE(loaded.network);
  const System system(*loaded.network);
  SECTION("stop") {
    Exploration nothing(system);
    Search search(system, nothing.effects, Ledger(nothing.rules), {});
    CHECK(search.run() == StopReason::kModelError);
    CHECK(search.error().status == RunStatus::kValueOutOfRange);
    CHECK(search.traces(search.failed_entry()).front().size() == 2);
  }
  SECTION("skip treats the step as absent") {
    Exploration nothing(system);
    Search search(system, nothing.effects, Ledger(nothing.rules), {.on_error = OnError::kSkip});
    CHECK(search.run() == StopReason::kExhausted);
    CHECK(search.statistics().states == 3);
    CHECK(search.statistics().deadlocks == 1);
  }
}

}  // namespace
}  // namespace tw
