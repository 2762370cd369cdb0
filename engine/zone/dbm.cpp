#include "engine/zone/dbm.hpp"

#include <algorithm>

namespace tw {

void ZoneView::set_zero() { std::fill_n(m_, n_ * n_, Bound::at_most(0)); }

void ZoneView::set_universe() {
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < n_; ++j)
      entry(i, j) = i == 0 || i == j ? Bound::at_most(0) : Bound::infinity();
}

// One tighter entry: every path may now go through it, once.
bool ZoneView::constrain(const ClockConstraint& c) {
  if (implies(c))
    return true;
  if (!can_hold(c))
    return false;
  const Bound* const to = m_ + std::size_t{c.j} * n_;
  for (std::size_t k = 0; k < n_; ++k) {
    const Bound first = at(k, c.i) + c.bound;
    if (first.is_infinite())
      continue;
    Bound* const row = m_ + k * n_;
    for (std::size_t l = 0; l < n_; ++l)
      row[l] = std::min(row[l], first + to[l]);
  }
  return true;
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
  const Bound above = Bound::at_most(value);
  const Bound below = Bound::at_most(-value);
  for (std::size_t j = 0; j < n_; ++j) {
    if (j == i)
      continue;
    entry(i, j) = above + at(0, j);
    entry(j, i) = at(j, 0) + below;
  }
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

bool ZoneView::includes(const ZoneView& other) const {
  for (std::size_t k = 0; k < n_ * n_; ++k)
    if (m_[k] < other.m_[k])
      return false;
  return true;
}

void ZoneView::extrapolate(const LuBounds& bounds) {
  bool changed = false;
  // A bound of constant c or, for a strict lower bound, just above it: beyond what is compared?
  const auto exceeds = [](Bound bound, std::int32_t most) { return bound > Bound::at_most(most); };
  std::vector<bool> above_lower(n_);
  std::vector<bool> above_upper(n_);
  for (std::size_t i = 1; i < n_; ++i) {
    // -(0, i) is the least value of the clock.
    above_lower[i] = at(0, i) < Bound::at_most(-bounds.lower[i]);
    above_upper[i] = at(0, i) < Bound::at_most(-bounds.upper[i]);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      Bound& b = entry(i, j);
      if (i == j)
        continue;
      if (i != 0 && !b.is_infinite() &&
          (exceeds(b, bounds.lower[i]) || above_lower[i] || above_upper[j])) {
        b = Bound::infinity();
        changed = true;
      } else if (i == 0 && above_upper[j]) {
        b = bounds.upper[j] < 0 ? Bound::at_most(0) : Bound::less_than(-bounds.upper[j]);
        changed = true;
      }
    }
  }
  if (changed)
    close();
}

bool ZoneView::is_simulated_by(const ZoneView& other, const LuBounds& bounds) const {
  for (std::size_t x = 0; x < n_; ++x) {
    const std::int32_t upper = x == 0 ? 0 : bounds.upper[x];
    const Bound least = at(0, x);  // minus the least value of x
    if (upper < 0 || least < Bound::at_most(-upper))
      continue;
    for (std::size_t y = 0; y < n_; ++y) {
      const std::int32_t lower = y == 0 ? 0 : bounds.lower[y];
      const Bound theirs = other.at(y, x);
      if (lower >= 0 && theirs < at(y, x) && theirs + Bound::less_than(-lower) < least)
        return false;
    }
  }
  return true;
}

bool ZoneView::close() {
  for (std::size_t k = 0; k < n_; ++k) {
    const Bound* const through = m_ + k * n_;
    for (std::size_t i = 0; i < n_; ++i) {
      const Bound first = at(i, k);
      if (i == k || first.is_infinite())
        continue;
      Bound* const row = m_ + i * n_;
      for (std::size_t j = 0; j < n_; ++j)
        row[j] = std::min(row[j], first + through[j]);
      if (row[i] < Bound::at_most(0))
        return false;
    }
  }
  return true;
}

// Clocks at a fixed distance form a class: a circle of constraints holds it together, and one of
// them speaks for it. Between classes, a constraint that a detour implies is left out.
//
// That clocks are not negative is understood. It may be all there is to say of a class from below,
// and then it says so of the clock with the least value: that one speaks, and circles go upwards.
std::vector<ClockConstraint> minimal_constraints(const ZoneView& zone) {
  const std::size_t n = zone.size();
  const Bound zero = Bound::at_most(0);
  std::vector<ClockConstraint> out;
  const auto add = [&](std::size_t i, std::size_t j) {
    if (i != 0 || zone.at(i, j) != zero)
      out.push_back({.i = static_cast<std::uint32_t>(i),
                     .j = static_cast<std::uint32_t>(j),
                     .bound = zone.at(i, j)});
  };
  std::vector<std::vector<std::size_t>> classes;  // of clocks, by value
  for (std::size_t i = 0; i < n; ++i) {
    const auto same = std::ranges::find_if(classes, [&](const std::vector<std::size_t>& members) {
      return zone.at(i, members[0]) + zone.at(members[0], i) == zero;
    });
    if (same == classes.end()) {
      classes.push_back({i});
      continue;
    }
    const auto greater =
        std::ranges::find_if(*same, [&](std::size_t member) { return zone.at(i, member) < zero; });
    same->insert(greater, i);
  }
  for (const std::vector<std::size_t>& members : classes)
    for (std::size_t k = 0; members.size() > 1 && k < members.size(); ++k)
      add(members[k], members[(k + 1) % members.size()]);
  for (const std::vector<std::size_t>& from : classes) {
    const std::size_t i = from[0];
    for (const std::vector<std::size_t>& to : classes) {
      const std::size_t j = to[0];
      const Bound direct = zone.at(i, j);
      if (i == j || direct.is_infinite())
        continue;
      const bool implied = std::ranges::any_of(classes, [&](const std::vector<std::size_t>& by) {
        const std::size_t k = by[0];
        return k != i && k != j && zone.at(i, k) + zone.at(k, j) <= direct;
      });
      if (!implied)
        add(i, j);
    }
  }
  return out;
}

}  // namespace tw
