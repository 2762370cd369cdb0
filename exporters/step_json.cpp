#include "exporters/step_json.hpp"

#include <utility>

namespace tw {
namespace {

// Objects look for a key before they add it, which is quadratic in the number of variables; these
// keys are known to be new.
void append(Json& object, const std::string& key, Json value) {
  object.get_ref<Json::object_t&>().Json::object_t::Container::emplace_back(key, std::move(value));
}

Json delay_json(const Delay& delay) {
  return {{"chosen", to_string(delay.chosen)},
          {"min", to_string(delay.min)},
          {"min_strict", delay.min_strict},
          {"max", delay.max ? Json(to_string(*delay.max)) : Json(nullptr)},
          {"max_strict", delay.max_strict},
          {"margin", to_string(delay.margin)}};
}

}  // namespace

Json StepWriter::step(const Test& test,
                      std::size_t i,
                      const Snapshot& before,
                      const TestStates& after) const {
  Json out = Json::object();
  if (!test.delays.empty())
    out["delay"] = delay_json(test.delays[i]);
  if (after.channel().valid())
    out["channel"] = network_->channels[after.channel()].name;
  Json edges = Json::array();
  for (const FiredEdge& fired : test.steps[i].edges)
    edges.push_back(edge(fired));
  out["edges"] = std::move(edges);
  out["changes"] =
      changes(before, after.state(), test.delays.empty() ? Rational(0) : test.delays[i].chosen);
  return out;
}

// What nothing is said of stays as it is; clocks go on by the delay.
Json StepWriter::changes(const Snapshot& before,
                         const Snapshot& after,
                         const Rational& delay) const {
  Json locations = Json::object();
  for (std::size_t i = 0; i < after.locations.size(); ++i)
    if (after.locations[i] != before.locations[i])
      append(locations, names_.process(ProcessId(i)), names_.location(after.locations[i]));
  Json variables = Json::object();
  for (std::size_t i = 0; i < after.cells.size(); ++i)
    if (after.cells[i] != before.cells[i])
      append(variables, names_.cell(i), after.cells[i]);
  Json clocks = Json::object();
  for (std::size_t i = 0; i < after.clocks.size(); ++i)
    if (after.clocks[i] != before.clocks[i] + delay)
      append(clocks, network_->clocks[ClockId(i)].name, to_string(after.clocks[i]));
  Json out = Json::object();
  if (!locations.empty())
    out["locations"] = std::move(locations);
  if (!variables.empty())
    out["variables"] = std::move(variables);
  if (!clocks.empty())
    out["clocks"] = std::move(clocks);
  return out;
}

Json StepWriter::edge(const FiredEdge& fired) const {
  const Edge& edge = network_->edges[fired.edge];
  Json out = {{"process", names_.process(edge.process)},
              {"edge", names_.edge(fired.edge)},
              {"source", names_.location(edge.source)},
              {"target", names_.location(edge.target)}};
  if (!fired.selects.empty()) {
    Json selects = Json::object();
    for (std::size_t i = 0; i < fired.selects.size(); ++i)
      append(selects, network_->variables[edge.labels.selects[i]].name, fired.selects[i]);
    out["select"] = std::move(selects);
  }
  return out;
}

Json StepWriter::state(const Snapshot& snapshot) const {
  Json locations = Json::object();
  for (std::size_t i = 0; i < snapshot.locations.size(); ++i)
    append(locations, names_.process(ProcessId(i)), names_.location(snapshot.locations[i]));
  Json variables = Json::object();
  for (std::size_t i = 0; i < snapshot.cells.size(); ++i)
    append(variables, names_.cell(i), snapshot.cells[i]);
  Json out = {{"locations", std::move(locations)}, {"variables", std::move(variables)}};
  if (!network_->is_timed())
    return out;
  Json clocks = Json::object();
  for (std::size_t i = 0; i < snapshot.clocks.size(); ++i)
    append(clocks, network_->clocks[ClockId(i)].name, to_string(snapshot.clocks[i]));
  append(out, "clocks", std::move(clocks));
  return out;
}

}  // namespace tw
