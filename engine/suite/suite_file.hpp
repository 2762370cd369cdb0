// A suite as a file states it: names and numbers as they stand there, looked up by nobody yet. What
// is optional here need not be said; what is not said is not checked.
//
// Tests can be many and long, so they are handed on step by step and never held together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/rational.hpp"

namespace tw {

struct SuiteFile {
  struct Criterion {
    std::string name;
    std::string options;
    std::string file;  // of an observer; else empty
    bool is_fallback = false;
  };

  /// The values of flags. The first block decides which items there are.
  struct Options {
    std::vector<Criterion> criteria;
    std::string per;
    std::vector<std::string> only;
    std::vector<std::string> vars;
    std::vector<std::string> observer;
    std::string def_use = "sequential";
    std::string on_error = "stop";
    std::string invariants = "none";
    std::string edge_init = "locations";  // a word, or an expression
    std::string properties_file;          // empty: none
    std::string properties;               // the text of that file
    std::string pairing = "test";
    bool observe = false;
    bool best_effort = false;

    std::string reduce = "chain";
    std::string optimise = "steps";
    std::optional<std::string> delays;
    std::string subsumption = "forward";
    bool reset = false;
    bool full = false;
    bool keep_dead = false;
    bool old_syntax = false;
    std::uint64_t stop = 0;  // 0: none, here and below
    std::uint64_t seed = 1;
    std::uint64_t max_states = 0;
  };

  /// A run-time error of the model.
  struct Error {
    std::string message;
    std::uint64_t line = 0;
    std::uint64_t column = 0;

    friend bool operator==(const Error&, const Error&) = default;
  };

  struct Search {
    std::optional<std::string> algorithm;
    std::optional<std::string> order;
    std::optional<bool> exhaustive;
    std::optional<std::uint64_t> states;
    std::optional<std::uint64_t> expansions;
    std::optional<std::uint64_t> transitions;
    std::optional<std::uint64_t> tokens;
    std::optional<std::uint64_t> depth;
    std::optional<std::string> limit;  // "": nothing ended it early
    std::vector<Error> errors;         // that ended it, or whose steps were left out
  };

  struct Counts {
    std::string name;
    std::optional<std::uint64_t> total;
    std::optional<std::uint64_t> covered;
    std::optional<std::uint64_t> infeasible;
    std::optional<std::uint64_t> undecided;
    std::optional<std::uint64_t> tokens;
  };

  struct Summary {
    std::optional<std::uint64_t> tests;
    std::optional<std::uint64_t> steps;
    std::optional<std::uint64_t> lower_bound;
    std::optional<Rational> duration;
  };

  struct Item {
    std::string id;
    std::string criterion;
    std::optional<std::string> label;
    std::string status;
    bool says_depth = false;
    std::optional<std::uint64_t> depth;  // nullopt: null
    std::vector<std::string> tests;
  };

  struct State {
    std::vector<std::pair<std::string, std::string>> locations;  // process, location
    std::vector<std::pair<std::string, std::int32_t>> variables;
    std::vector<std::pair<std::string, Rational>> clocks;
  };

  /// No time in it is negative.
  struct Delay {
    Rational chosen;
    std::optional<Rational> min;  // nullopt: nothing is said
    bool min_strict = false;
    bool says_max = false;
    std::optional<Rational> max;  // nullopt: no limit
    bool max_strict = false;
    std::optional<Rational> margin;
  };

  struct Edge {
    std::string process;
    std::string edge;  // unique in its template
    std::string source;
    std::string target;
    std::vector<std::pair<std::string, std::int32_t>> select;
  };

  struct Step {
    std::optional<Delay> delay;
    std::string channel;  // empty: internal
    std::vector<Edge> edges;
    /// Version 1: of the state after the step, as much as the file gives. Since version 2 what
    /// differs from the state before, all of it; a clock differs unless it shows the time since.
    State state;
  };

  /// A test without its steps.
  struct Test {
    std::string id;
    std::optional<std::uint64_t> length;
    std::optional<Rational> duration;
    std::vector<std::string> covers;
  };

  int version = 0;
  std::string tool;          // name and version of the program that wrote it
  std::string tool_version;  // empty: nothing is said
  std::string model;
  std::string sha256;  // of the model file
  std::vector<std::string> processes;
  Options options;
  std::optional<Search> search;
  std::optional<std::vector<Counts>> criteria;
  std::vector<Item> items;
  Summary summary;
  State initial;

  /// Steps give what changed, not whole states.
  [[nodiscard]] bool has_changes() const { return version >= 2; }
};

/// Who wants the tests of a suite file: one after the other, each step by step.
class SuiteTests {
 public:
  SuiteTests() = default;
  SuiteTests(const SuiteTests&) = delete;
  SuiteTests& operator=(const SuiteTests&) = delete;
  virtual ~SuiteTests() = default;

  virtual void begin_test() = 0;
  virtual void step(SuiteFile::Step step) = 0;
  virtual void end_test(SuiteFile::Test test) = 0;
  /// False: the rest of the file is not wanted.
  [[nodiscard]] virtual bool goes_on() { return true; }
};

}  // namespace tw
