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
// Of the time of the search, in percent.
constexpr int kMostHeldBack = 40;
// Whoever presses Ctrl-C waits no longer than this.
constexpr std::chrono::milliseconds kPatience{1500};
// How often memory is looked at.
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
      is_limitless_(limits_.most.time.count() == 0 && limits_.most.bytes == 0 &&
                    !limits_.interrupted) {}

Budget::Time Budget::now() const {
  return limits_.now ? limits_.now() : std::chrono::steady_clock::now();
}

std::uint64_t Budget::resident() {
  const std::uint64_t bytes = limits_.resident ? limits_.resident() : resident_bytes();
  phase_peak_ = std::max(phase_peak_, bytes);
  return bytes;
}

bool Budget::is_time_up(Time now) const {
  if (interrupted_ && now >= interrupted_at_ + share_of(kPatience))
    return true;
  if (limits_.most.time.count() == 0)
    return false;
  const Time end = limits_.started + limits_.most.time;
  if (share_ == 0)
    return now > end - held_back_;
  return now > search_ended_ + share_of(end + grace() - search_ended_);
}

// Of what is left the last phase has all.
nanoseconds Budget::share_of(nanoseconds time) const {
  return share_ < 1 ? part_of(std::max(time - reserved_, nanoseconds(0)), share_) : time;
}

void Budget::reserve(nanoseconds time) {
  const std::scoped_lock lock(mutex_);
  reserved_ = time;
}

nanoseconds Budget::grace() const {
  return limits_.grace.value_or(limits_.most.time / kGracePart + kTimeGrace);
}

void Budget::hold_back(std::chrono::nanoseconds time) {
  const nanoseconds most = limits_.most.time * kMostHeldBack / 100;
  // The grace is there anyway.
  const std::scoped_lock lock(mutex_);
  held_back_ = std::clamp<nanoseconds>(time - std::min<nanoseconds>(grace(), kTimeGrace) / 2,
                                       nanoseconds(0), most);
}

std::uint64_t Budget::most_bytes() const {
  const auto grace = static_cast<double>(limits_.most.bytes / kGracePart + kMemoryGrace);
  return limits_.most.bytes + static_cast<std::uint64_t>(grace * share_ * 0.8);
}

Limit Budget::find_limit() {
  const Time time = now();
  if (!interrupted_ && limits_.interrupted &&
      limits_.interrupted(phase_ == kNoPhase ? std::string_view() : phases_[phase_].name)) {
    interrupted_ = true;
    interrupted_at_ = time;
  }
  if (is_time_up(time))
    return interrupted_ ? Limit::kInterrupt : Limit::kTime;
  if (memory_ran_out() && share_ == 0)
    return Limit::kMemory;
  // Asking the system takes longer than most of what is done between two questions.
  const bool asks = limits_.resident || time - memory_looked_ >= kMemoryInterval;
  if (limits_.most.bytes != 0 && asks) {
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
}

void Budget::foresee(std::uint64_t bytes) {
  if (limits_.most.bytes == 0)
    return;
  const std::scoped_lock lock(mutex_);
  // What is needed for a moment only, while something moves, may use the grace.
  const std::uint64_t most =
      limits_.most.bytes + limits_.most.bytes / kGracePart + kMemoryGrace / 2;
  if (resident() + bytes <= most)
    return;
  strike(Limit::kMemory);
  throw BudgetSpent(Limit::kMemory);
}

std::uint64_t Budget::bytes_left() {
  if (limits_.most.bytes == 0)
    return 0;
  const std::scoped_lock lock(mutex_);
  const std::uint64_t used = resident();
  return limits_.most.bytes > used ? limits_.most.bytes - used : 1;
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

bool Budget::begin(std::string_view name, double share) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != kNoPhase)
    return false;
  const auto known = std::ranges::find(phases_, name, &PhaseSummary::name);
  phase_ = static_cast<std::size_t>(known - phases_.begin());
  if (known == phases_.end())
    phases_.push_back({.name = std::string(name)});
  share_ = share;
  phase_limit_ = Limit::kNone;
  if (share > 0 && !has_search_ended_) {
    has_search_ended_ = true;
    search_ended_ = now();
  }
  phase_started_ = now();
  phase_peak_ = 0;
  peak_before_ = peak_resident_bytes();
  return true;
}

PhaseSummary Budget::current() const {
  PhaseSummary out = phases_[phase_];
  out.seconds += std::chrono::duration<double>(now() - phase_started_).count();
  const std::uint64_t resident = limits_.resident ? limits_.resident() : resident_bytes();
  const std::uint64_t peak = limits_.resident ? 0 : peak_resident_bytes();
  out.peak_memory_bytes =
      std::max({out.peak_memory_bytes, phase_peak_, resident, peak > peak_before_ ? peak : 0});
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
}

std::vector<PhaseSummary> Budget::phases() const {
  const std::scoped_lock lock(mutex_);
  std::vector<PhaseSummary> out = phases_;
  if (phase_ != kNoPhase)
    out[phase_] = current();
  return out;
}

Budget::Phase::Phase(Budget& budget, std::string_view name, double share)
    : budget_(budget),
      is_outermost_(budget.begin(name, share)) {}

Budget::Phase::~Phase() {
  if (is_outermost_)
    budget_.end();
}

}  // namespace tw
