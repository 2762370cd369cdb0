#include "tests/support/brute_force.hpp"

#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"

namespace tw::test {
namespace {

struct MonitorFollower : replay::Monitor {
  using Monitor::Monitor;

  [[nodiscard]] const std::set<replay::TokenValue>& key() const { return tokens(); }
};

}  // namespace

BruteForce brute_force(const Network& network,
                       CoverageRules& rules,
                       std::size_t most_nodes,
                       OnError on_error) {
  BruteForce out;
  out.complete = follow_all_runs(replay::interpreter_for(network, rules, on_error),
                                 MonitorFollower(network, rules), most_nodes,
                                 [&out](const MonitorFollower& follower, std::size_t depth) {
                                   for (const ItemId item : follower.covered()) {
                                     if (out.shortest.size() <= item.index())
                                       out.shortest.resize(item.index() + 1);
                                     if (!out.shortest[item.index()])
                                       out.shortest[item.index()] = depth;
                                   }
                                 });
  out.shortest.resize(rules.items().size());
  return out;
}

}  // namespace tw::test
