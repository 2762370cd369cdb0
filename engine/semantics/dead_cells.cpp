#include "engine/semantics/dead_cells.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace tw {
namespace {

// Sets of more words than this are not worth their memory.
constexpr std::size_t kMostWords = std::size_t{1} << 22;

class CellSet {
 public:
  explicit CellSet(std::size_t cells) : words_((cells + kWordBits - 1) / kWordBits) {}

  void add(std::size_t cell) { words_[cell / kWordBits] |= std::uint64_t{1} << cell % kWordBits; }

  [[nodiscard]] bool contains(std::size_t cell) const {
    return (words_[cell / kWordBits] >> cell % kWordBits & 1) != 0;
  }

  void add(const CellSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] |= others.words_[i];
  }
  /// All but some of them. True: there are new ones.
  bool add_without(const CellSet& others, const CellSet& some) {
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t more = others.words_[i] & ~some.words_[i];
      added |= more & ~words_[i];
      words_[i] |= more;
    }
    return added != 0;
  }
  void remove(const CellSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] &= ~others.words_[i];
  }
  void keep(const CellSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] &= others.words_[i];
  }
  [[nodiscard]] std::vector<std::uint32_t> cells() const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        out.push_back(static_cast<std::uint32_t>(i * kWordBits +
                                                 static_cast<std::size_t>(std::countr_zero(rest))));
    return out;
  }

 private:
  static constexpr std::size_t kWordBits = 64;

  std::vector<std::uint64_t> words_;
};

class LiveCells {
 public:
  LiveCells(const Network& network, const std::vector<bool>& observed);

  [[nodiscard]] std::vector<std::vector<std::uint32_t>> dead_after_edges() const;

 private:
  struct EdgeAccesses {
    CellSet asked;    // to find out whether it can fire
    CellSet read;     // by updates, unless it was certainly written before in the same step
    CellSet killed;   // certainly written, by itself or whoever sends to it
    CellSet written;  // perhaps
  };
  // All edges that synchronise on a channel, or on one of an array of channels.
  struct Partners {
    std::vector<EdgeId> senders;
    std::vector<EdgeId> receivers;
  };

  [[nodiscard]] CellSet none() const { return CellSet(network_.memory.state); }
  void add_place(const PlaceRange& place, CellSet& out) const;
  void keep_accesses(ExprId expression);
  void add_update(ExprId update, EdgeAccesses& out) const;
  [[nodiscard]] ExprId root_of(ExprId place) const;
  void look_at(const Edge& edge);
  [[nodiscard]] VariableId channel_of(const Edge& edge) const;
  void find_partners();
  [[nodiscard]] ProcessId only_receiver(const Edge& edge) const;
  void find_changing();
  void follow_senders();
  void ask_branches();
  void find_live(const Process& process);
  [[nodiscard]] CellSet may_die_in(EdgeId edge) const;

  [[nodiscard]] const EdgeAccesses& accesses(EdgeId edge) const { return edges_[edge.index()]; }
  [[nodiscard]] bool enters_branchpoint(const Edge& edge) const {
    return network_.decl(edge.target).kind == LocationKind::kBranchpoint;
  }

  // Processes that take part in every step that changes a cell: both, one, or none. At first all.
  struct Changing {
    bool is_all = true;
    ProcessId one;
    ProcessId other;

    [[nodiscard]] bool contains(ProcessId process) const {
      return is_all || process == one || process == other;
    }
  };

  const Network& network_;
  CellSet kept_;  // never forgotten
  std::vector<EdgeAccesses> edges_;
  std::vector<std::vector<EdgeId>> entering_;          // by location
  std::vector<std::vector<EdgeId>> leaving_;           // by location
  std::unordered_map<VariableId, Partners> partners_;  // invalid: of channels that are not known
  std::vector<CellSet> live_;                          // by location
  std::vector<CellSet> live_in_;                       // by process: somewhere in it
  CellSet live_in_several_;                            // processes
  std::vector<Changing> changing_;                     // by cell
};

LiveCells::LiveCells(const Network& network, const std::vector<bool>& observed)
    : network_(network),
      kept_(network.memory.state),
      entering_(network.locations.size()),
      leaving_(network.locations.size()),
      live_in_several_(network.memory.state) {
  for (std::size_t cell = 0; cell < std::min<std::size_t>(observed.size(), network.memory.state);
       ++cell)
    if (observed[cell])
      kept_.add(cell);
  for (const std::vector<ExprId>* hook : {&network.before_update, &network.after_update})
    for (const ExprId update : *hook)
      keep_accesses(update);
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    const Edge& edge = network.edges[EdgeId(i)];
    look_at(edge);
    leaving_[edge.source.index()].emplace_back(i);
    entering_[edge.target.index()].emplace_back(i);
  }
  find_partners();
  find_changing();
  follow_senders();
  ask_branches();
  live_.assign(network.locations.size(), none());
  CellSet live_before = none();
  for (const Process& process : network.processes) {
    find_live(process);
    CellSet again = live_in_.back();
    again.keep(live_before);
    live_in_several_.add(again);
    live_before.add(live_in_.back());
  }
}

void LiveCells::add_place(const PlaceRange& place, CellSet& out) const {
  if (place.is_clock)
    return;
  const std::uint32_t end = std::min(place.first + place.count, network_.memory.state);
  for (std::uint32_t cell = place.first; cell < end; ++cell)
    out.add(cell);
}

void LiveCells::keep_accesses(ExprId expression) {
  const Accesses accesses = accesses_of(network_, expression, UseKind::kComputation);
  for (const Use& use : accesses.uses)
    add_place(use.place, kept_);
  for (const Definition& definition : accesses.definitions)
    add_place(definition.place, kept_);
}

// Updates run one after the other. What `x = …` writes is certain if it is known which cells x has;
// of what calls and parts of expressions write, and of `(c ? x : y) = …`, nothing is.
void LiveCells::add_update(ExprId update, EdgeAccesses& out) const {
  const Accesses accesses = accesses_of(network_, update, UseKind::kComputation);
  CellSet read = none();
  for (const Use& use : accesses.uses)
    add_place(use.place, read);
  out.read.add_without(read, out.killed);
  for (const Definition& definition : accesses.definitions)
    add_place(definition.place, out.written);
  if (network_.pool[update].kind != ExprKind::kAssign)
    return;
  const ExprId target = network_.pool.operand(update, 0);
  if (network_.pool[root_of(target)].kind != ExprKind::kVariable)
    return;
  const std::size_t cells = network_.types.shape(network_.pool[target].type).cells;
  for (const Definition& definition : accesses.definitions)
    if (definition.at == update && !definition.place.is_clock && definition.place.count == cells)
      add_place(definition.place, out.killed);
}

// `a` of `a[i].f`.
ExprId LiveCells::root_of(ExprId place) const {
  while (network_.pool[place].kind == ExprKind::kIndex ||
         network_.pool[place].kind == ExprKind::kField)
    place = network_.pool.operand(place, 0);
  return place;
}

void LiveCells::look_at(const Edge& edge) {
  EdgeAccesses out{.asked = none(), .read = none(), .killed = none(), .written = none()};
  for (const Use& use : edge.facts.uses)
    if (use.kind == UseKind::kPredicate)
      add_place(use.place, out.asked);
  for (const ExprId update : edge.labels.updates)
    add_update(update, out);
  edges_.push_back(std::move(out));
}

// Or the array that it is in. Invalid: several are possible.
VariableId LiveCells::channel_of(const Edge& edge) const {
  const ExprId at = root_of(edge.labels.channel);
  return network_.pool[at].kind == ExprKind::kVariable ? network_.pool[at].variable()
                                                       : VariableId();
}

void LiveCells::find_partners() {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = network_.edges[EdgeId(i)];
    if (edge.labels.direction == Direction::kInternal)
      continue;
    Partners& partners = partners_[channel_of(edge)];
    const bool sends = edge.labels.direction == Direction::kSend;
    (sends ? partners.senders : partners.receivers).emplace_back(i);
  }
}

// Who takes part in every step that this edge sends. Invalid: not always the same process.
ProcessId LiveCells::only_receiver(const Edge& edge) const {
  if (edge.labels.direction != Direction::kSend || partners_.contains(VariableId()) ||
      network_.types[network_.pool[edge.labels.channel].type].broadcast)
    return {};
  ProcessId out;
  for (const EdgeId id : partners_.at(channel_of(edge)).receivers) {
    if (out.valid() && network_.edges[id].process != out)
      return {};
    out = network_.edges[id].process;
  }
  return out;
}

void LiveCells::find_changing() {
  changing_.resize(network_.memory.state);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = network_.edges[EdgeId(i)];
    const ProcessId receiver = only_receiver(edge);
    for (const std::uint32_t cell : edges_[i].written.cells()) {
      Changing& changing = changing_[cell];
      const bool keeps_own = changing.contains(edge.process);
      const bool keeps_receiver = receiver.valid() && changing.contains(receiver);
      changing = {.is_all = false,
                  .one = keeps_own ? edge.process : ProcessId(),
                  .other = keeps_receiver ? receiver : ProcessId()};
    }
  }
}

// Their updates run before those of who receives.
void LiveCells::follow_senders() {
  if (partners_.contains(VariableId()))
    return;
  for (const auto& [channel, partners] : partners_) {
    if (partners.senders.empty())
      continue;  // nobody ever receives
    CellSet killed = accesses(partners.senders.front()).killed;
    CellSet written = none();
    for (const EdgeId sender : partners.senders) {
      killed.keep(accesses(sender).killed);
      written.add(accesses(sender).written);
    }
    for (const EdgeId receiver : partners.receivers) {
      EdgeAccesses& received = edges_[receiver.index()];
      received.read.remove(killed);
      received.killed.add(killed);
      received.written.add(written);
    }
  }
}

// What leaves a branchpoint is asked together with what leads there.
void LiveCells::ask_branches() {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = network_.edges[EdgeId(i)];
    if (enters_branchpoint(edge))
      for (const EdgeId branch : leaving_[edge.target.index()])
        edges_[i].asked.add(accesses(branch).asked);
  }
}

void LiveCells::find_live(const Process& process) {
  for (std::size_t i = 0; i < process.location_count; ++i) {
    const LocationId location(process.first_location.index() + i);
    if (!network_.locations[location].invariant.valid())
      continue;
    const Accesses asked =
        accesses_of(network_, network_.locations[location].invariant, UseKind::kPredicate);
    for (const Use& use : asked.uses)
      add_place(use.place, live_[location.index()]);
  }
  for (std::size_t i = 0; i < process.edge_count; ++i) {
    const EdgeId id(process.first_edge.index() + i);
    CellSet& live = live_[network_.edges[id].source.index()];
    live.add(accesses(id).read);
    live.add(accesses(id).asked);
  }
  std::vector<LocationId> changed;
  std::vector<bool> is_changed(process.location_count, true);
  for (std::size_t i = 0; i < process.location_count; ++i)
    changed.emplace_back(process.first_location.index() + i);
  while (!changed.empty()) {
    const LocationId location = changed.back();
    changed.pop_back();
    is_changed[location.index() - process.first_location.index()] = false;
    for (const EdgeId id : entering_[location.index()]) {
      const LocationId source = network_.edges[id].source;
      const bool is_new =
          live_[source.index()].add_without(live_[location.index()], accesses(id).killed);
      const std::size_t local = source.index() - process.first_location.index();
      if (!is_new || is_changed[local])
        continue;
      is_changed[local] = true;
      changed.push_back(source);
    }
  }
  CellSet somewhere = none();
  for (std::size_t i = 0; i < process.location_count; ++i)
    somewhere.add(live_[process.first_location.index() + i]);
  live_in_.push_back(std::move(somewhere));
}

// Cells that may have other values than before, or were live.
CellSet LiveCells::may_die_in(EdgeId edge) const {
  CellSet out = accesses(edge).written;
  out.add(live_[network_.edges[edge].source.index()]);
  return out;
}

std::vector<std::vector<std::uint32_t>> LiveCells::dead_after_edges() const {
  CellSet live_anywhere = none();
  for (const CellSet& live : live_in_)
    live_anywhere.add(live);
  std::vector<std::vector<std::uint32_t>> out(edges_.size());
  bool is_empty = true;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = network_.edges[EdgeId(i)];
    if (enters_branchpoint(edge))
      continue;  // the edge that leaves it does it
    CellSet dead = may_die_in(EdgeId(i));
    if (network_.decl(edge.source).kind == LocationKind::kBranchpoint)
      for (const EdgeId before : entering_[edge.source.index()])
        dead.add(may_die_in(before));
    dead.remove(kept_);
    dead.remove(live_[edge.target.index()]);
    dead.remove(live_in_several_);
    out[i] = dead.cells();
    // What others change while it is dead would have to be forgotten by them.
    std::erase_if(out[i], [&](std::uint32_t cell) {
      return live_anywhere.contains(cell) && !(live_in_[edge.process.index()].contains(cell) &&
                                               changing_[cell].contains(edge.process));
    });
    is_empty = is_empty && out[i].empty();
  }
  if (is_empty)
    out.clear();
  return out;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> dead_cells(const Network& network,
                                                   const std::vector<bool>& observed) {
  const std::size_t sets =
      network.locations.size() + network.processes.size() + 4 * network.edges.size();
  if (sets * (network.memory.state / 64 + 1) > kMostWords)
    return {};
  return LiveCells(network, observed).dead_after_edges();
}

}  // namespace tw
