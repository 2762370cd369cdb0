#include "exporters/step_text.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/wrap.hpp"
#include "engine/suite/test_states.hpp"
#include "exporters/time_text.hpp"

namespace tw {
namespace {

void join_to(std::string& out, std::string_view text) {
  if (!out.empty())
    out += ", ";
  out += text;
}

std::string changes(const StateNames& names, const Snapshot& before, const Snapshot& after) {
  std::string out;
  for (std::size_t i = 0; i < after.cells.size(); ++i)
    if (before.cells[i] != after.cells[i])
      join_to(out, fmt::format("{} = {} (was {})", names.cell(i), after.cells[i], before.cells[i]));
  return out;
}

}  // namespace

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : (word.ends_with("s") ? "es" : "s"));
}

std::string_view state_word(const Network& network) {
  return network.is_timed() ? "symbolic state" : "state";
}

std::string describe_edge(const StateNames& names, EdgeId edge) {
  return fmt::format("{}: {}", names.process(names.network().edges[edge].process),
                     names.arrow(edge));
}

std::string describe_step(const StateNames& names, const Step& step) {
  const Network& network = names.network();
  std::string out;
  for (const FiredEdge& fired : step.edges) {
    join_to(out, describe_edge(names, fired.edge));
    std::string selects;
    for (std::size_t i = 0; i < fired.selects.size(); ++i) {
      const VariableId select = network.edges[fired.edge].labels.selects[i];
      join_to(selects, fmt::format("{} = {}", network.variables[select].name, fired.selects[i]));
    }
    if (!selects.empty())
      out += fmt::format(" [{}]", selects);
  }
  return out;
}

std::string describe_locations(const StateNames& names, const Snapshot& state) {
  std::string out;
  for (std::size_t i = 0; i < state.locations.size(); ++i)
    join_to(out, fmt::format("{} in {}", names.process(ProcessId(i)),
                             names.location(state.locations[i])));
  return out;
}

std::string describe_variables(const StateNames& names, const Snapshot& state) {
  std::string out;
  for (std::size_t i = 0; i < state.cells.size(); ++i)
    join_to(out, fmt::format("{} = {}", names.cell(i), state.cells[i]));
  return out;
}

std::string describe_test(const TestText& source) {
  const Network& network = source.names.network();
  std::size_t width = 0;
  TestStates run(network);
  for (std::size_t i = 0; i < source.test.steps.size(); ++i) {
    run.take(source.test, i);
    if (run.channel().valid())
      width = std::max(width, network.channels[run.channel()].name.size() + 2);
  }
  std::string out;
  const auto line = [&](std::string_view text, std::size_t indent) {
    return wrap_list(text, source.style.width, indent);
  };
  constexpr std::size_t kNumber = 6;  // columns, with the blanks behind it
  run.restart();
  Snapshot before = source.initial;
  std::size_t number = 0;
  for (std::size_t i = 0; i < source.test.steps.size(); ++i) {
    run.take(source.test, i);
    const ChannelId channel = run.channel();
    const std::string wait =
        source.test.delays.empty() ? "" : describe_delay(source.test.delays[i]);
    if (source.test.steps[i].is_wait()) {
      out +=
          line(fmt::format("      {}, then look", wait.empty() ? "wait 0" : wait), kNumber) + '\n';
      continue;
    }
    if (!wait.empty())
      out += line("      " + wait, kNumber) + '\n';
    // What a step goes on with is further to the right than what it changes.
    out += line(fmt::format("{:>4}  {:<{}}{}", ++number,
                            channel.valid() ? network.channels[channel].name : "", width,
                            describe_step(source.names, source.test.steps[i])),
                kNumber + width + 4) +
           '\n';
    const std::string changed = changes(source.names, before, run.state());
    if (!changed.empty())
      out += paint(source.style, Ink::kDim,
                   line(fmt::format("      {:<{}}  {}", "", width, changed), kNumber + width + 2)) +
             '\n';
    before = run.state();
  }
  return out;
}

}  // namespace tw
