// Random networks: what def-use declares, and what its rules cover, against a direct reading of the
// definition that knows neither rules nor liveness. On all runs where there are no clocks, on
// random ones where there are.

#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/coverage/names.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostNodes = 1000;
constexpr std::uint32_t kNetworks = 300;

constexpr std::array kInvariants = {InvariantUses::kNone, InvariantUses::kLeave,
                                    InvariantUses::kEnter};

using Writer = std::optional<EdgeId>;  // none: the initial value; an invalid edge: an update hook
using Pair = std::tuple<CellId, Writer, EdgeId>;

/// Who wrote each cell last, and which pairs the last step had.
class DirectDefUse {
 public:
  explicit DirectDefUse(DefUseReading reading, std::optional<UseKind> only = std::nullopt)
      : reading_(reading),
        only_(only) {}

  void start(const replay::RunState& /*initial*/, std::span<const Event> events) {
    for (const Event& event : events)
      if (event.kind == EventKind::kInitialDefinition)
        last_[event.cell] = std::nullopt;
  }

  void advance(const replay::RunState& /*target*/, std::span<const Event> events) {
    pairs_.clear();
    const std::map<CellId, Writer> before = last_;
    for (const Event& event : events) {
      const auto& seen = reading_ == DefUseReading::kAtomic ? before : last_;
      if (event.kind == EventKind::kUse && seen.contains(event.cell) &&
          (!only_ || *only_ == event.use))
        pairs_.insert({event.cell, seen.at(event.cell), event.edge});
      if (event.kind == EventKind::kDefinition && last_.contains(event.cell))
        last_[event.cell] = event.edge;
    }
  }

  [[nodiscard]] const std::map<CellId, Writer>& key() const { return last_; }
  [[nodiscard]] const std::set<Pair>& pairs() const { return pairs_; }

 private:
  DefUseReading reading_;
  std::optional<UseKind> only_;
  std::map<CellId, Writer> last_;
  std::set<Pair> pairs_;
};

struct Direct {
  bool complete = true;
  std::map<Pair, std::size_t> shortest;
};

// Which uses a criterion is about; none: all.
std::optional<UseKind> uses_of(std::string_view criterion) {
  if (criterion == "p-use")
    return UseKind::kPredicate;
  return criterion == "c-use" ? std::optional(UseKind::kComputation) : std::nullopt;
}

Direct direct_def_use(const Network& network,
                      const CriterionOptions& options,
                      std::string_view criterion) {
  Direct out;
  out.complete =
      test::follow_all_runs(replay::Interpreter(network, options.invariants),
                            DirectDefUse(options.def_use, uses_of(criterion)), kMostNodes,
                            [&out](const DirectDefUse& follower, std::size_t depth) {
                              for (const Pair& pair : follower.pairs())
                                out.shortest.emplace(pair, depth);  // the first one is the shortest
                            });
  return out;
}

std::string id_of(const Network& network, const Pair& pair, Level level) {
  const ElementNames names(network);
  const auto& [cell, writer, reader] = pair;
  const Variable& variable = network.variables[network.variable_at(cell)];
  std::string name = network.cell_name(cell);
  if (variable.process.valid() && level == Level::kTemplate) {
    const Process& process = network.processes[variable.process];
    name.replace(0, process.name.size(), network.templates[process.of_template].name);
  }
  const auto edge = [&](EdgeId id) -> std::string {
    if (!id.valid())
      return "hook";
    if (variable.process.valid())
      return names.inner_edge(network.edges[id].decl);
    return level == Level::kTemplate ? names.edge(network.edges[id].decl) : names.edge(id);
  };
  return "def-use:" + name + ":" + (writer ? edge(*writer) : "init") + ":" + edge(reader);
}

struct Totals {
  std::size_t complete = 0;
  std::size_t pairs = 0;
  std::size_t declared = 0;
};

// The item that a criterion makes of a pair.
std::string id_for(std::string_view criterion, std::string id) {
  id.replace(0, id.find(':'), criterion);
  return criterion == "all-defs" ? id.substr(0, id.rfind(':')) : id;
}

void compare(const Network& network,
             const CriterionOptions& options,
             std::string_view criterion,
             Totals& totals) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, options, rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());

  const Direct direct = direct_def_use(network, options, criterion);
  std::map<std::string, std::size_t> expected;
  for (const auto& [pair, length] : direct.shortest) {
    const std::string id = id_for(criterion, id_of(network, pair, options.level));
    INFO(id);
    CHECK(rules.find_item(id).valid());
    const auto [at, is_new] = expected.emplace(id, length);
    at->second = std::min(at->second, length);
  }
  totals.pairs += expected.size();
  totals.declared += rules.items().size();
  if (!direct.complete)
    return;
  ++totals.complete;
  // Tokens of the rules say no more than the last writers do, so this search is no larger.
  const test::BruteForce found = test::brute_force(network, rules, kMostNodes);
  CHECK(found.complete);
  for (std::size_t i = 0; i < found.shortest.size(); ++i) {
    const std::string& id = rules.items()[ItemId(i)].id;
    INFO(id);
    const auto at = expected.find(id);
    CHECK(found.shortest[i] == (at == expected.end() ? std::nullopt : std::optional(at->second)));
  }
}

TEST_CASE("def-use: no feasible pair is left out, and rules cover what the definition says",
          "[criteria][def-use][oracle]") {
  const DefUseReading reading = GENERATE(DefUseReading::kSequential, DefUseReading::kAtomic);
  const Level level = GENERATE(Level::kTemplate, Level::kInstance);
  Totals totals;
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
    INFO("seed " << seed);
    const Network network =
        test::random_network(seed, {.branchpoints = true, .locals = seed % 4 != 0});
    compare(network, {.level = level, .def_use = reading, .invariants = kInvariants[seed % 3]},
            "def-use", totals);
  }
  // The comparison means something: many searches end by themselves, and many pairs are found.
  CHECK(totals.complete > kNetworks / 3);
  CHECK(totals.pairs > 5 * kNetworks);
  CHECK(totals.declared > totals.pairs);
}

TEST_CASE("p-use, c-use and all-defs: rules cover what the definitions say",
          "[criteria][def-use][oracle]") {
  const std::string criterion = GENERATE("p-use", "c-use", "all-defs");
  Totals totals;
  for (std::uint32_t seed = 1'001; seed <= 1'200; ++seed) {
    INFO(criterion << ", seed " << seed);
    const Network network =
        test::random_network(seed, {.branchpoints = true, .locals = seed % 4 != 0});
    compare(network,
            {.level = seed % 2 == 0 ? Level::kTemplate : Level::kInstance,
             .def_use = seed % 3 == 0 ? DefUseReading::kAtomic : DefUseReading::kSequential,
             .invariants = kInvariants[seed % 5 % 3]},
            criterion, totals);
  }
  CHECK(totals.complete > 50);
  CHECK(totals.pairs > 200);
}

constexpr std::uint32_t kTimedNetworks = 400;
constexpr int kWalks = 10;
constexpr int kMostMoves = 30;

// Everything there is about clocks, in changing company.
test::RandomOptions timed_options(std::uint32_t seed) {
  return {.branchpoints = seed % 5 == 0,
          .locals = seed % 4 != 0,
          .clocks = {.count = 1 + static_cast<int>(seed % 3),
                     .strict = seed % 2 == 0,
                     .diagonals = seed % 3 == 0,
                     .values = true,
                     .copies = seed % 2 == 1,
                     .shifts = seed % 7 == 0,
                     .invariants = true,
                     .lower_invariants = seed % 5 == 1,
                     .receivers = true,
                     .array = seed % 3 == 1,
                     .variable_bounds = seed % 2 == 0,
                     .rates = seed % 4 == 1}};
}

// One random run: at every turn some time passes, if it may, or a step is taken.
template <class Take>
void walk(const replay::Interpreter& interpreter, std::mt19937& random, Take take) {
  replay::RunState at = interpreter.initial();
  for (int i = 0; i < kMostMoves; ++i) {
    const std::vector<Step> steps = interpreter.steps(at).steps;
    if (steps.empty() || random() % 2 == 0) {
      const replay::StepResult waited =
          interpreter.delay(at, Rational(static_cast<int>(1 + random() % 4), 2));
      if (waited.possible)
        at = waited.state;
      continue;
    }
    const replay::StepResult result = interpreter.step(at, steps[random() % steps.size()]);
    if (!result.possible)
      continue;
    take(result);
    at = result.state;
  }
}

struct ClockTotals {
  std::size_t pairs = 0;
  std::size_t of_clocks = 0;
  std::size_t initial = 0;  // of clocks, too
};

void compare_walks(const Network& network,
                   const CriterionOptions& options,
                   std::mt19937& random,
                   ClockTotals& totals) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_def_use()->declare(network, options, rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  const replay::Interpreter interpreter = replay::interpreter_for(network, rules);
  if (interpreter.initial_problem())
    return;
  for (int i = 0; i < kWalks; ++i) {
    DirectDefUse direct(options.def_use);
    replay::Monitor monitor(network, rules);
    direct.start(interpreter.initial(), interpreter.initial_events());
    monitor.start(interpreter.initial(), interpreter.initial_events());
    std::set<std::string> expected;
    walk(interpreter, random, [&](const replay::StepResult& result) {
      direct.advance(result.state, result.events);
      monitor.advance(result.state, result.events);
      for (const Pair& pair : direct.pairs()) {
        const auto& [cell, writer, reader] = pair;
        expected.insert(id_of(network, pair, options.level));
        ++totals.pairs;
        totals.of_clocks += network.is_clock(cell) ? 1U : 0U;
        totals.initial += network.is_clock(cell) && !writer ? 1U : 0U;
      }
    });
    std::set<std::string> covered;
    for (const ItemId item : monitor.covered())
      covered.insert(rules.items()[item].id);
    CHECK(covered == expected);
  }
}

TEST_CASE("def-use: on walks through timed networks rules cover what the definition says",
          "[criteria][def-use][clocks][oracle]") {
  const DefUseReading reading = GENERATE(DefUseReading::kSequential, DefUseReading::kAtomic);
  const Level level = GENERATE(Level::kTemplate, Level::kInstance);
  ClockTotals totals;
  for (std::uint32_t seed = 1; seed <= kTimedNetworks; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    compare_walks(test::random_network(seed, timed_options(seed)),
                  {.level = level, .def_use = reading, .invariants = kInvariants[seed % 3]}, random,
                  totals);
  }
  CHECK(totals.pairs > 20 * kTimedNetworks);
  CHECK(totals.of_clocks > 5 * kTimedNetworks);
  CHECK(totals.initial > kTimedNetworks);
}

}  // namespace
}  // namespace tw
