// What update lists may do to clocks, read off the expressions: a clock is set to a number or to
// another clock plus a number. Calls are followed, references resolved, and what stands in a
// branch, in a loop, or behind a return that may be taken counts as something that may happen.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/network.hpp"

namespace tw {

/// A value a clock can get: that of a clock plus an offset, or a number.
struct ClockValue {
  ClockId clock;         // invalid: a number
  std::int64_t low = 0;  // least and greatest value of the offset or the number
  std::int64_t high = 0;

  friend auto operator<=>(const ClockValue&, const ClockValue&) = default;
};

/// Not ClockAssignment (machine.hpp), which is one that was made.
struct PossibleAssignment {
  ClockId target;
  ClockValue value;

  friend auto operator<=>(const PossibleAssignment&, const PossibleAssignment&) = default;
};

/// A part of an update list.
struct ClockUpdate {
  /// This clock is set, once, by one of the ways. Invalid: every way may be gone never, once or
  /// often, in any order.
  ClockId sure;
  std::vector<PossibleAssignment> ways;
};

class ClockUpdateReader {
 public:
  /// The network is borrowed and outlives the reader.
  explicit ClockUpdateReader(const Network& network) : network_(network) {}

  /// In order of execution.
  [[nodiscard]] std::vector<ClockUpdate> read(std::span<const ExprId> updates);

  /// A clock was set in a way that cannot be followed, so that what was read is not all.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  // By parameter: what it stands for; empty if there is no clock in it.
  using Arguments = std::vector<std::vector<ClockValue>>;

  void walk(ExprId id);
  void walk_unsure(std::span<const ExprId> parts);
  void walk(StmtId id);
  void assign(ExprId id);
  void call(ExprId id);
  const std::vector<ClockUpdate>& body(FunctionId id, const Arguments& arguments);
  void add(ClockUpdate update);

  // An array or struct is where its first clock is.
  [[nodiscard]] std::vector<ClockValue> values(ExprId id);
  [[nodiscard]] std::vector<ClockValue> variable(VariableId id);
  [[nodiscard]] std::vector<ClockValue> element(ExprId id);
  [[nodiscard]] std::vector<ClockValue> sum(ExprId id);
  [[nodiscard]] bool has_clocks(TypeId type) const {
    return network_.types.contains(type, TypeKind::kClock);
  }

  const Network& network_;
  std::map<std::pair<FunctionId, Arguments>, std::vector<ClockUpdate>> bodies_;
  bool failed_ = false;

  // Of the function being read.
  const Function* function_ = nullptr;
  const Arguments* arguments_ = nullptr;
  std::vector<ClockUpdate> out_;
  bool sure_ = true;
  bool may_have_returned_ = false;
};

}  // namespace tw
