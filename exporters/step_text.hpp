// Steps and states in words, the same in reports, in `explain` and beside run-time errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite.hpp"
#include "exporters/names.hpp"
#include "exporters/text_style.hpp"

namespace tw {

/// "5 steps", "1 process".
[[nodiscard]] std::string plural(std::size_t count, std::string_view word);

/// What the search counts: with clocks a state stands for many.
[[nodiscard]] std::string_view state_word(const Network& network);

/// "Train(0): Safe -> Appr, Gate: Free -> Occ [e = 0]": all edges with their select values.
[[nodiscard]] std::string describe_step(const StateNames& names, const Step& step);

/// The same for one edge without select values.
[[nodiscard]] std::string describe_edge(const StateNames& names, EdgeId edge);

/// "Train(0) in Safe, Gate in Free" and "n = 0, list[0] = 1".
[[nodiscard]] std::string describe_locations(const StateNames& names, const Snapshot& state);
[[nodiscard]] std::string describe_variables(const StateNames& names, const Snapshot& state);

/// A test line by line: number, channel, edges, and below them the variables that changed; above
/// them how long to wait.
struct TestText {
  const StateNames& names;
  const Snapshot& initial;
  const Test& test;
  TextStyle style = {};
};
[[nodiscard]] std::string describe_test(const TestText& source);

}  // namespace tw
