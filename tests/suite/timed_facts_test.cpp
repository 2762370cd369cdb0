// Facts about two timed models, one test each. The train gate of 1994 is the one in the tables of
// Hessel and Pettersson (2007): lengths and numbers of tests are theirs where they can be
// reproduced. The numbers of the audio protocol, and all state counts, were found by programs that
// share no code with this one (models/*/README.md).

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/suite/generate.hpp"
#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using test::Declared;

constexpr const char* kTrainGate = "train_gate_1994/train_gate_1994.xml";
constexpr const char* kPhilips = "philips_audio/philips_audio_collision.xml";

Declared declare(const std::string& model,
                 std::string_view criterion,
                 const CriterionOptions& options = {},
                 ItemFilter only = {}) {
  LoadedModel loaded = load_model(std::string(TW_SOURCE_DIR) + "/models/" + model);
  REQUIRE(loaded.network);
  return {std::move(*loaded.network), criterion, options, std::move(only)};
}

Generated run(Declared& declared, const GenerateOptions& options = {}) {
  Generated found = generate(declared.network, declared.rules, options);
  CHECK(found.internal_error.empty());
  return found;
}

std::size_t count(const Generated& found, ItemStatus status) {
  return static_cast<std::size_t>(std::ranges::count(found.verdicts, status, &Verdict::status));
}

/// Steps to the item that is farthest away.
std::uint32_t longest(const Generated& found) {
  std::uint32_t out = 0;
  for (const Verdict& verdict : found.verdicts)
    if (verdict.status == ItemStatus::kCovered)
      out = std::max(out, verdict.depth);
  return out;
}

std::optional<std::uint32_t> depth_of(const Declared& declared,
                                      const Generated& found,
                                      std::string_view id) {
  const ItemId item = declared.rules.find_item(id);
  REQUIRE(item.valid());
  const Verdict& verdict = found.verdicts[item.index()];
  return verdict.status == ItemStatus::kCovered ? std::optional(verdict.depth) : std::nullopt;
}

using Counts = std::map<std::string, std::size_t>;

/// Covered def-use items by variable.
Counts by_variable(const Declared& declared, const Generated& found) {
  Counts out;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i) {
    const Item& item = declared.rules.items()[ItemId(i)];
    const CellId cell(item.arguments[0]);
    if (found.verdicts[i].status == ItemStatus::kCovered)
      ++out[declared.network.variables[declared.network.variable_at(cell)].name];
  }
  return out;
}

// --- Train gate

TEST_CASE("train gate: 1058 states, one zone each", "[search][timed]") {
  Declared declared = declare(kTrainGate, "edge");
  const Generated found = run(declared, {.search = {.full = true}});
  CHECK(found.search.states == 1'058);
  CHECK(found.search.expansions == 1'058);
  CHECK(found.search.transitions == 1'349);
  CHECK(count(found, ItemStatus::kCovered) == 24);
}

TEST_CASE("train gate: one test of 15 steps covers the six edges of a train", "[suite][timed]") {
  Declared declared = declare(kTrainGate, "edge", {}, ItemFilter({"edge:Train*"}));
  for (const Reduction reduction : {Reduction::kRedundant, Reduction::kChain}) {
    const Generated found = run(declared, {.reduce = reduction});
    CHECK(count(found, ItemStatus::kCovered) == 6);
    CHECK(found.suite.tests.size() == 1);
    CHECK(found.suite.steps() == 15);
    CHECK(depth_of(declared, found, "edge:Train.Start.Cross") == 15);
  }
}

const CriterionOptions kEl{.level = Level::kInstance, .variables = {"el"}};

TEST_CASE("train gate: 12 pairs of el, 4 tests, 1 test of 47 steps if chained", "[suite][timed]") {
  Declared declared = declare(kTrainGate, "def-use", kEl);
  const Generated raw = run(declared, {.reduce = Reduction::kNone});
  CHECK(count(raw, ItemStatus::kCovered) == 12);
  CHECK(raw.suite.tests.size() == 12);
  CHECK(raw.suite.steps() == 88);
  // Four states more than once: few tokens of el meet in a state.
  CHECK(raw.search.states == 1'058);
  CHECK(raw.search.expansions == 1'062);

  const Generated irredundant = run(declared, {.reduce = Reduction::kRedundant});
  CHECK(irredundant.suite.tests.size() == 4);
  CHECK(irredundant.suite.steps() == 56);

  const Generated chained = run(declared, {.reduce = Reduction::kChain});
  CHECK(chained.suite.tests.size() == 1);
  CHECK(chained.suite.steps() == 47);
}

TEST_CASE("train gate: no single run with the 12 pairs of el is shorter than 47 steps",
          "[search][timed]") {
  Declared declared = declare(kTrainGate, "def-use", kEl);
  const auto local = [&declared](Subsumption subsumption) {
    return run(declared, {.search = {.algorithm = Algorithm::kLocal, .subsumption = subsumption}});
  };
  const Generated equality = local(Subsumption::kEquality);
  CHECK(equality.search.exhaustive);
  CHECK(count(equality, ItemStatus::kCovered) == 12);
  CHECK(equality.suite.tests.size() == 1);
  CHECK(equality.suite.steps() == 47);
  CHECK(equality.search.expansions == 25'686);
  const Generated forward = local(Subsumption::kForward);
  CHECK(forward.suite.steps() == 47);
  CHECK(forward.search.expansions < equality.search.expansions);
}

TEST_CASE("train gate: one run for the six edges of a train takes 2450 extended states",
          "[search][timed]") {
  Declared declared = declare(kTrainGate, "edge", {}, ItemFilter({"edge:Train*"}));
  const Generated found = run(declared, {.search = {.algorithm = Algorithm::kLocal,
                                                    .subsumption = Subsumption::kEquality,
                                                    .full = true}});
  CHECK(found.suite.steps() == 15);
  CHECK(found.search.expansions == 2'450);
}

TEST_CASE("train gate: 28 pairs of all variables and clocks", "[criteria][timed]") {
  Declared declared = declare(kTrainGate, "def-use");
  const Generated found = run(declared, {.reduce = Reduction::kNone});
  CHECK(count(found, ItemStatus::kCovered) == 28);
  CHECK(count(found, ItemStatus::kUndecided) == 0);
  CHECK(longest(found) == 27);
  // Each cell of the list by itself: 1, 2, 2, 1 and 0 pairs.
  CHECK(by_variable(declared, found) ==
        Counts{{"x", 5}, {"el", 3}, {"i", 4}, {"len", 10}, {"list", 6}});
}

// --- Audio protocol

TEST_CASE("audio protocol: 50 of 52 locations", "[search][timed]") {
  Declared declared = declare(kPhilips, "location");
  const Generated found = run(declared, {.reduce = Reduction::kNone});
  CHECK(found.verdicts.size() == 52);
  CHECK(count(found, ItemStatus::kCovered) == 50);
  CHECK(depth_of(declared, found, "location:Check.error") == std::nullopt);
  CHECK(depth_of(declared, found, "location:Receiver.error") == std::nullopt);
  CHECK(count(found, ItemStatus::kInfeasible) == 2);
}

TEST_CASE("audio protocol: 97 of 115 edges, in 2716 expansions with removal", "[search][timed]") {
  Declared declared = declare(kPhilips, "edge");
  const Generated found =
      run(declared, {.search = {.subsumption = Subsumption::kBothWays, .keep_dead = true},
                     .reduce = Reduction::kNone});
  CHECK(found.verdicts.size() == 115);
  CHECK(count(found, ItemStatus::kCovered) == 97);
  CHECK(count(found, ItemStatus::kInfeasible) == 18);
  CHECK(found.search.expansions <= 2'716);
  CHECK(found.search.states == 2'707);
}

TEST_CASE("audio protocol: 246 pairs of definition and use", "[criteria][timed]") {
  Declared declared = declare(kPhilips, "def-use", {.level = Level::kInstance});
  const Generated found = run(declared, {.reduce = Reduction::kNone});
  CHECK(count(found, ItemStatus::kCovered) == 246);
  CHECK(count(found, ItemStatus::kUndecided) == 0);
  CHECK(by_variable(declared, found) == Counts{{"Volt", 24},
                                               {"Anext", 3},
                                               {"Bnext", 3},
                                               {"odd", 9},
                                               {"od", 33},
                                               {"Bod", 33},
                                               {"lb", 16},
                                               {"Blb", 16},
                                               {"ok", 6},
                                               {"as", 9},
                                               {"r", 9},
                                               {"l", 15},
                                               {"w", 12},
                                               {"Ax", 18},
                                               {"Bx", 18},
                                               {"Ad", 11},
                                               {"Bd", 11}});
}

TEST_CASE("audio protocol: invariants and the reading of a step add no pairs",
          "[criteria][timed]") {
  const auto covered = [](const CriterionOptions& options) {
    Declared declared = declare(kPhilips, "def-use", options);
    return count(run(declared, {.reduce = Reduction::kNone}), ItemStatus::kCovered);
  };
  CHECK(covered({.def_use = DefUseReading::kAtomic}) == 246);
  CHECK(covered({.invariants = InvariantUses::kLeave}) == 246);
}

TEST_CASE("audio protocol: with one template for both senders 203 pairs, and 32 twice",
          "[criteria][timed]") {
  Declared declared = declare("philips_audio/philips_shared_sender.xml", "def-use");
  const Generated found = run(declared, {.reduce = Reduction::kNone});
  // What each sender has for itself is handed over by reference and stays two variables.
  CHECK(count(found, ItemStatus::kCovered) == 203 + 18 + 11 + 3);
  const Counts counts = by_variable(declared, found);
  for (const char* sender : {"A", "B"}) {
    CHECK(counts.at(std::string(sender) + "x") == 18);
    CHECK(counts.at(std::string(sender) + "d") == 11);
    CHECK(counts.at(std::string(sender) + "next") == 3);
  }
}

TEST_CASE("audio protocol: a wrong bit after 17 steps at 6 %, after 37 with faulty senders",
          "[search][timed]") {
  const std::string model =
      GENERATE("philips_audio/philips_t6.xml", "philips_audio/philips_faulty.xml");
  Declared declared = declare(model, "location");
  const Generated found = run(declared, {.reduce = Reduction::kNone});
  CHECK(depth_of(declared, found, "location:Check.error") ==
        (model.find("t6") != std::string::npos ? 17 : 37));
}

// --- What counts as a use

/// Every variable and clock that some edge uses, in the eyes of the search; replay must agree.
test::Words used_cells(const std::string& model) {
  const Network network = test::network_of(model);
  CoverageRules rules;
  rules.begin_criterion({.name = "used"});
  rules.set_invariant_uses(InvariantUses::kLeave);
  const ItemFamilyId used = rules.add_item_family("used", [&network](const Arguments& arguments) {
    return Item{.id = network.cell_name(CellId(arguments[0]))};
  });
  rules.add_rule({.on = EventKind::kUse,
                  .action = Rule::Action::kCover,
                  .item = used,
                  .arguments = {Term::cell()}});
  for (std::size_t i = 0; i < network.memory.state; ++i)
    rules.watch(CellId(i));
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    rules.watch(network.cell_of(ClockId(i)));
  CHECK(generate(network, rules, {.search = {.full = true}}).internal_error.empty());
  test::Words out;
  for (const Item& item : rules.items())
    out.push_back(item.id);
  return test::sorted(out);
}

TEST_CASE("a rate is no use of its clock, for search and replay alike", "[suite][timed]") {
  // `on` decides, so what stands behind it is not evaluated, but counts all the same.
  CHECK(used_cells(R"(
    clock x, y; int[0,1] on = 1;
    process P() { state A { (on == 1 || x' == 0) && y <= 5 }, B; init A; trans A -> B { }; }
    system P;)") == test::Words{"on", "y"});
}

TEST_CASE("a clock beside a condition that holds is used, on whichever side it stands",
          "[suite][timed]") {
  for (const char* guard : {"x <= 3 || on == 1", "on == 1 || x <= 3"})
    CHECK(used_cells("clock x; int[0,1] on = 1; process P() { state A, B; init A; trans A -> B { "
                     "guard " +
                     std::string(guard) + "; }; } system P;") == test::Words{"on", "x"});
}

TEST_CASE("what stands beside a clock is evaluated, whatever the clock says", "[suite][timed]") {
  // The body of a function is used only if it is executed; the search cannot ask the clock first.
  CHECK(used_cells(R"(
    clock x; int[0,1] n; bool f() { return n == 1; }
    process P() { state A, B; init A; trans A -> B { guard x <= 3 || f(); }; }
    system P;)") == test::Words{"n", "x"});
}

// The least numbers were found by hand or by exhaustive search: chaining gets there although a
// guard about clocks is looked at between the steps.
TEST_CASE("tests of timed models go on where clocks are looked at", "[suite][timed][chain]") {
  const auto steps_of = [](const char* model, const char* criterion) {
    Declared declared = declare(model, criterion);
    const Generated found = run(declared);
    CHECK(found.suite.lower_bound <= found.suite.steps());
    return found.suite.steps();
  };
  CHECK(steps_of("bridge_crossing/bridge_crossing.xml", "pc") == 18);
  CHECK(steps_of("gear_controller/gear_controller.xml", "pc") <= 40);
  CHECK(steps_of("bounded_retransmission/bounded_retransmission.xml", "pc") <= 57);
}

// A goal is served best by the suite that was made for it.
TEST_CASE("no suite is better by the goal of another one", "[suite][timed][chain]") {
  const auto [model, criterion] = GENERATE(
      table<const char*, const char*>({{"gear_controller/gear_controller.xml", "pc"},
                                       {"gear_controller/gear_controller.xml", "edge"},
                                       {"csma_cd/csma_cd.xml", "pc"},
                                       {"csma_cd/csma_cd.xml", "edge"},
                                       {"bridge_crossing/bridge_crossing.xml", "racc"},
                                       {"vending_machine/vending_machine.xml", "edge-pair"},
                                       {"safety_injection/safety_injection.xml", "edge"}}));
  CAPTURE(model, criterion);
  const auto suite_for = [&](Optimise goal) {
    Declared declared = declare(model, criterion);
    GenerateOptions options;
    options.optimise = goal;
    return run(declared, options).suite;
  };
  const Suite steps = suite_for(Optimise::kSteps);
  const Suite tests = suite_for(Optimise::kTests);
  const Suite time = suite_for(Optimise::kTime);
  for (const Suite* other : {&steps, &tests, &time}) {
    CHECK(steps.steps() <= other->steps());
    CHECK(tests.tests.size() <= other->tests.size());
    CHECK(time.duration() <= other->duration());
  }
}

}  // namespace
}  // namespace tw
