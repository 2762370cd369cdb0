// What a process can do in a state: its *offers*. They depend on its location and on what the
// guards there read, so they are worked out once for each combination and then recalled
// (step_memo.hpp). All that belongs to the offers of a process lies in one stretch of memory, in
// the order in which it is needed: neighbours in the queue have different offers, and what takes
// time is fetching them. HOT: bench semantics/expand.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/sequence_table.hpp"
#include "engine/semantics/machine.hpp"
#include "engine/semantics/step_memo.hpp"
#include "engine/semantics/step_teams.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

/// A choice whose guard holds, as far as clocks allow.
struct Candidate {
  ChoiceId choice;
  TeamId alone;  // internal: the team of this one
  std::uint32_t edge = 0;
  std::uint32_t branch = StepTeams::kNoBranch;  // the edge that leaves the branchpoint
  std::uint32_t process = 0;
  std::uint32_t channel = 0;
  Direction direction = Direction::kInternal;
  bool committed = false;
  std::span<const ClockConstraint> guard;  // what clocks must satisfy
};

/// An internal choice of which it is known what it does.
struct ReadyStep {
  TeamId team;
  StepKindId kind;
  bool enters_committed = false;
  std::span<const BitAssignment> changes;
};

struct Offers {
  /// Where all that is active is resolved: the same again, to be taken without further questions.
  std::span<const ReadyStep> ready;
  const std::uint64_t* reads = nullptr;   // by word of the state: the bits they depend on …
  const std::uint64_t* writes = nullptr;  // … and those they write if they are ready
  std::span<const Candidate> active;      // internal edges and senders, in order
  std::span<const Candidate> passive;     // receivers, in order
  bool committed = false;                 // the process is in a committed location
  bool can_sleep = false;                 // nobody else decides whether its steps exist
};

class OfferTable {
 public:
  /// Both are borrowed.
  OfferTable(const System& system, StepTeams& teams);

  /// What a process offers in a state; null: it is not remembered. Good until forget().
  [[nodiscard]] const Offers* recall(std::size_t process, const std::uint64_t* state) const {
    const std::uint32_t location = location_of(process, state);
    const std::span<const StateBits> bits = keys_[location];
    // Mostly it is one word that matters.
    const StepMemo::Memory known = bits.size() == 1 ? memo_.look(location, bits.first<1>(), state)
                                                    : look(location, bits, state);
    return known.known() ? offers_[known.answer] : nullptr;
  }
  /// System::location_number of where it is.
  [[nodiscard]] std::uint32_t location_of(std::size_t process, const std::uint64_t* state) const {
    const Place& place = places_[process];
    return place.first_location + place.location.read(state);
  }

  // Otherwise it is listed: begin(), then every choice in order, each perhaps with what it does.
  void begin(std::size_t location);
  struct Choice {
    ChoiceId choice;
    Direction direction = Direction::kInternal;
    std::uint32_t channel = 0;
    std::span<const ClockConstraint> guard;
  };
  void add(const Choice& choice);
  /// The choice added last does this to states.
  void resolve(StepKindId kind, std::span<const BitAssignment> changes);
  /// … or nowhere: there is no such step.
  void resolve_to_nothing();
  /// What was listed is remembered for this state.
  const Offers& end(const std::uint64_t* state);

  /// Offers of a process that nobody has asked yet.
  [[nodiscard]] const Offers& nothing() const { return nothing_; }

  [[nodiscard]] bool are_many() const { return bytes_ > kMostBytes; }
  void forget();
  /// What remembering takes at the most, besides the offers themselves.
  [[nodiscard]] std::size_t most_bytes() const { return memo_.most_bytes(); }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 24;
  static constexpr std::int32_t kUnresolved = -1;
  static constexpr std::int32_t kResolvedToNothing = -2;
  // What is listed, as words: choice, direction, channel, the kind of its step, if that is worked
  // out, how many constraints and changes there are, and these.
  static constexpr std::size_t kChoiceWords = 6;
  static constexpr std::size_t kKind = 3;
  static constexpr std::size_t kConstraints = 4;
  static constexpr std::size_t kChanges = 5;
  static constexpr std::size_t kConstraintWords = 3;
  static constexpr std::size_t kChangeWords = 5;

  using OffersId = Id<struct OffersTag>;

  // Where in a state the location of a process is told.
  struct Place {
    PackedLayout::Field location;
    std::uint32_t first_location = 0;
  };

  [[nodiscard]] StepMemo::Memory look(std::uint32_t location,
                                      std::span<const StateBits> bits,
                                      const std::uint64_t* state) const;
  const Offers& make();
  [[nodiscard]] bool read_choice(std::span<const std::int32_t>& rest);
  template <class T>
  [[nodiscard]] std::span<T> keep(std::span<const T> list);

  const System& system_;                          // borrowed
  StepTeams& teams_;                              // borrowed
  std::vector<Place> places_;                     // by process
  std::vector<std::span<const StateBits>> keys_;  // by location: the bits that offers depend on
  StepMemo memo_;                                 // by location
  SequenceTable<OffersId, std::int32_t> listed_words_;
  std::vector<const Offers*> offers_;  // by OffersId
  std::pmr::monotonic_buffer_resource memory_;
  std::size_t bytes_ = 0;  // taken from it
  Offers nothing_;
  std::vector<std::uint64_t> no_bits_;

  // Being listed.
  std::size_t location_ = 0;
  std::vector<std::int32_t> words_;  // the location, then the choices
  std::size_t last_ = 0;             // where the last choice begins
  // Being made.
  std::vector<Candidate> active_;
  std::vector<Candidate> passive_;
  std::vector<ReadyStep> ready_;
  std::vector<ClockConstraint> guards_;
  std::vector<BitAssignment> changes_;
};

}  // namespace tw
