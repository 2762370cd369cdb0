// Run-time errors: both implementations name the same place and the same numbers, and people are
// told in the words of the model.

#include <fmt/format.h>

#include "engine/model/run_error.hpp"
#include "engine/replay/interpreter.hpp"
#include "tests/suite/text_model.hpp"

namespace tw {
namespace {

// A model whose only process does this on its only edge.
std::string updating(const std::string& declarations, const std::string& update) {
  return fmt::format(
      "{}\nprocess P() {{ state A, B; init A; trans A -> B {{ assign {}; }}; }}\nsystem P;\n",
      declarations, update);
}

std::string guarded(const std::string& declarations, const std::string& guard) {
  return fmt::format(
      "{}\nprocess P() {{ state A, B; init A; trans A -> B {{ guard {}; }}; }}\nsystem P;\n",
      declarations, guard);
}

// What the search says of the first error, once replay has said the same.
std::string error_of(const std::string& text) {
  INFO(text);
  const LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  const Network& network = *model.network;
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion("location")->declare(network, {}, rules, diagnostics);
  const Generated found = generate(network, rules, {});
  REQUIRE(found.error);
  REQUIRE_FALSE(found.error->initial);
  const RunError error = found.error->error.what();
  REQUIRE(found.search.errors.size() == 1);
  CHECK(found.search.errors[0].at == error.at);

  const replay::Interpreter interpreter(network);
  replay::RunState state = interpreter.initial();
  for (const Step& step : found.error->steps)
    state = interpreter.step(state, step).state;
  const replay::StepList list = interpreter.steps(state);
  CHECK(list.error == error.status);
  CHECK(list.error_at == error.at);
  CHECK(list.misfit == error.misfit);
  return describe(network, error);
}

TEST_CASE("a value outside its range is named with its variable", "[suite][errors]") {
  CHECK(error_of(updating("int[0,5] small;", "small = 9")) ==
        "'small' would be set to 9, outside its range [0,5]");
  CHECK(error_of(updating("int n = 32767;", "n++")) ==
        "'n' would be set to 32768, outside its range [-32768,32767]");
  CHECK(error_of(updating("int[0,5] a[3]; int i = 2;", "a[i] -= 1")) ==
        "'a[i]' would be set to -1, outside its range [0,5]");
  CHECK(error_of(updating("struct { int[0,5] f; } s;", "s.f = 7")) ==
        "'s.f' would be set to 7, outside its range [0,5]");
  CHECK(error_of(updating("int32_t n = 2147483647; int[0,5] k;", "k = n + 1")) ==
        "'k' would be set to -2147483648, outside its range [0,5]");
}

TEST_CASE("so are parameters, results, locals and lists", "[suite][errors]") {
  CHECK(error_of(updating("int n; int f(int[0,5] p) { return p; }", "n = f(n + 6)")) ==
        "the parameter 'p' of 'f' would be 6, outside its range [0,5]");
  CHECK(error_of(updating("int n; int[0,5] f() { return n - 1; }", "n = f()")) ==
        "the result of the function would be -1, outside its range [0,5]");
  CHECK(error_of(updating("int n; void f() { int[0,5] k = n + 8; n = k; }", "f()")) ==
        "'k' would be 8, outside its range [0,5]");
  CHECK(error_of(updating("int n = 8; void f() { int[0,5] k[2] = {0, n}; n = k[0]; }", "f()")) ==
        "the value of 'n' would be 8, outside its range [0,5]");
}

TEST_CASE("an index is named with its array", "[suite][errors]") {
  CHECK(error_of(updating("int a[5]; int i = 7;", "a[i] = 1")) ==
        "index 7 lies outside 'a', whose 5 elements go from 0 to 4");
  CHECK(error_of(updating("int a[5]; int i = 7;", "a[0] = a[i - 8] + 1")) ==
        "index -1 lies outside 'a', whose 5 elements go from 0 to 4");
  CHECK(error_of(updating("int a[int[3,4]]; int i;", "i = a[i]")) ==
        "index 0 lies outside 'a', whose 2 elements go from 3 to 4");
  CHECK(error_of(guarded("int a[2][3]; int i = 3;", "a[1][i] == 0")) ==
        "index 3 lies outside 'a[1]', whose 3 elements go from 0 to 2");
  CHECK(error_of(guarded("int a[2]; int b[2] = {0, 5};", "a[b[1]] == 0")) ==
        "index 5 lies outside 'a', whose 2 elements go from 0 to 1");
}

TEST_CASE("divisions, shifts and assertions are shown", "[suite][errors]") {
  CHECK(error_of(updating("int n = 7; int k;", "n = n / k")) ==
        "division by zero: 7 / 0 in 'n / k'");
  CHECK(error_of(updating("int n = 7; int k;", "n %= k")) == "division by zero: 7 % 0 in 'n %= k'");
  CHECK(error_of(updating("int n = -2; int k;", "n = k ** n")) ==
        "division by zero: 0 ** -2 in 'k ** n'");
  CHECK(error_of(updating("int n = -2; int k;", "k = 1 << n")) ==
        "shift by a negative count: -2 in '1 << n'");
  CHECK(error_of(updating("int n; void f() { assert n > 0; }", "f()")) ==
        "the assertion 'n > 0' fails");
}

TEST_CASE("errors about clocks have their numbers, too", "[suite][errors]") {
  CHECK(error_of(updating("clock x; int n = -3;", "x = n")) ==
        "the clock 'x' would be set to a negative number");
  const std::string most = std::to_string(kMostClockNumber);
  CHECK(error_of(guarded("clock x; int32_t n = 2147483647;", "x < n")) ==
        "a clock is compared with 2147483647; the largest number is " + most);
  CHECK(error_of(updating("clock x; int32_t n = 2147483647;", "x = n")) ==
        "the clock 'x' would be set to 2147483647; the largest number is " + most);
}

TEST_CASE("an error in the initial state is one whatever is left out", "[suite][errors]") {
  const std::string text =
      "int a[2]; int i = 2;\nprocess P() { state A { a[i] == 0 }; init A; }\nsystem P;\n";
  for (const OnError on_error : {OnError::kStop, OnError::kSkip}) {
    const Generated found = generate_locations(text, {.search = {.on_error = on_error}});
    REQUIRE(found.error);
    CHECK(found.error->initial);
    CHECK(found.error->error.status == RunStatus::kIndexOutOfRange);
    CHECK(found.error->error.misfit == Misfit{.value = 2, .low = 0, .high = 1});
  }
}

TEST_CASE("steps that are left out are told, place by place", "[suite][errors]") {
  const std::string text =
      "int[0,5] n; int a[3];\n"
      "process P() { state A, B, C; init A;\n"
      "  trans A -> A { assign n++; }, A -> B { guard n == 2; assign a[n + 1] = 0; },\n"
      "        A -> C { guard n == 9; }; }\n"
      "process Q(const int id) { state A; init A; trans A -> A { guard a[n + id] == 0; }; }\n"
      "Q1 = Q(0); Q2 = Q(1);\nsystem P, Q1, Q2;\n";
  for (const unsigned threads : {1U, 2U}) {
    const Generated found =
        generate_locations(text, {.search = {.on_error = OnError::kSkip, .threads = threads}});
    CHECK(found.reason == StopReason::kExhausted);
    CHECK(count(found, ItemStatus::kInfeasible) == 2);  // B needs a step that fails
    const LoadedModel model = load_model_text("model.xta", text);
    std::vector<std::string> errors;
    for (const RunError& error : found.search.errors)
      errors.push_back(describe(*model.network, error));
    CHECK(errors ==
          std::vector<std::string>{"'n' would be set to 6, outside its range [0,5]",
                                   "index 3 lies outside 'a', whose 3 elements go from 0 to 2",
                                   "index 3 lies outside 'a', whose 3 elements go from 0 to 2"});
  }
}

TEST_CASE("a step that is left out blocks none of a lower priority", "[suite][errors]") {
  const Generated found = generate_locations(
      "int[0,5] n = 5; chan high, low; chan priority low < high;\n"
      "process P() { state A, B, C; init A;\n"
      "  trans A -> B { sync high!; assign n++; }, A -> C { sync low!; }; }\n"
      "process Q() { state A; init A; trans A -> A { sync high?; }, A -> A { sync low?; }; }\n"
      "system P, Q;\n",
      {.search = {.on_error = OnError::kSkip}});
  CHECK(found.internal_error.empty());
  CHECK(count(found, ItemStatus::kInfeasible) == 1);
  CHECK(found.search.errors.size() == 1);
}

}  // namespace
}  // namespace tw
