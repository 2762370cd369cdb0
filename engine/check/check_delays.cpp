#include "engine/check/check_delays.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <random>
#include <utility>

#include "engine/coverage/names.hpp"
#include "engine/model/rates.hpp"

namespace tw {
namespace {

// Clocks are compared with numbers of 32 bits; sums of delays come on top.
const Rational kBeyondAllConstants = Rational(mpz_class(1) << 34);

// With stopwatches a mixture of longer and shorter delays can be worse than all of one kind.
constexpr int kMixtures = 16;

TestProblem problem(std::size_t i, std::string text) {
  return {.status = CheckStatus::kDiffers, .step = i + 1, .text = std::move(text)};
}

// Half of the fraction that all delays are multiples of.
Rational half_fraction(std::span<const Rational> delays) {
  mpz_class common = 1;
  for (const Rational& delay : delays)
    common = lcm(common, delay.get_den());
  return Rational(1, 2 * common);
}

}  // namespace

DelayCheck::DelayCheck(const Network& network,
                       CoverageRules& rules,
                       const replay::Interpreter& interpreter)
    : network_(network),
      interpreter_(interpreter),
      monitor_(network, rules),
      looks_at_clocks_(rules.has_timed_observations()),
      has_rates_(has_rates(network)) {}

std::optional<TestProblem> DelayCheck::find(const TimedTest& test,
                                            const std::function<bool()>& is_spent,
                                            bool& is_whole) {
  if (std::optional<TestProblem> found = find_order(test))
    return found;
  Moment now{.state = interpreter_.initial(), .monitor = monitor_};
  now.monitor.start(now.state, interpreter_.initial_events());
  for (std::size_t i = 0; i < test.steps.size(); ++i) {
    if (is_spent()) {
      is_whole = false;
      return std::nullopt;
    }
    if (std::optional<TestProblem> found = find_interval(test, i, now))
      return found;
    (void)take(now, test.steps[i], test.delays[i]);
  }
  return find_margin(test);
}

// What can be seen without running anything.
std::optional<TestProblem> DelayCheck::find_order(const TimedTest& test) const {
  for (std::size_t i = 0; i < test.written.size(); ++i) {
    const SuiteFile::Delay& d = test.written[i];
    const bool too_short = d.min && (d.min_strict ? d.chosen <= *d.min : d.chosen < *d.min);
    const bool too_long = d.max && (d.max_strict ? d.chosen >= *d.max : d.chosen > *d.max);
    if (too_short || too_long)
      return problem(
          i, fmt::format("the delay of {} lies outside its own interval", to_string(d.chosen)));
    if (!d.max && d.says_max && d.max_strict)
      return problem(i, "where there is no longest delay, none can be excluded");
    if (!d.margin)
      continue;
    if (*d.margin > d.chosen)
      return problem(i, fmt::format("a delay of {} cannot be shorter by its margin of {}",
                                    to_string(d.chosen), to_string(*d.margin)));
  }
  return std::nullopt;
}

// With all other delays as chosen one at an end of its interval, or near the end if that is
// excluded, must do as well, and one beyond must not.
std::optional<TestProblem> DelayCheck::find_interval(const TimedTest& test,
                                                     std::size_t i,
                                                     const Moment& before) const {
  const SuiteFile::Delay& written = test.written[i];
  const Rational little = half_fraction(test.delays);
  // Where clocks are looked at, what is covered may be shown in several ways: the interval is that
  // of one of them.
  const auto check = [&](const Rational& delay, bool is_inside) -> std::optional<TestProblem> {
    if (delay < 0 || (looks_at_clocks_ && !is_inside))
      return std::nullopt;
    const std::string why = why_not(test, i, delay, before);
    if (why.empty() == is_inside)
      return std::nullopt;
    if (is_inside)
      return problem(i, fmt::format("a delay of {} is not possible, the suite says it is: {}",
                                    to_string(delay), why));
    return problem(
        i, fmt::format("a delay of {} is possible, the suite says it is not", to_string(delay)));
  };
  if (written.min) {
    const Rational& min = *written.min;
    // An interval may be smaller than any fraction, down to the chosen delay alone.
    const Rational near = std::min(Rational(min + little), written.chosen);
    if (auto found = check(written.min_strict ? near : min, true))
      return found;
    if (auto found = check(written.min_strict ? min : Rational(min - little), false))
      return found;
  }
  if (written.max) {
    const Rational& max = *written.max;
    const Rational near = std::max(Rational(max - little), written.chosen);
    if (auto found = check(written.max_strict ? near : max, true))
      return found;
    return check(written.max_strict ? max : Rational(max + little), false);
  }
  if (!written.says_max)
    return std::nullopt;
  Rational beyond = kBeyondAllConstants;
  for (const Rational& delay : test.delays)
    beyond += delay;
  return check(beyond, true);
}

// All delays may be off by their margins, each on its own. Without stopwatches bounds are on the
// time that passes between two moments: what holds when all delays are longest, and when all are
// shortest, holds whatever they are between.
std::optional<TestProblem> DelayCheck::find_margin(const TimedTest& test) {
  if (std::ranges::none_of(test.written,
                           [](const SuiteFile::Delay& d) { return d.margin && *d.margin != 0; }))
    return std::nullopt;
  const auto run = [&](auto sign) -> std::optional<TestProblem> {
    Moment now{.state = interpreter_.initial(), .monitor = monitor_};
    now.monitor.start(now.state, interpreter_.initial_events());
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      const Rational margin = test.written[i].margin.value_or(Rational(0));
      const std::string why = take(now, test.steps[i], Rational(test.delays[i] + sign(i) * margin));
      if (!why.empty())
        return problem(i, why);
    }
    return std::nullopt;
  };
  for (const int sign : {1, -1})
    if (auto found = run([sign](std::size_t /*i*/) { return sign; }))
      return problem(*found->step - 1,
                     fmt::format("not possible when all delays are {} by their margins: {}",
                                 sign > 0 ? "longer" : "shorter", found->text));
  std::minstd_rand random(1);
  for (int i = 0; i < kMixtures && has_rates_; ++i)
    if (auto found = run([&](std::size_t /*i*/) { return random() % 2 == 0 ? 1 : -1; }))
      return problem(*found->step - 1,
                     fmt::format("not possible when some delays are longer by their margins and "
                                 "others shorter: {}",
                                 found->text));
  return std::nullopt;
}

// Empty: the test still runs if delay number i is another one, and covers what it should.
std::string DelayCheck::why_not(const TimedTest& test,
                                std::size_t i,
                                const Rational& delay,
                                Moment now) const {
  Moment chosen = now;
  const auto misses = [&] {
    const std::vector<ItemId> covered = now.monitor.covered();
    const std::vector<ItemId> before = chosen.monitor.covered();
    return std::ranges::any_of(test.promised, [&](ItemId item) {
      return std::ranges::binary_search(before, item) && !std::ranges::binary_search(covered, item);
    });
  };
  for (std::size_t k = i; k < test.steps.size(); ++k) {
    if (std::string why = take(now, test.steps[k], k == i ? delay : test.delays[k]); !why.empty())
      return why;
    (void)take(chosen, test.steps[k], test.delays[k]);
    // From here on it is the same run.
    if (now.state == chosen.state &&
        (!looks_at_clocks_ || (now.monitor.tokens() == chosen.monitor.tokens() && !misses())))
      return {};
  }
  return looks_at_clocks_ && misses() ? "the test covers less then" : "";
}

std::string DelayCheck::take(Moment& now, const Step& step, const Rational& delay) const {
  replay::StepResult result = interpreter_.delay(now.state, delay);
  if (result.possible) {
    if (looks_at_clocks_)
      now.monitor.look(now.state, result.state);
    if (!step.is_wait())
      result = interpreter_.step(result.state, step);
  }
  if (!result.possible)
    return result.why_not;
  if (!step.is_wait() && looks_at_clocks_)
    now.monitor.advance(result.state, result.events);
  now.state = std::move(result.state);
  return {};
}

}  // namespace tw
