// Names for what can happen, so that it can be remembered: a *choice* is a way to leave by an edge,
// with the values of its selects; a *team* is the choices of those who fire together; a *kind* is
// what coverage rules can see of a step, its events. Each is numbered once and compared by number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id.hpp"
#include "engine/base/sequence_table.hpp"
#include "engine/model/events.hpp"
#include "engine/semantics/step_memo.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

using ChoiceId = Id<struct ChoiceTag>;
using TeamId = Id<struct TeamTag>;
using StepKindId = Id<struct StepKindTag>;

class StepTeams {
 public:
  static constexpr std::uint32_t kNoBranch = 0xFFFFFFFF;

  explicit StepTeams(const System& system);

  /// One that fires, and how.
  struct Member {
    std::uint32_t edge = 0;
    std::uint32_t branch = kNoBranch;       // the edge that leaves the branchpoint
    std::span<const std::int32_t> selects;  // of the edge, then of the branch
  };

  /// With different demands on clocks it is a different choice.
  [[nodiscard]] ChoiceId choice(std::uint32_t edge,
                                std::uint32_t branch,
                                std::span<const std::int32_t> selects,
                                std::span<const ClockConstraint> guard);
  [[nodiscard]] Member member(ChoiceId choice) const;

  /// Sender first.
  [[nodiscard]] TeamId team(std::span<const ChoiceId> choices);
  [[nodiscard]] std::span<const ChoiceId> choices(TeamId team) const { return teams_[team]; }

  /// The bits of a state that what a team does depends on; where it is, is understood.
  [[nodiscard]] std::span<const StateBits> reads(TeamId team) const {
    const Facts& facts = facts_[team.index()];
    return std::span(bits_).subspan(facts.first_bits, facts.reads);
  }
  /// Those that it may write.
  [[nodiscard]] std::span<const StateBits> writes(TeamId team) const {
    const Facts& facts = facts_[team.index()];
    return std::span(bits_).subspan(facts.first_bits + facts.reads, facts.writes);
  }
  /// Of a word: those that it depends on.
  [[nodiscard]] std::uint64_t reads_of_word(TeamId team, std::size_t word) const {
    std::uint64_t out = 0;
    for (const StateBits& bits : reads(team))
      out |= bits.word == word ? bits.mask : 0;
    return out;
  }
  [[nodiscard]] bool may_read(TeamId team, std::size_t cell) const {
    const StateBits bits = system_.layout().cell_bits(cell);
    return (reads_of_word(team, bits.word) & bits.mask) != 0;
  }
  /// Neither are too many to remember what it does.
  [[nodiscard]] bool is_memorable(TeamId team) const { return facts_[team.index()].memorable; }

  /// Some process is in a committed location afterwards.
  [[nodiscard]] bool enters_committed(TeamId team) const {
    return facts_[team.index()].enters_committed;
  }

  /// The kind of all steps of a team: that its edges fire. For systems that watch nothing.
  [[nodiscard]] StepKindId plain_kind(TeamId team) const { return facts_[team.index()].kind; }

  [[nodiscard]] StepKindId kind(std::span<const std::uint64_t> events) {
    return kinds_.intern(events);
  }
  /// Its events, as EventWord.
  [[nodiscard]] std::span<const std::uint64_t> events(StepKindId kind) const {
    return kinds_[kind];
  }

  [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }

  /// So many choices or teams that it is better to begin anew; kinds stay.
  [[nodiscard]] bool are_many() const { return choices_.size() + teams_.size() > kMany; }
  void forget();

 private:
  static constexpr std::size_t kMany = std::size_t{1} << 20;

  struct Facts {
    std::uint32_t first_bits = 0;  // in bits_: what it reads, then what it writes
    std::uint32_t reads = 0;
    std::uint32_t writes = 0;
    StepKindId kind;
    bool memorable = false;
    bool enters_committed = false;
  };
  void learn(TeamId team);

  const System& system_;  // borrowed
  // Edge, branch, how many selects there are, these, constraints.
  SequenceTable<ChoiceId, std::int32_t> choices_;
  SequenceTable<TeamId, ChoiceId> teams_;
  SequenceTable<StepKindId, std::uint64_t> kinds_;
  std::vector<Facts> facts_;  // by team
  std::vector<StateBits> bits_;
  std::vector<std::int32_t> sequence_;  // scratch
};

}  // namespace tw
