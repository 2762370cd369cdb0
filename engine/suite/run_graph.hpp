// The runs of a system as a graph that is remembered (docs/adr/016-run-graph.md): a node is a state
// with the tokens that a run carries there, an arc is a step, or a wait, with the wanted items that
// it covers. A node is expanded when it is first asked for, and never again: whoever plans a whole
// suite visits the same nodes thousands of times, and then looks at numbers only.
//
// There is no pruning by what is covered already, so a graph is as large as the states with all
// their tokens; whoever has not enough room sees a part of it (`is_complete`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/base/sequence_table.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/search/state_observer.hpp"
#include "engine/search/step_effects.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

class RunGraph {
 public:
  struct Options {
    OnError on_error = OnError::kStop;
    std::uint64_t max_expansions = 0;
    std::uint64_t max_bytes = 0;  // 0: no limit
  };

  using Node = std::uint32_t;
  using Gain = Id<struct GainTag>;  // a set of wanted items
  static constexpr Node kStart = 0;

  struct Arc {
    Node to = 0;
    Gain gain;
    std::uint32_t how = 0;  // which successor, or with kWait which wait

    static constexpr std::uint32_t kWait = 0x80000000;
    [[nodiscard]] std::uint32_t length() const { return (how & kWait) == 0 ? 1 : 0; }
  };

  /// An arc by its place: the node that it leaves and its number there.
  struct Move {
    Node from = 0;
    std::uint32_t arc = 0;

    friend bool operator==(const Move&, const Move&) = default;
  };

  /// All are borrowed. Items are numbered as in `wanted`; what `others` has covered is not looked
  /// for. Pre: the system has an initial state.
  RunGraph(const System& system,
           Effects& effects,
           const Ledger& others,
           std::span<const ItemId> wanted,
           Options options);

  /// What the initial state covers.
  [[nodiscard]] Gain initial_gain() const { return initial_gain_; }

  /// What leaves a node; nothing if it was never expanded and there is no room. Good until the next
  /// call.
  [[nodiscard]] std::span<const Arc> arcs(Node node) {
    if (places_[node].count == kUnknown && !expand(node))
      return {};
    return known_arcs(node);
  }
  /// The same without expanding.
  [[nodiscard]] std::span<const Arc> known_arcs(Node node) const {
    const Place& place = places_[node];
    return place.count == kUnknown ? std::span<const Arc>()
                                   : std::span(arcs_).subspan(place.first, place.count);
  }
  [[nodiscard]] const Arc& arc(Move move) const {
    return arcs_[places_[move.from].first + move.arc];
  }
  [[nodiscard]] std::span<const std::uint32_t> items(Gain gain) const { return gains_[gain]; }
  [[nodiscard]] std::size_t wanted() const { return wanted_.size(); }

  /// Some arcs have no length.
  [[nodiscard]] bool has_waits() const { return !waits_.empty(); }

  /// Nodes that are known, expanded or not; numbered from 0.
  [[nodiscard]] std::size_t nodes() const { return places_.size(); }
  [[nodiscard]] std::size_t arcs() const { return arcs_.size(); }
  /// Expands all there is. True: that was possible, and no step ends in an error.
  bool complete();
  /// More can be expanded.
  [[nodiscard]] bool has_room();

  /// Nodes with equal states differ in tokens.
  [[nodiscard]] std::uint32_t state_number(Node node) const {
    return static_cast<std::uint32_t>(node_key(node) >> 32);
  }
  [[nodiscard]] SetId tokens(Node node) const { return SetId(node_key(node) & 0xFFFFFFFF); }

  /// Nodes with equal numbers differ in clocks and tokens.
  [[nodiscard]] std::uint32_t place_number(Node node) const {
    return is_timed() ? discrete_[state_number(node)] : state_number(node);
  }
  [[nodiscard]] bool is_timed() const { return system_.is_timed(); }
  /// Pre: the same place. Whatever clocks allow in the other one they allow here.
  [[nodiscard]] bool includes(Node node, Node other) const;

  [[nodiscard]] Words token_set(Node node) const { return effects_.sets()[tokens(node)]; }
  [[nodiscard]] bool has_tokens() const { return has_tokens_; }
  /// As bits, those that can help to cover one of these.
  [[nodiscard]] const std::vector<std::uint64_t>& tokens_for(Words items);

  /// The arc by which this step leaves; nullopt: it is none of the system's, or there is no room.
  [[nodiscard]] std::optional<Move> find(Node from, const Step& step);
  [[nodiscard]] const Step& step(Move move);

  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  struct Place {
    std::uint64_t first = 0;
    std::uint32_t count = kUnknown;
  };
  using NodeId = Id<struct NodeTag>;
  using StateNumber = Id<struct StateNumberTag>;

  [[nodiscard]] std::uint64_t node_key(Node node) const {
    return nodes_[NodeId(std::size_t{node})].front();
  }
  bool expand(Node node);
  void add_waits(Node node, std::vector<Arc>& out);
  [[nodiscard]] Node node_of(std::span<const std::uint64_t> state, SetId tokens);
  [[nodiscard]] Gain gain_of(std::span<const ItemId> items);
  [[nodiscard]] SetId live(SetId tokens);
  void load(Node node) {
    const auto words = states_[StateNumber(std::size_t{state_number(node)})];
    state_.assign(words.begin(), words.end());
  }

  const System& system_;
  Effects& effects_;
  Ledger others_;
  Options options_;
  SuccessorGenerator generator_;
  StepEffects step_effects_;
  StateObserver observer_;
  Successors successors_;
  std::uint64_t most_expansions_;
  std::vector<std::uint32_t> number_of_;  // by item: among the wanted; kUnknown: none
  std::vector<ItemId> wanted_;
  const bool has_tokens_;
  Gain initial_gain_;
  SequenceTable<StateNumber, std::uint64_t> states_;
  SequenceTable<StateNumber, std::uint64_t> places_of_;  // discrete parts, with clocks
  std::vector<std::uint32_t> discrete_;                  // … by state
  SequenceTable<NodeId, std::uint64_t> nodes_;  // state in the upper half, tokens in the lower one
  SequenceTable<Gain, std::uint32_t> gains_;
  std::vector<Place> places_;  // by node
  std::vector<Arc> arcs_;
  std::vector<std::vector<ClockConstraint>> waits_;
  std::uint64_t expansions_ = 0;
  bool failed_ = false;  // some step ends in an error
  bool full_ = false;
  std::unordered_map<std::uint64_t, SetId> live_;  // by set
  std::unordered_map<std::uint64_t, Step> steps_;  // by place of the arc
  std::unordered_map<Node, std::vector<std::pair<Step, std::uint32_t>>> found_;
  // Of the last question about tokens: the items it was about, how many of them each token leads
  // to, and the answer.
  std::vector<std::uint64_t> counted_items_;
  std::vector<std::uint32_t> leads_to_;
  std::vector<std::uint64_t> live_tokens_;
  // Scratch
  std::vector<std::uint64_t> state_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Arc> leaving_;
};

}  // namespace tw
