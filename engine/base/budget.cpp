#include "engine/base/budget.hpp"

#include <algorithm>
#include <new>

#include "engine/base/memory_use.hpp"

namespace tw {
namespace {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;

// A run may take a tenth more than its limit, and this much; a little is kept for what cannot be
// foreseen, such as the end of the process.
constexpr std::chrono::milliseconds kTimeGrace{1400};
constexpr std::uint64_t kMemoryGrace = std::uint64_t{40} << 20;
constexpr int kGracePart = 10;
// Whoever presses Ctrl-C waits no longer than this.
constexpr std::chrono::milliseconds kPatience{1500};
// Without ticks: how often memory is looked at.
constexpr std::chrono::milliseconds kMemoryInterval{2};

nanoseconds part_of(nanoseconds whole, double share) {
  return nanoseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * share));
}

}  // namespace

std::string_view limit_name(Limit limit) {
  switch (limit) {
    case Limit::kNone:
      return "";
    case Limit::kTime:
      return "time";
    case Limit::kMemory:
      return "memory";
    case Limit::kInterrupt:
      return "interrupt";
  }
  return "";
}

Budget::Budget(Limits limits)
    : limits_(std::move(limits)),
      is_limitless_(limits_.time.count() == 0 && limits_.bytes == 0 && !limits_.interrupted),
      seen_(limits_.ticks == nullptr ? 0 : limits_.ticks->load() - 1) {}

Budget::Time Budget::now() const {
  return limits_.now ? limits_.now() : std::chrono::steady_clock::now();
}

std::uint64_t Budget::resident() {
  const std::uint64_t bytes = limits_.resident ? limits_.resident() : resident_bytes();
  phase_peak_ = std::max(phase_peak_, bytes);
  return bytes;
}

bool Budget::is_time_up(Time now) const {
  if (interrupted_ && now >= interrupted_at_ + part_of(kPatience, share_))
    return true;
  if (limits_.time.count() == 0)
    return false;
  const nanoseconds grace = limits_.time / kGracePart + kTimeGrace;
  return now > limits_.started + limits_.time + part_of(grace, share_);
}

std::uint64_t Budget::most_bytes() const {
  const auto grace = static_cast<double>(limits_.bytes / kGracePart + kMemoryGrace);
  return limits_.bytes + static_cast<std::uint64_t>(grace * share_ * 0.8);
}

Limit Budget::find_limit() {
  const Time time = now();
  if (!interrupted_ && limits_.interrupted && limits_.interrupted()) {
    interrupted_ = true;
    interrupted_at_ = time;
  }
  if (is_time_up(time))
    return interrupted_ ? Limit::kInterrupt : Limit::kTime;
  if (memory_ran_out() && share_ == 0)
    return Limit::kMemory;
  // Asking the system takes longer than most of what is done between two questions.
  const bool asks = limits_.ticks != nullptr || limits_.resident ||
                    time - memory_looked_ >= kMemoryInterval || time < memory_looked_;
  if (limits_.bytes != 0 && asks) {
    memory_looked_ = time;
    if (resident() > most_bytes())
      return Limit::kMemory;
  }
  return Limit::kNone;
}

Limit Budget::look() {
  const std::scoped_lock lock(mutex_);
  if (phase_limit_ != Limit::kNone)
    return phase_limit_;
  if (limits_.ticks != nullptr)
    seen_.store(limits_.ticks->load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (const Limit found = find_limit(); found != Limit::kNone)
    strike(found);
  return phase_limit_;
}

// Pre: locked.
void Budget::strike(Limit limit) {
  if (phase_limit_ == Limit::kNone)
    phase_limit_ = limit;
  if (limit_ == Limit::kNone)
    limit_ = limit;
  struck_.store(true, std::memory_order_relaxed);
}

void Budget::foresee(std::uint64_t bytes) {
  if (limits_.bytes == 0)
    return;
  const std::scoped_lock lock(mutex_);
  // What is needed for a moment only, while something moves, may use the grace.
  const std::uint64_t most = limits_.bytes + limits_.bytes / kGracePart + kMemoryGrace / 2;
  if (resident() + bytes <= most)
    return;
  strike(Limit::kMemory);
  throw std::bad_alloc();
}

void Budget::note_memory() {
  const std::scoped_lock lock(mutex_);
  strike(Limit::kMemory);
}

Limit Budget::limit() const {
  const std::scoped_lock lock(mutex_);
  return limit_;
}

Limit Budget::phase_limit() const {
  const std::scoped_lock lock(mutex_);
  return phase_limit_;
}

void Budget::begin(std::string_view name, double share) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(phases_, name, &PhaseSummary::name);
  phase_ = static_cast<std::size_t>(known - phases_.begin());
  if (known == phases_.end())
    phases_.push_back({.name = std::string(name)});
  share_ = share;
  phase_limit_ = Limit::kNone;
  struck_.store(false, std::memory_order_relaxed);
  phase_started_ = now();
  phase_peak_ = 0;
  peak_before_ = peak_resident_bytes();
  // The first question is always answered.
  if (limits_.ticks != nullptr)
    seen_.store(limits_.ticks->load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

PhaseSummary Budget::current() const {
  PhaseSummary out = phases_[phase_];
  out.seconds += std::chrono::duration<double>(now() - phase_started_).count();
  const std::uint64_t peak = peak_resident_bytes();
  out.peak_memory_bytes = std::max(
      {out.peak_memory_bytes, phase_peak_, resident_bytes(), peak > peak_before_ ? peak : 0});
  if (out.limit.empty())
    out.limit = limit_name(phase_limit_);
  return out;
}

void Budget::end() {
  const std::scoped_lock lock(mutex_);
  phases_[phase_] = current();
  phase_ = kNoPhase;
  share_ = 0;
  phase_limit_ = Limit::kNone;
  struck_.store(false, std::memory_order_relaxed);
}

std::vector<PhaseSummary> Budget::phases() const {
  const std::scoped_lock lock(mutex_);
  std::vector<PhaseSummary> out = phases_;
  if (phase_ != kNoPhase)
    out[phase_] = current();
  return out;
}

Budget::Phase::Phase(Budget& budget, std::string_view name, double share) : budget_(budget) {
  budget_.begin(name, share);
}

Budget::Phase::~Phase() { budget_.end(); }

}  // namespace tw
