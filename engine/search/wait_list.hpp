// What is still to be expanded, in the order asked for. Entries are numbered as they come, so
// breadth first needs no memory: it is a counter.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "engine/base/id.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

/// A state with what it carries, to be expanded at most once.
using EntryId = Id<struct EntryTag>;

class WaitList {
 public:
  WaitList(Order order, std::uint64_t seed) : order_(order), random_(seed) {}

  /// Pre: entries are pushed in the order of their numbers, from 0.
  void push(EntryId entry) {
    ++pushed_;
    if (order_ != Order::kBfs)
      waiting_.push_back(entry);
  }

  std::optional<EntryId> pop() {
    if (order_ == Order::kBfs)
      return popped_ < pushed_ ? std::optional(EntryId(popped_++)) : std::nullopt;
    return pop_other();
  }

  [[nodiscard]] std::size_t bytes() const { return waiting_.capacity() * sizeof(EntryId); }

 private:
  // Apart, so that breadth first is compiled in place.
  [[gnu::noinline]] std::optional<EntryId> pop_other() {
    if (waiting_.empty())
      return std::nullopt;
    // Not std::uniform_int_distribution: its results differ between libraries.
    if (order_ == Order::kRandom)
      std::swap(waiting_[random_() % waiting_.size()], waiting_.back());
    const EntryId out = waiting_.back();
    waiting_.pop_back();
    return out;
  }

  Order order_;
  std::mt19937_64 random_;
  std::vector<EntryId> waiting_;
  std::size_t pushed_ = 0;
  std::size_t popped_ = 0;
};

}  // namespace tw
