// A suite file read back: names and numbers as they stand there, resolved by nobody yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/rational.hpp"

namespace tw {

struct SuiteFile {
  struct Criterion {
    std::string name;
    std::string options;
    std::string file;  // of an observer; else empty
  };

  /// What decides which items there are; the rest of the options is not needed to replay.
  struct Options {
    std::vector<Criterion> criteria;
    std::string per;
    std::vector<std::string> only;
    std::vector<std::string> vars;
    std::vector<std::string> observer;
    std::string def_use;
    std::string on_error;
    std::string invariants;
    std::string edge_init;        // a word, or an expression
    std::string properties_file;  // empty: none
    std::string properties;       // the text of that file
    std::string pairing;
    bool observe = false;
  };

  struct State {
    std::vector<std::pair<std::string, std::string>> locations;  // process, location
    std::vector<std::pair<std::string, std::int32_t>> variables;
    std::vector<std::pair<std::string, Rational>> clocks;
  };

  /// No time in it is negative.
  struct Delay {
    Rational chosen;
    std::optional<Rational> min;  // nullopt: nothing is said, here and below
    bool min_strict = false;
    std::optional<Rational> max;
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
    State state;  // after the step
  };

  struct Test {
    std::string id;
    std::vector<std::string> covers;
    std::vector<Step> steps;
  };

  struct Item {
    std::string id;
    std::string criterion;
    std::string status;
    std::vector<std::string> tests;
  };

  std::string model;
  std::string sha256;  // of the model file
  std::vector<std::string> processes;
  Options options;
  std::vector<Item> items;
  State initial;
  std::vector<Test> tests;
};

/// Deeper nesting than any suite needs is refused before it is parsed.
inline constexpr std::size_t kMaxSuiteNesting = 64;

/// Reads text of any kind without ever failing otherwise than by diagnostics: each names the JSON
/// path that is wrong and what was expected there, `tests[2].steps[0].edges: expected a list`.
/// Unknown members are ignored, since later versions may add some.
[[nodiscard]] std::optional<SuiteFile> read_suite(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace tw
