// What the operations on zones cost, by the number of clocks. Zones are those a search would meet:
// from zeros on, time passes within invariants, guards are met, clocks are set. Operations that
// change a zone work on a copy of it; zone/copy is what the copy costs.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/zone/dbm.hpp"
#include "engine/zone/zone_store.hpp"

namespace {

using tw::Bound;
using tw::ClockConstraint;

constexpr std::size_t kZones = 256;
constexpr std::int32_t kMost = 100;  // constants of guards and invariants

class Walk {
 public:
  explicit Walk(std::size_t clocks) : clocks_(clocks) {
    bounds.lower.push_back(0);
    bounds.upper.push_back(0);
    for (std::size_t i = 0; i < clocks; ++i) {
      bounds.lower.push_back(number(0, 4) == 0 ? tw::LuBounds::kNoBound : number(1, kMost));
      bounds.upper.push_back(number(0, 4) == 0 ? tw::LuBounds::kNoBound : number(1, kMost));
    }
    tw::Zone zone(clocks);
    zone.view().set_zero();
    while (zones.size() < kZones) {
      tw::Zone next = zone;
      if (!step(next.view()))
        continue;
      zones.push_back(next);
      next.view().extrapolate(bounds);
      zone = next;
    }
  }

  /// From above or from below, with a constant that the bounds allow.
  ClockConstraint guard() {
    const auto i = static_cast<std::uint32_t>(number(1, static_cast<std::int32_t>(clocks_)));
    if (number(0, 1) == 0)
      return {.i = i, .j = 0, .bound = Bound::at_most(number(0, std::max(0, bounds.upper[i])))};
    return {.i = 0, .j = i, .bound = Bound::at_most(-number(0, std::max(0, bounds.lower[i])))};
  }

  std::size_t clock() {
    return static_cast<std::size_t>(number(1, static_cast<std::int32_t>(clocks_)));
  }

  tw::LuBounds bounds;
  std::vector<tw::Zone> zones;

 private:
  std::int32_t number(std::int32_t first, std::int32_t last) {
    return first +
           static_cast<std::int32_t>(random_() % static_cast<std::uint32_t>(last - first + 1));
  }

  bool step(tw::ZoneView zone) {
    zone.up();
    for (int i = 0; i < 2; ++i)
      if (!zone.constrain(guard()))
        return false;
    for (std::size_t i = 0; i < 1 + clocks_ / 6; ++i)
      zone.set(clock(), 0);
    return true;
  }

  std::size_t clocks_;
  std::mt19937 random_{1};
};

// Runs the operation on a copy of each zone in turn.
template <typename Operation>
void change(benchmark::State& state, const Operation& operation) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  tw::Zone zone = walk.zones[0];
  std::size_t k = 0;
  for (auto _ : state) {
    zone = walk.zones[k];
    operation(zone.view(), k, walk);
    benchmark::DoNotOptimize(zone.view().data());
    benchmark::ClobberMemory();
    k = (k + 1) % kZones;
  }
}

enum class Other {
  kSame,
  kAny
};

// Asks of each zone in turn and another one: all entries equal, or not.
template <typename Question>
void compare(benchmark::State& state, Other other, const Question& question) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  const std::vector<tw::Zone> others = walk.zones;
  const std::size_t distance = other == Other::kSame ? 0 : 7;
  std::size_t k = 0;
  for (auto _ : state) {
    const tw::ZoneView theirs = others[(k + distance) % kZones].view();
    benchmark::DoNotOptimize(question(walk.zones[k].view(), theirs, walk));
    k = (k + 1) % kZones;
  }
}

void copy(benchmark::State& state) {
  change(state, [](tw::ZoneView, std::size_t, const Walk&) {});
}

// The first guard after a delay.
void constrain(benchmark::State& state) {
  Walk guards(static_cast<std::size_t>(state.range(0)));
  std::vector<ClockConstraint> constraints;
  for (tw::Zone& zone : guards.zones) {
    zone.view().up();
    ClockConstraint c = guards.guard();
    while (zone.view().implies(c) || !zone.view().can_hold(c))
      c = guards.guard();
    constraints.push_back(c);
  }
  change(state, [&](tw::ZoneView zone, std::size_t k, const Walk&) {
    zone.up();
    benchmark::DoNotOptimize(zone.constrain(constraints[k]));
  });
}

// A delay and what a location with several invariants demands, together.
void constrain_all(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  std::vector<std::vector<ClockConstraint>> invariants;
  for (const tw::Zone& zone : walk.zones) {
    invariants.emplace_back();
    for (std::uint32_t i = 1; i < walk.bounds.upper.size(); i += 2)
      invariants.back().push_back(
          {.i = i,
           .j = 0,
           .bound = Bound::at_most(
               std::max(walk.bounds.upper[i], 1 - zone.view().at(0, i).constant()))});
  }
  change(state, [&](tw::ZoneView zone, std::size_t k, const Walk&) {
    zone.up();
    benchmark::DoNotOptimize(zone.constrain(invariants[k]));
  });
}

// A delay and invariants of all clocks, the latter all at once.
void close(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  const std::size_t n = walk.bounds.upper.size();
  std::vector<std::vector<Bound>> open;
  for (const tw::Zone& zone : walk.zones) {
    open.emplace_back(zone.view().data(), zone.view().data() + n * n);
    for (std::size_t i = 1; i < n; ++i)
      open.back()[i * n] =
          Bound::at_most(std::max(walk.bounds.upper[i], 1 - zone.view().at(0, i).constant()));
  }
  std::vector<Bound> bounds = open[0];
  std::size_t k = 0;
  for (auto _ : state) {
    bounds = open[k];
    benchmark::DoNotOptimize(tw::ZoneView(bounds.data(), n).close());
    benchmark::ClobberMemory();
    k = (k + 1) % kZones;
  }
}

void up(benchmark::State& state) {
  change(state, [](tw::ZoneView zone, std::size_t, const Walk&) { zone.up(); });
}

void up_stopped(benchmark::State& state) {
  std::vector<bool> stopped(static_cast<std::size_t>(state.range(0)) + 1);
  for (std::size_t i = 1; i < stopped.size(); i += 3)
    stopped[i] = true;
  change(state, [&](tw::ZoneView zone, std::size_t, const Walk&) { zone.up(stopped); });
}

void set(benchmark::State& state) {
  change(state, [&](tw::ZoneView zone, std::size_t k, const Walk&) {
    zone.set(1 + k % (zone.size() - 1), 0);
  });
}

void extrapolate(benchmark::State& state) {
  change(state,
         [](tw::ZoneView zone, std::size_t, const Walk& walk) { zone.extrapolate(walk.bounds); });
}

template <Other kOther>
void includes(benchmark::State& state) {
  compare(state, kOther,
          [](const tw::ZoneView& a, const tw::ZoneView& b, const Walk&) { return a.includes(b); });
}

template <Other kOther>
void is_simulated_by(benchmark::State& state) {
  compare(state, kOther, [](const tw::ZoneView& a, const tw::ZoneView& b, const Walk& walk) {
    return a.is_simulated_by(b, walk.bounds);
  });
}

void minimal(benchmark::State& state) {
  compare(state, Other::kSame, [](const tw::ZoneView& a, const tw::ZoneView&, const Walk&) {
    return tw::minimal_constraints(a);
  });
}

// A store with all zones of a walk; operations go through them in turn.
class Stored {
 public:
  explicit Stored(const Walk& walk) : store(walk.bounds.lower.size()) {
    for (const tw::Zone& zone : walk.zones) {
      store.set_probe(zone.view());
      ids.push_back(store.insert());
    }
  }

  tw::ZoneStore store;
  std::vector<tw::ZoneId> ids;
};

void store_insert(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  Stored stored(walk);
  std::size_t k = 0;
  for (auto _ : state) {
    stored.store.set_probe(walk.zones[k].view());
    const tw::ZoneId id = stored.store.insert();
    benchmark::DoNotOptimize(id);
    stored.store.release(id);
    k = (k + 1) % kZones;
  }
}

// What an arriving zone costs before it is compared …
void store_probe(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  Stored stored(walk);
  std::size_t k = 0;
  for (auto _ : state) {
    stored.store.set_probe(walk.zones[k].view());
    stored.store.set_bounds(walk.bounds);
    k = (k + 1) % kZones;
  }
}

// … and with each stored one, a different one every time.
template <bool kSimulates>
void store_compare(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  Stored stored(walk);
  stored.store.set_probe(walk.zones[0].view());
  stored.store.set_bounds(walk.bounds);
  std::size_t k = 0;
  for (auto _ : state) {
    if constexpr (kSimulates)
      benchmark::DoNotOptimize(stored.store.simulates_probe(stored.ids[k]));
    else
      benchmark::DoNotOptimize(stored.store.is_simulated_by_probe(stored.ids[k]));
    k = (k + 1) % kZones;
  }
}

void store_load(benchmark::State& state) {
  const Walk walk(static_cast<std::size_t>(state.range(0)));
  const Stored stored(walk);
  tw::Zone zone = walk.zones[0];
  std::size_t k = 0;
  for (auto _ : state) {
    stored.store.load(stored.ids[k], zone.data());
    benchmark::DoNotOptimize(zone.view().data());
    benchmark::ClobberMemory();
    k = (k + 1) % kZones;
  }
}

void clocks(benchmark::internal::Benchmark* b) { b->RangeMultiplier(2)->Range(4, 32); }

BENCHMARK(copy)->Name("zone/copy")->Apply(clocks);
BENCHMARK(constrain)->Name("zone/constrain")->Apply(clocks);
BENCHMARK(constrain_all)->Name("zone/constrain/all")->Apply(clocks);
BENCHMARK(close)->Name("zone/close")->Apply(clocks);
BENCHMARK(includes<Other::kAny>)->Name("zone/includes/any")->Apply(clocks);
BENCHMARK(includes<Other::kSame>)->Name("zone/includes/same")->Apply(clocks);
BENCHMARK(is_simulated_by<Other::kAny>)->Name("zone/is_simulated_by/any")->Apply(clocks);
BENCHMARK(is_simulated_by<Other::kSame>)->Name("zone/is_simulated_by/same")->Apply(clocks);
BENCHMARK(extrapolate)->Name("zone/extrapolate")->Apply(clocks);
BENCHMARK(up)->Name("zone/up/all")->Apply(clocks);
BENCHMARK(up_stopped)->Name("zone/up/stopped")->Apply(clocks);
BENCHMARK(set)->Name("zone/set")->Apply(clocks);
BENCHMARK(minimal)->Name("zone/minimal")->Apply(clocks);
BENCHMARK(store_insert)->Name("zone/store/insert")->Apply(clocks);
BENCHMARK(store_probe)->Name("zone/store/probe")->Apply(clocks);
BENCHMARK(store_compare<true>)->Name("zone/store/simulates_probe")->Apply(clocks);
BENCHMARK(store_compare<false>)->Name("zone/store/is_simulated_by_probe")->Apply(clocks);
BENCHMARK(store_load)->Name("zone/store/load")->Apply(clocks);

}  // namespace
