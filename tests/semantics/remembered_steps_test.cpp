// Steps are remembered by what they read, as assignments to what they wrote. Here those that write
// without reading: whether they change something is different in every state.

#include <deque>
#include <set>

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "engine/semantics/successors.hpp"
#include "frontends/load.hpp"
#include "tests/support/packed_state.hpp"

namespace tw {
namespace {

// Expands all states, each twice, and compares with the interpreter; how many there are.
std::size_t check_all(const std::string& text) {
  const LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  const System system(*model.network);
  SuccessorGenerator generator(system);
  const replay::Interpreter interpreter(*model.network);
  std::deque<replay::RunState> waiting = {interpreter.initial()};
  std::set<std::vector<std::uint64_t>> seen = {test::pack(system, waiting.front())};
  Successors successors;
  for (; !waiting.empty(); waiting.pop_front()) {
    const replay::RunState& state = waiting.front();
    const std::vector<std::uint64_t> packed = test::pack(system, state);
    generator.expand(packed.data(), successors);
    generator.expand(packed.data(), successors);
    const std::vector<Step> steps = interpreter.steps(state).steps;
    REQUIRE(successors.size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const replay::StepResult result = interpreter.step(state, steps[i]);
      const std::vector<std::uint64_t> next = test::pack(system, result.state);
      REQUIRE(std::ranges::equal(next, successors.state(i)));
      if (seen.insert(next).second)
        waiting.push_back(result.state);
    }
  }
  return seen.size();
}

std::string process(const std::string& name, const std::string& edges) {
  return "process " + name + "() { state A; init A; trans " + edges + "; }\n";
}

const std::string kRest = process("R", "A -> A { select k : int[0,2]; assign a[k] = 1 - a[k]; }");

TEST_CASE("remembered steps: an element that is written and not read", "[semantics][memo]") {
  const std::string head = "int[0,1] a[3]; int[0,2] i;\n";
  CHECK(check_all(head + process("P", "A -> A { assign a[i] = 1, i = (i + 1) % 3; }") + kRest +
                  "system P, R;") == 24);
  CHECK(check_all(head +
                  process("P", "A -> A { assign i = (i + 1) % 3, i == 1 ? (a[2] = 0) : i; }") +
                  kRest + "system P, R;") == 24);
  // Written twice, and read after it was written.
  CHECK(check_all(head + process("P", "A -> A { assign a[i] = 1, a[0] = 0, i = a[0]; }") + kRest +
                  "system P, R;") == 8);
}

TEST_CASE("remembered steps: whole arrays, by functions and by reference", "[semantics][memo]") {
  CHECK(check_all("int[0,1] a[3]; const int[0,1] zero[3] = { 0, 0, 0 };\n"
                  "void clear(int[0,1]& x[3], int[0,2] but) { int j; for (j = 0; j < 3; j++) "
                  "if (j != but) x[j] = 0; }\n" +
                  process("P",
                          "A -> A { select k : int[0,2]; assign clear(a, k); },"
                          "A -> A { assign a = zero; }") +
                  kRest + "system P, R;") == 8);
}

TEST_CASE("remembered steps: senders and receivers write the same", "[semantics][memo]") {
  CHECK(check_all("int[0,1] a[3]; int[0,3] n; chan c;\n" +
                  process("S", "A -> A { sync c!; assign a[0] = 1, n = 2; }") +
                  process("T", "A -> A { sync c?; assign a[1] = a[0], n = 3 - n; }") + kRest +
                  "system S, T, R;") == 16);
}

TEST_CASE("remembered steps: variables without a value that stands for none", "[semantics][memo]") {
  const std::string least = "-2147483647 - 1";
  CHECK(check_all("int[" + least + ", 2147483647] x; int[3,3] y; int[0,1] a[3];\n" +
                  process("P", "A -> A { assign x = " + least +
                                   "; }, A -> A { assign x = 5; }, A -> A { assign y = 3; },"
                                   "A -> A { assign y = 3, a[0] = y - 3; }") +
                  kRest + "system P, R;") == 24);
}

TEST_CASE("remembered steps: hooks read and write", "[semantics][memo]") {
  CHECK(check_all("int[0,1] a[3]; int[0,7] n;\nbefore_update { n = 0 }\n"
                  "after_update { n = a[0] + 2 * a[1] + 4 * a[2] }\n" +
                  process("P", "A -> A { assign a[2] = 1, n = 5; }") + kRest + "system P, R;") ==
        8);
}

// So much is known in the end that it is better to begin anew; nothing of what was forgotten may be
// looked at then.
TEST_CASE("remembered steps: so many that they are forgotten", "[semantics][memo]") {
  constexpr int kBits = 200;
  std::string edges;
  for (int i = 0; i < kBits; ++i)
    edges += (i == 0 ? "" : ", ") + std::string("A -> A { guard a[") + std::to_string(i) +
             "] == 0; assign a[" + std::to_string(i) + "] = 1; }";
  const LoadedModel model =
      load_model_text("model.xta", "int[0,1] a[" + std::to_string(kBits) + "];\n" +
                                       process("P", edges) + "system P;");
  REQUIRE(model.network);
  const System system(*model.network);
  SuccessorGenerator generator(system);
  Successors successors;
  for (std::size_t walk = 0; walk < 60; ++walk) {
    std::vector<std::uint64_t> state = generator.initial().state;
    for (std::size_t left = kBits; left > 0; --left) {
      generator.expand(state.data(), successors);
      REQUIRE(successors.size() == left);
      const auto next = successors.state((walk * 7 + left * 13) % left);
      state.assign(next.begin(), next.end());
    }
  }
}

}  // namespace
}  // namespace tw
