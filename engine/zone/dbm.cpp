// Inner loops go along rows and have no branches, so that compilers vectorise them. Operations that
// matter most are compiled for every size that is common, and for any size.
#include "engine/zone/dbm.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <type_traits>

namespace tw {
namespace {

constexpr std::int32_t kInfinite = Bound::infinity().raw();

// A condition as vector units have it: all bits or none. It does not branch, as && may.
using Mask = std::int32_t;

Mask less(std::int32_t a, std::int32_t b) { return a < b ? -1 : 0; }

std::int32_t choose(Mask mask, std::int32_t yes, std::int32_t no) {
  return (yes & mask) | (no & ~mask);
}

// Adds bounds to one that is finite. The even part of a bound is twice its constant; the odd bit of
// the other one is kept only if this one is not strict.
class Plus {
 public:
  explicit Plus(Bound first)
      : even_(static_cast<std::uint32_t>(first.raw()) & ~1U),
        kept_(first.is_strict() ? ~1U : ~0U) {}

  // The sum means nothing if the second is infinite.
  [[nodiscard]] std::int32_t operator()(std::int32_t second) const {
    const std::uint32_t other = static_cast<std::uint32_t>(second) & kept_;
    const std::uint32_t sum = even_ + other;
    assert((second == kInfinite || ((even_ ^ sum) & (other ^ sum)) >> 31U == 0) && "no overflow");
    return static_cast<std::int32_t>(sum);
  }

 private:
  std::uint32_t even_;  // unsigned, as adding to an infinite one overflows
  std::uint32_t kept_;
};

// Calls f with the size, as a constant if it is a common one.
template <class F>
auto by_size(std::size_t n, F f) {
  using std::integral_constant;
  switch (n) {
    case 2:
      return f(integral_constant<std::size_t, 2>());
    case 3:
      return f(integral_constant<std::size_t, 3>());
    case 4:
      return f(integral_constant<std::size_t, 4>());
    case 5:
      return f(integral_constant<std::size_t, 5>());
    case 6:
      return f(integral_constant<std::size_t, 6>());
    case 7:
      return f(integral_constant<std::size_t, 7>());
    case 8:
      return f(integral_constant<std::size_t, 8>());
    case 9:
      return f(integral_constant<std::size_t, 9>());
    case 10:
      return f(integral_constant<std::size_t, 10>());
    case 11:
      return f(integral_constant<std::size_t, 11>());
    case 12:
      return f(integral_constant<std::size_t, 12>());
    default:
      return f(n);
  }
}

// Lets the differences of one clock, to which the row belongs, also go through another one.
template <class Size>
void relax(Bound* __restrict row, Bound first, const Bound* __restrict through, Size n) {
  const Plus plus(first);
  for (std::size_t j = 0; j < n; ++j) {
    const std::int32_t old = row[j].raw();
    const std::int32_t second = through[j].raw();
    const std::int32_t sum = plus(second);
    row[j] = Bound::from_raw(choose(less(second, kInfinite) & less(sum, old), sum, old));
  }
}

// Is one of them tighter than its counterpart?
bool any_less(const Bound* bounds, const Bound* others, std::size_t count) {
  Mask any = 0;
  for (std::size_t k = 0; k < count; ++k)
    any |= less(bounds[k].raw(), others[k].raw());
  return any != 0;
}

// Are all values of a clock, given by minus the least, greater than the constant?
Mask is_above(Bound least, std::int32_t constant) {
  return less(least.raw(), Bound::at_most(-constant).raw());
}

// As many masks as clocks; none is set.
template <std::size_t kSize>
std::array<Mask, kSize> no_masks(std::integral_constant<std::size_t, kSize> /*n*/) {
  return {};
}
std::vector<Mask> no_masks(std::size_t n) { return std::vector<Mask>(n); }

// Drops from the row of a clock what exceeds a bound, and what is said relative to one that is
// above its upper bound. True: there was something.
template <class Size>
bool forget(Bound* __restrict row,
            std::int32_t own,
            std::int32_t most,
            const Mask* __restrict above,
            Size n) {
  Mask changed = 0;
  const auto count = static_cast<std::int32_t>(n);  // as wide as the numbers
  for (std::int32_t j = 0; j < count; ++j) {
    const std::int32_t old = row[j].raw();
    const Mask other = j == own ? 0 : -1;
    const std::int32_t now = choose((less(most, old) | above[j]) & other, kInfinite, old);
    changed |= now ^ old;
    row[j] = Bound::from_raw(now);
  }
  return changed != 0;
}

// Lets all differences also go through one clock. False: the zone is empty.
template <class Size>
bool pass_through(Bound* m, Size n, std::size_t k) {
  for (std::size_t i = 0; i < n; ++i) {
    const Bound first = m[i * n + k];
    if (i == k || first.is_infinite())
      continue;
    relax(m + i * n, first, m + k * n, n);
    if (m[i * n + i] < Bound::at_most(0))
      return false;
  }
  return true;
}

template <class Size>
void extrapolate_sized(Bound* m, Size n, const LuBounds& bounds) {
  Bound* const least = m;  // row 0: minus the least values
  const std::int32_t* const upper = bounds.upper.data();
  auto above = no_masks(n);
  // Here and below whole rows are written before they are read: a wide load that follows a narrow
  // store has to wait for it.
  for (std::size_t j = 0; j < n; ++j)
    above[j] = is_above(least[j], upper[j]) & (j == 0 ? 0 : -1);
  bool changed = false;
  for (std::size_t i = 1; i < n; ++i) {
    const std::int32_t most = is_above(least[i], bounds.lower[i]) != 0
                                  ? std::numeric_limits<std::int32_t>::min()
                                  : Bound::at_most(bounds.lower[i]).raw();
    changed = forget(m + i * n, static_cast<std::int32_t>(i), most, above.data(), n) || changed;
  }
  for (std::size_t j = 0; j < n; ++j)  // what is said of clock 0 stays as it is
    least[j] = std::max(least[j], std::min(Bound::less_than(-upper[j]), Bound::at_most(0)));
  // Where no other row changed, no clock is bounded by those that row 0 now says less of.
  if (!changed)
    return;
  // No shortest path needs to go through a clock that is above one of its bounds, which row 0 still
  // tells. From one above its lower bound no path goes on. To one above its upper bound, k, paths
  // come from 0 only, and they go on to 0 or to a j that is not above its own; what was known of j
  // from below is still known, and was no less than what now follows through k.
  for (std::size_t k = 0; k < n; ++k)
    if (k == 0 || (is_above(least[k], bounds.lower[k]) | is_above(least[k], upper[k])) == 0)
      pass_through(m, n, k);
}

// Intersects with the bounds from above among the constraints. False: nothing is left.
template <class Size>
bool limit_sized(Bound* m, Size n, std::span<const ClockConstraint> constraints) {
  const ZoneView zone(m, n);
  auto limits = no_masks(n);  // column 0
  bool any = false;
  for (const ClockConstraint& c : constraints) {
    if (c.j != 0 || zone.implies(c))
      continue;
    if (!zone.can_hold(c))
      return false;
    for (std::size_t k = 1; !any && k < n; ++k)
      limits[k] = m[k * n].raw();
    any = true;
    for (std::size_t k = 1; k < n; ++k)
      limits[k] = std::min(limits[k], (m[k * n + c.i] + c.bound).raw());
  }
  for (std::size_t k = 1; any && k < n; ++k)
    if (limits[k] < m[k * n].raw())
      relax(m + k * n, Bound::from_raw(limits[k]), m, n);
  return true;
}

// Counts for every entry of a row the clocks that it is implied by a detour through: one more.
void count_ways(std::int32_t* __restrict ways,
                const Bound* row,
                Bound first,
                const Bound* through,
                std::size_t n) {
  const Plus plus(first);
  for (std::size_t j = 0; j < n; ++j) {
    const std::int32_t second = through[j].raw();
    ways[j] -= less(second, kInfinite) & ~less(row[j].raw(), plus(second));
  }
}

// A clock among those at a fixed distance, which form a circle by value.
struct Place {
  std::size_t speaker;  // with the least value
  std::size_t next;     // after the last comes the speaker; itself if it is alone
};

Place place_in_class(const ZoneView& zone, std::size_t i) {
  const Bound zero = Bound::at_most(0);
  const auto precedes = [&](std::size_t a, std::size_t b) {
    return zone.at(a, b) < zero || (zone.at(a, b) == zero && a < b);
  };
  std::size_t speaker = i;
  std::size_t next = i;
  for (std::size_t j = 0; j < zone.size(); ++j) {
    if (j == i || zone.at(i, j) + zone.at(j, i) != zero)
      continue;
    if (precedes(j, speaker))
      speaker = j;
    if (precedes(i, j) && (next == i || precedes(j, next)))
      next = j;
  }
  return {.speaker = speaker, .next = next == i ? speaker : next};
}

}  // namespace

void ZoneView::set_zero() { std::fill_n(m_, n_ * n_, Bound::at_most(0)); }

void ZoneView::set_universe() {
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < n_; ++j)
      entry(i, j) = i == 0 || i == j ? Bound::at_most(0) : Bound::infinity();
}

// One tighter entry: every path may now go through it, once. If it does not bring a clock closer to
// j, then nor to any other.
bool ZoneView::constrain(const ClockConstraint& c) {
  if (implies(c))
    return true;
  if (!can_hold(c))
    return false;
  by_size(n_, [&](auto n) {
    for (std::size_t k = 0; k < n; ++k) {
      const Bound first = m_[k * n + c.i] + c.bound;
      if (first < m_[k * n + c.j])
        relax(m_ + k * n, first, m_ + c.j * n, n);
    }
  });
  return true;
}

// Bounds from above come last and together: all of them lead to clock 0, so that a shortest path
// needs one of them at the most. First column 0 is right, then whatever follows from it.
bool ZoneView::constrain(std::span<const ClockConstraint> constraints) {
  for (const ClockConstraint& c : constraints)
    if (c.j != 0 && !constrain(c))
      return false;
  return by_size(n_, [&](auto n) { return limit_sized(m_, n, constraints); });
}

void ZoneView::up() {
  for (std::size_t i = 1; i < n_; ++i)
    entry(i, 0) = Bound::infinity();
}

// A clock that runs moves away from one that stands still. What is known of a running clock from
// below stays true, as does the difference of two that both run or both stand. All entries are
// those that the points reached need, so they are closed.
void ZoneView::up(const std::vector<bool>& stopped) {
  for (std::size_t i = 1; i < n_; ++i) {
    if (stopped[i])
      continue;
    entry(i, 0) = Bound::infinity();
    for (std::size_t j = 1; j < n_; ++j)
      if (stopped[j])
        entry(i, j) = Bound::infinity();
  }
}

void ZoneView::set(std::size_t i, std::int32_t value) {
  Bound* const row = m_ + i * n_;
  const Plus plus(Bound::at_most(value));
  for (std::size_t j = 0; j < n_; ++j)
    row[j] = Bound::from_raw(plus(m_[j].raw()));  // row 0 is finite
  const Bound below = Bound::at_most(-value);
  for (std::size_t j = 0; j < n_; ++j)
    entry(j, i) = at(j, 0) + below;  // for i itself, value - value
}

void ZoneView::set_to(std::size_t i, std::size_t j, std::int32_t offset) {
  const Bound above = Bound::at_most(offset);
  const Bound below = Bound::at_most(-offset);
  for (std::size_t k = 0; k < n_; ++k) {
    if (k == i)
      continue;
    entry(i, k) = at(j, k) + above;
    entry(k, i) = at(k, j) + below;
  }
}

void ZoneView::free(std::size_t i) {
  for (std::size_t j = 0; j < n_; ++j) {
    if (j == i)
      continue;
    entry(i, j) = Bound::infinity();
    entry(j, i) = at(j, 0);
  }
}

// Zones that do not include each other mostly show it in row 0; the rest is compared in stretches.
bool ZoneView::includes(const ZoneView& other) const {
  for (std::size_t j = 1; j < n_; ++j)
    if (m_[j] < other.m_[j])
      return false;
  constexpr std::size_t kStretch = 32;
  const std::size_t end = n_ * n_;
  for (std::size_t k = n_; k < end; k += kStretch)
    if (any_less(m_ + k, other.m_ + k, std::min(kStretch, end - k)))
      return false;
  return true;
}

void ZoneView::extrapolate(const LuBounds& bounds) {
  by_size(n_, [&](auto n) { extrapolate_sized(m_, n, bounds); });
}

// Along a chain of clocks, each reset while the one before is not above its constant, differences
// add up, and no extrapolation helps against that. What is left of a clock is an interval, and that
// of the rest is closed as it was.
bool ZoneView::forget_great_differences() {
  const auto is_great = [](Bound bound) {
    return !bound.is_infinite() && (bound > Bound::at_most(Bound::kMostDifference) ||
                                    bound < Bound::less_than(-Bound::kMostDifference));
  };
  bool any = false;
  for (std::size_t i = 1; i < n_; ++i) {
    if (std::none_of(m_ + i * n_, m_ + (i + 1) * n_, is_great))
      continue;
    any = true;
    if (is_great(at(i, 0)))
      entry(i, 0) = Bound::infinity();
    for (std::size_t k = 1; k < n_; ++k) {
      if (k == i)
        continue;
      entry(i, k) = at(i, 0) + at(0, k);
      entry(k, i) = at(k, 0) + at(0, i);
    }
  }
  return any;
}

// A pair of clocks (x, y) shows a point that is not simulated (docs/algorithms.md 3.4). That
// kNoBound is less than every constant is enough for it to mean none: where it matters, clock 0 in
// the place of the other one shows the point as well.
bool ZoneView::is_simulated_by(const ZoneView& other, const LuBounds& bounds) const {
  const Bound* const least = m_;  // row 0: minus the least values
  const std::int32_t* const upper = bounds.upper.data();
  for (std::size_t y = 0; y < n_; ++y) {
    const Bound* const mine = m_ + y * n_;
    const Bound* const theirs = other.m_ + y * n_;
    const Plus plus(Bound::less_than(y == 0 ? 0 : -bounds.lower[y]));
    if (theirs[0] < mine[0] && plus(theirs[0].raw()) < Bound::at_most(0).raw())
      return false;
    Mask shown = 0;
    for (std::size_t x = 1; x < n_; ++x)
      shown |= less(theirs[x].raw(), mine[x].raw()) & less(plus(theirs[x].raw()), least[x].raw()) &
               ~is_above(least[x], upper[x]);
    if (shown != 0)
      return false;
  }
  return true;
}

bool ZoneView::close() {
  return by_size(n_, [&](auto n) {
    for (std::size_t k = 0; k < n; ++k)
      if (!pass_through(m_, n, k))
        return false;
    return true;
  });
}

// Clocks at a fixed distance form a class: a circle of constraints holds it together, and one of
// them speaks for it. Between classes, a constraint that a detour implies is left out.
//
// That clocks are not negative is understood. It may be all there is to say of a class from below,
// and then it says so of the clock with the least value: that one speaks, and circles go upwards.
std::vector<ClockConstraint> minimal_constraints(const ZoneView& zone) {
  const std::size_t n = zone.size();
  std::vector<ClockConstraint> out;
  out.reserve(2 * n);
  const auto add = [&](std::size_t i, std::size_t j) {
    if (i != 0 || zone.at(i, j) != Bound::at_most(0))
      out.push_back({.i = static_cast<std::uint32_t>(i),
                     .j = static_cast<std::uint32_t>(j),
                     .bound = zone.at(i, j)});
  };
  std::vector<std::size_t> speakers;
  speakers.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Place place = place_in_class(zone, i);
    if (place.speaker == i)
      speakers.push_back(i);
    if (place.next != i)
      add(i, place.next);
  }
  std::vector<std::int32_t> ways(n);
  for (const std::size_t i : speakers) {
    const Bound* const row = zone.data() + i * n;
    std::ranges::fill(ways, 0);
    for (const std::size_t k : speakers)
      if (k != i && !row[k].is_infinite())
        count_ways(ways.data(), row, row[k], zone.data() + k * n, n);
    for (const std::size_t j : speakers)
      if (j != i && ways[j] == 1)  // the one through j itself
        add(i, j);
  }
  return out;
}

}  // namespace tw
