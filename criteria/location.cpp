// Location coverage: every location is visited (docs/criteria.md#location).
//
// Items: one per location; a branchpoint is not a place to stay and has none. A location is visited
// by every state that contains it, the initial one included.
// Tokens: none.
// Being in a location costs no test per state: after the initial state a location is visited when
// an edge into it fires.

#include <fmt/format.h>

#include "criteria/elements.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class LocationCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& /*diagnostics*/) const override {
    rules.begin_criterion({.name = "location", .options = {}});
    const ItemFamilyId visited = rules.add_item_family("visited");
    for (const LocationElement& location : location_elements(network, options.level)) {
      const LocationDecl& decl = network.location_decls[location.decl];
      rules.add_item(visited, {location.key},
                     {.id = fmt::format("location:{}.{}", location.owner, decl.name),
                      .label = fmt::format("{} of {}", decl.name, location.owner),
                      .where = decl.where});
    }
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kCover,
                    .item = visited,
                    .arguments = {Term::edge(rules.add_map(targets(network, options.level)))}});
    add_initial(network, options.level, visited, rules);
  }

 private:
  static std::vector<std::uint32_t> targets(const Network& network, Level level) {
    std::vector<std::uint32_t> out;
    for (const Edge& edge : network.edges)
      out.push_back(network.decl(edge.target).kind == LocationKind::kBranchpoint
                        ? Term::kNothing
                        : key_of(network, edge.target, level));
    out.push_back(Term::kNothing);
    return out;
  }

  static void add_initial(const Network& network,
                          Level level,
                          ItemFamilyId visited,
                          CoverageRules& rules) {
    Observation initial;
    for (const Process& process : network.processes)
      initial.locations.push_back(process.initial);
    const ObservationId at = rules.add_observation(initial);
    std::vector<bool> done;
    for (const Process& process : network.processes) {
      const std::uint32_t key = key_of(network, process.initial, level);
      if (done.size() <= key)
        done.resize(key + std::size_t{1}, false);
      if (!done[key]) {
        rules.add_rule({.on = EventKind::kState,
                        .at = at,
                        .action = Rule::Action::kCover,
                        .item = visited,
                        .arguments = {Term::constant(key)}});
        rules.lead_to(at, rules.item(visited, {key}));
      }
      done[key] = true;
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_location() { return std::make_unique<LocationCriterion>(); }

}  // namespace tw
