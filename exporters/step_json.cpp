#include "exporters/step_json.hpp"

#include <utility>

namespace tw {
namespace {

// Objects look for a key before they add it, which is quadratic in the number of variables; these
// keys are known to be new.
void append(Json& object, const std::string& key, Json value) {
  object.get_ref<Json::object_t&>().Json::object_t::Container::emplace_back(key, std::move(value));
}

}  // namespace

Json StepWriter::step(const Step& step, ChannelId channel, const Snapshot& after) const {
  Json out = Json::object();
  if (channel.valid())
    out["channel"] = network_->channels[channel].name;
  Json edges = Json::array();
  for (const FiredEdge& fired : step.edges)
    edges.push_back(edge(fired));
  out["edges"] = std::move(edges);
  out["state"] = state(after);
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
  return {{"locations", std::move(locations)}, {"variables", std::move(variables)}};
}

}  // namespace tw
