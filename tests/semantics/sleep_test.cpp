// Who sleeps after which step. That leaving them out loses nothing is for the oracle tests
// (tests/support/generate_twice.hpp); here it is checked that they do sleep, and when they do not.

#include <catch2/catch.hpp>

#include "engine/semantics/process_set.hpp"
#include "engine/semantics/successors.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

std::vector<Sleep> sleeping(const Successors& successors) {
  std::vector<Sleep> out;
  for (std::size_t i = 0; i < successors.size(); ++i)
    out.push_back(successors.sleeping(i));
  return out;
}

struct Expanded {
  explicit Expanded(const std::string& text, bool watched = false)
      : model(load_model_text("model.xta", text)) {
    REQUIRE(model.network);
    system.emplace(*model.network,
                   Instrumentation{.watched = std::vector<bool>(
                                       watched ? model.network->memory.state : 0, true)});
    generator.emplace(*system);
    state = generator->initial().state;
    // Twice: what is met for the first time is worked out, then it is remembered.
    generator->expand(state.data(), successors);
    generator->expand(state.data(), successors);
  }

  [[nodiscard]] std::vector<Sleep> sleeping() const { return tw::sleeping(successors); }

  LoadedModel model;
  std::optional<System> system;
  std::optional<SuccessorGenerator> generator;
  std::vector<std::uint64_t> state;
  Successors successors;
};

std::string process(const std::string& name, const std::string& edges) {
  return "process " + name + "() { state A, B, C; commit C; init A; trans " + edges + "; }\n";
}

TEST_CASE("sleep: who acted before and is not concerned need not act again", "[semantics][sleep]") {
  Expanded e("int[0,9] x, y, z;\n" + process("P", "A -> A { assign x = (x + 1) % 10; }") +
             process("Q", "A -> A { assign y = (y + 1) % 10; }") +
             process("R", "A -> A { assign z = (z + 1) % 10; }") + "system P, Q, R;");
  REQUIRE(e.successors.size() == 3);
  CHECK(e.sleeping() == std::vector<Sleep>{0b000, 0b001, 0b011});

  // Sleepers are left out, but count, and go on sleeping.
  const std::vector<std::uint64_t> after_q(e.successors.state(1).begin(),
                                           e.successors.state(1).end());
  Successors rest;
  CHECK(e.generator->append(after_q.data(), rest, {.sleeping = 0b001}) == 3);
  REQUIRE(rest.size() == 2);
  CHECK(sleeping(rest) == std::vector<Sleep>{0b001, 0b011});
}

TEST_CASE("sleep: not if one reads or writes what the other writes", "[semantics][sleep]") {
  const auto second = [](const std::string& first, const std::string& other) {
    const Expanded e("int[0,9] x, y;\n" + process("P", first) + process("Q", other) +
                     "system P, Q;");
    REQUIRE(e.successors.size() == 2);
    return e.successors.sleeping(1);
  };
  CHECK(second("A -> A { assign x = 1; }", "A -> A { assign y = 1; }") == 1);
  CHECK(second("A -> A { assign x = 1; }", "A -> A { assign y = x; }") == 0);
  CHECK(second("A -> A { assign x = 1; }", "A -> A { guard x == 0; assign y = 1; }") == 0);
  CHECK(second("A -> A { guard y == 0; assign x = 1; }", "A -> A { assign y = 1; }") == 0);
  CHECK(second("A -> A { assign x = 1; }", "A -> A { assign x = 2; }") == 0);
  // What is written but stays as it is disturbs nobody who reads it …
  CHECK(second("A -> A { guard x == 0; assign y = 1; }", "A -> B { assign x = 0; }") == 1);
  CHECK(second("A -> A { assign x = 1; }", "A -> B { assign x = 0; }") == 0);
  // … and a committed location everybody.
  CHECK(second("A -> C { assign x = 1; }, C -> A { }", "A -> A { assign y = 1; }") == 0);
  CHECK(second("A -> A { assign x = 1; }", "A -> C { assign y = 1; }, C -> A { }") == 0);
}

TEST_CASE("sleep: definitions that are watched count even if they change nothing",
          "[semantics][sleep]") {
  const Expanded e("int[0,9] x, y;\n" + process("P", "A -> B { assign x = 0; }") +
                       process("Q", "A -> A { guard x == 0; assign y = 1; }") + "system P, Q;",
                   true);
  CHECK(e.system->shows_watched());
  REQUIRE(e.successors.size() == 2);
  CHECK(e.sleeping() == std::vector<Sleep>{0, 0});
  // A variable with one value has no bits that could show who accesses it.
  const Expanded one("int[3,3] x;\n" + process("P", "A -> A { assign x = 3; }") + "system P;",
                     true);
  CHECK_FALSE(one.system->shows_watched());
}

TEST_CASE("sleep: handshakes let those sleep who are not concerned", "[semantics][sleep]") {
  const Expanded e("int[0,9] x; chan c;\n" + process("P", "A -> A { assign x = (x + 1) % 10; }") +
                   process("S", "A -> B { sync c!; }") + process("T", "A -> B { sync c?; }") +
                   "system P, S, T;");
  REQUIRE(e.successors.size() == 2);
  CHECK(e.sleeping() == std::vector<Sleep>{0, 1});
  const Expanded all("int[0,9] x; broadcast chan c;\n" +
                     process("P", "A -> A { assign x = (x + 1) % 10; }") +
                     process("S", "A -> B { sync c!; }") + process("T", "A -> B { sync c?; }") +
                     "system P, S, T;");
  REQUIRE(all.successors.size() == 2);
  CHECK(all.sleeping() == std::vector<Sleep>{0, 0});
}

TEST_CASE("sleep: nobody does with priorities", "[semantics][sleep]") {
  const Expanded e("int[0,9] x, y;\n" + process("P", "A -> A { assign x = 1; }") +
                   process("Q", "A -> A { assign y = 1; }") + process("R", "A -> A { }") +
                   "system R < P, Q;");
  REQUIRE(e.successors.size() == 2);
  CHECK(e.sleeping() == std::vector<Sleep>{0, 0});
}

TEST_CASE("successors that came lately are left out, but not the first of their kind",
          "[semantics][sleep]") {
  Expanded e("int[0,9] x;\n" + process("P", "A -> A { assign x = 1; }, A -> A { assign x = 1; }") +
             "system P;");
  REQUIRE(e.successors.size() == 2);
  Successors found;
  CHECK(e.generator->append(e.state.data(), found, {.recent = true}) == 2);
  CHECK(found.size() == 2);  // one state, two edges
  for (std::size_t again = 0; again < 2; ++again) {
    found.clear();
    CHECK(e.generator->append(e.state.data(), found, {.recent = true}) == 2);
  }
  CHECK(found.size() == 0);
}

TEST_CASE("sets of processes: more than a word of them", "[semantics][sleep]") {
  ProcessSet set(100);
  CHECK_FALSE(set.any());
  std::vector<std::uint64_t> masks(100);
  masks[3] = 1;
  masks[70] = 6;
  masks[99] = 4;
  set.add_touched(masks.data(), 4);
  const auto members = [&](std::uint64_t left_out) {
    std::vector<std::size_t> out;
    set.for_each_but(left_out, [&](std::size_t p) {
      out.push_back(p);
      return true;
    });
    return out;
  };
  CHECK(members(0) == std::vector<std::size_t>{70, 99});
  set.set(70, false);
  set.set(3, true);
  set.set(0, true);
  CHECK(members(0) == std::vector<std::size_t>{0, 3, 99});
  CHECK(members(1) == std::vector<std::size_t>{3, 99});
  CHECK(set.contains(99));
  set.clear();
  CHECK_FALSE(set.any());
  set.fill();
  CHECK(members(~std::uint64_t{0}).size() == 36);
}

}  // namespace
}  // namespace tw
