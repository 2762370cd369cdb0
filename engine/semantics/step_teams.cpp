#include "engine/semantics/step_teams.hpp"

namespace tw {

StepTeams::StepTeams(const System& system) : system_(system) {}

ChoiceId StepTeams::choice(std::uint32_t edge,
                           std::uint32_t branch,
                           std::span<const std::int32_t> selects,
                           std::span<const ClockConstraint> guard) {
  sequence_.assign({static_cast<std::int32_t>(edge), static_cast<std::int32_t>(branch),
                    static_cast<std::int32_t>(selects.size())});
  sequence_.insert(sequence_.end(), selects.begin(), selects.end());
  for (const ClockConstraint& constraint : guard)
    sequence_.insert(sequence_.end(),
                     {static_cast<std::int32_t>(constraint.i),
                      static_cast<std::int32_t>(constraint.j), constraint.bound.raw()});
  return choices_.intern(sequence_);
}

StepTeams::Member StepTeams::member(ChoiceId choice) const {
  const std::span<const std::int32_t> words = choices_[choice];
  return {.edge = static_cast<std::uint32_t>(words[0]),
          .branch = static_cast<std::uint32_t>(words[1]),
          .selects = words.subspan(3, static_cast<std::size_t>(words[2]))};
}

TeamId StepTeams::team(std::span<const ChoiceId> choices) {
  const TeamId id = teams_.intern(choices);
  if (id.index() == facts_.size())
    learn(id);
  return id;
}

void StepTeams::learn(TeamId team) {
  std::vector<std::uint64_t> reads(system_.shared_bits().begin(), system_.shared_bits().end());
  // Hooks may write what they share.
  std::vector<std::uint64_t> writes(reads.size());
  if (system_.has_hooks())
    writes = reads;
  std::vector<std::uint64_t> fired;
  bool enters_committed = false;
  const auto add = [&](std::uint32_t index) {
    const CompiledEdge& edge = system_.edge(index);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      reads[i] |= edge.read_bits[i];
      writes[i] |= edge.write_bits[i];
    }
    enters_committed = enters_committed || edge.enters_committed;
    fired.push_back(EventWord::encode({.kind = EventKind::kFired, .edge = edge.id}));
  };
  for (const ChoiceId choice : teams_[team]) {
    const Member who = member(choice);
    add(who.edge);
    if (who.branch != kNoBranch)
      add(who.branch);
  }
  const std::vector<StateBits> read = state_bits(reads);
  const std::vector<StateBits> written = state_bits(writes);
  facts_.push_back(
      {.first_bits = static_cast<std::uint32_t>(bits_.size()),
       .reads = static_cast<std::uint32_t>(read.size()),
       .writes = static_cast<std::uint32_t>(written.size()),
       .kind = kinds_.intern(fired),
       .memorable = read.size() <= StepMemo::kMostWords && written.size() <= StepMemo::kMostWords,
       .enters_committed = enters_committed});
  bits_.insert(bits_.end(), read.begin(), read.end());
  bits_.insert(bits_.end(), written.begin(), written.end());
}

void StepTeams::forget() {
  choices_.clear();
  teams_.clear();
  facts_.clear();
  bits_.clear();
}

}  // namespace tw
