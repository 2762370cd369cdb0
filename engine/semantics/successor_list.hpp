// What leaves a state, one successor after the other: where it leads, by which step, and who need
// not act there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/model/run_error.hpp"
#include "engine/semantics/machine.hpp"
#include "engine/semantics/step_teams.hpp"

namespace tw {

/// A run-time error of the model: what went wrong, where in the model, and on which edge.
struct ModelError {
  RunStatus status = RunStatus::kOk;
  ExprId at;
  Misfit misfit;
  EdgeId edge;  // invalid: an invariant or before/after_update

  [[nodiscard]] RunError what() const { return {.status = status, .at = at, .misfit = misfit}; }
};

/// What a step demands of clocks and does to them: all that is needed to find out when to take it.
struct ClockDetails {
  std::vector<ClockConstraint> guard;        // when it is taken, before the assignments
  std::vector<ClockAssignment> assignments;  // in order
  std::vector<ClockConstraint> invariant;    // afterwards, until the next step
  std::vector<std::uint32_t> stopped;        // clocks that stand still meanwhile
  bool time_passes = true;                   // afterwards
  std::vector<ClockConstraint> leaving;      // when the next step is taken, before its guard
};

/// Processes whose steps need not be taken, bit by bit; those behind the 64th never sleep.
using Sleep = std::uint64_t;
inline constexpr std::size_t kSleepers = 64;

/// The successors of one state, or of several; memory is reused.
class Successors {
 public:
  struct StepRef {
    TeamId team;              // who fires; good until the generator expands into an empty list
    StepKindId kind;          // its events; good for ever
    std::uint32_t piece = 0;  // Step::piece
  };

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const StepRef& step(std::size_t i) const { return steps_[i]; }
  /// Packed. Good until another one is added.
  [[nodiscard]] std::span<const std::uint64_t> state(std::size_t i) const {
    return {states_.data() + i * words_, words_};
  }
  /// hash_state() of the discrete part.
  [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
  /// Who need not act there.
  [[nodiscard]] Sleep sleeping(std::size_t i) const { return sleeping_[i]; }

  std::vector<ClockDetails> clock_details;  // by successor, if asked for
  ModelError error;                         // kOk unless OnError::kStop met one
  /// OnError::kSkip: errors whose steps are left out, each place of the model only when the
  /// generator meets it first, or with a smaller number.
  std::vector<ModelError> skipped;

  void clear() {
    constexpr std::size_t kMuch = std::size_t{1} << 21;  // words
    size_ = 0;
    clock_details.clear();
    error = {};
    skipped.clear();
    if (states_.size() > kMuch)
      *this = Successors();
  }

  // For whoever makes them.

  /// The room of one more state, which counts when add() is called.
  [[nodiscard]] std::uint64_t* room(std::size_t words) {
    if (size_ == steps_.size() || words != words_)
      grow(words);
    return states_.data() + size_ * words_;
  }
  /// The state in the room is a successor.
  void add(const StepRef& step, std::uint64_t hash, Sleep sleeping) {
    steps_[size_] = step;
    hashes_[size_] = hash;
    sleeping_[size_] = sleeping;
    ++size_;
  }
  [[nodiscard]] StepRef& step(std::size_t i) { return steps_[i]; }

  /// Calls f(first, bytes) for each stretch of memory that is in use.
  template <class F>
  void for_each_stretch(F f) const {
    f(hashes_.data(), size_ * sizeof(std::uint64_t));
    f(steps_.data(), size_ * sizeof(StepRef));
    f(states_.data(), size_ * words_ * sizeof(std::uint64_t));
    f(sleeping_.data(), size_ * sizeof(Sleep));
  }

 private:
  // Apart, so that the rest is compiled in place. Pre: states of another length only if empty.
  [[gnu::noinline]] void grow(std::size_t words) {
    constexpr std::size_t kFirst = 64;
    constexpr std::size_t kWide = 4096;  // words: each of these states takes 32 KiB and more
    const std::size_t more = words > kWide ? 1 : kFirst;
    const std::size_t room = size_ < steps_.size() ? steps_.size() : 2 * steps_.size() + more;
    foresee_memory(room * (words + 4) * sizeof(std::uint64_t));
    words_ = words;
    steps_.resize(room);
    states_.resize(room * words);
    hashes_.resize(room);
    sleeping_.resize(room);
  }

  std::size_t size_ = 0;
  std::size_t words_ = 0;  // of a state
  // All of them have the same room, of which the first size_ places are in use.
  std::vector<StepRef> steps_;
  std::vector<std::uint64_t> states_;
  std::vector<std::uint64_t> hashes_;
  std::vector<Sleep> sleeping_;
};

}  // namespace tw
