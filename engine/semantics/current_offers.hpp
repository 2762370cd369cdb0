// What all processes offer in the state being expanded. Neighbours in the queue have much in
// common: where nothing changed that a process depends on, it has the same offers as in the state
// before. From what they read and write follows, too, who does not notice a step, and so
// may sleep (docs/adr/011-sleeping-processes.md). HOT: bench semantics/expand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/semantics/offers.hpp"
#include "engine/semantics/process_set.hpp"
#include "engine/semantics/successor_list.hpp"

namespace tw {

class CurrentOffers {
 public:
  /// `words`: of the discrete part of a state. `nothing` is borrowed.
  CurrentOffers(std::size_t processes, std::size_t words, const Offers& nothing)
      : count_(processes),
        words_(words),
        nothing_(nothing),
        offers_(processes, &nothing),
        reads_(words * processes),
        writes_(words * processes),
        last_(words),
        stale_(processes),
        active_(processes),
        committed_(processes) {
    forget();
  }

  /// Forgets all offers.
  void forget() {
    for (std::size_t p = 0; p < count_; ++p)
      set(p, nothing_, words_);
    stale_.fill();
  }

  /// Another state is expanded: asks offers_of(process), where they may have changed. If that is
  /// null, it ends, false, and nothing is known any more. `words`: a constant, or the number again.
  template <class Words, class OffersOf>
  bool move_to(const std::uint64_t* state, Words words, OffersOf offers_of) {
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t changed = state[i] ^ last_[i];
      if (changed != 0)
        stale_.add_touched(reads_.data() + i * count_, changed);
      last_[i] = state[i];
    }
    bool goes_on = true;
    stale_.for_each([&](std::size_t p) {
      const Offers* const offers = offers_of(p);
      goes_on = offers != nullptr;
      if (goes_on && offers != offers_[p])
        set(p, *offers, words);
      return goes_on;
    });
    stale_.clear();
    if (!goes_on)
      forget();
    return goes_on;
  }

  [[nodiscard]] const Offers& operator[](std::size_t process) const { return *offers_[process]; }

  /// Who has an internal edge or a sender to offer.
  [[nodiscard]] const ProcessSet& active() const { return active_; }
  /// Who is in a committed location.
  [[nodiscard]] const ProcessSet& committed() const { return committed_; }
  /// How many internal edges and senders there are.
  [[nodiscard]] std::size_t active_count() const { return active_count_; }

  /// Of a word of the state: the bits that what a process offers depends on.
  [[nodiscard]] std::uint64_t reads(std::size_t process, std::size_t word) const {
    return reads_[word * count_ + process];
  }

  /// Which of these notice that some bits of a word change, or write bits that matter?
  [[nodiscard]] Sleep noticing(Sleep some,
                               std::size_t word,
                               std::uint64_t changed,
                               std::uint64_t mattering) const {
    const std::uint64_t* const reads = reads_.data() + word * count_;
    const std::uint64_t* const writes = writes_.data() + word * count_;
    Sleep out = 0;
    for (Sleep rest = some; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::size_t>(std::countr_zero(rest));
      const bool is_noticed = ((changed & reads[p]) | (mattering & writes[p])) != 0;
      out |= Sleep{is_noticed ? 1U : 0U} << p;
    }
    return out;
  }

 private:
  template <class Words>
  void set(std::size_t process, const Offers& offers, Words words) {
    const Offers& before = *offers_[process];
    offers_[process] = &offers;
    active_count_ += offers.active.size() - before.active.size();
    for (std::size_t i = 0, at = process; i < words; ++i, at += count_) {
      reads_[at] = offers.reads[i];
      writes_[at] = offers.writes[i];
    }
    if (offers.active.empty() != before.active.empty())
      active_.set(process, !offers.active.empty());
    if (offers.committed != before.committed)
      committed_.set(process, offers.committed);
  }

  std::size_t count_;
  std::size_t words_;
  const Offers& nothing_;              // borrowed
  std::vector<const Offers*> offers_;  // by process
  std::vector<std::uint64_t> reads_;   // by word and process: the bits that these depend on …
  std::vector<std::uint64_t> writes_;  // … and those that they write if they are ready
  std::vector<std::uint64_t> last_;    // the state expanded before
  ProcessSet stale_;                   // whose offers are not known
  ProcessSet active_;
  ProcessSet committed_;
  std::size_t active_count_ = 0;  // of all offers together
};

}  // namespace tw
