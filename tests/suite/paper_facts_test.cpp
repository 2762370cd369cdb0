// Facts of the paper behind the search (Hessel and Pettersson 2007) and of the notes that correct
// it, one test each. Lengths and items against brute force are in oracle_test.cpp.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/suite/generate.hpp"
#include "tests/criteria/declared.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

using test::Declared;

const std::string kDiamond = R"(
process P() { state A, B, C; init A; trans A -> B { }, A -> C { }, C -> B { }; }
system P;)";

// Six edges; no run can take both branches.
const std::string kOneWay = R"(
process P() { state A, B, C, D, E; init A;
  trans A -> B { }, B -> D { }, D -> D { }, A -> C { }, C -> E { }, E -> E { }; }
system P;)";

Generated run(const std::string& text,
              const std::string& criterion,
              const GenerateOptions& options) {
  Declared declared(text, criterion);
  return generate(declared.network, declared.rules, options);
}

std::size_t covered(const Generated& generated) {
  return static_cast<std::size_t>(
      std::ranges::count(generated.verdicts, ItemStatus::kCovered, &Verdict::status));
}

TEST_CASE("a step into a known state still covers its items", "[search][paper]") {
  // C -> B leads to B, which A -> B has reached before.
  const Generated found = run(kDiamond, "edge", {.search = {.full = true}});
  CHECK(covered(found) == 3);
  CHECK(found.search.states == 3);
}

TEST_CASE("without tokens every state is expanded exactly once", "[search][paper]") {
  namespace fs = std::filesystem;
  std::size_t models = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TW_SOURCE_DIR) / "models")) {
    if (entry.path().extension() != ".xml")
      continue;
    LoadedModel model = load_model(entry.path().string());
    REQUIRE(model.network);
    if (model.network->is_timed())
      continue;
    ++models;
    for (const char* criterion : {"edge", "location"}) {
      CoverageRules rules;
      Diagnostics diagnostics;
      make_criterion(criterion)->declare(*model.network, {}, rules, diagnostics);
      const Generated found = generate(*model.network, rules, {.search = {.full = true}});
      INFO(entry.path() << " " << criterion);
      CHECK(found.search.expansions == found.search.states);
      CHECK(found.internal_error.empty());
    }
  }
  CHECK(models >= 10);
}

// A system of tokens by hand: what rules cannot say, because they look at one token at a time.
struct TokenSystem {
  using Tokens = std::set<std::string>;
  struct Transition {
    int from;
    int to;
    std::function<Tokens(const Tokens&)> tokens;
    std::function<bool(const Tokens&)> covers;
  };
  std::vector<Transition> transitions;
};

enum class Pruning {
  kNone,
  kSubset,
  kUnion
};

// Length of a shortest run that covers the one item; none if it is not found.
std::optional<std::size_t> search(const TokenSystem& system, Pruning pruning) {
  using Node = std::pair<int, TokenSystem::Tokens>;
  std::vector<std::pair<Node, std::size_t>> queue = {{{0, {}}, 0}};
  std::map<int, std::vector<TokenSystem::Tokens>> known = {{0, {{}}}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [node, depth] = queue[i];
    for (const TokenSystem::Transition& t : system.transitions) {
      if (t.from != node.first)
        continue;
      if (t.covers(node.second))
        return depth + 1;
      TokenSystem::Tokens next = t.tokens(node.second);
      std::vector<TokenSystem::Tokens>& there = known[t.to];
      const bool first = there.empty();
      if (pruning == Pruning::kUnion) {
        for (const TokenSystem::Tokens& seen : there)
          for (const std::string& token : seen)
            next.erase(token);
        if (next.empty() && !first)
          continue;
      } else if (std::ranges::any_of(there, [&](const TokenSystem::Tokens& seen) {
                   return pruning == Pruning::kSubset ? std::ranges::includes(seen, next)
                                                      : seen == next;
                 })) {
        continue;
      }
      there.push_back(next);
      queue.push_back({{t.to, next}, depth + 1});
    }
  }
  return std::nullopt;
}

TokenSystem::Tokens with(TokenSystem::Tokens tokens, std::initializer_list<const char*> more) {
  for (const char* token : more)
    tokens.insert(token);
  return tokens;
}

const auto kNothing = [](const TokenSystem::Tokens&) { return false; };

TEST_CASE("token pruning needs items that depend on one token", "[search][paper]") {
  using Tokens = TokenSystem::Tokens;
  const TokenSystem both = {{
      {0, 1, [](const Tokens& t) { return with(t, {"a"}); }, kNothing},
      {0, 1, [](const Tokens& t) { return with(t, {"b"}); }, kNothing},
      {0, 2,
       [](const Tokens& t) {
         return with(t, {"a", "b"});
       },
       kNothing},
      {2, 1, [](const Tokens& t) { return t; }, kNothing},
      {1, 1, [](const Tokens& t) { return t; },
       [](const Tokens& t) { return t.contains("a") && t.contains("b"); }},
  }};
  CHECK(search(both, Pruning::kNone) == 3);
  CHECK(search(both, Pruning::kSubset) == 3);
  CHECK(search(both, Pruning::kUnion) == std::nullopt);
}

TEST_CASE("the repair of that: the pair is a token, and rules can say it", "[search][paper]") {
  // Edges 0 and 1 arm a and b; each turns the other's token into the pair; edge 2 covers.
  Declared declared(R"(
process P() { state A, B, C; init A;
  trans A -> B { }, B -> A { }, A -> C { }, C -> A { }; }
system P;)",
                    "location");
  CoverageRules rules;
  rules.begin_criterion({.name = "pair"});
  const ItemFamilyId item = rules.add_item_family("z");
  const ItemId z = rules.add_item(item, {}, {.id = "pair:z", .label = "z"});
  const TokenFamilyId one = rules.add_token_family({.name = "one"});
  const TokenFamilyId pair = rules.add_token_family({.name = "pair"});
  rules.add_token(one, {0}, {z});
  rules.add_token(one, {2}, {z});
  rules.add_token(pair, {}, {z});
  constexpr std::uint32_t kNo = Term::kNothing;
  const MapId arms = rules.add_map({0, kNo, 2, kNo});       // by edge: its token
  const MapId completes = rules.add_map({2, kNo, 0, kNo});  // … the one it makes a pair of
  const MapId last = rules.add_map({kNo, kNo, kNo, 0});     // only C -> A may cover
  rules.add_rule({.on = EventKind::kFired,
                  .action = Rule::Action::kArm,
                  .token = one,
                  .arguments = {Term::edge(arms)}});
  rules.add_rule({.on = EventKind::kFired,
                  .needs = TokenPattern{.family = one, .arguments = {Term::edge(completes)}},
                  .action = Rule::Action::kArm,
                  .token = pair});
  const TokenFamilyId done = rules.add_token_family({.name = "done"});
  rules.add_token(done, {0}, {z});
  rules.add_rule({.on = EventKind::kFired,
                  .needs = TokenPattern{.family = pair},
                  .action = Rule::Action::kArm,
                  .token = done,
                  .arguments = {Term::edge(last)}});
  rules.add_rule({.on = EventKind::kState,
                  .at = rules.add_observation({}),
                  .needs = TokenPattern{.family = done, .arguments = {Term::any()}},
                  .action = Rule::Action::kCover,
                  .item = item});
  for (const Algorithm algorithm : {Algorithm::kGlobal, Algorithm::kFig3, Algorithm::kLocal}) {
    const Generated found = generate(declared.network, rules, {.search = {.algorithm = algorithm}});
    CHECK(found.internal_error.empty());
    REQUIRE(found.verdicts[0].status == ItemStatus::kCovered);
    CHECK(found.suite.steps() == 4);
  }
}

TEST_CASE("subset pruning needs items that do not ask for the absence of a token",
          "[search][paper]") {
  using Tokens = TokenSystem::Tokens;
  const TokenSystem absence = {{
      {0, 1, [](const Tokens& t) { return with(t, {"a"}); }, kNothing},
      {0, 2, [](const Tokens& t) { return t; }, kNothing},
      {2, 1, [](const Tokens& t) { return t; }, kNothing},
      {1, 1, [](const Tokens& t) { return t; }, [](const Tokens& t) { return !t.contains("a"); }},
  }};
  CHECK(search(absence, Pruning::kNone) == 3);
  CHECK(search(absence, Pruning::kSubset) == std::nullopt);
}

TEST_CASE("a token is dead only when all it can turn into is covered", "[coverage][paper]") {
  // first -> second -> item: with direct dependents only, `first` would lead nowhere.
  Declared declared(R"(
process P() { state A; init A; trans A -> A { }; }
system P;)",
                    "location");
  const auto steps = [&](bool transitive) {
    CoverageRules rules;
    rules.begin_criterion({.name = "third"});
    const ItemFamilyId item = rules.add_item_family("z");
    const ItemId z = rules.add_item(item, {}, {.id = "third:z", .label = "z"});
    const TokenFamilyId first = rules.add_token_family({.name = "first"});
    const TokenFamilyId second = rules.add_token_family({.name = "second"});
    rules.add_token(first, {}, transitive ? std::vector{z} : std::vector<ItemId>{});
    rules.add_token(second, {}, {z});
    rules.add_rule({.on = EventKind::kFired, .action = Rule::Action::kArm, .token = first});
    rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{.family = first},
                    .action = Rule::Action::kArm,
                    .token = second});
    rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{.family = second},
                    .action = Rule::Action::kCover,
                    .item = item});
    const Generated found = generate(declared.network, rules, {});
    return found.verdicts[0].status == ItemStatus::kCovered ? std::optional(found.suite.steps())
                                                            : std::nullopt;
  };
  CHECK(steps(true) == 3);
  CHECK(steps(false) == std::nullopt);
}

TEST_CASE("an irredundant suite: every test has an item of its own", "[suite][paper]") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    Declared declared(test::random_network(seed, {.locals = true}), "def-use");
    const auto items = [](const Generated& generated, std::size_t but) {
      std::set<std::size_t> out;
      for (std::size_t t = 0; t < generated.suite.tests.size(); ++t)
        for (const ItemId item : generated.suite.tests[t].covers)
          if (t != but)
            out.insert(item.index());
      return out;
    };
    constexpr auto kNone = static_cast<std::size_t>(-1);
    const GenerateOptions all{.search = {.max_states = 5'000},
                              .reduce = Reduction::kNone,
                              .chain_budget = 2'000,
                              .exact_budget = 300};
    const Generated raw = generate(declared.network, declared.rules, all);
    for (const Reduction reduction :
         {Reduction::kRedundant, Reduction::kCover, Reduction::kChain}) {
      GenerateOptions options = all;
      options.reduce = reduction;
      const Generated found = generate(declared.network, declared.rules, options);
      INFO("seed " << seed);
      // A search that was stopped may leave items that a longer test meets by chance.
      if (raw.search.limit.empty())
        CHECK(items(found, kNone) == items(raw, kNone));
      CHECK(std::ranges::includes(items(found, kNone), items(raw, kNone)));
      for (const std::size_t item : items(found, kNone))
        CHECK(found.verdicts[item].status == ItemStatus::kCovered);
      for (std::size_t t = 0; found.suite.tests.size() > 1 && t < found.suite.tests.size(); ++t)
        CHECK(items(found, t) != items(found, kNone));
    }
  }
}

TEST_CASE("one trace may not reach everything; resets do", "[search][paper]") {
  const SearchOptions local{.algorithm = Algorithm::kLocal};
  const Generated once = run(kOneWay, "edge", {.search = local});
  CHECK(covered(once) == 3);
  CHECK(once.suite.tests.size() == 1);
  SearchOptions with_reset = local;
  with_reset.reset = true;
  const Generated again = run(kOneWay, "edge", {.search = with_reset});
  CHECK(covered(again) == 6);
  CHECK(again.suite.tests.size() == 2);
  CHECK(again.suite.steps() == 6);
}

TEST_CASE("removal in both directions keeps the coverage and may lose the shortest trace",
          "[search][paper]") {
  std::size_t longer = 0;
  for (std::uint32_t seed = 1; seed <= 1'000; ++seed) {
    Declared declared(test::random_network(seed, {.locals = true}), "def-use");
    const auto local = [&](Subsumption subsumption) {
      return generate(declared.network, declared.rules,
                      {.search = {.algorithm = Algorithm::kLocal,
                                  .subsumption = subsumption,
                                  .reset = true,
                                  .max_states = 1'000}});
    };
    const Generated equality = local(Subsumption::kEquality);
    const Generated forward = local(Subsumption::kForward);
    const Generated both = local(Subsumption::kBothWays);
    const auto finished = [](const Generated& g) { return g.search.limit.empty(); };
    if (!finished(equality) || !finished(forward) || !finished(both))
      continue;
    INFO("seed " << seed);
    CHECK(covered(forward) == covered(equality));
    CHECK(covered(both) == covered(equality));
    CHECK(forward.suite.steps() == equality.suite.steps());
    CHECK(both.suite.steps() >= equality.suite.steps());
    longer += both.suite.steps() > equality.suite.steps() ? 1U : 0U;
  }
  CHECK(longer > 0);
}

}  // namespace
}  // namespace tw
