// All steps that leave a state, in a fixed order: acting processes in system order, edges in
// document order, select values ascending, receivers in system order. HOT: bench semantics/expand.
//
// Steps of processes that do not notice each other commute. So each successor comes with the
// processes that may *sleep* there: whoever expands states in the order in which they are met has
// met, by then, all that these can reach in one step (docs/algorithms.md 5.2). They can be left out
// when the successor is expanded.
//
// With clocks a state is a discrete state with a zone (successor_zones.cpp): time has passed in it
// already, as far as it may.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/model/events.hpp"
#include "engine/semantics/bits_cache.hpp"
#include "engine/semantics/current_offers.hpp"
#include "engine/semantics/machine.hpp"
#include "engine/semantics/offers.hpp"
#include "engine/semantics/process_set.hpp"
#include "engine/semantics/recent_states.hpp"
#include "engine/semantics/step_memo.hpp"
#include "engine/semantics/step_teams.hpp"
#include "engine/semantics/successor_list.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

class SuccessorGenerator {
 public:
  /// The system is borrowed and outlives the generator; one generator per thread.
  explicit SuccessorGenerator(const System& system, OnError on_error = OnError::kStop);

  /// The packed initial state; an error if an invariant does not hold in it or cannot be evaluated.
  struct Initial {
    std::vector<std::uint64_t> state;
    ClockDetails clocks;  // without guard and assignments
    ModelError error;
    bool exists = true;  // false: an invariant is false
  };
  [[nodiscard]] Initial initial();

  void expand(const std::uint64_t* state, Successors& out) {
    out.clear();
    append(state, out, {});
  }

  /// Successors that need not be listed.
  struct LeaveOut {
    Sleep sleeping = 0;  // those of these processes
    /// Those that were listed lately. Not the first of a kind of step: rules have to see it.
    bool recent = false;
  };
  /// Adds the successors of one more state; none after an error. Returns how many it has, those
  /// left out included. Throws BudgetSpent where a limit is met on the way; the generator can be
  /// used again with an empty list.
  std::size_t append(const std::uint64_t* state, Successors& out, LeaveOut left_out);

  /// What coverage rules see of a step, as EventWord, in the order of engine/model/events.hpp: uses
  /// and definitions of watched cells, and fired edges; without the final kState.
  [[nodiscard]] std::span<const std::uint64_t> events(StepKindId kind) const {
    return teams_.events(kind);
  }
  /// What remembering takes at the most.
  [[nodiscard]] std::size_t memo_bytes() const {
    return offers_.most_bytes() + step_memo_.most_bytes() +
           (timed_ ? zone_memo_.most_bytes() + 2 * kMostZoneBytes : 0);
  }
  /// Kinds are numbered from 0, as they come.
  [[nodiscard]] std::size_t kinds() const { return teams_.kinds(); }

  /// From now on successors have clock details.
  void keep_clock_details() { keeps_details_ = true; }

  // Looking at states, between expansions. First the state, and the values of selects, then the
  // predicates of the instrumentation.
  void look_at(const std::uint64_t* state) {
    packed_ = state;
    unpacked_ = false;
    next_is_copy_ = false;
    unpack();
  }
  [[nodiscard]] std::uint32_t location_of(std::size_t process) const { return locations_[process]; }
  [[nodiscard]] std::int32_t cell(std::size_t cell) const { return memory_[cell]; }
  void choose(std::uint32_t select, std::int32_t value) { memory_[select] = value; }
  enum class Seen : std::uint8_t {
    kFalse,
    kTrue,  // as far as clocks allow
    kUndefined,
  };
  /// Appends what clocks must satisfy besides.
  [[nodiscard]] Seen see(std::size_t predicate, std::vector<ClockConstraint>& constraints);

  /// Lets time pass until clocks satisfy something, and then as it likes: the zones of that moment
  /// and, in the state, of what follows. Pre: they can.
  struct Waiting {
    std::vector<std::uint64_t> state;
    Zone moment;
    ClockDetails clocks;
  };
  [[nodiscard]] Waiting wait(const std::uint64_t* state, std::span<const ClockConstraint> until);

  /// A step as the rest of the engine and the user see it.
  [[nodiscard]] Step describe(const Successors& from, std::size_t step) const;

 private:
  static constexpr std::uint32_t kNoBranch = StepTeams::kNoBranch;
  using Team = std::span<const Candidate* const>;

  void unpack();
  void forget();
  [[nodiscard]] const Offers* find_offers(std::size_t process);
  /// Calls f(edge, branch) for all ways to leave by this edge, with the selects set in the memory.
  template <class F>
  void for_each_way(std::uint32_t index, std::vector<std::int32_t>& memory, F f) const;
  void try_edge(const CompiledLocation& location, const CompiledEdge& edge, std::uint32_t branch);
  void resolve(const Candidate& candidate);
  // What the words of a state are counted by: a constant where there are few.
  template <class Words>
  void append_all(Sleep sleeping, Words words, Successors& out);
  template <class Words>
  void combine(Sleep sleeping, Words words, Successors& out);
  /// Calls f(candidate) for those who can receive, in order; false ends it.
  template <class F>
  void for_each_receiver(std::uint32_t channel, F f) const;
  void combine_binary(const Candidate& sender, Successors& out);
  void combine_broadcast(const Candidate& sender, Successors& out);
  [[nodiscard]] bool can_hold(const Candidate& candidate) const {
    return !timed_ || clocks_can_hold(candidate);
  }
  [[nodiscard]] bool clocks_can_hold(const Candidate& candidate) const;
  void act(const Candidate& candidate, Successors& out);
  template <class Words>
  void take_ready(std::size_t process, const Offers& offers, Words words, Successors& out);
  template <class Reads, class Words>
  void append_changed(const Successors::StepRef& step,
                      std::span<const BitAssignment> changes,
                      Sleep may_sleep,
                      Reads reads,
                      Words words,
                      Successors& out);
  [[nodiscard]] bool has_come(StepKindId kind);
  void recall_changes(TeamId id, const StepMemo::Memory& known);
  [[nodiscard]] std::uint64_t reads_of(TeamId team, std::size_t word) const;
  [[nodiscard]] bool is_broadcast(Team team) const;
  void propose(Team team, Successors& out);
  void fire_by_priority(Successors& out);
  void take(Team team, Successors& out);
  [[nodiscard]] TeamId number_of(Team team);
  [[nodiscard]] bool recall(TeamId id, Team team, Successors& out);
  [[nodiscard]] bool recall_timed(TeamId id, Team team, Successors& out);
  void fire(TeamId id, Team team, Successors& out);
  void hide_unread(TeamId id, Team team);
  void find_written(TeamId id, Team team);
  bool run_team(TeamId id, Team team);
  void append_successor(Team team, Successors& out);
  void remember(TeamId id, const Successors& out, bool exists);
  void take_back(Team team);
  /// Calls f with every state cell that the team may have written.
  template <class F>
  void for_each_written(Team team, F f) const;
  bool update(const Candidate& candidate);
  inline bool run_updates(std::uint32_t entry, EdgeId edge);
  void choose(const CompiledEdge& edge,
              std::span<const std::int32_t> selects,
              std::vector<std::int32_t>& memory) const;
  void forget_dead(const Candidate& candidate);
  bool invariants_hold();
  bool check(RunResult result, EdgeId edge, const std::vector<std::int32_t>& memory);
  void note_error(const ModelError& error);
  bool run_watched_updates(std::uint32_t entry, EdgeId edge);
  void note_predicates(Team team);
  void note_edge_predicates(const CompiledEdge& edge);
  void note_fired(EdgeId edge);
  void note_entered(Team team);
  void note_edge_entered(const CompiledEdge& edge);
  void take_notes(EdgeId edge, UseKind kind);
  void note_event(const Event& event) { events_.push_back(EventWord::encode(event)); }
  [[nodiscard]] std::uint64_t priority_of(Team team) const;

  using ClockActionId = Id<struct ClockActionTag>;

  // Zones. A piece is a convex part of the source zone in which a team may fire.
  struct Piece {
    Zone zone;
    std::vector<ClockConstraint> constraints;  // that make it up, within the source zone
  };
  // What clocks have to do with a discrete state.
  struct Stay {
    std::vector<ClockConstraint> invariant;
    std::vector<std::uint32_t> stopped;  // clocks that stand still
    bool time_passes = true;
    /// Where invariants hold later, they hold at the moment when the state is entered: a bound from
    /// above does, and a difference of clocks does not change.
    bool is_implied_later = false;
    LuBounds bounds;  // what clocks can still be compared with
  };
  void prepare_clocks();
  void begin_timed(const std::uint64_t* state);
  /// Of going through a zone, in units of BudgetMeter.
  [[nodiscard]] std::uint64_t zone_work() const {
    return std::uint64_t{system_.zone_size()} * system_.zone_size();
  }
  Piece& new_piece(const Zone& zone, std::span<const ClockConstraint> constraints);
  bool narrow(Piece& piece, const ClockConstraint& constraint) const;
  bool find_pieces(Team team);
  [[nodiscard]] bool stays_behind(const Candidate& receiver, Team team) const;
  [[nodiscard]] bool depends_on_others(Team team) const;
  void count_looks();
  [[nodiscard]] bool meets(const Zone& zone, std::span<const ClockConstraint> constraints);
  void subtract(std::span<const ClockConstraint> constraints);
  void collect_images();
  bool narrow_to_positive(Piece& piece);
  bool narrow_to_invariants(Piece& piece, const Stay& stay) const;
  [[nodiscard]] ClockActionId action_of(Team team);
  [[nodiscard]] bool differs_for_clocks() const;
  void set_zone_key();
  void append_zone(std::span<const std::uint64_t> zone,
                   const Successors::StepRef& step,
                   std::uint64_t hash,
                   Successors& out);
  [[nodiscard]] bool recall_zone(const Successors::StepRef& step,
                                 std::uint64_t hash,
                                 Successors& out);
  void remember_zone(const Successors& out);
  [[nodiscard]] const Stay* find_stay();
  void fill(Stay& stay);
  void append_zones(Team team, std::uint64_t hash, Successors& out);
  void append_pieces(const Stay& stay,
                     const Successors::StepRef& step,
                     std::uint64_t hash,
                     Successors& out);
  [[nodiscard]] bool settle(Zone& zone, const Stay& stay) const;
  template <class F>
  void split_on_diagonals(const Zone& zone,
                          std::size_t first,
                          std::vector<ClockConstraint>& sides,
                          F take) const;
  void extrapolate(Zone& zone, const Stay& stay) const;
  [[nodiscard]] Initial begin();
  [[nodiscard]] bool set_initial_zone(Initial& out);
  [[nodiscard]] bool time_may_pass();
  [[nodiscard]] bool has_urgent_step();
  void collect_urgent(std::uint32_t index);

  const System& system_;
  OnError on_error_;
  const bool watching_;  // some cell: steps have events
  const bool timed_;
  const std::size_t words_;  // of the discrete part of a state
  bool keeps_details_ = false;
  std::vector<std::uint32_t> locations_;       // of the state being expanded
  std::vector<std::uint32_t> next_locations_;  // of the successor being built
  std::vector<std::int32_t> memory_;           // the state being expanded
  std::vector<std::int32_t> next_;             // the successor being built
  const std::uint64_t* packed_ = nullptr;      // the state being expanded, as it was given
  bool unpacked_ = false;                      // … and in locations_ and memory_, too
  bool next_is_copy_ = false;                  // … and in next_locations_ and next_
  bool any_committed_ = false;
  bool is_torn_ = false;  // what is remembered may be half made: an expansion was ended
  BudgetMeter meter_;
  bool failed_ = false;
  bool had_error_ = false;  // also one that is skipped
  bool is_trying_ = false;  // whether errors count will be seen when the step is taken
  std::map<std::pair<EdgeId, ExprId>, std::int64_t> skipped_;  // the least number by place …
  std::vector<ModelError> news_;                               // … and what is new of them
  ModelError error_;

  Notes notes_;  // of the code that ran last
  // By cell: which turn defined it last. A turn is what one edge or hook does in one step.
  std::vector<std::uint64_t> defined_in_;
  std::uint64_t turn_ = 0;

  std::vector<std::uint64_t> events_;  // of the step being fired, if something is watched

  // What was worked out before, and by which names.
  StepTeams teams_;
  OfferTable offers_;
  StepMemo step_memo_;  // by team: the kind of its step, or kNoStep; what changes; what clocks see
  static constexpr std::uint32_t kNoStep = 0xFFFFFFFF;
  static constexpr std::int32_t kHidden = std::numeric_limits<std::int32_t>::min();
  static constexpr std::size_t kManyActions = std::size_t{1} << 20;
  std::vector<std::int32_t> selects_;  // scratch
  Successors resolved_;                // scratch

  // Of the state being expanded.
  std::size_t first_step_ = 0;  // among the successors
  std::size_t left_out_ = 0;    // steps
  Sleep may_sleep_ = 0;         // those that are asleep, or acted before
  std::uint64_t hash_ = 0;
  std::vector<std::uint64_t> word_hashes_;
  CurrentOffers current_;
  std::optional<RecentStates> recent_;  // once it is asked for
  bool leaves_out_recent_ = false;
  std::vector<char> has_come_;         // by kind: a step of it was listed when recent ones were not
  std::vector<std::uint64_t> target_;  // the discrete part of the successor being made …
  std::vector<std::uint64_t> written_;   // … and the bits of it that the step has written …
  std::vector<BitAssignment> changes_;   // … or, of a step that is remembered, what it does
  std::vector<std::uint32_t> hidden_;    // cells that tell whether they are written
  std::vector<ProcessSet> may_receive_;  // by channel: those that ever offered to
  std::vector<const Candidate*> team_;   // the step being proposed
  std::vector<ChoiceId> choices_;        // of a team
  struct Proposal {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint64_t priority = 0;
  };
  std::vector<const Candidate*> proposed_;  // only with priorities: all teams, before filtering
  std::vector<Proposal> proposals_;

  // Clocks
  ClockWork work_;             // of the code that ran last
  Zone source_;                // of the state being expanded
  std::vector<Piece> pieces_;  // the first piece_count_ are in use
  std::size_t piece_count_ = 0;
  Zone rest_;  // scratch of meets()
  /// With priorities: where steps of higher priority exist, and of the one being looked at.
  std::vector<std::vector<ClockConstraint>> blocked_;
  std::vector<std::vector<ClockConstraint>> level_;
  /// By clock: what it is after the assignments, in terms of clocks before them.
  std::vector<ClockAssignment> images_;
  std::vector<ClockAssignment> lowered_;  // images that subtract something
  std::optional<BitsCache<Stay>> stays_;  // if they depend on bits of the state alone …
  Stay stay_;                             // … else the last one

  // What became of zones. Where a step with given demands and assignments leads from a zone to a
  // discrete state, of which only few bits matter, the zone behind it is always the same.
  using ZoneNumber = Id<struct ZoneNumberTag>;
  static constexpr std::size_t kMostZoneBytes = std::size_t{1} << 20;
  static constexpr std::uint32_t kEnoughLooks = 16384;
  SequenceTable<ZoneNumber, std::uint64_t> zone_numbers_;  // by their words in states
  SequenceTable<ClockActionId, std::int32_t> actions_;     // constraints, assignments
  StepMemo zone_memo_;                                     // by action: the one zone behind it
  std::vector<StateBits> zone_bits_;                       // of the key of this one …
  std::vector<std::uint64_t> zone_key_;     // … which is source zone, then discrete successor
  std::vector<std::int32_t> action_words_;  // scratch
  ZoneNumber source_number_;                // invalid: not known yet
  ClockActionId action_;                    // of the step being fired; invalid: not remembered
  bool remembers_steps_ = false;            // what clocks demand depends on bits of the state
  bool remembers_zones_ = false;
  std::uint32_t looks_ = 0;  // lately
  std::uint32_t hits_ = 0;   // … that were remembered
  struct UrgentOffer {
    std::uint32_t process = 0;
    std::uint32_t channel = 0;
    Direction direction = Direction::kSend;
  };
  std::vector<UrgentOffer> urgent_offers_;  // in the successor
  std::vector<std::int32_t> settled_;  // the memory of the successor, with meta variables reset
};

template <class F>
void SuccessorGenerator::for_each_receiver(std::uint32_t channel, F f) const {
  may_receive_[channel].for_each([&](std::size_t p) {
    for (const Candidate& candidate : current_[p].passive)
      if (candidate.channel == channel && can_hold(candidate) && !f(candidate))
        return false;
    return true;
  });
}

// Select values ascend, the last variable fastest; those of the branch after those of the edge.
template <class F>
void SuccessorGenerator::for_each_way(std::uint32_t index,
                                      std::vector<std::int32_t>& memory,
                                      F f) const {
  // Sets the first combination; false if a range is empty.
  const auto first = [&memory](const CompiledEdge& edge) {
    for (const CompiledSelect& select : edge.selects) {
      if (select.low > select.high)
        return false;
      memory[select.cell] = select.low;
    }
    return true;
  };
  const auto next = [&memory](const CompiledEdge& edge) {
    for (std::size_t i = edge.selects.size(); i-- > 0;) {
      const CompiledSelect& select = edge.selects[i];
      if (memory[select.cell] < select.high) {
        ++memory[select.cell];
        return true;
      }
      memory[select.cell] = select.low;
    }
    return false;
  };
  const CompiledEdge& edge = system_.edge(index);
  if (!first(edge))
    return;
  do {
    if (!edge.enters_branchpoint) {
      if (!f(edge, kNoBranch))
        return;
      continue;
    }
    for (const std::uint32_t branch : edge.branches) {
      if (!first(system_.edge(branch)))
        continue;
      do
        if (!f(edge, branch))
          return;
      while (next(system_.edge(branch)));
    }
  } while (next(edge));
}

}  // namespace tw
