// The algorithms against each other and against brute force, on random small networks. A failure
// prints the seed and, made as small as it gets, the network.

#include "tests/suite/oracle.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

#include <catch2/catch.hpp>

#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"
#include "tests/support/brute_force.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostNodes = 1'000;

// Every run up to a length, nothing pruned at all: the shortest lengths that are at most that.
void enumerate(const replay::Interpreter& interpreter,
               const replay::RunState& state,
               const replay::Monitor& monitor,
               std::size_t depth,
               std::size_t most,
               std::size_t& runs,
               Lengths& out) {
  for (const ItemId item : monitor.covered()) {
    if (out.size() <= item.index())
      out.resize(item.index() + 1);
    if (!out[item.index()] || *out[item.index()] > depth)
      out[item.index()] = depth;
  }
  if (depth == most || runs == 0)
    return;
  for (const Step& step : interpreter.steps(state).steps) {
    if (runs == 0)
      return;
    --runs;
    const replay::StepResult result = interpreter.step(state, step);
    replay::Monitor next = monitor;
    next.advance(result.state, result.events);
    enumerate(interpreter, result.state, next, depth + 1, most, runs, out);
  }
}

// What is wrong; empty if all agree.
std::string compare_algorithms(const Network& network, const Setup& setup) {
  CoverageRules rules = declare(network, setup);
  const test::BruteForce oracle = test::brute_force(network, rules, kMostNodes);
  if (!oracle.complete)
    return "";
  Lengths expected = oracle.shortest;
  expected.resize(rules.items().size());

  for (const Algorithm algorithm : {Algorithm::kGlobal, Algorithm::kFig3}) {
    for (const bool full : {false, true}) {
      const Generated found =
          run(network, setup,
              {.search = {.algorithm = algorithm, .full = full}, .reduce = Reduction::kNone});
      if (!found.internal_error.empty())
        return "replay: " + found.internal_error;
      if (found.has_initial_state && lengths_of(found) != expected)
        return fmt::format("algorithm {} finds other items or lengths",
                           algorithm == Algorithm::kGlobal ? "global" : "fig3");
    }
  }
  std::set<std::size_t> feasible;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (expected[i])
      feasible.insert(i);
  for (const Order order : {Order::kDfs, Order::kRandom}) {
    const Generated found =
        run(network, setup, {.search = {.order = order}, .reduce = Reduction::kRedundant});
    if (!found.internal_error.empty() || covered_by_suite(found) != feasible)
      return "another order covers other items: " + found.internal_error;
  }
  std::uint64_t redundant = 0;
  for (const Reduction reduction :
       {Reduction::kNone, Reduction::kRedundant, Reduction::kCover, Reduction::kChain}) {
    const Generated found =
        run(network, setup, {.reduce = reduction, .chain_budget = 2'000, .exact_budget = 300});
    if (!found.internal_error.empty())
      return "replay: " + found.internal_error;
    if (covered_by_suite(found) != feasible)
      return "a reduction loses items";
    if (reduction == Reduction::kRedundant)
      redundant = found.suite.steps();
    if (reduction == Reduction::kChain && found.suite.steps() > redundant)
      return "chain is longer than redundant";
    if (found.suite.lower_bound > found.suite.steps())
      return "a suite is shorter than the lower bound";
  }
  const Generated local =
      run(network, setup,
          {.search = {.algorithm = Algorithm::kLocal, .reset = true, .max_states = 5'000}});
  if (!local.internal_error.empty())
    return "replay of local: " + local.internal_error;
  if (local.search.limit.empty() && covered_by_suite(local) != feasible)
    return "local with resets covers other items";
  return "";
}

TEST_CASE("global, fig3, local and brute force agree on random networks", "[suite][oracle]") {
  constexpr std::uint32_t kNetworks = 5'000;
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
    const std::string problem = shrink(
        seed, {.priorities = seed % 3 == 0, .branchpoints = seed % 4 == 0, .locals = seed % 2 == 0},
        [&](const Network& network) { return compare_algorithms(network, setup_of(seed)); });
    INFO(problem);
    REQUIRE(problem.empty());
  }
}

TEST_CASE("so they do on criteria of guards, pairs, values and uses", "[suite][oracle]") {
  constexpr std::array kCriteria = {"pc",
                                    "coc",
                                    "gacc",
                                    "cacc",
                                    "racc",
                                    "gicc",
                                    "ricc",
                                    "mcdc-masking",
                                    "mutation",
                                    "edge-pair",
                                    "edge-pair-global",
                                    "sync-pair",
                                    "pwc",
                                    "p-use",
                                    "c-use",
                                    "all-defs"};
  for (std::uint32_t seed = 30'001; seed <= 31'000; ++seed) {
    Setup setup{.criterion = kCriteria[seed % kCriteria.size()]};
    setup.options.level = seed / kCriteria.size() % 2 == 0 ? Level::kTemplate : Level::kInstance;
    setup.options.observe = seed / kCriteria.size() % 3 == 0;
    const std::string problem =
        shrink(seed, {.branchpoints = seed % 5 == 0, .locals = seed % 2 == 0},
               [&](const Network& network) { return compare_algorithms(network, setup); });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
}

// Rules that the built-in criteria do not have: tokens that live for one step or one move, and
// observations that tokens of all lifetimes meet.
CoverageRules pair_rules(const Network& network) {
  CoverageRules rules;
  rules.begin_criterion({.name = "pairs"});
  const auto edges = static_cast<std::uint32_t>(network.edges.size());
  const auto declare_pairs = [&](const char* name, TokenFamily family, bool by_process) {
    const ItemFamilyId pairs = rules.add_item_family(name);
    family.name = name;
    const TokenFamilyId last = rules.add_token_family(family);
    for (std::uint32_t a = 0; a < edges; ++a) {
      std::vector<ItemId> leads_to;
      for (std::uint32_t b = 0; b < edges; ++b) {
        const std::string id = fmt::format("{}:{}:{}", name, a, b);
        leads_to.push_back(rules.add_item(pairs, {a, b}, {.id = id, .label = id}));
      }
      const auto process =
          static_cast<std::uint32_t>(network.edges[EdgeId(std::size_t{a})].process.index());
      rules.add_token(last, by_process ? Arguments{process, a} : Arguments{a}, leads_to);
    }
    const std::vector<Term> own =
        by_process ? std::vector{Term::process(), Term::any()} : std::vector{Term::any()};
    const std::uint32_t at = by_process ? 1 : 0;
    rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{.family = last, .arguments = own},
                    .action = Rule::Action::kCover,
                    .item = pairs,
                    .arguments = {Term::token(at), Term::edge()}});
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = last,
                    .arguments = by_process ? std::vector{Term::process(), Term::edge()}
                                            : std::vector{Term::edge()}});
  };
  declare_pairs("adjacent", {.lifetime = Lifetime::kNextStep}, false);
  declare_pairs("own", {.lifetime = Lifetime::kNextMove}, true);

  // Edges after which x is 1, in the same step and in the next one: tokens of one step, and what
  // passes from the events of a step to the state it leads to. One atom may be undefined.
  const VariableId x = network.cells[CellId(0)].variable;
  ExpressionPool& pool = rules.pool();
  const TypeId type = network.variables[x].type;
  const TypeId whole = network.types.int_type();
  const auto number = [&](std::uint32_t value) {
    return pool.add({.kind = ExprKind::kConstant, .type = whole, .payload = value});
  };
  const auto equal = [&](ExprId left, ExprId right) {
    const ExprId sides[] = {left, right};
    return pool.add({.kind = ExprKind::kEqual, .type = network.types.bool_type()}, sides);
  };
  const ExprId value = pool.add({.kind = ExprKind::kVariable,
                                 .type = type,
                                 .payload = static_cast<std::uint32_t>(x.index())});
  const ExprId quotient[] = {number(2), value};
  const ObservationId at = rules.add_observation(
      {.locations = {network.processes[ProcessId(0)].initial},
       .atoms = {
           {.expression = equal(value, number(1))},
           {.expression =
                equal(pool.add({.kind = ExprKind::kDivide, .type = whole}, quotient), number(2))},
           {.location = network.processes[ProcessId(network.processes.size() - 1)].initial}}});
  const FormulaId formulas[] = {
      rules.atom(0), rules.negate(rules.atom(1)),
      rules.differ(rules.either(rules.atom(0), rules.atom(1)), rules.atom(2))};
  for (const Lifetime lifetime : {Lifetime::kThisStep, Lifetime::kNextStep}) {
    const TokenFamilyId fired = rules.add_token_family({.name = "f", .lifetime = lifetime});
    const ItemFamilyId family = rules.add_item_family("where");
    for (std::uint32_t e = 0; e < edges; ++e) {
      std::vector<ItemId> items;
      for (std::uint32_t f = 0; f < std::size(formulas); ++f) {
        const std::string id = fmt::format("where:{}:{}:{}", static_cast<int>(lifetime), f, e);
        items.push_back(rules.add_item(family, {e, f}, {.id = id, .label = id}));
        rules.lead_to(at, items.back());
      }
      rules.add_token(fired, {e}, items);
    }
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = fired,
                    .arguments = {Term::edge()}});
    for (std::uint32_t f = 0; f < std::size(formulas); ++f)
      rules.add_rule({.on = EventKind::kState,
                      .at = at,
                      .when = formulas[f],
                      .needs = TokenPattern{.family = fired, .arguments = {Term::any()}},
                      .action = Rule::Action::kCover,
                      .item = family,
                      .arguments = {Term::token(0), Term::constant(f)}});
  }

  // A token that the state itself moves: how often in a row, up to three, was the process there?
  const TokenFamilyId stay =
      rules.add_token_family({.name = "stay", .lifetime = Lifetime::kNextStep});
  const ItemFamilyId stayed = rules.add_item_family("stayed");
  std::vector<ItemId> rest;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::string id = fmt::format("stayed:{}", i);
    rest.push_back(rules.add_item(stayed, {i}, {.id = id, .label = id}));
    rules.lead_to(at, rest.back());
  }
  for (std::uint32_t i = 0; i < 3; ++i)
    rules.add_token(stay, {i}, rest);
  for (const Rule::Action action : {Rule::Action::kCover, Rule::Action::kArm}) {
    rules.add_rule({.on = EventKind::kState,
                    .at = at,
                    .action = action,
                    .item = stayed,
                    .token = stay,
                    .arguments = {Term::constant(0)}});
    rules.add_rule({.on = EventKind::kState,
                    .at = at,
                    .needs = TokenPattern{.family = stay, .arguments = {Term::any()}},
                    .action = action,
                    .item = stayed,
                    .token = stay,
                    .arguments = {Term::token(0, rules.add_map({1, 2, Term::kNothing}))}});
  }
  return rules;
}

TEST_CASE("both readings of rules agree on lifetimes and observations", "[suite][oracle]") {
  std::size_t compared = 0;
  for (std::uint32_t seed = 20'001; seed <= 20'600; ++seed) {
    const std::string problem = shrink(
        seed, {.branchpoints = seed % 3 == 0, .locals = seed % 2 == 0},
        [&](const Network& network) -> std::string {
          CoverageRules rules = pair_rules(network);
          const test::BruteForce oracle = test::brute_force(network, rules, kMostNodes);
          if (!oracle.complete)
            return "";
          ++compared;
          CoverageRules again = pair_rules(network);
          const Generated found = generate_twice(network, again, {.reduce = Reduction::kNone});
          if (!found.internal_error.empty())
            return "replay: " + found.internal_error;
          return !found.has_initial_state || lengths_of(found) == oracle.shortest
                     ? ""
                     : "other items or lengths";
        });
    INFO(problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared > 300);
}

TEST_CASE("suites of models that make run-time errors replay", "[suite][oracle]") {
  for (std::uint32_t seed = 1; seed <= 2'500; ++seed)
    for (const OnError on_error : {OnError::kStop, OnError::kSkip}) {
      const std::string problem =
          shrink(seed, {.may_fail = true, .priorities = seed % 2 == 0, .locals = seed % 3 == 0},
                 [&](const Network& network) {
                   return run(network, {.criterion = seed % 5 == 0 ? "def-use" : "edge"},
                              {.search = {.on_error = on_error, .max_states = 2'000},
                               .chain_budget = 2'000,
                               .exact_budget = 300})
                       .internal_error;
                 });
      INFO(problem);
      REQUIRE(problem.empty());
    }
}

// Whether some step makes an error, where those that do are left out.
std::optional<bool> makes_errors(const Network& network) {
  const replay::Interpreter interpreter(network, InvariantUses::kNone, OnError::kSkip);
  std::set<replay::RunState> seen = {interpreter.initial()};
  std::vector<replay::RunState> waiting(seen.begin(), seen.end());
  while (!waiting.empty()) {
    if (seen.size() > kMostNodes)
      return std::nullopt;
    const replay::RunState state = std::move(waiting.back());
    waiting.pop_back();
    const replay::StepList list = interpreter.steps(state);
    if (list.error != RunStatus::kOk)
      return true;
    for (const Step& step : list.steps)
      if (replay::RunState next = interpreter.step(state, step).state; seen.insert(next).second)
        waiting.push_back(std::move(next));
  }
  return false;
}

TEST_CASE("where steps with errors are left out, what is infeasible has no other run",
          "[suite][oracle]") {
  std::size_t with_errors = 0;
  std::size_t infeasible = 0;
  for (std::uint32_t seed = 40'001; seed <= 43'000; ++seed) {
    const std::string problem =
        shrink(seed,
               {.may_fail = true,
                .priorities = seed % 2 == 0,
                .branchpoints = seed % 4 == 1,
                .locals = seed % 3 == 0},
               [&](const Network& network) -> std::string {
                 const Setup setup = setup_of(seed);
                 CoverageRules rules = declare(network, setup);
                 const test::BruteForce oracle =
                     test::brute_force(network, rules, kMostNodes, OnError::kSkip);
                 if (!oracle.complete)
                   return "";
                 for (const Algorithm algorithm : {Algorithm::kGlobal, Algorithm::kFig3}) {
                   const Generated found = run(network, setup,
                                               {.search = {.algorithm = algorithm,
                                                           .full = seed % 2 == 0,
                                                           .on_error = OnError::kSkip},
                                                .reduce = Reduction::kNone});
                   if (!found.internal_error.empty())
                     return "replay: " + found.internal_error;
                   if (!found.has_initial_state || found.error)
                     return "";
                   if (lengths_of(found) != oracle.shortest)
                     return "other items or lengths";
                   const bool is_whole = found.reason == StopReason::kExhausted;
                   if (is_whole && makes_errors(network).value_or(!found.search.errors.empty()) ==
                                       found.search.errors.empty())
                     return "errors were overlooked, or are none";
                   with_errors += found.search.errors.empty() ? 0U : 1U;
                   infeasible += static_cast<std::size_t>(std::ranges::count(
                       found.verdicts, ItemStatus::kInfeasible, &Verdict::status));
                 }
                 return "";
               });
    INFO(problem);
    REQUIRE(problem.empty());
  }
  CHECK(with_errors > 200);
  CHECK(infeasible > 1'000);
}

TEST_CASE("no run up to a length covers more, or sooner", "[suite][oracle]") {
  for (std::uint32_t seed = 10'001; seed <= 10'500; ++seed) {
    const std::string problem =
        shrink(seed, {.locals = true}, [&](const Network& network) -> std::string {
          const Setup setup = setup_of(seed);
          CoverageRules rules = declare(network, setup);
          const replay::Interpreter interpreter = replay::interpreter_for(network, rules);
          if (interpreter.initial_problem())
            return "";
          replay::Monitor monitor(network, rules);
          monitor.start(interpreter.initial(), interpreter.initial_events());
          Lengths shortest(rules.items().size());
          std::size_t runs = 20'000;
          constexpr std::size_t kMost = 5;
          enumerate(interpreter, interpreter.initial(), monitor, 0, kMost, runs, shortest);
          const Lengths found = lengths_of(
              run(network, setup, {.search = {.max_states = 20'000}, .reduce = Reduction::kNone}));
          for (std::size_t i = 0; i < shortest.size(); ++i) {
            if (shortest[i] && (!found[i] || *found[i] > *shortest[i]))
              return fmt::format("item {} was missed or is longer", rules.items()[ItemId(i)].id);
            if (runs != 0 && found[i] && *found[i] <= kMost && found[i] != shortest[i])
              return fmt::format("item {} has another length", rules.items()[ItemId(i)].id);
          }
          return "";
        });
    INFO(problem);
    REQUIRE(problem.empty());
  }
}

}  // namespace
}  // namespace tw
