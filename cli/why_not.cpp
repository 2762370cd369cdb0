#include "cli/why_not.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/free_moves.hpp"
#include "engine/model/print.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/replay/moves.hpp"
#include "engine/search/search.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

using replay::Candidate;
using replay::Move;
using replay::RunState;

// The second interpreter is slow: so many states of each edge are looked at closely.
constexpr std::uint64_t kMostStates = 20'000;
// Broadcasts multiply: with more moves than this nobody enumerates who goes with whom.
constexpr std::size_t kMostMoves = 64;

// In how many discrete states each of these holds, one after the other. With clocks: in how many it
// could hold at some time, as far as that can be told, and whether it ever fires is known
// otherwise.
struct Story {
  EdgeId edge;
  std::uint64_t at_source = 0;
  std::uint64_t looked_at = 0;
  std::uint64_t enabled = 0;    // the guard holds
  std::uint64_t partnered = 0;  // … and there is someone to synchronise with
  std::uint64_t permitted = 0;  // … and no committed location elsewhere goes first
  std::uint64_t foremost = 0;   // … and nothing of higher priority is possible
  std::uint64_t fires = 0;
  bool unclear = false;  // too many moves to tell in some state
};

bool contains(const Move& move, EdgeId edge) {
  return std::ranges::find(move.edges, edge, &FiredEdge::edge) != move.edges.end();
}

bool contains(const Candidate& candidate, EdgeId edge) {
  return std::ranges::any_of(candidate.moves,
                             [edge](const Move& move) { return contains(move, edge); });
}

class Storyteller {
 public:
  Storyteller(const Network& network, bool has_priorities)
      : network_(network),
        names_(network),
        interpreter_(network),
        has_priorities_(has_priorities) {}

  void look(const RunState& state, Story& story) const {
    look(state, replay::moves_from(network_, state).enabled, story);
  }

  /// The same with those moves; with clocks those that variables allow.
  void look(const RunState& state, const std::vector<Move>& moves, Story& story) const {
    ++story.looked_at;
    if (std::ranges::none_of(moves, [&](const Move& m) { return contains(m, story.edge); }))
      return;
    ++story.enabled;
    if (moves.size() > kMostMoves) {
      story.unclear = true;
      return;
    }
    std::vector<Candidate> all = replay::candidates_of(network_, moves);
    const auto mine = [&](const Candidate& c) { return contains(c, story.edge); };
    if (std::ranges::none_of(all, mine))
      return;
    ++story.partnered;
    std::erase_if(all, [&](const Candidate& candidate) {
      return !replay::respects_committed(network_, state, candidate);
    });
    if (std::ranges::none_of(all, mine))
      return;
    ++story.permitted;
    if (network_.is_timed())
      return;
    replay::Priority best = replay::priority_of(network_, all.front());
    for (const Candidate& candidate : all)
      best = std::max(best, replay::priority_of(network_, candidate));
    std::erase_if(all, [&](const Candidate& candidate) {
      return replay::priority_of(network_, candidate) < best;
    });
    if (std::ranges::none_of(all, mine))
      return;
    ++story.foremost;
    if (std::ranges::any_of(all, [&](const Candidate& candidate) {
          return mine(candidate) && interpreter_.step(state, candidate.step()).possible;
        }))
      ++story.fires;
  }

  std::string tell(const Story& story, bool complete) const {
    const std::string name = describe_edge(names_, story.edge);
    return fmt::format("{}: {}", name, words(story, complete));
  }

 private:
  std::string words(const Story& story, bool complete) const {
    const Edge& edge = network_.edges[story.edge];
    const std::string& process = network_.processes[edge.process].name;
    const std::string& source = network_.decl(edge.source).name;
    if (network_.decl(edge.source).kind == LocationKind::kBranchpoint)
      return "it leaves a branchpoint, so it fires with an edge that enters it";
    if (story.fires != 0)
      return "it can fire";
    if (story.at_source == 0)
      return fmt::format("{} {} in {}", process, complete ? "is never" : "was not seen", source);
    const std::string place =
        story.looked_at < story.at_source
            ? fmt::format("{} is in {} in {}, in the first {} of which", process, source,
                          plural(story.at_source, "state"), story.looked_at)
            : fmt::format("{} is in {} in {}, where", process, source,
                          plural(story.at_source, "state"));
    const bool timed = network_.is_timed();
    const std::string enabled = fmt::format(
        "{} {} {}", place,
        timed ? "variables allow it"
              : (edge.labels.guard.valid() ? "its guard holds" : "it is enabled"),
        story.enabled == 1 ? std::string("once") : fmt::format("{} times", story.enabled));
    if (story.enabled == 0)
      return (edge.labels.guard.valid() ? fmt::format("{} its guard '{}' never holds", place,
                                                      print_expression(network_, edge.labels.guard))
                                        : fmt::format("{} it is never enabled", place)) +
             (timed ? ", whatever the time" : "");
    if (story.unclear)
      return enabled + ", but too much is possible there to tell what stops it";
    if (story.partnered == 0)
      return fmt::format("{}, but nobody is ready to {} {} then", enabled,
                         edge.labels.direction == Direction::kSend ? "receive" : "send",
                         print_expression(network_, edge.labels.channel));
    if (story.permitted == 0)
      return enabled + ", but a process in a committed location goes first each time";
    if (timed)
      return fmt::format(
          "{}, but clocks never do{}, or an invariant does not hold afterwards, or "
          "the step makes an error",
          enabled, has_priorities_ ? ", or something of higher priority is possible" : "");
    if (story.foremost == 0)
      return enabled + ", but something of higher priority is possible each time";
    return enabled + ", but an invariant does not hold afterwards, or the step makes an error";
  }

  const Network& network_;
  const StateNames names_;
  const replay::Interpreter interpreter_;
  const bool has_priorities_;
};

// An item for each of these edges: it fires.
CoverageRules firing_rules(const Network& network, const std::vector<EdgeId>& edges) {
  CoverageRules rules;
  rules.begin_criterion({.name = "fires", .options = {}});
  const ItemFamilyId fires = rules.add_item_family("fires");
  const StateNames names(network);
  for (const EdgeId edge : edges)
    rules.add_item(
        fires, {static_cast<std::uint32_t>(edge.index())},
        {.id = fmt::format("fires:{}", edge.index()), .label = describe_edge(names, edge)});
  rules.add_rule({.on = EventKind::kFired,
                  .action = Rule::Action::kCover,
                  .item = fires,
                  .arguments = {Term::edge()}});
  return rules;
}

}  // namespace

std::vector<std::string> why_edges_do_not_fire(const Network& network,
                                               const std::vector<EdgeId>& edges,
                                               SearchOptions options) {
  // With clocks a discrete state does not tell what fires in it: the search itself has to.
  CoverageRules rules = network.is_timed() ? firing_rules(network, edges) : CoverageRules();
  const System system(
      network, options.keep_dead ? instrumentation_for(rules) : forgetting_for(network, rules),
      options.execution);
  Effects effects(network, rules);
  options.full = true;
  Search search(system, effects, Ledger(rules), std::move(options));
  const bool complete = search.run() == StopReason::kExhausted;
  const Storyteller teller(network, system.has_priorities());
  FreeMoves free_moves(system);
  std::vector<Story> stories;
  stories.reserve(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i)
    stories.push_back(
        {.edge = edges[i], .fires = system.is_timed() && search.found(ItemId(i)) ? 1U : 0U});
  std::vector<std::uint32_t> locations(network.processes.size());
  RunState state;
  state.cells.resize(network.memory.meta);
  for (std::size_t i = network.memory.state; i < network.memory.meta; ++i)
    state.cells[i] = network.cells[CellId(i)].initial;
  for (std::size_t i = 0; i < search.store().size(); ++i) {
    system.layout().unpack(search.store()[StateId(i)], locations, state.cells.data());
    state.locations.clear();
    for (std::size_t p = 0; p < locations.size(); ++p)
      state.locations.emplace_back(network.processes[ProcessId(p)].first_location.index() +
                                   locations[p]);
    for (Story& story : stories) {
      const Edge& edge = network.edges[story.edge];
      if (state.locations[edge.process.index()] != edge.source)
        continue;
      ++story.at_source;
      if (story.fires != 0 || story.looked_at == kMostStates)
        continue;
      if (system.is_timed())
        teller.look(state, free_moves.from(search.store()[StateId(i)]), story);
      else
        teller.look(state, story);
    }
  }
  std::vector<std::string> out;
  out.reserve(stories.size() + 1);
  for (const Story& story : stories)
    out.push_back(teller.tell(story, complete));
  if (!complete)
    out.emplace_back("not all states were visited, so there may be more to it");
  return out;
}

}  // namespace tw
