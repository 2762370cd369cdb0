// What suites promise about time, tried out: margins by disturbing all delays at once, intervals by
// taking their ends. The second interpreter runs the tests; it knows nothing of how delays are
// chosen.

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

constexpr int kRandomRuns = 200;
// Random parts of a margin are multiples of this part of it: ends are met now and then.
constexpr int kParts = 24;

constexpr const char* kModels[] = {"light_switch/light_switch.xml",
                                   "train_gate_1994/train_gate_1994.xml",
                                   "train_gate_functions/train_gate_functions.xml",
                                   "fischer/fischer.xml",
                                   "csma_cd/csma_cd.xml",
                                   "fddi/fddi.xml",
                                   "bridge_crossing/bridge_crossing.xml",
                                   "gear_controller/gear_controller.xml",
                                   "bounded_retransmission/bounded_retransmission.xml",
                                   "philips_audio/philips_audio_collision.xml"};

class TimedModel {
 public:
  explicit TimedModel(const std::string& file)
      : model_(load_model(std::string(TW_SOURCE_DIR) + "/models/" + file)) {
    REQUIRE(model_.network.has_value());
    REQUIRE(model_.network->is_timed());
  }

  [[nodiscard]] const Network& network() const { return *model_.network; }

  [[nodiscard]] CoverageRules rules(const char* criterion) const {
    CoverageRules rules;
    Diagnostics diagnostics;
    make_criterion(criterion)->declare(network(), {}, rules, diagnostics);
    return rules;
  }

 private:
  LoadedModel model_;
};

// Steps after delays, without looking at coverage; empty, or why it does not run.
class Runner {
 public:
  explicit Runner(const Network& network) : interpreter_(network) {}

  [[nodiscard]] std::string why_not(const Test& test, const std::vector<Rational>& delays) const {
    replay::RunState state = interpreter_.initial();
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      replay::StepResult result = interpreter_.delay(state, delays[i]);
      if (result.possible)
        result = interpreter_.step(result.state, test.steps[i]);
      if (!result.possible)
        return "step " + std::to_string(i + 1) + ": " + result.why_not;
      state = std::move(result.state);
    }
    return {};
  }

  /// With each delay moved by a share, from -1 to 1, of its margin.
  [[nodiscard]] std::string why_not(const Test& test,
                                    const std::function<Rational(std::size_t)>& share) const {
    std::vector<Rational> delays;
    for (std::size_t i = 0; i < test.delays.size(); ++i)
      delays.push_back(test.delays[i].chosen + share(i) * test.delays[i].margin);
    return why_not(test, delays);
  }

 private:
  replay::Interpreter interpreter_;
};

void check_margins(const Network& network, const Test& test, std::mt19937_64& random) {
  const Runner runner(network);
  CHECK(runner.why_not(test, [](std::size_t) { return Rational(1); }).empty());
  CHECK(runner.why_not(test, [](std::size_t) { return Rational(-1); }).empty());
  CHECK(runner.why_not(test, [](std::size_t i) { return Rational(i % 2 == 0 ? 1 : -1); }).empty());
  CHECK(runner.why_not(test, [](std::size_t i) { return Rational(i % 2 == 0 ? -1 : 1); }).empty());
  std::uniform_int_distribution<long> part(-kParts, kParts);
  for (int run = 0; run < kRandomRuns; ++run)
    CHECK(
        runner.why_not(test, [&](std::size_t) { return fraction(part(random), kParts); }).empty());
}

// Each end of each interval, and a point just inside where the end itself is not allowed.
void check_intervals(const Network& network, const Test& test) {
  const Runner runner(network);
  std::vector<Rational> delays;
  for (const Delay& delay : test.delays)
    delays.push_back(delay.chosen);
  CHECK(runner.why_not(test, delays).empty());
  for (std::size_t i = 0; i < test.delays.size(); ++i) {
    const Delay& delay = test.delays[i];
    CHECK(delay.margin >= 0);
    CHECK(delay.min >= 0);
    CHECK((delay.min_strict ? delay.min < delay.chosen : delay.min <= delay.chosen));
    std::vector<Rational> tries = {
        delay.min_strict ? Rational(delay.min + (delay.chosen - delay.min) / 1000) : delay.min};
    if (delay.max) {
      CHECK((delay.max_strict ? delay.chosen < *delay.max : delay.chosen <= *delay.max));
      tries.push_back(delay.max_strict ? Rational(*delay.max - (*delay.max - delay.chosen) / 1000)
                                       : *delay.max);
    } else {
      tries.emplace_back(delay.chosen + 1'000'000);
    }
    for (const Rational& other : tries) {
      std::vector<Rational> moved = delays;
      moved[i] = other;
      INFO("step " << i + 1 << " after " << to_string(other));
      CHECK(runner.why_not(test, moved).empty());
    }
  }
}

// Outside its interval a delay does not do: the interval is not narrower than it must be.
void check_tight(const Network& network, const Test& test) {
  const Runner runner(network);
  std::vector<Rational> delays;
  for (const Delay& delay : test.delays)
    delays.push_back(delay.chosen);
  for (std::size_t i = 0; i < test.delays.size(); ++i) {
    const Delay& delay = test.delays[i];
    std::vector<Rational> tries;
    if (delay.max)
      tries.push_back(delay.max_strict ? *delay.max : Rational(*delay.max + fraction(1, 1000)));
    if (delay.min > 0 || delay.min_strict)
      tries.push_back(delay.min_strict ? delay.min : Rational(delay.min - fraction(1, 1000)));
    for (const Rational& other : tries) {
      if (other < 0)
        continue;
      std::vector<Rational> moved = delays;
      moved[i] = other;
      INFO("step " << i + 1 << " after " << to_string(other));
      CHECK_FALSE(runner.why_not(test, moved).empty());
    }
  }
}

TEST_CASE("time: delays may be off by their margins, all at once", "[suite][time]") {
  for (const char* file : kModels) {
    const TimedModel model(file);
    for (const char* criterion : {"edge", "location"}) {
      CoverageRules rules = model.rules(criterion);
      const Generated generated = generate(model.network(), rules, {.delays = Delays::kRobust});
      const std::uint64_t seed = 1;
      INFO(file << ", " << criterion << ", seed " << seed);
      std::mt19937_64 random(seed);
      CHECK(generated.internal_error.empty());
      REQUIRE_FALSE(generated.suite.tests.empty());
      for (const Test& test : generated.suite.tests) {
        REQUIRE(test.delays.size() == test.steps.size());
        check_margins(model.network(), test, random);
      }
    }
  }
}

TEST_CASE("time: every policy keeps what its margins and intervals promise", "[suite][time]") {
  for (const char* file : kModels) {
    const TimedModel model(file);
    for (const Delays policy : {Delays::kEarliest, Delays::kRobust, Delays::kLatest}) {
      CoverageRules rules = model.rules("edge");
      const Generated generated = generate(model.network(), rules, {.delays = policy});
      INFO(file << ", policy " << static_cast<int>(policy));
      CHECK(generated.internal_error.empty());
      const Runner runner(model.network());
      for (const Test& test : generated.suite.tests) {
        check_intervals(model.network(), test);
        check_tight(model.network(), test);
        for (const int sign : {1, -1})
          CHECK(runner.why_not(test, [sign](std::size_t) { return Rational(sign); }).empty());
      }
    }
  }
}

}  // namespace
}  // namespace tw
