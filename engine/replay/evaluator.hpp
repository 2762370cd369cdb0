// Evaluates expressions and executes statements by walking the tree, in the memory of one step.
//
// The walk is as direct as the language: operands left to right, a place before the value stored
// into it, the old value of `x += e` before e. The first error stops everything; later results mean
// nothing.
//
// With a recorder the walk also notes which cells it used and defined. The rule is that all
// occurrences in an evaluated expression count, also those behind a decided `&&` or in the branch
// not taken: such parts are skimmed (evaluator_skim.cpp), which notes their uses and changes
// nothing.
//
// Clocks live in a space of their own, so a variable has two places: where its cells begin and
// where its clocks do. Times are exact: comparing and adding them never fails.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/arithmetic.hpp"
#include "engine/replay/recorder.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

class Evaluator {
 public:
  /// One evaluation (a guard, an index, one update, an invariant) takes at most so many steps.
  static constexpr std::uint64_t kMaxSteps = 20'000'000;

  /// Starts from this state, with meta variables at their initial values.
  Evaluator(const Network& network, const RunState& state);

  void record_into(Recorder& recorder) { recorder_ = &recorder; }
  void stop_recording() { recorder_ = nullptr; }

  /// What both sides of a comparison of clocks differ by, now and at another moment.
  struct Gap {
    Rational now;
    Rational then;
  };
  /// From now on comparisons of clocks say so, for the moment at which clocks show `then`.
  /// Borrowed.
  void note_gaps(std::vector<Rational> then, std::vector<Gap>& gaps) {
    then_ = std::move(then);
    gaps_ = &gaps;
  }

  void set_selects(const FiredEdge& fired);
  void set_selects(std::span<const VariableId> selects, std::span<const std::int32_t> values);

  /// True where there is no condition; false after an error.
  bool holds(ExprId condition);
  /// The same for a condition of another pool whose types, variables and functions are the
  /// network's.
  bool holds_in(const ExpressionPool& pool, ExprId condition);
  /// The channel a synchronisation names; invalid after an error.
  ChannelId channel(ExprId expression);
  void execute(std::span<const ExprId> updates);
  /// The clocks that an invariant stops; nothing after an error. Pre: it holds.
  std::set<ClockId> stopped(ExprId invariant);

  [[nodiscard]] const Failure& failure() const { return failure_; }
  void forget_failure() { failure_ = {}; }

  /// State and meta cells as they are to be kept: meta variables are back at their initial values.
  [[nodiscard]] std::vector<std::int32_t> kept_cells() const;
  [[nodiscard]] const std::vector<Rational>& clocks() const { return clocks_; }

 private:
  using Cells = std::vector<std::int32_t>;
  using Times = std::vector<Rational>;

  /// What a variable of some type holds.
  struct Value {
    Cells cells;
    Times clocks;
  };

  struct Place {
    std::size_t cell = 0;
    std::size_t clock = 0;
  };

  struct Change {
    Place place;
    std::int64_t before = 0;  // `op=`, `++` and `--` only
  };

  enum class Flow : std::uint8_t {
    kNext,
    kReturned,  // also after an error
  };

  void begin_evaluation();
  bool enter(ExprId id);
  bool count_step();
  void fail(RunStatus error, ExprId at, const Misfit& misfit = {});

  // Values. The discrete ones are numbers, those of clocks times; all others are wholes.
  std::int64_t value(ExprId id);
  std::int64_t checked(const Number& number, ExprId at);
  std::int64_t unary(ExprId id);
  std::int64_t binary(ExprId id);
  std::int64_t logical(ExprId id);
  std::int64_t quantified(ExprId id);
  std::int64_t load(ExprId id);

  // `x + a - y` at one moment; numbers are times as well.
  struct Time {
    Rational clocks;
    std::int64_t number = 0;

    [[nodiscard]] Rational sum() const { return clocks + number; }
  };

  Time time(ExprId id);
  Rational new_time(ExprId id, ExprId at);
  std::int64_t compare_times(ExprId id);

  struct Rate {
    std::size_t clock = 0;
    std::int64_t value = 0;
  };

  Rate rate(ExprId id);
  void collect_stopped(ExprId id, std::set<ClockId>& out);
  [[nodiscard]] bool has_rate(ExprId id) const;

  Value whole(ExprId id);
  Value list(ExprId id);
  Value part(ExprId id);
  [[nodiscard]] Value held(Place at, const Shape& shape) const;
  Value value_for(TypeId type, ExprId id, ExprId at);  // converted; errors of that are at `at`
  void run(ExprId id);                                 // for its effect

  // Picks the branch of `?:`; the other one is skimmed before or after, as it is written.
  template <class Take, class Pass>
  auto choose(ExprId id, Take take, Pass pass_by);

  // Places.
  [[nodiscard]] bool has_place(ExprId id) const;
  Place place(ExprId id);
  Place variable_place(VariableId id) const;
  std::size_t element_offset(ExprId id);  // of an index expression, in elements
  std::size_t channel_place(ExprId id);

  // Changes.
  Change modify(ExprId id);
  std::int64_t modified(ExprId id);
  void store(Place to, const Value& value);
  /// Brings values into the range of a type: a bool becomes 0 or 1, all others must fit.
  void convert(std::span<std::int32_t> values, TypeId type, ExprId at);

  // Functions.
  Cells call(ExprId id);
  bool bind(ExprId id, const Function& function);
  Flow execute(StmtId id);
  Flow loop(const Statement& s);
  Flow iterate(const Statement& s);
  void declare(const Statement& s);

  // Uses of what is not evaluated.
  void skim(ExprId id);
  void skim_path(ExprId id);
  void skim_place(ExprId id);
  void skim_quantified(ExprId id);
  std::optional<Place> tentative_place(ExprId id);
  void undo();

  void note_uses(Place first, const Shape& shape);
  void set(std::size_t cell, std::int32_t value);
  void set_clock(std::size_t clock, const Rational& value);

  [[nodiscard]] const Expression& node(ExprId id) const { return (*pool_)[id]; }
  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const { return pool_->operand(id, i); }
  [[nodiscard]] bool failed() const { return failure_.error != RunStatus::kOk; }
  [[nodiscard]] const Shape& shape(ExprId id) const { return network_->types.shape(node(id).type); }
  [[nodiscard]] bool is_clock(TypeId type) const {
    return network_->types[type].kind == TypeKind::kClock;
  }
  [[nodiscard]] bool is_time(ExprId id) const;
  [[nodiscard]] bool is_discrete(ExprId id) const {
    // `i + f(x)` mentions a clock and is a number all the same.
    return network_->types.is_discrete(node(id).type) || (is_clock(node(id).type) && !is_time(id));
  }

  const Network* network_;            // borrowed: outlives the evaluator
  const ExpressionPool* pool_;        // borrowed: where the expressions being evaluated live
  Cells memory_;                      // state, meta, constants, frames
  Times clocks_;                      // of the state
  Recorder* recorder_ = nullptr;      // borrowed: the caller's, while recording
  Times then_;                        // of another moment …
  std::vector<Gap>* gaps_ = nullptr;  // … borrowed: the caller's, who asks for comparisons there
  Failure failure_;
  ExprId here_;  // entered last: where an error without an expression of its own is reported
  std::uint64_t steps_ = 0;
  std::uint64_t skimmed_ = 0;
  const Function* function_ = nullptr;  // being executed
  Cells result_;                        // of the function that returned last
  bool undoable_ = false;
  std::vector<std::pair<std::size_t, std::int32_t>> undo_;     // old values, while undoable_
  std::vector<std::pair<std::size_t, Rational>> undo_clocks_;  // the same
};

template <class Take, class Pass>
auto Evaluator::choose(ExprId id, Take take, Pass pass_by) {
  const bool yes = value(operand(id, 0)) != 0;
  if (!yes)
    pass_by(operand(id, 1));
  auto taken = take(operand(id, yes ? 1 : 2));
  if (yes)
    pass_by(operand(id, 2));
  return taken;
}

}  // namespace tw::replay
