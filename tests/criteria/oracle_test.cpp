// Random networks: what def-use declares, and what its rules cover, against a direct reading of the
// definition that knows neither rules nor liveness.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/coverage/names.hpp"
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
  explicit DirectDefUse(DefUseReading reading) : reading_(reading) {}

  void start(const replay::RunState& /*initial*/, std::span<const Event> events) {
    for (const Event& event : events)
      if (event.kind == EventKind::kInitialDefinition)
        last_[event.cell] = std::nullopt;
  }

  void advance(const replay::RunState& /*source*/,
               const replay::RunState& /*target*/,
               std::span<const Event> events) {
    pairs_.clear();
    const std::map<CellId, Writer> before = last_;
    for (const Event& event : events) {
      const auto& seen = reading_ == DefUseReading::kAtomic ? before : last_;
      if (event.kind == EventKind::kUse && seen.contains(event.cell))
        pairs_.insert({event.cell, seen.at(event.cell), event.edge});
      if (event.kind == EventKind::kDefinition && last_.contains(event.cell))
        last_[event.cell] = event.edge;
    }
  }

  [[nodiscard]] const std::map<CellId, Writer>& key() const { return last_; }
  [[nodiscard]] const std::set<Pair>& pairs() const { return pairs_; }

 private:
  DefUseReading reading_;
  std::map<CellId, Writer> last_;
  std::set<Pair> pairs_;
};

struct Direct {
  bool complete = true;
  std::map<Pair, std::size_t> shortest;
};

Direct direct_def_use(const Network& network, const CriterionOptions& options) {
  Direct out;
  out.complete = test::follow_all_runs(
      replay::Interpreter(network, options.invariants), DirectDefUse(options.def_use), kMostNodes,
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

void compare(const Network& network, const CriterionOptions& options, Totals& totals) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_def_use()->declare(network, options, rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());

  const Direct direct = direct_def_use(network, options);
  std::map<std::string, std::size_t> expected;
  for (const auto& [pair, length] : direct.shortest) {
    const std::string id = id_of(network, pair, options.level);
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
            totals);
  }
  // The comparison means something: many searches end by themselves, and many pairs are found.
  CHECK(totals.complete > kNetworks / 3);
  CHECK(totals.pairs > 5 * kNetworks);
  CHECK(totals.declared > totals.pairs);
}

}  // namespace
}  // namespace tw
