#include "engine/semantics/offers.hpp"

#include <algorithm>
#include <memory>

namespace tw {
namespace {

// The same elements of a copy.
template <class T>
std::span<const T> moved(std::span<const T> part, const std::vector<T>& from, std::span<T> to) {
  return to.subspan(static_cast<std::size_t>(part.data() - from.data()), part.size());
}

constexpr unsigned kHalf = 32;

std::int32_t upper_half(std::uint64_t word) { return static_cast<std::int32_t>(word >> kHalf); }
std::int32_t lower_half(std::uint64_t word) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
}
std::uint64_t joined(std::int32_t upper, std::int32_t lower) {
  return std::uint64_t{static_cast<std::uint32_t>(upper)} << kHalf |
         static_cast<std::uint32_t>(lower);
}

}  // namespace

OfferTable::OfferTable(const System& system, StepTeams& teams)
    : system_(system),
      teams_(teams),
      memo_(system.layout().words(), 0),
      no_bits_(system.layout().words()) {
  for (std::size_t p = 0; p < system.processes(); ++p)
    places_.push_back({.location = system.layout().location_field(p),
                       .first_location = static_cast<std::uint32_t>(system.location_number(p, 0))});
  for (std::size_t i = 0; i < system.locations(); ++i)
    keys_.emplace_back(system.location(i).offer_bits);
  nothing_.reads = no_bits_.data();
  nothing_.writes = no_bits_.data();
}

void OfferTable::forget() {
  memo_.clear();
  listed_words_.clear();
  offers_.clear();
  memory_.release();
  bytes_ = 0;
}

StepMemo::Memory OfferTable::look(std::uint32_t location,
                                  std::span<const StateBits> bits,
                                  const std::uint64_t* state) const {
  return bits.size() <= StepMemo::kMostWords ? memo_.look(location, bits, state)
                                             : StepMemo::Memory{};
}

void OfferTable::begin(std::size_t location) {
  location_ = location;
  words_.assign(1, static_cast<std::int32_t>(location));
}

void OfferTable::add(const Choice& choice) {
  last_ = words_.size();
  words_.insert(words_.end(), {static_cast<std::int32_t>(choice.choice.index()),
                               static_cast<std::int32_t>(choice.direction),
                               static_cast<std::int32_t>(choice.channel), kUnresolved,
                               static_cast<std::int32_t>(choice.guard.size()), 0});
  for (const ClockConstraint& constraint : choice.guard)
    words_.insert(words_.end(), {static_cast<std::int32_t>(constraint.i),
                                 static_cast<std::int32_t>(constraint.j), constraint.bound.raw()});
}

void OfferTable::resolve(StepKindId kind, std::span<const BitAssignment> changes) {
  words_[last_ + kKind] = static_cast<std::int32_t>(kind.index());
  words_[last_ + kChanges] = static_cast<std::int32_t>(changes.size());
  for (const BitAssignment& change : changes)
    words_.insert(words_.end(),
                  {static_cast<std::int32_t>(change.word), upper_half(change.mask),
                   lower_half(change.mask), upper_half(change.value), lower_half(change.value)});
}

void OfferTable::resolve_to_nothing() { words_[last_ + kKind] = kResolvedToNothing; }

// What was listed before keeps its number.
const Offers& OfferTable::end(const std::uint64_t* state) {
  const OffersId id = listed_words_.intern(words_);
  if (id.index() == offers_.size())
    offers_.push_back(&make());
  const std::span<const StateBits> bits = keys_[location_];
  if (bits.size() <= StepMemo::kMostWords)
    memo_.remember(static_cast<std::uint32_t>(location_), bits, state,
                   static_cast<std::uint32_t>(id.index()));
  return *offers_[id.index()];
}

template <class T>
std::span<T> OfferTable::keep(std::span<const T> list) {
  const std::span<T> out(static_cast<T*>(memory_.allocate(
                             std::max(list.size(), std::size_t{1}) * sizeof(T), alignof(T))),
                         list.size());
  bytes_ += list.size() * sizeof(T);
  std::uninitialized_copy(list.begin(), list.end(), out.begin());
  return out;
}

const Offers& OfferTable::make() {
  const CompiledLocation& location = system_.location(location_);
  active_.clear();
  passive_.clear();
  ready_.clear();
  guards_.clear();
  changes_.clear();
  guards_.reserve(words_.size());  // parts of these are referred to while they grow
  changes_.reserve(words_.size());
  bool is_ready = !system_.has_priorities();
  for (std::span<const std::int32_t> rest = std::span(words_).subspan(1); !rest.empty();)
    is_ready = read_choice(rest) && is_ready;
  if (!is_ready)
    ready_.clear();
  std::vector<std::uint64_t> writes(no_bits_.size());
  for (const ReadyStep& step : ready_)
    for (const BitAssignment& change : step.changes)
      writes[change.word] |= change.mask;
  Offers& out = keep(std::span<const Offers>(&nothing_, 1)).front();
  out.reads = keep(std::span<const std::uint64_t>(location.offer_mask)).data();
  out.writes = keep(std::span<const std::uint64_t>(writes)).data();
  const std::span<ReadyStep> ready = keep(std::span<const ReadyStep>(ready_));
  const std::span<BitAssignment> changes = keep(std::span<const BitAssignment>(changes_));
  const std::span<Candidate> active = keep(std::span<const Candidate>(active_));
  const std::span<Candidate> passive = keep(std::span<const Candidate>(passive_));
  const std::span<ClockConstraint> guards = keep(std::span<const ClockConstraint>(guards_));
  for (ReadyStep& step : ready)
    step.changes = moved(step.changes, changes_, changes);
  for (const std::span<Candidate> list : {active, passive})
    for (Candidate& candidate : list)
      candidate.guard = moved(candidate.guard, guards_, guards);
  out.ready = ready;
  out.active = active;
  out.passive = passive;
  out.committed = location.committed;
  out.can_sleep = !ready.empty() && std::ranges::none_of(ready, &ReadyStep::enters_committed);
  return out;
}

// The next choice of those listed. False: it is active, and it is not known what it does.
bool OfferTable::read_choice(std::span<const std::int32_t>& rest) {
  const std::span<const std::int32_t> words = rest;
  const auto constraints = static_cast<std::size_t>(words[kConstraints]);
  const auto changes = static_cast<std::size_t>(words[kChanges]);
  rest = rest.subspan(kChoiceWords + kConstraintWords * constraints + kChangeWords * changes);
  if (words[kKind] == kResolvedToNothing)
    return true;
  const ChoiceId choice(static_cast<std::size_t>(words[0]));
  const StepTeams::Member member = teams_.member(choice);
  std::size_t i = kChoiceWords;
  for (std::size_t k = 0; k < constraints; ++k, i += kConstraintWords)
    guards_.push_back({.i = static_cast<std::uint32_t>(words[i]),
                       .j = static_cast<std::uint32_t>(words[i + 1]),
                       .bound = Bound::from_raw(words[i + 2])});
  Candidate candidate{.choice = choice,
                      .edge = member.edge,
                      .branch = member.branch,
                      .process = system_.edge(member.edge).process,
                      .channel = static_cast<std::uint32_t>(words[2]),
                      .direction = static_cast<Direction>(words[1]),
                      .committed = system_.location(location_).committed,
                      .guard = std::span(guards_).last(constraints)};
  if (candidate.direction == Direction::kReceive) {
    passive_.push_back(candidate);
    return true;
  }
  if (candidate.direction == Direction::kInternal)
    candidate.alone = teams_.team(std::span(&choice, 1));
  active_.push_back(candidate);
  if (words[kKind] == kUnresolved)
    return false;
  for (std::size_t k = 0; k < changes; ++k, i += kChangeWords)
    changes_.push_back({.word = static_cast<std::uint32_t>(words[i]),
                        .mask = joined(words[i + 1], words[i + 2]),
                        .value = joined(words[i + 3], words[i + 4])});
  ready_.push_back({.team = candidate.alone,
                    .kind = StepKindId(static_cast<std::size_t>(words[kKind])),
                    .enters_committed = teams_.enters_committed(candidate.alone),
                    .changes = std::span(changes_).last(changes)});
  return true;
}

}  // namespace tw
