// Which edges can be taken, and what internal ones do.

#include "engine/semantics/successors.hpp"

namespace tw {
namespace {

// While it lives, errors are nobody's business.
class Trial {
 public:
  explicit Trial(bool& is_trying) : is_trying_(is_trying) { is_trying_ = true; }
  ~Trial() { is_trying_ = false; }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  bool& is_trying_;
};

}  // namespace

// Runs guards and channels; null: an error.
const Offers* SuccessorGenerator::find_offers(std::size_t process) {
  unpack();
  const std::size_t number = offers_.location_of(process, packed_);
  const CompiledLocation& location = system_.location(number);
  offers_.begin(number);
  for (const std::uint32_t index : location.edges)
    for_each_way(index, memory_, [&](const CompiledEdge& edge, std::uint32_t branch) {
      try_edge(location, edge, branch);
      return !failed_;
    });
  if (failed_)
    return nullptr;
  const Offers& found = offers_.end(packed_);
  for (const Candidate& candidate : found.passive)
    may_receive_[candidate.channel].set(candidate.process, true);
  return &found;
}

// The way to leave that memory_ has, if its guard holds.
void SuccessorGenerator::try_edge(const CompiledLocation& location,
                                  const CompiledEdge& edge,
                                  std::uint32_t branch) {
  constexpr std::uint64_t kWayWork = 32;  // in units of BudgetMeter
  meter_.spend(kWayWork);
  const Code& code = system_.code();
  const auto holds = [&](const CompiledEdge& e) {
    if (e.guard == CodeBlock::kNone)
      return true;
    const RunResult result = run(code, e.guard, memory_.data(), &work_);
    return check(result, e.id, memory_) && result.holds;
  };
  work_.constraints.clear();
  if (!holds(edge) || (branch != kNoBranch && !holds(system_.edge(branch))))
    return;
  const CompiledEdge& syncing =
      branch != kNoBranch && !edge.channel.present() ? system_.edge(branch) : edge;
  std::uint32_t channel = 0;
  if (syncing.channel.present()) {
    if (syncing.channel.entry != CodeBlock::kNone &&
        !check(run(code, syncing.channel.entry, memory_.data()), syncing.id, memory_))
      return;
    channel = static_cast<std::uint32_t>(memory_[syncing.channel.result]);
  }
  selects_.clear();
  for (const CompiledSelect& select : edge.selects)
    selects_.push_back(memory_[select.cell]);
  for (std::size_t i = 0; branch != kNoBranch && i < system_.edge(branch).selects.size(); ++i)
    selects_.push_back(memory_[system_.edge(branch).selects[i].cell]);
  const auto index = static_cast<std::uint32_t>(edge.id.index());
  const ChoiceId choice = teams_.choice(index, branch, selects_, work_.constraints);
  offers_.add({.choice = choice,
               .direction = syncing.direction,
               .channel = channel,
               .guard = work_.constraints});
  if (location.resolves && syncing.direction == Direction::kInternal)
    resolve({.choice = choice,
             .alone = teams_.team(std::span(&choice, 1)),
             .edge = index,
             .branch = branch,
             .process = edge.process});
}

// What an internal edge does, which will be asked next. Not if that is an error: whether it counts
// depends on what else can happen.
void SuccessorGenerator::resolve(const Candidate& candidate) {
  const Candidate* const alone = &candidate;
  resolved_.clear();
  // Selects of the edge being tried stay as they are: only what the team wrote is taken back.
  {
    const Trial trial(is_trying_);
    fire(candidate.alone, Team(&alone, 1), resolved_);
  }
  if (had_error_)
    return;
  if (resolved_.size() == 0) {
    offers_.resolve_to_nothing();
    return;
  }
  changes_.clear();
  for (std::size_t i = 0; i < words_; ++i)
    if (written_[i] != 0)
      changes_.push_back({.word = static_cast<std::uint32_t>(i),
                          .mask = written_[i],
                          .value = target_[i] & written_[i]});
  offers_.resolve(resolved_.step(0).kind, changes_);
}

}  // namespace tw
