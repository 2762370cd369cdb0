// Random requirements on random networks: what the rules cover, and in how many steps, against all
// short runs, each looked at with a literal reading of the definitions. And on random runs without
// any network: that a first cause is one.

#include <fmt/format.h>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/model/print.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"
#include "tests/criteria/direct_requirements.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/generate_twice.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostRuns = 600;
constexpr std::size_t kMostNodes = 1'000;

// Text of a requirement over what a network has.
class RandomFormulas {
 public:
  RandomFormulas(const Network& network, std::uint32_t seed) : random_(seed) {
    for (std::size_t i = 0; i < network.locations.size(); ++i) {
      const LocationId id(i);
      if (network.decl(id).kind != LocationKind::kBranchpoint)
        clauses_.push_back(fmt::format(
            "{}.{}", network.processes[network.locations[id].process].name, network.decl(id).name));
    }
    for (const VariableId id : network.globals) {
      const Variable& variable = network.variables[id];
      const Type& type = network.types[variable.type];
      if (variable.storage == Storage::kState && type.kind == TypeKind::kInt)
        for (int k = 0; k < 3; ++k)
          clauses_.push_back(fmt::format("{} {} {}", variable.name, k == 0 ? "==" : ">=",
                                         type.low + static_cast<int>(random_() % 3)));
      if (variable.storage == Storage::kState && type.kind == TypeKind::kBool)
        clauses_.push_back(variable.name);
    }
  }

  std::string state(int depth) {
    const int choice = depth == 0 ? 0 : pick(6);
    if (choice == 0)
      return pick(12) == 0 ? "true" : clauses_[random_() % clauses_.size()];
    if (choice == 1)
      return "!(" + state(depth - 1) + ")";
    constexpr const char* kWords[] = {"&&", "||", "imply", "xor"};
    return fmt::format("({}) {} ({})", state(depth - 1), kWords[random_() % 4], state(depth - 1));
  }

  std::string temporal(int depth) {
    if (depth == 0)
      return "(" + state(1) + ")";
    constexpr const char* kUnary[] = {"!", "X", "G", "F", "[]", "<>"};
    constexpr const char* kBinary[] = {"&&", "||", "->", "U", "W", "R", "<->"};
    if (pick(2) == 0)
      return fmt::format("{} ({})", kUnary[random_() % 6], temporal(depth - 1));
    return fmt::format("({}) {} ({})", temporal(depth - 1), kBinary[random_() % 7],
                       temporal(depth - 1));
  }

  std::string requirement() {
    const int choice = pick(4);
    if (choice == 0)
      return "G (" + state(2) + ")";
    if (choice == 1)
      return "G (" + temporal(1) + ")";
    return temporal(2);
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  std::mt19937 random_;
  std::vector<std::string> clauses_;
};

bool has_release(const Property& property) {
  for (const PropertyNode& node : property.nodes)
    if (node.kind == PropertyNode::Kind::kRelease)
      return true;
  return false;
}

bool value_of(const Network& network,
              const Property& property,
              PropertyNodeId id,
              const replay::RunState& state) {
  const PropertyNode& node = property[id];
  if (node.kind == PropertyNode::Kind::kLocation)
    return state.locations[network.locations[node.location].process.index()] == node.location;
  replay::Evaluator evaluator(network, state);
  return evaluator.holds_in(network.pool, node.expression);
}

// All runs, shortest first, each with all its states.
class ShortRuns {
 public:
  using Run = std::vector<replay::RunState>;

  explicit ShortRuns(const Network& network) {
    const replay::Interpreter interpreter(network, InvariantUses::kNone);
    if (interpreter.initial_problem())
      return;
    std::vector<Run> level = {{interpreter.initial()}};
    while (!level.empty() && runs_.size() + level.size() <= kMostRuns) {
      runs_.insert(runs_.end(), level.begin(), level.end());
      complete_up_to_ = level.front().size() - 1;
      std::vector<Run> next;
      for (const Run& run : level)
        for (const Step& step : interpreter.steps(run.back()).steps) {
          next.push_back(run);
          next.back().push_back(interpreter.step(run.back(), step).state);
        }
      ends_ = next.empty();
      level = std::move(next);
    }
  }

  [[nodiscard]] const std::vector<Run>& all() const { return runs_; }
  /// Runs of more steps are not looked at.
  [[nodiscard]] std::size_t complete_up_to() const { return ends_ ? kMostNodes : complete_up_to_; }

 private:
  std::vector<Run> runs_;
  std::size_t complete_up_to_ = 0;
  bool ends_ = false;
};

struct Totals {
  std::size_t requirements = 0;
  std::size_t compared = 0;
  std::size_t covered = 0;
  std::size_t tokens = 0;
};

using Named = std::vector<std::pair<std::string, test::LtlPtr>>;

void compare(const Network& network,
             const Property& property,
             const ShortRuns& runs,
             const std::string& criterion,
             Totals& totals) {
  INFO(criterion << ": " << property.text << "\n" << print_xta(network));
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, {}, rules, diagnostics);
  if (diagnostics.has_errors())
    return;  // a monitor that is too large; seldom
  const test::DirectProperty direct(property);
  const Named wanted = criterion == "vc" ? direct.vacuity() : direct.first_causes();
  REQUIRE(rules.items().size() == wanted.size());
  const test::BruteForce found = test::brute_force(network, rules, kMostNodes);
  const Generated generated =
      generate_twice(network, rules, {.search = {.full = true}, .reduce = Reduction::kNone});
  CHECK(generated.internal_error.empty());
  if (found.complete) {
    const Generated chained = generate_twice(network, rules, {.chain_budget = 1'000});
    CHECK(chained.internal_error.empty());
    for (std::size_t i = 0; i < chained.verdicts.size(); ++i)
      CHECK(chained.verdicts[i].status == generated.verdicts[i].status);
  }
  totals.tokens += rules.tokens().empty() ? 0U : 1U;
  for (const auto& [name, formula] : wanted) {
    const ItemId item = rules.find_item(criterion + ":P1" + name);
    INFO(name);
    REQUIRE(item.valid());
    std::optional<std::size_t> shortest;
    for (const ShortRuns::Run& run : runs.all()) {
      const bool shown = test::shows(formula, run.size(), [&](PropertyNodeId id, std::size_t i) {
        return value_of(network, property, id, run[i]);
      });
      if (shown) {
        shortest = run.size() - 1;
        break;
      }
    }
    ++totals.compared;
    totals.covered += shortest ? 1U : 0U;
    if (found.complete) {
      const std::optional<std::size_t> length = found.shortest[item.index()];
      CHECK((length && *length <= runs.complete_up_to() ? length : std::nullopt) == shortest);
      const Verdict& verdict = generated.verdicts[item.index()];
      CHECK((verdict.status == ItemStatus::kCovered) == length.has_value());
      if (length)
        CHECK(verdict.depth == *length);
    } else if (shortest) {
      CHECK(generated.verdicts[item.index()].status == ItemStatus::kCovered);
    }
  }
}

TEST_CASE("vc, ufc: rules cover what the definitions say on all short runs",
          "[criteria][vc][ufc][oracle]") {
  constexpr std::uint32_t kNetworks = 300;
  Totals totals;
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
    INFO("seed " << seed);
    const Network plain =
        test::random_network(seed, {.branchpoints = seed % 3 == 0, .locals = seed % 2 == 0});
    RandomFormulas formulas(plain, seed);
    const ShortRuns runs(plain);
    if (runs.all().empty())
      continue;
    for (int i = 0; i < 3; ++i) {
      const std::string text = formulas.requirement();
      INFO(text);
      const LoadedModel model = load_model_text("model.xta", print_xta(plain),
                                                {{.file = {.path = "random.ltl", .text = text}}});
      // Some random networks have expressions that no text has.
      if (!model.network)
        break;
      for (const Diagnostic& d : model.properties.front().diagnostics.all())
        FAIL(render(d, model.properties.front().file));
      ++totals.requirements;
      REQUIRE(model.network->properties.size() == 1);
      const Property& property = model.network->properties.front();
      compare(*model.network, property, runs, "vc", totals);
      if (!has_release(property))
        compare(*model.network, property, runs, "ufc", totals);
    }
  }
  // The comparison means something.
  CHECK(totals.requirements > kNetworks / 2);
  CHECK(totals.compared > 4 * kNetworks);
  CHECK(totals.covered > kNetworks);
  CHECK(totals.tokens > kNetworks / 2);
}

// A condition on clocks is reached where a process that waits for it can move on.
TEST_CASE("query, vc: conditions on clocks are met where a guard would be",
          "[criteria][query][vc][timed][oracle]") {
  constexpr std::uint32_t kNetworks = 400;
  std::size_t looked_at = 0;
  std::size_t covered = 0;
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
    std::mt19937 random(seed);
    const Network plain =
        test::random_network(seed, {.clocks = {.count = static_cast<int>(1 + seed % 2),
                                               .strict = seed % 3 == 0,
                                               .values = seed % 5 == 0,
                                               .invariants = seed % 4 != 0,
                                               .variable_bounds = seed % 7 == 0}});
    std::vector<std::string> clocks;
    for (const Clock& clock : plain.clocks)
      if (plain.variables[clock.variable].role == Role::kGlobal)
        clocks.push_back(clock.name);
    std::string text = print_xta(plain);
    // Who waits cannot move while another is in a committed location.
    if (clocks.empty() || text.find("commit") != std::string::npos)
      continue;
    constexpr const char* kCompare[] = {"<=", ">=", "=="};
    std::string condition;
    for (std::size_t i = 0; i < 1 + seed % 2; ++i)
      condition += fmt::format("{}{} {} {}", i == 0 ? "" : " && ", clocks[random() % clocks.size()],
                               kCompare[random() % 3], random() % 4);
    INFO("seed " << seed << ": " << condition);
    const std::size_t system = text.rfind("system");
    const std::string waiting =
        "process Waiting() { state Before, After; init Before;\n  trans "
        "Before -> After { guard " +
        condition + "; }; }\n";
    const std::size_t end = text.find(';', system);
    const LoadedModel with = load_model_text("model.xta", text.substr(0, system) + waiting +
                                                              text.substr(system, end - system) +
                                                              ", Waiting" + text.substr(end));
    // Replaced by false, the last clause leaves what violates the rest: the condition.
    const std::string place =
        fmt::format("{}.{}", plain.processes[ProcessId(0)].name, plain.decl(LocationId(0)).name);
    const LoadedModel asked = load_model_text(
        "model.xta", fmt::format("{}\nquery {{ E<> {} }}\nquery {{ A[] !({}) || {} }}\n", text,
                                 condition, condition, place));
    if (!with.network || !asked.network)
      continue;
    CoverageRules moves(ItemFilter({"location:Waiting.After"}));
    CoverageRules queries;
    Diagnostics diagnostics;
    make_criterion("location")->declare(*with.network, {}, moves, diagnostics);
    for (const char* name : {"query", "vc"})
      make_criterion(name)->declare(*asked.network, {}, queries, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    constexpr std::uint32_t kFine = 4;
    const test::ClockUsage usage = test::clock_usage(*with.network);
    const test::TimedBruteForce oracle = test::brute_force_timed(
        *with.network, moves, {.steps_per_unit = usage.closed ? 1 : kFine, .most_nodes = 2'000});
    const Generated found =
        generate_twice(*asked.network, queries, {.search = {.max_states = 5'000}});
    CHECK(found.internal_error.empty());
    if (!found.has_initial_state || oracle.exact_up_to == 0 || !found.search.limit.empty())
      continue;
    ++looked_at;
    const std::optional<std::size_t> least =
        oracle.shortest.empty() ? std::nullopt : oracle.shortest.front();
    covered += least ? 1U : 0U;
    const Verdict& query = found.verdicts[0];
    const Verdict& clause = found.verdicts.back();
    CHECK(clause.status == query.status);
    CHECK(clause.depth == query.depth);
    const bool reached = query.status == ItemStatus::kCovered;
    if (least) {
      CHECK(reached);
      CHECK(query.depth + 1 <= *least);
    }
    if (reached && query.depth + 1 <= oracle.exact_up_to)
      CHECK(least == std::optional<std::size_t>(query.depth + 1));
  }
  CHECK(looked_at > kNetworks / 10);
  CHECK(covered > kNetworks / 20);
}

// The value of a formula on the infinite run that goes on in its last state for ever, by the
// definition of the operators. On such runs everything is decided after length states.
bool true_for_ever(const test::LtlPtr& f,
                   std::size_t i,
                   std::size_t length,
                   const test::ClauseValue& clause) {
  using Kind = test::Ltl::Kind;
  const std::size_t at = std::min(i, length - 1);
  const auto value = [&](const test::LtlPtr& part, std::size_t k) {
    return true_for_ever(part, std::min(k, length - 1), length, clause);
  };
  switch (f->kind) {
    case Kind::kTruth:
      return f->value;
    case Kind::kClause:
      return clause(f->clause, at);
    case Kind::kNot:
      return !value(f->left, at);
    case Kind::kAnd:
      return value(f->left, at) && value(f->right, at);
    case Kind::kOr:
      return value(f->left, at) || value(f->right, at);
    case Kind::kNext:
      return value(f->left, at + 1);
    case Kind::kWeak:
      return value(f->left, at);
    case Kind::kUntil:
    case Kind::kWeakUntil:
      break;
  }
  for (std::size_t k = at; k < length; ++k) {
    if (value(f->right, k))
      return true;
    if (!value(f->left, k))
      return false;
  }
  return f->kind == Kind::kWeakUntil;
}

TEST_CASE("ufc: where an obligation holds for ever, so does the requirement",
          "[criteria][ufc][oracle]") {
  const std::string model =
      "bool a, b, c;\nprocess P() { state A; init A; trans A -> A { assign a = !a, b = !b, c = !c; "
      "}; }\nsystem P;";
  std::size_t satisfied = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const LoadedModel bare = load_model_text("model.xta", model);
    REQUIRE(bare.network);
    const std::string text = RandomFormulas(*bare.network, seed).temporal(3);
    INFO("seed " << seed << ": " << text);
    const LoadedModel loaded =
        load_model_text("model.xta", model, {{.file = {.path = "random.ltl", .text = text}}});
    REQUIRE(loaded.network->properties.size() == 1);
    const Property& property = loaded.network->properties.front();
    if (has_release(property))
      continue;
    const test::DirectProperty direct(property);
    for (int k = 0; k < 20; ++k) {
      const std::size_t length = 1 + random() % 6;
      std::map<std::pair<std::string, std::size_t>, bool> values;  // of equal clauses equal
      const test::ClauseValue clause = [&](PropertyNodeId id, std::size_t i) {
        const auto [at, is_new] = values.try_emplace({property[id].text, i}, false);
        if (is_new)
          at->second = random() % 2 == 0;
        return at->second;
      };
      for (const bool plus : {true, false})
        for (const auto& [number, obligation] : direct.causes(property.root, plus))
          if (true_for_ever(obligation, 0, length, clause)) {
            ++satisfied;
            CHECK(true_for_ever(direct.formula(), 0, length, clause) == plus);
          }
    }
  }
  CHECK(satisfied > 5'000);
}

}  // namespace
}  // namespace tw
