#include "engine/suite/delays.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>

#include "engine/suite/linear_program.hpp"

namespace tw {
namespace {

// Chosen times are multiples of such a part of the time unit, or of half of it and so on if strict
// bounds lie too close for it.
constexpr std::int64_t kFractions = 16;

// How often margins are widened where others have met their limit.
constexpr int kWideningRounds = 16;

// Where nothing limits a margin, it is this part of the greatest constant, or a unit if that is
// more: waiting for ever would be safest, but nobody wants to.
constexpr std::int64_t kMarginPart = 10;

// Linear programs are dense and exact: longer tests with stopwatches would take minutes each.
constexpr std::size_t kMostSummedDelays = 60;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

Timetable::Timetable(const Network& network, const ClockDetails& initial)
    : readings_(network.clocks.size() + 1),
      invariant_(initial.invariant),
      stopped_(initial.stopped),
      waiting_allowed_(initial.time_passes) {
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    readings_[i + 1].plus = network.clocks[ClockId(i)].initial;
  after_.push_back(readings_);
  demand(invariant_, 0);
}

// What a constraint on clocks that is looked at now says about moments.
void Timetable::demand(const ClockConstraint& constraint, std::uint32_t now) {
  const Reading& i = readings_[constraint.i];
  const Reading& j = readings_[constraint.j];
  if (!i.still.empty() || !j.still.empty()) {
    demand_sum(constraint, now);
    return;
  }
  Demand out{.most = constraint.bound.constant(), .strict = constraint.bound.is_strict()};
  // i - j = (now - since_i + plus_i) - (now - since_j + plus_j); the zero is always now.
  out.later = constraint.j == 0 ? now : j.since;
  out.earlier = constraint.i == 0 ? now : i.since;
  out.most += (constraint.j == 0 ? 0 : j.plus) - (constraint.i == 0 ? 0 : i.plus);
  if (out.later != out.earlier)
    demands_.push_back(out);
}

void Timetable::demand_sum(const ClockConstraint& constraint, std::uint32_t now) {
  Row row{.most = constraint.bound.constant(), .strict = constraint.bound.is_strict()};
  std::vector<int> signs(now, 0);
  const auto add = [&](std::uint32_t clock, int sign) {
    if (clock == 0)
      return;
    const Reading& reading = readings_[clock];
    for (std::uint32_t k = reading.since; k < now; ++k)
      signs[k] += sign;
    for (const std::uint32_t k : reading.still)
      signs[k] -= sign;
    row.most -= sign * reading.plus;
  };
  add(constraint.i, 1);
  add(constraint.j, -1);
  for (std::uint32_t k = 0; k < now; ++k)
    if (signs[k] != 0)
      row.terms.push_back({.delay = k, .sign = signs[k]});
  sums_.push_back(std::move(row));
}

void Timetable::demand(const std::vector<ClockConstraint>& constraints, std::uint32_t now) {
  for (const ClockConstraint& constraint : constraints)
    demand(constraint, now);
}

void Timetable::add_step(const ClockDetails& step) {
  const auto now = static_cast<std::uint32_t>(may_wait_.size() + 1);
  demands_.push_back({.later = now - 1, .earlier = now});
  if (!waiting_allowed_)
    demands_.push_back({.later = now, .earlier = now - 1});
  may_wait_.push_back(waiting_allowed_);
  for (const std::uint32_t clock : stopped_) {
    std::vector<std::uint32_t>& still = readings_[clock].still;
    if (still.empty() || still.back() != now - 1)  // several processes may stop it
      still.push_back(now - 1);
  }
  // Invariants are convex: what holds at both ends of a stay holds all the time.
  demand(invariant_, now);
  demand(leaving_, now);
  demand(step.guard, now);
  for (const ClockAssignment& assignment : step.assignments) {
    Reading from = readings_[assignment.source];
    if (assignment.source == 0)
      from = {.since = now};
    from.plus += assignment.offset;
    readings_[assignment.target] = std::move(from);
  }
  after_.push_back(readings_);
  invariant_ = step.invariant;
  leaving_ = step.leaving;
  stopped_ = step.stopped;
  waiting_allowed_ = step.time_passes;
  demand(invariant_, now);
}

// In fractions, with the margins of all delays between the two moments taken off: however these are
// spent, the demand is met.
std::int64_t Timetable::weight(const Demand& demand) const {
  std::int64_t most = demand.most * unit_ - (demand.strict ? 1 : 0);
  const auto [first, last] = std::minmax(demand.later, demand.earlier);
  for (std::uint32_t step = first; step < last; ++step)
    most -= margins_[step];
  return most;
}

// The least times that meet all demands; nullopt if there are none, and then the moments of a
// circle of demands that cannot be met together.
std::optional<Timetable::Times> Timetable::earliest(std::vector<std::uint32_t>* cycle) const {
  const std::size_t count = may_wait_.size() + 1;
  std::vector<std::int64_t> weights;
  weights.reserve(demands_.size());
  for (const Demand& demand : demands_)
    weights.push_back(weight(demand));
  Times times(count, 0);
  std::vector<std::uint32_t> because(count, 0);
  std::uint32_t moved = 0;
  for (std::size_t round = 0; round <= count; ++round) {
    bool changed = false;
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      // earlier >= later - weight
      const Demand& demand = demands_[d];
      const std::int64_t least = times[demand.later] - weights[d];
      if (least <= times[demand.earlier])
        continue;
      times[demand.earlier] = least;
      because[demand.earlier] = demand.later;
      moved = demand.earlier;
      changed = true;
    }
    // The start stands still; if it had to move, its own circle is not to be met.
    if (!changed && times[0] == 0)
      return times;
    if (times[0] > 0) {
      moved = 0;
      break;
    }
  }
  if (cycle != nullptr) {
    // Going back often enough leads into the circle.
    for (std::size_t i = 0; i < count; ++i)
      moved = because[moved];
    std::uint32_t at = moved;
    do {
      cycle->push_back(at);
      at = because[at];
    } while (at != moved);
  }
  return std::nullopt;
}

// One moment after the other as late as the ones before allow; where nothing limits it, as early as
// possible. `times` are the earliest ones.
Timetable::Times Timetable::latest(Times times) const {
  const std::size_t count = times.size();
  std::vector<std::vector<std::size_t>> leaving(count);   // demands by `later`
  std::vector<std::vector<std::size_t>> arriving(count);  // by `earlier`
  for (std::size_t d = 0; d < demands_.size(); ++d) {
    leaving[demands_[d].later].push_back(d);
    arriving[demands_[d].earlier].push_back(d);
  }
  Times most(count, kNever);
  const auto spread = [&](std::uint32_t from) {
    std::deque<std::uint32_t> waiting{from};
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.front();
      waiting.pop_front();
      for (const std::size_t d : arriving[at]) {  // later <= at + weight
        const std::int64_t bound = most[at] == kNever ? kNever : most[at] + weight(demands_[d]);
        if (bound < most[demands_[d].later]) {
          most[demands_[d].later] = bound;
          waiting.push_back(demands_[d].later);
        }
      }
      for (const std::size_t d : leaving[at]) {  // earlier >= at - weight
        const std::int64_t bound = times[at] - weight(demands_[d]);
        if (bound > times[demands_[d].earlier]) {
          times[demands_[d].earlier] = bound;
          waiting.push_back(demands_[d].earlier);
        }
      }
    }
  };
  for (std::uint32_t moment = 0; moment < count; ++moment) {
    if (moment != 0 && most[moment] != kNever)
      times[moment] = most[moment];
    most[moment] = times[moment];
    spread(moment);
  }
  return times;
}

std::int64_t Timetable::largest_constant() const {
  std::int64_t out = 1;
  for (const Demand& demand : demands_)
    out = std::max(out, std::abs(demand.most));
  return out;
}

// All margins grow together until some meet a limit; these stay, the others go on.
void Timetable::widen() {
  std::vector<bool> growing = may_wait_;
  const std::int64_t most = largest_constant() * unit_;  // more than a limit can leave
  const auto set_all = [&](std::int64_t margin) {
    for (std::size_t i = 0; i < growing.size(); ++i)
      if (growing[i])
        margins_[i] = margin;
  };
  std::int64_t reached = 0;
  for (int round = 0; round < kWideningRounds; ++round) {
    if (std::ranges::none_of(growing, [](bool g) { return g; }))
      return;
    std::int64_t low = reached;  // fits
    std::int64_t high = most + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      set_all(middle);
      (earliest() ? low : high) = middle;
    }
    reached = low;
    if (low == most) {
      set_all(std::max(unit_, most / kMarginPart));
      return;
    }
    // Whoever takes part in the first circle that breaks has met the limit.
    set_all(low + 1);
    std::vector<std::uint32_t> cycle;
    const bool fits = earliest(&cycle).has_value();
    set_all(low);
    if (fits || cycle.empty())
      return;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto [first, last] = std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]);
      for (std::uint32_t step = first; step < last; ++step)
        growing[step] = false;
    }
  }
}

bool Timetable::choose(Delays policy) {
  delays_.assign(may_wait_.size(), {});
  if (!(sums_.empty() ? choose_times(policy) : choose_sums(policy)))
    return false;
  describe(policy == Delays::kRobust);
  return true;
}

void Timetable::describe_chosen(std::span<const Rational> chosen) {
  delays_.assign(may_wait_.size(), {});
  for (std::size_t i = 0; i < delays_.size(); ++i)
    delays_[i].chosen = chosen[i];
  describe(true);
}

bool Timetable::choose_times(Delays policy) {
  margins_.assign(may_wait_.size(), 0);
  std::optional<Times> times;
  const bool strict = std::ranges::any_of(demands_, &Demand::strict);
  const auto enough = static_cast<std::int64_t>(may_wait_.size() + 2);
  // A circle of whole numbers that leaves room for strict bounds leaves at least one unit.
  unit_ = strict || policy == Delays::kRobust ? kFractions : 1;
  for (times = earliest(); !times && unit_ < 2 * enough; times = earliest())
    unit_ *= 2;
  if (!times)
    return false;
  if (policy == Delays::kRobust) {
    widen();
    times = earliest();
  } else if (policy == Delays::kLatest) {
    times = latest(std::move(*times));
  }
  assert(times);
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    delays_[i].chosen = fraction((*times)[i + 1] - (*times)[i], unit_);
    delays_[i].margin = fraction(margins_[i], unit_);
  }
  return true;
}

// All demands as sums of delays.
std::vector<Timetable::Row> Timetable::rows() const {
  std::vector<Row> out = sums_;
  for (const Demand& demand : demands_) {
    Row row{.most = demand.most, .strict = demand.strict};
    const auto [first, last] = std::minmax(demand.later, demand.earlier);
    for (std::uint32_t k = first; k < last; ++k)
      row.terms.push_back({.delay = k, .sign = demand.later > demand.earlier ? 1 : -1});
    out.push_back(std::move(row));
  }
  return out;
}

// One margin for all delays, the largest; then as little time as possible, or as much.
bool Timetable::choose_sums(Delays policy) {
  const std::size_t count = may_wait_.size();
  if (count > kMostSummedDelays)
    return false;
  const std::vector<Row> all = rows();
  LinearProgram program{.objective = std::vector<Rational>(count + 1)};
  // Strict bounds first: by how much can all of them be kept at once? The last variable says so.
  for (const Row& row : all) {
    std::vector<Rational> line(count + 1);
    for (const Row::Term& term : row.terms)
      line[term.delay] = term.sign;
    line[count] = row.strict ? 1 : 0;
    program.rows.push_back(std::move(line));
    program.limits.emplace_back(static_cast<long>(row.most));
  }
  program.rows.emplace_back(count + 1);
  program.rows.back()[count] = 1;
  program.limits.emplace_back(1);
  program.objective[count] = 1;
  const std::optional<LinearSolution> room = solve(program);
  const bool strict = std::ranges::any_of(all, &Row::strict);
  if (!room || (strict && room->value == 0))
    return false;
  const Rational away = std::min(Rational(room->value / 2), fraction(1, kFractions));
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].strict)
      program.limits[r] -= away;
    // From now on the last variable is the margin.
    long waits = 0;
    for (const Row::Term& term : all[r].terms)
      waits += may_wait_[term.delay] ? std::abs(term.sign) : 0;
    program.rows[r][count] = policy == Delays::kRobust ? waits : 0;
  }
  program.limits.back() = std::max<std::int64_t>(1, largest_constant() / kMarginPart);
  const std::optional<LinearSolution> widest = solve(program);
  assert(widest);
  // The margin is fixed: as little or as much time as possible.
  const Rational margin = policy == Delays::kRobust ? widest->value : Rational(0);
  for (std::size_t r = 0; r < program.rows.size(); ++r) {
    program.limits[r] -= program.rows[r][count] * margin;
    program.rows[r][count] = 0;
  }
  program.limits.back() = 0;
  const auto optimise = [&](int sign) {
    program.objective.assign(count, Rational(sign));
    program.objective.emplace_back(0);
    return solve(program);
  };
  std::optional<LinearSolution> best = optimise(policy == Delays::kLatest ? 1 : -1);
  if (best && !best->bounded)
    best = optimise(-1);
  assert(best);
  for (std::size_t i = 0; i < count; ++i) {
    delays_[i].chosen = best->x[i];
    delays_[i].margin = may_wait_[i] ? margin : Rational(0);
  }
  return true;
}

// Intervals: how far one delay may move, with all later moments, before a demand breaks. Margins,
// unless they were chosen first: the room of a demand is shared by all delays it speaks of.
void Timetable::describe(bool margins_known) {
  const std::size_t steps = may_wait_.size();
  std::vector<std::optional<Rational>> shares(steps);
  std::vector<bool> has_min(steps, false);
  for (const Row& row : rows()) {
    Rational room = static_cast<long>(row.most);
    long waits = row.strict ? 1 : 0;  // a strict bound must not be reached
    for (const Row::Term& term : row.terms) {
      room -= term.sign * delays_[term.delay].chosen;
      waits += may_wait_[term.delay] ? std::abs(term.sign) : 0;
    }
    for (const Row::Term& term : row.terms) {
      Delay& delay = delays_[term.delay];
      const Rational end = delay.chosen + room / term.sign;
      if (term.sign > 0) {
        if (!delay.max || end <= *delay.max) {
          delay.max_strict = row.strict || (delay.max && end == *delay.max && delay.max_strict);
          delay.max = end;
        }
      } else if (!has_min[term.delay] || end >= delay.min) {
        delay.min_strict =
            row.strict || (has_min[term.delay] && end == delay.min && delay.min_strict);
        delay.min = end;
        has_min[term.delay] = true;
      }
      if (may_wait_[term.delay]) {
        const Rational share = room / waits;
        if (!shares[term.delay] || share < *shares[term.delay])
          shares[term.delay] = share;
      }
    }
  }
  for (std::size_t i = 0; i < steps && !margins_known; ++i)
    delays_[i].margin = shares[i].value_or(Rational(0));
}

std::vector<Rational> Timetable::clocks_after(std::size_t i) const {
  std::vector<Rational> out;
  for (std::size_t clock = 1; clock < after_[i].size(); ++clock) {
    const Reading& reading = after_[i][clock];
    Rational value = static_cast<long>(reading.plus);
    for (std::size_t k = reading.since; k < i; ++k)
      value += delays_[k].chosen;
    for (const std::uint32_t k : reading.still)
      value -= delays_[k].chosen;
    out.push_back(std::move(value));
  }
  return out;
}

}  // namespace tw
