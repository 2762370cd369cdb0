// Observers on random networks: what the search finds, what trying everything finds and what a
// direct reading of the text says must be the same; and the observers that come with the program
// must agree with the built-in criteria. A failure prints the seed.

#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "engine/coverage/names.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/suite/generate.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/direct_observer.hpp"
#include "tests/support/generate_twice.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostNodes = 600;

using LengthsById = std::map<std::string, std::size_t>;

test::RandomOptions options_of(std::uint32_t seed) {
  return {.priorities = seed % 5 == 0, .branchpoints = seed % 2 == 0, .locals = seed % 3 != 0};
}

CoverageRules rules_of(const Network& network, const ObserverFile& file, Level level) {
  for (const Diagnostic& diagnostic : file.diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      FAIL(render(diagnostic, file.file));
  CoverageRules rules;
  Diagnostics diagnostics;
  make_observer(file, {})->declare(network, {.level = level}, rules, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      FAIL(render(diagnostic, file.file));
  return rules;
}

CoverageRules rules_of(const Network& network, const char* criterion, Level level) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, {.level = level, .def_use = DefUseReading::kAtomic},
                                     rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return rules;
}

// As text: a failure shows what differs.
std::string list_of(const LengthsById& lengths) {
  std::string out;
  for (const auto& [id, length] : lengths)
    out += fmt::format("{} {}\n", id, length);
  return out;
}

// What the search covers, and in how many steps.
std::optional<LengthsById> searched(const Network& network, CoverageRules& rules) {
  const Generated found = generate_twice(
      network, rules, {.search = {.full = true, .max_states = 20'000}, .reduce = Reduction::kNone});
  INFO(found.internal_error);
  REQUIRE(found.internal_error.empty());
  if (!found.search.limit.empty())
    return std::nullopt;
  LengthsById out;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i)
    if (found.verdicts[i].status == ItemStatus::kCovered)
      out.emplace(rules.items()[ItemId(i)].id, found.verdicts[i].depth);
  return out;
}

struct Example {
  const char* text;
  std::set<std::string> hidden = {};  // parameters that are not in ids
};

const std::vector<Example>& examples() {
  static const std::vector<Example> kAll = {
      {"observer locs(procid P;) { node at(locid); rule start to at(L) with L := loc(P);"
       " accepting at; }",
       {"P"}},
      {"observer both(procid P; procid Q;) { node m(edgeid, edgeid);"
       " rule start to m(E, F) with E := edge(P), F := edge(Q), P != Q; accepting m; }",
       {"P", "Q"}},
      {"observer sync(procid P;) { node m(syncid, edgeid);"
       " rule start to m(S, F) with S := event(P), F := edge, process(F) != P; accepting m; }"},
      {"observer value(varid V;) { node v(int); rule start to v(I) with def(V), I := eval(V);"
       " accepting v; }"},
      {"observer grow(varid V;) { node had(int); node up(int, int);"
       " rule start to had(I) with I := eval(V);"
       " rule had(I) to up(I, J) with J := eval(V), I < J; accepting up; }"},
      {"observer from(varid V; procid P; procid Q;) { node d(edgeid); node pair(edgeid, edgeid);"
       " rule start to d(E) with def(V, E, P); rule d(E) to d(E) with no def(V);"
       " rule d(E) to pair(E, F) with use(V, F, Q); accepting pair; }",
       {"P", "Q"}},
      {"observer quiet(varid V; procid P;) { node q(edgeid);"
       " rule start to q(E) with E := edge(P), no use(V), no def(V); accepting q; }",
       {"P"}},
      {"observer blind(varid V;) { node b(edgeid);"
       " rule start to b(E) with def(V, E), no use(V, E); accepting b; }"},
      {"observer away(procid P;) { node a(edgeid); node b(edgeid); node c(edgeid);"
       " rule start to a(E) with E := edge(P), no initial;"
       " rule a(E) to b(E) with no loc(P) == target(E);"
       " rule a(E) to c(E) with no loc == source(E), no edge(P); accepting a, b, c; }",
       {"P"}},
      {"observer kind(templid T;) { node s(edgeid, varid);"
       " rule start to s(E, V) with E := edge(T), use(V, E); accepting s; }"},
      {"observer second(procid P;) { node one(edgeid); node two(edgeid, edgeid);"
       " rule start to one(E) with E := edge(P);"
       " rule one(E) to two(E, F) with F := edge(P), E != F; accepting one, two; }",
       {"P"}},
      {"observer twice(procid P;) { node two(edgeid, edgeid); node same(edgeid);"
       " rule start to two(E, F) with E := edge(P), F := edge;"
       " rule two(E, F) to two(F, E); rule two(E, E) to same(E) with edge(P) == E;"
       " accepting same; }",
       {"P"}},
      {"observer over(varid V;) { node o(edgeid, edgeid);"
       " rule start to o(E, F) with last def(V, E), use(V, F), E != F; accepting o; }"},
      {"observer less(varid V; varid W;) { node l(edgeid);"
       " rule start to l(E) with def(V, E), def(W), eval(V) < eval(W), eval(V) != 0;"
       " accepting l; }"},
      {"observer owner(procid P; templid T;) { node o(edgeid, procid);"
       " rule start to o(E, Q) with E := edge, Q := process(E), template(E) == T, P != Q,"
       " no edge(P); accepting o; }"},
      {"observer gap(procid P;) { node f(edgeid); node w(edgeid, edgeid);"
       " rule start to f(E) with E := edge(P);"
       " rule f(E) to w(E, F) with F := edge, no edge(P), loc(P) == target(E); accepting w; }",
       {"P"}},
  };
  return kAll;
}

TEST_CASE("observers: search, brute force and the direct reading agree on random networks",
          "[suite][observer][oracle]") {
  constexpr std::uint32_t kNetworks = 640;
  std::size_t complete = 0;
  std::map<std::string, std::size_t> found;
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
    const Example& example = examples()[seed % examples().size()];
    const Level level = (seed / 16) % 2 == 0 ? Level::kTemplate : Level::kInstance;
    INFO("seed " << seed << ": " << example.text);
    const Network network = test::random_network(seed, options_of(seed));
    const ObserverFile file = load_observer_text("test.obs", example.text);
    CoverageRules rules = rules_of(network, file, level);
    LengthsById expected;
    const bool direct = test::follow_all_runs(
        replay::Interpreter(network), test::DirectObserver(network, *file.observer), kMostNodes,
        [&](const test::DirectObserver& follower, std::size_t depth) {
          for (const std::string& id : follower.covered(level, example.hidden))
            expected.emplace(id, depth);
        });
    for (const auto& [id, depth] : expected) {
      INFO(id);
      CHECK(rules.find_item(id).valid());
    }
    if (!direct)
      continue;
    ++complete;
    found[file.observer->name.text] += expected.size();
    const std::optional<LengthsById> search = searched(network, rules);
    REQUIRE(search);
    REQUIRE(list_of(*search) == list_of(expected));
    const test::BruteForce tried = test::brute_force(network, rules, 5 * kMostNodes);
    for (std::size_t i = 0; tried.complete && i < tried.shortest.size(); ++i) {
      const auto at = expected.find(rules.items()[ItemId(i)].id);
      REQUIRE(tried.shortest[i] ==
              (at == expected.end() ? std::nullopt : std::optional(at->second)));
    }
  }
  CHECK(complete > kNetworks / 4);
  for (const Example& example : examples()) {
    const ObserverFile file = load_observer_text("test.obs", example.text);
    INFO(file.observer->name.text);
    CHECK(found[file.observer->name.text] > 0);
  }
}

// What comes behind the first colon; of a variable of a template edges have no owner in def-use.
LengthsById without_name(const LengthsById& lengths) {
  LengthsById out;
  for (const auto& [id, length] : lengths)
    out.emplace(id.substr(id.find(':') + 1), length);
  return out;
}

LengthsById def_use_names(const Network& network, const LengthsById& lengths) {
  std::set<std::string> owners;
  for (const Process& process : network.processes) {
    owners.insert(process.name);
    owners.insert(network.templates[process.of_template].name);
  }
  LengthsById out;
  for (const auto& [id, length] : without_name(lengths)) {
    const std::size_t colon = id.find(':');
    const std::string variable = id.substr(0, colon);
    std::string rest = id.substr(colon + 1);
    const std::size_t middle = rest.find(':');
    if (rest.starts_with("init:"))
      continue;
    const std::size_t dot = variable.find('.');
    const bool local = dot != std::string::npos && owners.contains(variable.substr(0, dot));
    const auto owned = [&](const std::string& edge) {
      return local && edge != "hook" ? variable.substr(0, dot + 1) + edge : edge;
    };
    out.emplace(
        variable + ":" + owned(rest.substr(0, middle)) + ":" + owned(rest.substr(middle + 1)),
        length);
  }
  return out;
}

TEST_CASE("observers: those that come with the program agree with the built-in criteria",
          "[suite][observer][oracle]") {
  struct Twin {
    const char* file;
    const char* criterion;
  };
  const Twin twin =
      GENERATE(Twin{"edges", "edge"}, Twin{"edges_init", "edge-init"}, Twin{"du", "def-use"});
  const Level level = GENERATE(Level::kTemplate, Level::kInstance);
  const ObserverFile file =
      load_observer(fmt::format("{}/models/observers/{}.obs", TW_SOURCE_DIR, twin.file));
  std::size_t items = 0;
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    INFO(twin.file << ", seed " << seed);
    const Network network = test::random_network(seed, options_of(seed));
    CoverageRules own = rules_of(network, file, level);
    CoverageRules built_in = rules_of(network, twin.criterion, level);
    const std::optional<LengthsById> a = searched(network, own);
    const std::optional<LengthsById> b = searched(network, built_in);
    if (!a || !b)
      continue;
    const LengthsById expected =
        twin.criterion == std::string("def-use") ? def_use_names(network, *b) : without_name(*b);
    REQUIRE(list_of(without_name(*a)) == list_of(expected));
    items += expected.size();
  }
  CHECK(items > 200);
}

// Successive edges of one process, read off runs.
class DirectPairs {
 public:
  explicit DirectPairs(const Network& network) : network_(&network) {}

  void start(const replay::RunState& /*initial*/, std::span<const Event> /*events*/) {}
  void advance(const replay::RunState& /*target*/, std::span<const Event> events) {
    for (const Event& event : events) {
      if (event.kind != EventKind::kFired)
        continue;
      const ProcessId process = network_->edges[event.edge].process;
      if (const auto before = last_.find(process); before != last_.end())
        pairs_.emplace(before->second, event.edge);
      last_[process] = event.edge;
    }
  }
  [[nodiscard]] const std::map<ProcessId, EdgeId>& key() const { return last_; }
  [[nodiscard]] const std::set<std::pair<EdgeId, EdgeId>>& pairs() const { return pairs_; }

 private:
  const Network* network_;
  std::map<ProcessId, EdgeId> last_;
  std::set<std::pair<EdgeId, EdgeId>> pairs_;
};

TEST_CASE("observers: pairs.obs has the successive edges of every process",
          "[suite][observer][oracle]") {
  const ObserverFile file =
      load_observer(fmt::format("{}/models/observers/pairs.obs", TW_SOURCE_DIR));
  std::size_t items = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    const Network network = test::random_network(seed, options_of(seed));
    const ElementNames names(network);
    LengthsById expected;
    const bool complete = test::follow_all_runs(
        replay::Interpreter(network), DirectPairs(network), kMostNodes,
        [&](const DirectPairs& follower, std::size_t depth) {
          for (const auto& [first, second] : follower.pairs())
            expected.emplace(fmt::format("pairs:{}:{}", names.edge(network.edges[first].decl),
                                         names.edge(network.edges[second].decl)),
                             depth);
        });
    if (!complete)
      continue;
    CoverageRules rules = rules_of(network, file, Level::kTemplate);
    const std::optional<LengthsById> found = searched(network, rules);
    REQUIRE(found);
    REQUIRE(list_of(*found) == list_of(expected));
    items += expected.size();
  }
  CHECK(items > 500);
}

}  // namespace
}  // namespace tw
