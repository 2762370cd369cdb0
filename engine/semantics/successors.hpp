// All steps that leave a state, in a fixed order: acting processes in system order, edges in
// document order, select values ascending, receivers in system order. HOT: bench semantics/expand.
//
// Steps of processes that do not notice each other commute. So each successor comes with the
// processes that may *sleep* there: whoever expands states in the order in which they are met has
// met, by then, all that these can reach in one step (docs/adr/011-sleeping-processes.md; the sleep
// sets of Godefroid 1996). They can be left out when the successor is expanded.
//
// With clocks a state is a discrete state with a zone (successor_zones.cpp): time has passed in it
// already, as far as it may.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/events.hpp"
#include "engine/semantics/machine.hpp"
#include "engine/semantics/process_set.hpp"
#include "engine/semantics/recent_states.hpp"
#include "engine/semantics/step_memo.hpp"
#include "engine/semantics/step_teams.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

/// A run-time error of the model: what went wrong, where in the model, and on which edge.
struct ModelError {
  RunStatus status = RunStatus::kOk;
  ExprId at;
  EdgeId edge;  // invalid: an invariant or before/after_update
};

/// What a step demands of clocks and does to them: all that is needed to find out when to take it.
struct ClockDetails {
  std::vector<ClockConstraint> guard;        // when it is taken, before the assignments
  std::vector<ClockAssignment> assignments;  // in order
  std::vector<ClockConstraint> invariant;    // afterwards, until the next step
  std::vector<std::uint32_t> stopped;        // clocks that stand still meanwhile
  bool time_passes = true;                   // afterwards
};

/// Processes whose steps need not be taken, bit by bit; those behind the 64th never sleep.
using Sleep = std::uint64_t;
inline constexpr std::size_t kSleepers = 64;

/// The successors of one state, or of several; buffers are reused.
struct Successors {
  struct StepRef {
    TeamId team;              // who fires; good until the generator expands into an empty list
    StepKindId kind;          // its events; good for ever
    std::uint32_t piece = 0;  // Step::piece
  };

  std::vector<StepRef> steps;
  std::vector<std::uint64_t> states;        // packed, one after the other
  std::vector<std::uint64_t> hashes;        // hash_state() of their discrete parts
  std::vector<Sleep> sleeping;              // who need not act there
  std::vector<ClockDetails> clock_details;  // by step, if asked for
  ModelError error;                         // kOk unless OnError::kStop met one

  void clear();
  [[nodiscard]] std::size_t size() const { return steps.size(); }
};

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
  /// left out included.
  std::size_t append(const std::uint64_t* state, Successors& out, LeaveOut left_out);

  /// What coverage rules see of a step, as EventWord, in the order of engine/model/events.hpp: uses
  /// and definitions of watched cells, and fired edges; without the final kState.
  [[nodiscard]] std::span<const std::uint64_t> events(StepKindId kind) const {
    return teams_.events(kind);
  }
  /// What remembering takes at the most.
  [[nodiscard]] std::size_t memo_bytes() const {
    return offer_memo_.most_bytes() + step_memo_.most_bytes() +
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
  // A choice whose guard holds, as far as clocks allow.
  struct Candidate {
    ChoiceId choice;
    TeamId alone;  // internal: the team of this one
    std::uint32_t edge = 0;
    std::uint32_t branch = kNoBranch;  // the edge that leaves the branchpoint
    std::uint32_t process = 0;
    std::uint32_t channel = 0;
    std::uint32_t first_constraint = 0;  // in constraints_
    std::uint32_t constraint_count = 0;
    Direction direction = Direction::kInternal;
    bool committed = false;
  };
  static constexpr std::uint32_t kNoBranch = StepTeams::kNoBranch;
  using Team = std::span<const Candidate* const>;

  // An internal choice of which it is known what it does.
  struct ReadyStep {
    TeamId team;
    StepKindId kind;
    std::uint32_t first_change = 0;  // in Offers::changes
    std::uint32_t change_count = 0;
    bool enters_committed = false;
  };

  // What a process can do in its location.
  struct Offers {
    std::vector<Candidate> active;   // internal edges and senders, in order
    std::vector<Candidate> passive;  // receivers, in order
    // Where all that is active is resolved: the same again, to be taken without further questions.
    std::vector<ReadyStep> ready;
    std::vector<StateBits> changes;    // what they flip in a state, one step after the other
    std::vector<std::uint64_t> flips;  // … and together, by word
    bool can_sleep = false;
  };
  using OffersId = Id<struct OffersTag>;

  void unpack();
  void forget();
  void forget_current();
  void collect_candidates();
  void renew_offers(std::size_t process);
  [[nodiscard]] const Offers* offers_at(std::size_t location_number);
  [[nodiscard]] OffersId find_offers(const CompiledLocation& location);
  /// Calls f(edge, branch) for all ways to leave by this edge, with the selects set in the memory.
  template <class F>
  void for_each_way(std::uint32_t index, std::vector<std::int32_t>& memory, F f) const;
  void try_edge(const CompiledLocation& location, const CompiledEdge& edge, std::uint32_t branch);
  void resolve(const Candidate& candidate, std::size_t at);
  void add_offer(std::span<const std::int32_t> words, bool committed, Offers& out);
  void combine(Sleep sleeping, Successors& out);
  /// Calls f(candidate) for those who can receive, in order; false ends it.
  template <class F>
  void for_each_receiver(std::uint32_t channel, F f) const;
  void combine_binary(const Candidate& sender, Successors& out);
  void combine_broadcast(const Candidate& sender, Successors& out);
  [[nodiscard]] bool can_hold(const Candidate& candidate) const {
    return !timed_ || clocks_can_hold(candidate);
  }
  [[nodiscard]] bool clocks_can_hold(const Candidate& candidate) const;
  void finish(Offers& offers) const;
  void act(const Candidate& candidate, Successors& out);
  void take_ready(std::size_t process, Successors& out);
  template <class Flips>
  bool append_changed(
      TeamId team, StepKindId kind, std::span<const StateBits> words, Flips flips, Successors& out);
  [[nodiscard]] bool has_come(StepKindId kind);
  template <class DependsOn>
  [[nodiscard]] Sleep sleeping_after(TeamId team, DependsOn depends_on) const;
  [[nodiscard]] std::uint64_t depends_on(std::size_t process, std::size_t word) const {
    return depends_[word * current_.size() + process];
  }
  [[nodiscard]] std::uint64_t depends_on(TeamId team, std::size_t word) const;
  [[nodiscard]] bool is_broadcast(Team team) const;
  void propose(Team team, Successors& out);
  void fire_by_priority(Successors& out);
  void take(Team team, Successors& out);
  [[nodiscard]] TeamId number_of(Team team);
  [[nodiscard]] bool recall(TeamId id, Team team, Successors& out);
  [[nodiscard]] bool recall_timed(TeamId id, Team team, Successors& out);
  void fire(TeamId id, Team team, Successors& out);
  bool run_team(Team team);
  void append_successor(Team team, Successors& out);
  void remember(TeamId id, const Successors& out, bool exists);
  void remember_timed(TeamId id, const Successors& out);
  void take_back(Team team);
  /// Calls f with every state cell that the team may have written.
  template <class F>
  void for_each_written(Team team, F f) const;
  bool update(const Candidate& candidate);
  inline bool run_updates(std::uint32_t entry, EdgeId edge);
  void choose(const CompiledEdge& edge,
              std::span<const std::int32_t> selects,
              std::vector<std::int32_t>& memory) const;
  bool invariants_hold();
  bool timed_invariants_hold();
  bool check(RunResult result, EdgeId edge);
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
  [[nodiscard]] std::span<const ClockConstraint> guard_of(const Candidate& candidate) const {
    return std::span(constraints_).subspan(candidate.first_constraint, candidate.constraint_count);
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
  bool narrow_to_invariants(Piece& piece) const;
  [[nodiscard]] ClockActionId action_of(Team team);
  [[nodiscard]] bool differs_for_clocks(const std::uint64_t* discrete) const;
  void set_zone_key(const std::uint64_t* discrete);
  [[nodiscard]] bool recall_zone(Successors& out);
  void remember_zone(const Successors& out);
  [[nodiscard]] bool is_implied_later() const;
  void append_zones(Team team, Successors& out);
  void append_pieces(Successors& out);
  [[nodiscard]] bool settle(Zone& zone, bool time_passes) const;
  template <class F>
  void split_on_diagonals(const Zone& zone,
                          std::size_t first,
                          std::vector<ClockConstraint>& sides,
                          F take) const;
  void extrapolate(Zone& zone) const;
  [[nodiscard]] bool set_initial_zone(Initial& out);
  [[nodiscard]] bool time_may_pass();
  [[nodiscard]] bool has_urgent_step();
  void collect_urgent(std::uint32_t index);

  const System& system_;
  OnError on_error_;
  const bool watching_;  // some cell: steps have events
  const bool timed_;
  bool keeps_details_ = false;
  std::vector<std::uint32_t> locations_;       // of the state being expanded
  std::vector<std::uint32_t> next_locations_;  // of the successor being built
  std::vector<std::int32_t> memory_;           // the state being expanded
  std::vector<std::int32_t> next_;             // the successor being built
  const std::uint64_t* packed_ = nullptr;      // the state being expanded, as it was given
  bool unpacked_ = false;                      // … and in locations_, memory_ and next_, too
  bool any_committed_ = false;
  bool failed_ = false;
  bool had_error_ = false;  // also one that is skipped
  ModelError error_;

  Notes notes_;  // of the code that ran last
  // By cell: which turn defined it last. A turn is what one edge or hook does in one step.
  std::vector<std::uint64_t> defined_in_;
  std::uint64_t turn_ = 0;

  std::vector<std::uint64_t> events_;  // of the step being fired, if something is watched

  // What was worked out before, and by which names.
  StepTeams teams_;
  StepMemo offer_memo_;  // by location: its offers
  StepMemo step_memo_;   // by team: the kind of its step, or kNoStep; what changes; what clocks see
  static constexpr std::uint32_t kNoStep = 0xFFFFFFFF;
  SequenceTable<OffersId, std::int32_t> offer_words_;
  std::vector<std::unique_ptr<const Offers>> offers_;  // by OffersId
  std::vector<ClockConstraint> constraints_;           // of all offers
  std::vector<std::int32_t> new_offers_;               // words of those being found
  std::vector<std::int32_t> selects_;                  // … of one of them
  static constexpr std::size_t kOfferWords = 6;  // choice, direction, channel, kind, two counts
  static constexpr std::size_t kConstraintWords = 3;
  static constexpr std::int32_t kUnresolved = -1;
  static constexpr std::int32_t kResolvedToNothing = -2;  // there is no such step
  Successors resolved_;                                   // scratch
  static constexpr std::size_t kManyConstraints = std::size_t{1} << 20;

  // Of the state being expanded.
  std::size_t first_step_ = 0;  // among the successors
  std::size_t left_out_ = 0;    // steps
  Sleep may_sleep_ = 0;         // those that are asleep, or acted before
  std::uint64_t hash_ = 0;
  std::vector<std::uint64_t> word_hashes_;
  std::vector<const Offers*> current_;  // by process: its offers
  std::vector<std::uint64_t> depends_;  // by word and process: the bits that these depend on …
  std::vector<std::uint64_t> flips_;    // … and those that they may flip if they are ready
  ProcessSet stale_;                    // whose offers are not known
  ProcessSet active_;                   // who has an internal edge or a sender to offer
  ProcessSet committed_;
  std::size_t active_count_ = 0;        // of all offers together
  std::optional<RecentStates> recent_;  // once it is asked for
  bool leaves_out_recent_ = false;
  std::vector<char> has_come_;         // by kind: a step of it was listed when recent ones were not
  std::vector<std::uint64_t> target_;  // of the step being taken
  std::vector<std::uint64_t> last_;    // the discrete part of the state expanded before
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
  LuBounds bounds_;
  // By location: what its invariant demands, if that is always the same.
  struct LocationDemands {
    bool stops_time = false;
    bool known = false;
    std::uint32_t first = 0;  // in demands_
    std::uint32_t count = 0;
  };
  std::vector<LocationDemands> location_demands_;
  std::vector<ClockConstraint> demands_;
  std::vector<std::uint32_t> demanding_;  // processes with locations that demand something
  bool located_ = false;                  // next_locations_ are those of the state being expanded

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
  bool remembers_steps_ = false;            // what clocks demand depends on locations only
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
    for (const Candidate& candidate : current_[p]->passive)
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
