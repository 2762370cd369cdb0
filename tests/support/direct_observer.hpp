// Observers read directly off their text, by trying all values of all parameters at every step: no
// plans, no stages, no rules. The oracle of what criteria/observer makes of them.
//
// Variables must get their values from left to right; names of the model are not looked up.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "criteria/observer/ast.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::test {

class DirectObserver {
 public:
  struct Instance {
    std::string node;
    std::vector<std::int64_t> arguments;  // of the observer, then of the node

    friend auto operator<=>(const Instance&, const Instance&) = default;
  };

  /// Both are borrowed.
  DirectObserver(const Network& network, const observer::Observer& observer)
      : network_(&network),
        observer_(&observer) {}

  void start(const replay::RunState& initial, std::span<const Event> events);
  void advance(const replay::RunState& target, std::span<const Event> events);

  [[nodiscard]] const std::set<Instance>& key() const { return active_; }

  /// Accepting instances so far, by the ids of their items. `hidden`: parameters that the other
  /// arguments tell.
  [[nodiscard]] std::set<std::string> covered(Level level,
                                              const std::set<std::string>& hidden) const;

 private:
  using Environment = std::map<std::string, std::int64_t>;

  void take_rules(const replay::RunState& state, bool first);
  void take(const observer::Rule& rule, Environment environment, std::set<Instance>& out);
  void meet(const observer::Rule& rule,
            std::size_t condition,
            const Environment& environment,
            std::set<Instance>& out);
  [[nodiscard]] std::vector<Environment> ways(const observer::Condition& condition,
                                              const Environment& environment) const;
  [[nodiscard]] std::vector<Environment> accesses(const observer::Condition& condition,
                                                  const Environment& environment) const;
  [[nodiscard]] std::vector<std::int64_t> values(const observer::Expression& expression,
                                                 const Environment& environment) const;
  [[nodiscard]] bool is_of(EdgeId edge,
                           const observer::Expression& call,
                           std::size_t argument,
                           const Environment& environment) const;
  [[nodiscard]] std::vector<std::int64_t> domain(observer::ValueType type) const;
  [[nodiscard]] std::string name(observer::ValueType type, std::int64_t value, Level level) const;
  [[nodiscard]] bool is_template(const observer::Expression& name) const;

  const Network* network_;
  const observer::Observer* observer_;
  std::set<Instance> active_;
  // The step being looked at.
  std::vector<EdgeId> fired_;
  std::vector<Event> events_;
  const replay::RunState* state_ = nullptr;
};

}  // namespace tw::test
