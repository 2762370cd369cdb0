// Values that nobody reads any more: which are found, and that forgetting them changes nothing but
// the number of states.

#include "engine/semantics/dead_cells.hpp"

#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "engine/semantics/successors.hpp"
#include "frontends/load.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

// What each edge forgets, "P.A->B: x"; edges that forget nothing are left out.
std::vector<std::string> forgotten(const std::string& text,
                                   std::vector<std::string> observed = {}) {
  const LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  const Network& network = *model.network;
  std::map<std::uint32_t, std::string> names;
  std::vector<bool> seen(network.memory.state);
  for (const Variable& variable : network.variables) {
    if (variable.storage != Storage::kState || !variable.first_cell.valid())
      continue;
    const std::size_t cells = network.types.shape(variable.type).cells;
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t cell = variable.first_cell.index() + i;
      names[static_cast<std::uint32_t>(cell)] =
          cells == 1 ? variable.name : fmt::format("{}[{}]", variable.name, i);
      seen[cell] = std::ranges::find(observed, variable.name) != observed.end();
    }
  }
  const auto dead = dead_cells(network, seen);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < dead.size(); ++i) {
    if (dead[i].empty())
      continue;
    const Edge& edge = network.edges[EdgeId(i)];
    std::vector<std::string> cells;
    for (const std::uint32_t cell : dead[i])
      cells.push_back(names.at(cell));
    out.push_back(fmt::format("{}.{}->{}: {}", network.processes[edge.process].name,
                              network.decl(edge.source).name, network.decl(edge.target).name,
                              fmt::join(cells, " ")));
  }
  return out;
}

std::string process(const std::string& name, const std::string& edges) {
  return "process " + name + "() { state A, B, C; init A; trans " + edges + "; }\n";
}

using Lines = std::vector<std::string>;

TEST_CASE("dead cells: what is written before it is read again", "[semantics][dead]") {
  const std::string head = "int[0,9] x, y;\n";
  // x is read on the way to C, and written on the way to B.
  const std::string loop = process("P",
                                   "A -> B { select k : int[0,9]; assign x = k; },"
                                   "B -> C { guard x > 3; }, C -> A { }, B -> B { assign y = x; }");
  CHECK(forgotten(head + loop + "system P;") == Lines{"P.B->C: x", "P.B->B: y"});
  CHECK(forgotten(head + loop + "system P;", {"x"}) == Lines{"P.B->B: y"});
  CHECK(forgotten(head + loop + "system P;", {"x", "y"}).empty());
  // Read before it is written, in the same list of updates.
  CHECK(forgotten(head + process("P", "A -> A { assign x = x == 9 ? 0 : x + 1; }") + "system P;")
            .empty());
  CHECK(forgotten(head + process("P", "A -> A { assign x = 3, y = x; }") + "system P;") ==
        Lines{"P.A->A: x y"});
  CHECK(forgotten(head + process("P", "A -> A { assign y = x, x = 3; }") + "system P;") ==
        Lines{"P.A->A: y"});
}

TEST_CASE("dead cells: an invariant reads, and so do others", "[semantics][dead]") {
  const std::string head = "int[0,9] x;\n";
  const std::string writer =
      "A -> B { select k : int[0,9]; assign x = k; }, B -> C { }, C -> A { }";
  CHECK(forgotten(head + process("P", writer) + "system P;") == Lines{"P.A->B: x"});
  CHECK(forgotten(head + "process P() { state A, B { x < 5 }, C; init A; trans " + writer +
                  "; }\nsystem P;") == Lines{"P.B->C: x"});
  CHECK(forgotten(head + process("P", writer) + process("Q", "A -> B { guard x > 2; }") +
                  "system P, Q;")
            .empty());
  // Q writes it first; but P may write in between, while Q does not look.
  CHECK(forgotten(head + process("P", writer) +
                  process("Q", "A -> B { assign x = 1; }, B -> A { guard x > 2; }") +
                  "system P, Q;")
            .empty());
}

TEST_CASE("dead cells: of an array, an element whose index is known", "[semantics][dead]") {
  const std::string head = "int[0,9] a[3]; int[0,2] i;\n";
  CHECK(forgotten(head +
                  process("P",
                          "A -> B { assign a[1] = 2; }, B -> A { guard a[1] == 2 && a[i] == 0; },"
                          "A -> A { select k : int[0,2]; assign i = k; }") +
                  "system P;") == Lines{"P.B->A: a[1]"});
  CHECK(forgotten(head +
                  process("P",
                          "A -> B { select k : int[0,9]; assign a[1] = k; },"
                          "B -> A { guard a[1] == 2; }") +
                  "system P;") == Lines{"P.B->A: a[1]"});
}

TEST_CASE("dead cells: what is written to one of several places is not certain",
          "[semantics][dead]") {
  const std::string head = "int[0,1] x, y, z; bool c, d;\n";
  const auto written = [&](const std::string& update, const std::string& read) {
    return forgotten(head +
                     process("P", "A -> B { assign " + read + " = 1; }, B -> C { assign " + update +
                                      "; }, C -> A { guard " + read +
                                      " == 1 && x + y + z + c + d > 0; }") +
                     "system P;");
  };
  CHECK(written("(c ? x : y) = 1", "y") == Lines{"P.C->A: y"});
  CHECK(written("(c ? x : d ? y : z) = 1", "z") == Lines{"P.C->A: z"});
  CHECK(written("(c ? x : ++y) = 1", "x") == Lines{"P.C->A: x"});
  CHECK(written("(c ? x : (y = 1)) = 1", "x") == Lines{"P.C->A: x"});
}

TEST_CASE("dead cells: a message is dead once it was received", "[semantics][dead]") {
  const std::string head = "int[0,9] msg, got; chan c, d; broadcast chan b;\n";
  const auto sender = [](const std::string& channel) {
    return process("S", "A -> A { select k : int[0,9]; sync " + channel + "!; assign msg = k; }");
  };
  const auto receiver = [](const std::string& channel) {
    return process(
        "R", "A -> B { sync " + channel + "?; assign got = msg; }, B -> A { guard got > 2; }");
  };
  CHECK(forgotten(head + sender("c") + receiver("c") + "system S, R;") ==
        Lines{"S.A->A: msg", "R.A->B: msg", "R.B->A: got"});
  CHECK(forgotten(head + sender("b") + receiver("b") + "system S, R;") ==
        Lines{"S.A->A: msg", "R.A->B: msg", "R.B->A: got"});
  // One who sends without writing: what is received may be older.
  CHECK(forgotten(head + sender("c") + receiver("c") + process("T", "A -> A { sync c!; }") +
                  "system S, R, T;") == Lines{"R.B->A: got"});
  // The receiver reads it later, in B only, and takes part whenever it changes …
  const std::string later = process("R", "A -> B { sync c?; }, B -> A { guard msg > 2; }");
  CHECK(forgotten(head + sender("c") + later + "system S, R;") == Lines{"R.B->A: msg"});
  // … or not.
  CHECK(forgotten(head + sender("c") + later + process("T", "A -> A { assign msg = 1; }") +
                  "system S, R, T;")
            .empty());
}

TEST_CASE("dead cells: what update hooks touch is left alone", "[semantics][dead]") {
  CHECK(forgotten("int[0,9] x, y; before_update { y = x };\n" +
                  process("P", "A -> B { assign x = 3; }") + "system P;")
            .empty());
}

struct Explored {
  std::size_t plain = 0;
  std::size_t forgetting = 0;
};

// Both systems side by side: the same steps with the same events, to states with the same zones.
Explored compare(const Network& network) {
  Instrumentation watching{.watched = std::vector<bool>(network.memory.meta, true),
                           .invariants = InvariantUses::kLeave};
  const System plain(network, watching);
  watching.forgotten = dead_cells(network, {});
  const System forgetting(network, watching);
  SuccessorGenerator one(plain, OnError::kSkip);
  SuccessorGenerator other(forgetting, OnError::kSkip);
  using State = std::vector<std::uint64_t>;
  const auto first = one.initial();
  const auto second = other.initial();
  REQUIRE(first.state == second.state);
  REQUIRE(first.exists == second.exists);
  Explored out;
  if (!first.exists)
    return out;
  constexpr std::size_t kMostPairs = 3'000;
  std::set<std::pair<State, State>> met = {{first.state, second.state}};
  std::deque<std::pair<State, State>> waiting(met.begin(), met.end());
  Successors ones;
  Successors others;
  for (; !waiting.empty() && met.size() < kMostPairs; waiting.pop_front()) {
    const auto& [state, normal] = waiting.front();
    one.expand(state.data(), ones);
    other.expand(normal.data(), others);
    REQUIRE(ones.size() == others.size());
    for (std::size_t i = 0; i < ones.size(); ++i) {
      REQUIRE(one.describe(ones, i) == other.describe(others, i));
      REQUIRE(std::ranges::equal(one.events(ones.step(i).kind), other.events(others.step(i).kind)));
      const std::size_t words = plain.layout().words();
      REQUIRE(std::ranges::equal(ones.state(i).subspan(words), others.state(i).subspan(words)));
      std::pair<State, State> next = {State(ones.state(i).begin(), ones.state(i).end()),
                                      State(others.state(i).begin(), others.state(i).end())};
      if (met.insert(next).second)
        waiting.push_back(std::move(next));
    }
  }
  if (!waiting.empty())
    return out;
  std::set<State> plain_states;
  std::set<State> normal_states;
  for (const auto& [state, normal] : met) {
    plain_states.insert(state);
    normal_states.insert(normal);
  }
  REQUIRE(normal_states.size() <= plain_states.size());
  return {.plain = plain_states.size(), .forgetting = normal_states.size()};
}

TEST_CASE("dead cells: forgetting them changes nothing but the number of states",
          "[semantics][dead][random]") {
  Explored all;
  std::size_t with_fewer = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const test::RandomOptions options{.may_fail = seed % 3 == 0,
                                      .priorities = seed % 5 == 0,
                                      .branchpoints = seed % 4 == 0,
                                      .locals = seed % 2 == 0,
                                      .clocks = {.count = seed % 7 == 0 ? 2 : 0,
                                                 .invariants = true,
                                                 .urgent_channels = true,
                                                 .receivers = true,
                                                 .variable_bounds = true}};
    const Explored explored = compare(test::random_network(seed, options));
    all.plain += explored.plain;
    all.forgetting += explored.forgetting;
    with_fewer += explored.forgetting < explored.plain ? 1 : 0;
  }
  CHECK(with_fewer > 0);
  INFO(fmt::format("{} networks with fewer states; {} instead of {} in all", with_fewer,
                   all.forgetting, all.plain));
  CHECK(all.forgetting < all.plain);
}

}  // namespace
}  // namespace tw
