// Two implementations, one semantics: on random networks the byte-code engine and the interpreter
// of engine/replay find the same steps in the same order and the same successors, state by state.

#include <deque>
#include <set>

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "engine/semantics/successors.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostStates = 200;

std::vector<std::uint64_t> pack(const System& system, const replay::RunState& state) {
  std::vector<std::uint32_t> locations;
  for (std::size_t p = 0; p < state.locations.size(); ++p) {
    const Process& process = system.network().processes[ProcessId(p)];
    locations.push_back(
        static_cast<std::uint32_t>(state.locations[p].index() - process.first_location.index()));
  }
  std::vector<std::uint64_t> out(system.layout().words());
  system.layout().pack(locations, state.cells.data(), out.data());
  return out;
}

struct Walk {
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t errors = 0;
};

// Explores with the interpreter and asks the engine in every state.
Walk compare(const Network& network, Walk walk) {
  const System system(network);
  SuccessorGenerator generator(system);
  const replay::Interpreter interpreter(network);
  const SuccessorGenerator::Initial initial = generator.initial();
  const bool exists = initial.exists && initial.error.status == RunStatus::kOk;
  REQUIRE(interpreter.initial_problem().has_value() == !exists);
  if (!exists)
    return walk;
  std::deque<replay::RunState> waiting = {interpreter.initial()};
  REQUIRE(pack(system, waiting.front()) == initial.state);
  std::set<std::vector<std::uint64_t>> seen = {initial.state};
  Successors successors;
  while (!waiting.empty() && seen.size() < kMostStates) {
    const replay::RunState state = std::move(waiting.front());
    waiting.pop_front();
    ++walk.states;
    const std::vector<std::uint64_t> packed = pack(system, state);
    generator.expand(packed.data(), successors);
    const replay::StepList expected = interpreter.steps(state);
    const bool failed = expected.error != RunStatus::kOk;
    REQUIRE((successors.error.status != RunStatus::kOk) == failed);
    if (failed) {
      ++walk.errors;
      continue;
    }
    REQUIRE(successors.size() == expected.steps.size());
    for (std::size_t i = 0; i < successors.size(); ++i) {
      ++walk.steps;
      REQUIRE(generator.describe(successors, i) == expected.steps[i]);
      replay::StepResult result = interpreter.step(state, expected.steps[i]);
      REQUIRE(result.possible);
      const std::vector<std::uint64_t> next = pack(system, result.state);
      const auto first =
          successors.states.begin() + static_cast<std::ptrdiff_t>(i * system.layout().words());
      REQUIRE(std::equal(next.begin(), next.end(), first));
      if (seen.insert(next).second)
        waiting.push_back(std::move(result.state));
    }
  }
  return walk;
}

TEST_CASE("the engine and the interpreter agree on random networks",
          "[semantics][replay][oracle]") {
  Walk walk;
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    INFO("seed " << seed);
    walk = compare(test::random_network(seed, {.may_fail = seed % 4 == 1,
                                               .priorities = seed % 4 == 2,
                                               .branchpoints = seed % 4 == 3}),
                   walk);
  }
  // The comparison is worth something only if there is much to compare.
  CHECK(walk.states > 15'000);
  CHECK(walk.steps > 35'000);
  CHECK(walk.errors > 100);
}

}  // namespace
}  // namespace tw
