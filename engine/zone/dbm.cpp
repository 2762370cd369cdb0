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
// below stays true, as does the difference of two that both run or both stand.
void ZoneView::up(const std::vector<bool>& stopped) {
  for (std::size_t i = 1; i < n_; ++i) {
    if (stopped[i])
      continue;
    for (std::size_t j = 0; j < n_; ++j)
      if (j == 0 || stopped[j])
        entry(i, j) = Bound::infinity();
  }
  close();
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
  const auto exceeds = [](Bound bound, std::int32_t most) {
    return bound > Bound::at_most(most);
  };
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
std::vector<ClockConstraint> minimal_constraints(const ZoneView& zone) {
  const std::size_t n = zone.size();
  std::vector<ClockConstraint> out;
  const auto add = [&](std::size_t i, std::size_t j) {
    out.push_back({.i = static_cast<std::uint32_t>(i),
                   .j = static_cast<std::uint32_t>(j),
                   .bound = zone.at(i, j)});
  };
  std::vector<std::size_t> speaker(n);  // the first of its class
  std::vector<std::size_t> speakers;
  for (std::size_t i = 0; i < n; ++i) {
    speaker[i] = i;
    for (const std::size_t s : speakers)
      if (speaker[i] == i && zone.at(i, s) + zone.at(s, i) == Bound::at_most(0))
        speaker[i] = s;
    if (speaker[i] == i)
      speakers.push_back(i);
  }
  for (const std::size_t s : speakers) {
    std::size_t last = s;
    for (std::size_t i = s + 1; i < n; ++i) {
      if (speaker[i] != s)
        continue;
      add(last, i);
      last = i;
    }
    if (last != s)
      add(last, s);
  }
  for (const std::size_t i : speakers) {
    for (const std::size_t j : speakers) {
      const Bound direct = zone.at(i, j);
      if (i == j || direct.is_infinite())
        continue;
      const bool implied = std::ranges::any_of(speakers, [&](std::size_t k) {
        return k != i && k != j && zone.at(i, k) + zone.at(k, j) <= direct;
      });
      // That clocks are not negative is understood.
      if (!implied && !(i == 0 && direct == Bound::at_most(0)))
        add(i, j);
    }
  }
  return out;
}

}  // namespace tw
