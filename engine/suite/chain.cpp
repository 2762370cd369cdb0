#include "engine/suite/chain.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "engine/suite/reduce.hpp"

namespace tw {
namespace {

// The exact search never takes more memory than so many entries need.
constexpr std::uint64_t kMostExactEntries = 200'000;

// The width of the beam is what this part of the budget allows for as many steps as are known to
// suffice.
constexpr std::uint64_t kBeamShare = 4;
constexpr std::uint64_t kLeastBeam = 4;
constexpr std::uint64_t kMostBeam = 200;

// With which item a new test begins, and when it ends.
struct Variant {
  bool hardest_first = true;  // or the nearest
  bool eager_restart = true;  // as soon as an item is nearer to the start than to here
};

class Chainer {
 public:
  Chainer(const System& system,
          Effects& effects,
          const Ledger& others,
          const std::vector<Walk>& traces,
          const ChainOptions& options)
      : system_(system),
        effects_(effects),
        others_(others),
        traces_(traces),
        options_(options),
        walker_(system, effects),
        budget_(options.budget) {
    walker_.ignore(others);
    for (std::size_t t = 0; t < traces.size(); ++t)
      for (const Walk::Gain& gain : traces[t].gains)
        offer(t, gain);
  }

  [[nodiscard]] std::optional<std::vector<Walk>> run(const Variant& variant);
  /// A shortest suite of fewer steps than this.
  struct Exact {
    bool decided = false;                    // else the budget was not enough
    std::optional<std::vector<Walk>> walks;  // none: there is none
  };
  [[nodiscard]] Exact exact(std::uint64_t fewer_than);
  /// The same, but of many paths only the most promising are followed: nothing is proven.
  [[nodiscard]] std::optional<std::vector<Walk>> beam(std::uint64_t fewer_than);
  /// The least model time of all walks together.
  [[nodiscard]] Rational duration(const std::vector<Walk>& walks);

 private:
  // The shortest known way to an item: so many steps of a trace.
  struct Way {
    std::size_t trace = 0;
    std::uint32_t steps = 0;
    std::uint32_t length = 0;  // without waits
  };

  void offer(std::size_t trace, const Walk::Gain& gain) {
    if (others_.is_covered(gain.item))
      return;
    if (ways_.size() <= gain.item.index())
      ways_.resize(gain.item.index() + 1);
    std::optional<Way>& way = ways_[gain.item.index()];
    if (!way)
      items_.push_back(gain.item);
    if (!way || gain.length < way->length)
      way = Way{.trace = trace, .steps = gain.step, .length = gain.length};
  }

  [[nodiscard]] std::optional<Way> choose(const Ledger& left, bool hardest) const;
  [[nodiscard]] SearchOptions path_options(std::uint64_t fewer_than) const;
  [[nodiscard]] std::vector<Walk> walks_of(Search& search);
  void take(const Walk& walk, std::size_t first_gain, Ledger& left) const;
  [[nodiscard]] bool extend(Walk& walk, Ledger& left, const Variant& variant);
  [[nodiscard]] bool is_done(const Ledger& left) const {
    return left.covered() - others_.covered() == items_.size();
  }

  const System& system_;
  Effects& effects_;
  const Ledger& others_;
  const std::vector<Walk>& traces_;
  const ChainOptions& options_;
  Walker walker_;
  std::uint64_t budget_;
  std::vector<std::optional<Way>> ways_;  // by item
  std::vector<ItemId> items_;
};

std::optional<Chainer::Way> Chainer::choose(const Ledger& left, bool hardest) const {
  std::optional<Way> best;
  for (const ItemId item : items_) {
    const Way& way = *ways_[item.index()];
    if (!left.is_covered(item) &&
        (!best || (hardest ? way.length > best->length : way.length < best->length)))
      best = way;
  }
  return best;
}

void Chainer::take(const Walk& walk, std::size_t first_gain, Ledger& left) const {
  for (std::size_t i = first_gain; i < walk.gains.size(); ++i)
    left.cover(walk.gains[i].item);
}

// Goes on to the nearest item that is left; false: the test ends here.
bool Chainer::extend(Walk& walk, Ledger& left, const Variant& variant) {
  const std::optional<Way> restart = choose(left, !variant.eager_restart);
  if (!restart || budget_ == 0)
    return false;
  SearchOptions options{
      .on_error = options_.on_error, .max_bytes = options_.max_bytes, .max_expansions = budget_};
  if (options_.optimise == Optimise::kSteps)
    options.max_depth = std::max<std::uint64_t>(restart->length, 1);
  options.interrupted = options_.interrupted;
  Search search(system_, effects_, left, std::move(options));
  search.start_at({.state = walk.end, .tokens = walk.tokens});
  search.set_goal(Goal::kNearest);
  const StopReason reason = search.run();
  budget_ -= std::min(budget_, search.statistics().expansions + 1);
  if (reason == StopReason::kInterrupted)
    budget_ = 0;
  if (!search.best())
    return false;
  const std::size_t known = walk.gains.size();
  walker_.extend(walk, search.traces(*search.best()).front());
  take(walk, known, left);
  return true;
}

std::optional<std::vector<Walk>> Chainer::run(const Variant& variant) {
  std::vector<Walk> walks;
  Ledger left = others_;
  while (!is_done(left)) {
    const std::optional<Way> first = choose(left, variant.hardest_first);
    Walk walk = walker_.start();
    walker_.extend(walk, std::span(traces_[first->trace].steps).first(first->steps));
    take(walk, 0, left);
    while (extend(walk, left, variant)) {
    }
    walks.push_back(std::move(walk));
    if (budget_ == 0 && !is_done(left))
      return std::nullopt;
  }
  trim(walks);
  return walks;
}

// Paths with resets that cover all that is wanted. One that is complete after one more step must
// still be shorter.
SearchOptions Chainer::path_options(std::uint64_t fewer_than) const {
  SearchOptions options{
      .algorithm = Algorithm::kLocal, .reset = true, .on_error = options_.on_error};
  options.max_states = kMostExactEntries;
  options.max_bytes = options_.max_bytes;
  options.max_depth = fewer_than - 2;
  options.drop_dead = true;
  options.interrupted = options_.interrupted;
  return options;
}

std::vector<Walk> Chainer::walks_of(Search& search) {
  std::vector<Walk> walks;
  for (const std::vector<Step>& trace : search.traces(*search.best()))
    walks.push_back(walker_.walk(trace));
  trim(walks);
  return walks;
}

Chainer::Exact Chainer::exact(std::uint64_t fewer_than) {
  SearchOptions options = path_options(fewer_than);
  options.max_expansions = options_.exact_budget;
  Search search(system_, effects_, others_, std::move(options));
  const StopReason reason = search.run();
  if (reason == StopReason::kExhausted)
    return {.decided = true};
  if (reason != StopReason::kDecided)
    return {};
  return {.decided = true, .walks = walks_of(search)};
}

std::optional<std::vector<Walk>> Chainer::beam(std::uint64_t fewer_than) {
  SearchOptions options = path_options(fewer_than);
  options.max_expansions = options_.budget;
  options.beam = std::clamp(options_.budget / kBeamShare / fewer_than, kLeastBeam, kMostBeam);
  Search search(system_, effects_, others_, std::move(options));
  if (search.run() != StopReason::kDecided)
    return std::nullopt;
  return walks_of(search);
}

Rational Chainer::duration(const std::vector<Walk>& walks) {
  Rational sum = 0;
  for (const Walk& walk : walks) {
    Timetable timetable = walker_.timetable(walk.steps);
    if (!timetable.choose(Delays::kEarliest))
      continue;
    for (const Delay& delay : timetable.delays())
      sum += delay.chosen;
  }
  return sum;
}

}  // namespace

Chained chain(const System& system,
              Effects& effects,
              const Ledger& others,
              const std::vector<Walk>& traces,
              const ChainOptions& options) {
  Chainer chainer(system, effects, others, traces, options);
  const auto cost = [&](const std::vector<Walk>& walks) {
    const std::uint64_t steps = total_steps(walks);
    switch (options.optimise) {
      case Optimise::kTests:
        return std::tuple(Rational(0), walks.size(), steps);
      case Optimise::kTime:
        return std::tuple(chainer.duration(walks), steps, walks.size());
      case Optimise::kSteps:
        break;
    }
    return std::tuple(Rational(0), steps, walks.size());
  };
  Chained best{.walks = traces};
  remove_redundant(best.walks);
  const auto offer = [&](std::vector<Walk> walks) {
    if (cost(walks) < cost(best.walks))
      best.walks = std::move(walks);
  };
  std::vector<Walk> trimmed = best.walks;
  trim(trimmed);
  offer(std::move(trimmed));
  std::vector<Walk> greedy = traces;
  keep_greedy_cover(greedy);
  trim(greedy);
  offer(std::move(greedy));

  const auto at_bound = [&] { return total_steps(best.walks) <= options.lower_bound; };
  const bool steps_count = options.optimise == Optimise::kSteps;
  for (const bool hardest_first : {true, false})
    for (const bool eager_restart : {true, false})
      if (!steps_count || !at_bound())
        if (auto walks =
                chainer.run({.hardest_first = hardest_first, .eager_restart = eager_restart}))
          offer(std::move(*walks));
  const auto could_be_shorter = [&] { return !at_bound() && total_steps(best.walks) > 2; };
  if (steps_count && could_be_shorter())
    if (auto walks = chainer.beam(total_steps(best.walks)))
      offer(std::move(*walks));
  best.optimal = at_bound();
  if (!steps_count || options.exact_budget == 0 || !could_be_shorter())
    return best;
  Chainer::Exact exact = chainer.exact(total_steps(best.walks));
  best.optimal = exact.decided;
  if (exact.walks)
    best.walks = std::move(*exact.walks);
  return best;
}

}  // namespace tw
