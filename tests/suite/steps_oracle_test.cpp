// Pairs of edges and combinations of values, read literally off all runs of random networks,
// against what the search finds: items and shortest lengths. A failure prints the seed and a
// network made small.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/coverage/names.hpp"
#include "engine/replay/interpreter.hpp"
#include "tests/suite/oracle.hpp"
#include "tests/support/brute_force.hpp"

namespace tw {
namespace {

/// Follows a run: which pairs of edges, or values, it has had so far, by id.
class DirectSteps {
 public:
  DirectSteps(const Network& network, std::string criterion, Level level)
      : network_(&network),
        names_(network),
        criterion_(std::move(criterion)),
        level_(level) {}

  void start(const replay::RunState& initial, std::span<const Event> /*events*/) {
    see_values(initial);
  }

  void advance(const replay::RunState& target, std::span<const Event> events) {
    std::vector<EdgeId> fired;
    for (const Event& event : events)
      if (event.kind == EventKind::kFired && event.edge.valid())
        fired.push_back(event.edge);
    if (criterion_ == "edge-pair") {
      for (const EdgeId edge : fired) {
        const std::size_t process = network_->edges[edge].process.index();
        if (const auto last = own_.find(process); last != own_.end())
          cover(last->second, edge, true);
        own_[process] = edge;
      }
    } else if (criterion_ == "edge-pair-global") {
      for (const EdgeId before : last_)
        for (const EdgeId edge : fired)
          cover(before, edge, false);
      last_ = {fired.begin(), fired.end()};
    } else if (criterion_ == "sync-pair") {
      for (const EdgeId sender : fired)
        for (const EdgeId receiver : fired)
          if (network_->edges[sender].labels.direction == Direction::kSend &&
              network_->edges[receiver].labels.direction == Direction::kReceive)
            cover(sender, receiver, false);
    }
    see_values(target);
  }

  using Key = std::pair<std::map<std::size_t, EdgeId>, std::set<EdgeId>>;
  [[nodiscard]] Key key() const { return {own_, last_}; }
  [[nodiscard]] const std::set<std::string>& covered() const { return covered_; }

 private:
  [[nodiscard]] std::string edge_name(EdgeId id) const {
    return level_ == Level::kTemplate ? names_.edge(network_->edges[id].decl) : names_.edge(id);
  }

  void cover(EdgeId first, EdgeId second, bool own) {
    covered_.insert(criterion_ + ":" + edge_name(first) + ":" +
                    (own ? names_.inner_edge(network_->edges[second].decl) : edge_name(second)));
  }

  void see_values(const replay::RunState& state) {
    const std::size_t strength = criterion_ == "sc"    ? 1
                                 : criterion_ == "pwc" ? 2
                                 : criterion_ == "3wc" ? 3
                                                       : 0;
    if (strength == 0)
      return;
    std::vector<std::string> values;
    for (std::size_t p = 0; p < network_->processes.size(); ++p)
      values.push_back(network_->processes[ProcessId(p)].name + "=" +
                       network_->decl(state.locations[p]).name);
    for (std::size_t i = 0; i < network_->memory.state; ++i) {
      const Cell& cell = network_->cells[CellId(i)];
      constexpr std::int64_t kMostValues = 32;
      if (std::int64_t{cell.high} - cell.low < kMostValues)
        values.push_back(network_->cell_name(CellId(i)) + "=" + std::to_string(state.cells[i]));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (strength == 1)
        covered_.insert("sc:" + values[i]);
      for (std::size_t k = i + 1; k < values.size(); ++k) {
        if (strength == 2)
          covered_.insert("pwc:" + values[i] + "," + values[k]);
        for (std::size_t m = k + 1; strength == 3 && m < values.size(); ++m)
          covered_.insert("3wc:" + values[i] + "," + values[k] + "," + values[m]);
      }
    }
  }

  const Network* network_;
  ElementNames names_;
  std::string criterion_;
  Level level_;
  std::map<std::size_t, EdgeId> own_;
  std::set<EdgeId> last_;
  std::set<std::string> covered_;
};

TEST_CASE("pairs of edges and values are those that runs have", "[suite][oracle][pairs]") {
  constexpr std::array kCriteria = {"edge-pair", "edge-pair-global", "sync-pair", "sc", "pwc",
                                    "3wc"};
  std::map<std::string, std::size_t> items;
  std::size_t compared = 0;
  for (std::uint32_t seed = 70'001; seed <= 71'000; ++seed) {
    Setup setup{.criterion = kCriteria[seed % kCriteria.size()]};
    setup.options.level = seed / kCriteria.size() % 2 == 0 ? Level::kTemplate : Level::kInstance;
    const test::RandomOptions options{.branchpoints = seed % 5 == 0, .locals = seed % 2 == 0};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      std::map<std::string, std::size_t> expected;
      constexpr std::size_t kMostNodes = 2'000;
      if (!test::follow_all_runs(replay::Interpreter(network, InvariantUses::kNone),
                                 DirectSteps(network, setup.criterion, setup.options.level),
                                 kMostNodes, [&](const DirectSteps& run, std::size_t depth) {
                                   for (const std::string& id : run.covered())
                                     expected.emplace(id, depth);
                                 }))
        return "";
      CoverageRules rules = declare(network, setup);
      const Generated found = generate_twice(
          network, rules, {.search = {.full = true}, .reduce = Reduction::kRedundant});
      if (!found.internal_error.empty())
        return "replay: " + found.internal_error;
      std::map<std::string, std::size_t> lengths;
      for (std::size_t i = 0; i < found.verdicts.size(); ++i)
        if (found.verdicts[i].status == ItemStatus::kCovered)
          lengths[rules.items()[ItemId(i)].id] = found.verdicts[i].depth;
      ++compared;
      items[setup.criterion] += expected.size();
      if (lengths == expected)
        return "";
      std::string out;
      for (const auto& [id, length] : expected)
        if (!lengths.contains(id) || lengths[id] != length)
          out += fmt::format("{} is missed or has another length than {}\n", id, length);
      for (const auto& [id, length] : lengths)
        if (!expected.contains(id))
          out += fmt::format("{} is no item of any run\n", id);
      return out;
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared >= 700);
  for (const char* criterion : kCriteria)
    CHECK(items[criterion] >= 10);
}

}  // namespace
}  // namespace tw
