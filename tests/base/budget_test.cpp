#include "engine/base/budget.hpp"

#include <thread>

#include <catch2/catch.hpp>

namespace tw {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

// A system that tests set by hand.
struct Fake {
  Budget::Time now;
  std::uint64_t resident = 0;
  bool interrupted = false;

  Budget::Limits limits(milliseconds time, std::uint64_t bytes) {
    return {.most = {.time = time, .bytes = bytes},
            .interrupted = [this](std::string_view) { return interrupted; },
            .started = now,
            .now = [this] { return now; },
            .resident = [this] { return resident; }};
  }
};

TEST_CASE("budget: without limits it is never spent", "[base][budget]") {
  Budget budget;
  CHECK_FALSE(budget.is_spent());
  CHECK_NOTHROW(budget.check());
  CHECK_NOTHROW(budget.foresee(std::uint64_t{1} << 50));
  CHECK(budget.limit() == Limit::kNone);
}

TEST_CASE("budget: time is up after the limit, later phases have a share of the grace",
          "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(seconds(10), 0));
  {
    const Budget::Phase phase(budget, "search");
    CHECK_FALSE(budget.is_spent());
    fake.now += milliseconds(10'001);
    CHECK(budget.is_spent());
    CHECK_THROWS_AS(budget.check(), BudgetSpent);
    CHECK(budget.phase_limit() == Limit::kTime);
  }
  CHECK(budget.is_hurried());
  {
    const Budget::Phase phase(budget, "traces", 0.5);
    CHECK_FALSE(budget.is_spent());
    fake.now += milliseconds(1'000);
    CHECK_FALSE(budget.is_spent());
    fake.now += milliseconds(1'000);
    CHECK(budget.is_spent());
  }
  {
    // A tenth and two seconds are what is promised.
    const Budget::Phase phase(budget, "writing", 1);
    CHECK_FALSE(budget.is_spent());
    fake.now += milliseconds(1'000);
    CHECK(budget.is_spent());
  }
  const std::vector<PhaseSummary> phases = budget.phases();
  REQUIRE(phases.size() == 3);
  CHECK(phases[0].name == "search");
  CHECK(phases[0].limit == "time");
  CHECK(phases[0].seconds == Approx(10.001));
  CHECK(phases[1].seconds == Approx(2));
  CHECK(phases[2].limit == "time");
}

TEST_CASE("budget: an interrupt leaves less than two seconds for all that is left",
          "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(milliseconds(0), 0));
  {
    const Budget::Phase phase(budget, "search");
    fake.now += seconds(1'000);
    CHECK_FALSE(budget.is_spent());
    fake.interrupted = true;
    CHECK(budget.is_spent());
    CHECK(budget.phase_limit() == Limit::kInterrupt);
  }
  const Budget::Phase phase(budget, "writing", 1);
  CHECK_FALSE(budget.is_spent());
  fake.now += milliseconds(1'900);
  CHECK(budget.is_spent());
  CHECK(budget.limit() == Limit::kInterrupt);
}

TEST_CASE("budget: memory is that of the process, what is to come counts before it is taken",
          "[base][budget]") {
  Fake fake;
  fake.resident = 60 * kMegabyte;
  Budget budget(fake.limits(milliseconds(0), 100 * kMegabyte));
  {
    const Budget::Phase phase(budget, "search");
    CHECK_FALSE(budget.is_spent());
    CHECK_NOTHROW(budget.foresee(40 * kMegabyte));
    CHECK(budget.limit() == Limit::kNone);
    CHECK_THROWS_AS(budget.foresee(100 * kMegabyte), BudgetSpent);
    CHECK(budget.is_spent());
  }
  {
    const Budget::Phase phase(budget, "traces", 0.5);
    CHECK_FALSE(budget.is_spent());
    fake.resident = 110 * kMegabyte;
    CHECK_FALSE(budget.is_spent());
    fake.resident = 159 * kMegabyte;
    CHECK(budget.is_spent());
  }
  CHECK(budget.phases()[1].peak_memory_bytes >= 159 * kMegabyte);
}

TEST_CASE("budget: phases of one name are one, in order of their first beginning",
          "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(seconds(100), 0));
  for (int i = 0; i < 3; ++i) {
    {
      const Budget::Phase phase(budget, "delays");
      fake.now += seconds(1);
    }
    const Budget::Phase phase(budget, "replay");
    fake.now += seconds(2);
  }
  const std::vector<PhaseSummary> phases = budget.phases();
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].seconds == Approx(3));
  CHECK(phases[1].seconds == Approx(6));
  CHECK(phases[0].limit.empty());
}

TEST_CASE("budget: a search that finds much ends earlier, to leave time for what follows",
          "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(seconds(10), 0));
  const Budget::Phase phase(budget, "search");
  budget.hold_back(seconds(2));
  fake.now += milliseconds(8'600);
  CHECK_FALSE(budget.is_spent());
  budget.hold_back(seconds(1'000));  // never more than a part of the limit
  budget.hold_back(seconds(2));
  fake.now += milliseconds(200);
  CHECK(budget.is_spent());
}

TEST_CASE("budget: what the last phase needs is left to it", "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(seconds(10), 0));
  budget.reserve(seconds(2));
  const auto leave = [&] {
    const Budget::Phase search(budget, "search");
    fake.now += milliseconds(10'001);
    CHECK(budget.is_spent());
  };
  leave();
  {
    // 2.4 seconds are left, of which all but the last phase have 0.4 together.
    const Budget::Phase replay(budget, "replay", 0.9);
    fake.now += milliseconds(300);
    CHECK_FALSE(budget.is_spent());
    fake.now += milliseconds(100);
    CHECK(budget.is_spent());
  }
  const Budget::Phase writing(budget, "writing", 1);
  fake.now += milliseconds(1'900);
  CHECK_FALSE(budget.is_spent());
  fake.now += milliseconds(200);
  CHECK(budget.is_spent());
}

TEST_CASE("budget: a thread asks the budget of its scope", "[base][budget]") {
  Fake fake;
  Budget budget(fake.limits(seconds(1), 0));
  CHECK_NOTHROW(check_budget());
  fake.now += seconds(5);
  {
    const BudgetScope scope(&budget);
    CHECK_THROWS_AS(check_budget(), BudgetSpent);
    std::thread([] { CHECK_NOTHROW(check_budget()); }).join();
  }
  CHECK_NOTHROW(check_budget());
}

}  // namespace
}  // namespace tw
