// What a run may take: time, memory, and the user's patience. One budget goes through all phases of
// a run, from the search to the last byte written. Long loops ask it often (check_budget()), which
// costs next to nothing; where it is spent they end by an exception, and whoever runs the phase
// takes what there is.
//
// A limit ends the search, but not the run: what was found still has to become a suite. So there is
// some *grace* beyond every limit. Phases behind the search share what the search has left, with
// the grace: each says how much of that may be gone when it ends. A search that finds much holds
// back some of its own time for them. Memory that really runs out is treated like the limit:
// std::bad_alloc ends a phase as well.
//
// Asking costs about as much as reading a clock. Loops whose rounds take less than that carry a
// BudgetMeter, which asks once per so much work.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tw {

enum class Limit : std::uint8_t {
  kNone,
  kTime,
  kMemory,
  kInterrupt,
};

/// As in SearchSummary::limit; empty: none.
[[nodiscard]] std::string_view limit_name(Limit limit);

/// Ends a phase. Not an error: caught by whoever runs the phase.
class BudgetSpent final : public std::exception {
 public:
  explicit BudgetSpent(Limit limit) : limit_(limit) {}
  [[nodiscard]] Limit limit() const { return limit_; }
  [[nodiscard]] const char* what() const noexcept override { return "a limit was reached"; }

 private:
  Limit limit_;
};

/// What the user allows one run to take; 0: no limit.
struct RunLimits {
  std::chrono::milliseconds time{0};
  std::uint64_t bytes = 0;  // of the whole process
};

/// How one phase went.
struct PhaseSummary {
  std::string name;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // of the process, while the phase went on
  std::string limit;                    // what ended it early; empty: nothing
};

class Budget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Limits {
    RunLimits most;
    /// Is told the phase; true ends the run. May be empty; comes from any thread, one at a time.
    std::function<bool(std::string_view phase)> interrupted;
    Time started = std::chrono::steady_clock::now();
    /// What phases behind the search may take beyond the time; by default a tenth and a little.
    std::optional<std::chrono::milliseconds> grace = std::nullopt;
    // What tests put in place of the system:
    std::function<Time()> now;
    std::function<std::uint64_t()> resident;
  };

  /// No limits at all.
  Budget() : Budget(Limits{}) {}
  explicit Budget(Limits limits);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget() = default;

  /// Is nothing left for this phase? From any thread.
  [[nodiscard]] bool is_spent() { return !is_limitless_ && look() != Limit::kNone; }
  /// Throws BudgetSpent if so.
  void check() {
    if (is_spent())
      throw BudgetSpent(phase_limit());
  }
  /// So many bytes are about to be taken at once: throws BudgetSpent if there is no room.
  void foresee(std::uint64_t bytes);
  /// Memory ran out in this phase.
  void note_memory();
  /// What follows the search will need so much time, the search guesses now.
  void hold_back(std::chrono::nanoseconds time);
  /// The last phase needs so much time, which cannot be cut: the others leave it that.
  void reserve(std::chrono::nanoseconds time);

  /// What struck first in the whole run …
  [[nodiscard]] Limit limit() const;
  /// … and in this phase.
  [[nodiscard]] Limit phase_limit() const;
  /// Some limit struck: the rest has to be quick.
  [[nodiscard]] bool is_hurried() const { return limit() != Limit::kNone; }

  /// Of the limit on memory; 0: there is no limit. At least 1 otherwise.
  [[nodiscard]] std::uint64_t bytes_left();

  /// In order of their first beginning. A phase that goes on counts.
  [[nodiscard]] std::vector<PhaseSummary> phases() const;

  /// One after the other; those of the same name are one. A phase that begins within another one is
  /// part of it: a search that is one of many has no phases of its own.
  class Phase {
   public:
    /// The share that may be gone when it has to end: 0 for what ends at the limit.
    Phase(Budget& budget, std::string_view name, double share = 0);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    Budget& budget_;
    const bool is_outermost_;
  };

 private:
  Limit look();
  [[nodiscard]] bool begin(std::string_view name, double share);
  void end();
  void strike(Limit limit);
  [[nodiscard]] Limit find_limit();
  [[nodiscard]] bool is_time_up(Time now) const;
  [[nodiscard]] std::chrono::nanoseconds grace() const;
  [[nodiscard]] std::chrono::nanoseconds share_of(std::chrono::nanoseconds time) const;
  [[nodiscard]] std::uint64_t most_bytes() const;
  [[nodiscard]] Time now() const;
  std::uint64_t resident();
  [[nodiscard]] PhaseSummary current() const;

  Limits limits_;
  bool is_limitless_;

  mutable std::mutex mutex_;  // for all below
  Time memory_looked_;
  std::chrono::nanoseconds held_back_{0};
  std::chrono::nanoseconds reserved_{0};
  Time search_ended_;  // when the first phase with a share began
  bool has_search_ended_ = false;
  bool interrupted_ = false;
  Time interrupted_at_;
  Limit limit_ = Limit::kNone;
  std::vector<PhaseSummary> phases_;
  // The phase that goes on.
  std::size_t phase_ = kNoPhase;
  double share_ = 0;
  Limit phase_limit_ = Limit::kNone;
  Time phase_started_;
  std::uint64_t phase_peak_ = 0;
  std::uint64_t peak_before_ = 0;
  static constexpr std::size_t kNoPhase = static_cast<std::size_t>(-1);
};

/// While it lives, it is this budget that check_budget() asks on this thread. Limits concern
/// everything; handing the budget to everything would put it into every signature.
class BudgetScope {
 public:
  explicit BudgetScope(Budget* budget) : before_(current) { current = budget; }
  ~BudgetScope() { current = before_; }
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  [[nodiscard]] static Budget* here() { return current; }

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static inline constinit thread_local Budget* current = nullptr;
  Budget* before_;
};

/// For long loops: throws BudgetSpent where the budget of this thread, if there is one, is spent.
inline void check_budget() {
  if (Budget* const budget = BudgetScope::here())
    budget->check();
}

/// Before so many bytes are taken at once: throws BudgetSpent if they are not to be had.
inline void foresee_memory(std::uint64_t bytes) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;
  if (bytes < kMuch)
    return;
  if (Budget* const budget = BudgetScope::here())
    budget->foresee(bytes);
}

/// The same, before so many elements are added to what may have to move for that.
template <class T>
void foresee_growth(const std::vector<T>& some, std::size_t more) {
  if (some.size() + more > some.capacity())
    foresee_memory(std::max(2 * some.capacity(), some.size() + more) * sizeof(T));
}

/// check_budget() once per so much work, for loops whose rounds are shorter than a look at a clock.
class BudgetMeter {
 public:
  /// A unit is what takes a few nanoseconds. HOT.
  void spend(std::uint64_t work) {
    if (work >= left_)
      ask();
    else
      left_ -= work;
  }

 private:
  static constexpr std::uint64_t kInterval = 20'000;
  [[gnu::noinline]] void ask() {
    left_ = kInterval;
    check_budget();
  }

  std::uint64_t left_ = kInterval;
};

/// The same, for loops that are nobody's in particular.
inline void spend_budget(std::uint64_t work) {
  static thread_local BudgetMeter meter;
  meter.spend(work);
}

}  // namespace tw
