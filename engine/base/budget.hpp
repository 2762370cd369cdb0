// What a run may take: time, memory, and the user's patience. One budget goes through all phases of
// a run, from the search to the last byte written. Long loops ask it often (check_budget()), which
// costs next to nothing; where it is spent they end by an exception, and whoever runs the phase
// takes what there is.
//
// A limit ends the search, but not the run: what was found still has to become a suite. So there is
// some *grace* beyond every limit, and each later phase says up to which share of it it may go on.
// Memory that really runs out is treated like the limit: std::bad_alloc ends a phase as well.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
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
  [[nodiscard]] const char* what() const noexcept override { return "a limit was reached"; }
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
    std::chrono::nanoseconds time{0};   // 0: no limit
    std::uint64_t bytes = 0;            // of the whole process; 0: no limit
    std::function<bool()> interrupted;  // true ends the run; may be empty, may come from any thread
    Time started = std::chrono::steady_clock::now();
    /// Changes whenever it is worth looking again; null: it always is. Borrowed.
    const std::atomic<std::uint32_t>* ticks = nullptr;
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

  /// Is nothing left for this phase? From any thread. HOT.
  [[nodiscard]] bool is_spent() { return is_due() && look() != Limit::kNone; }
  /// Throws BudgetSpent if so.
  void check() {
    if (is_spent())
      throw BudgetSpent();
  }
  /// Somebody is about to take so many bytes at once: throws std::bad_alloc if there is no room.
  void foresee(std::uint64_t bytes);
  /// Memory ran out in this phase.
  void note_memory();

  /// What struck first in the whole run …
  [[nodiscard]] Limit limit() const;
  /// … and in this phase.
  [[nodiscard]] Limit phase_limit() const;
  /// Some limit struck: the rest has to be quick.
  [[nodiscard]] bool is_hurried() const { return limit() != Limit::kNone; }

  [[nodiscard]] std::uint64_t max_bytes() const { return limits_.bytes; }

  /// In order of their first beginning. A phase that goes on counts.
  [[nodiscard]] std::vector<PhaseSummary> phases() const;

  /// One after the other; those of the same name are one.
  class Phase {
   public:
    /// The share of the grace that is gone when it has to end: 0 for what ends at the limit.
    Phase(Budget& budget, std::string_view name, double share = 0);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    Budget& budget_;
  };

 private:
  [[nodiscard]] bool is_due() const {
    if (is_limitless_)
      return false;
    return struck_.load(std::memory_order_relaxed) || limits_.ticks == nullptr ||
           limits_.ticks->load(std::memory_order_relaxed) != seen_.load(std::memory_order_relaxed);
  }
  Limit look();
  void begin(std::string_view name, double share);
  void end();
  void strike(Limit limit);
  [[nodiscard]] Limit find_limit();
  [[nodiscard]] bool is_time_up(Time now) const;
  [[nodiscard]] std::uint64_t most_bytes() const;
  [[nodiscard]] Time now() const;
  std::uint64_t resident();
  [[nodiscard]] PhaseSummary current() const;

  Limits limits_;
  bool is_limitless_;
  std::atomic<bool> struck_ = false;  // in this phase
  std::atomic<std::uint32_t> seen_;   // ticks

  mutable std::mutex mutex_;  // for all below
  Time memory_looked_;
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

/// Before so many bytes are taken at once: throws std::bad_alloc if they are not to be had.
inline void foresee_memory(std::uint64_t bytes) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;
  if (bytes < kMuch)
    return;
  if (Budget* const budget = BudgetScope::here())
    budget->foresee(bytes);
}

}  // namespace tw
