// Interning of short sequences: events of a step, sets of words, teams.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/memory_use.hpp"

namespace tw {

/// Numbers sequences of words, each once, in the order they come. They stay until clear().
template <class Key, class Word>
class SequenceTable {
 public:
  SequenceTable() : table_(kFirstSlots, kFree) {}

  [[nodiscard]] std::size_t size() const { return places_.size(); }

  /// Good until the next call of intern().
  [[nodiscard]] std::span<const Word> operator[](Key id) const {
    const Place& place = places_[id.index()];
    return std::span(words_).subspan(place.first, place.count);
  }

  [[nodiscard]] Key intern(std::span<const Word> sequence) {
    const std::uint32_t hash = hash_of(sequence);
    std::size_t at = hash & (table_.size() - 1);
    for (; table_[at] != kFree; at = (at + 1) & (table_.size() - 1)) {
      const Key known(table_[at]);
      if (places_[known.index()].hash == hash && is_equal((*this)[known], sequence))
        return known;
    }
    foresee_growth(words_, sequence.size());
    const Key id(places_.size());
    table_[at] = static_cast<std::uint32_t>(id.index());
    places_.push_back({.first = words_.size(),
                       .count = static_cast<std::uint32_t>(sequence.size()),
                       .hash = hash});
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    if (places_.size() * 2 >= table_.size())
      grow();
    return id;
  }

  void clear() {
    words_.clear();
    places_.clear();
    table_.assign(kFirstSlots, kFree);
  }

  /// At the most until a few more are added.
  [[nodiscard]] std::size_t bytes() const {
    const bool grows_soon = places_.size() * 9 / 4 >= table_.size();
    return bytes_when_growing(words_) + bytes_when_growing(places_) +
           (grows_soon ? 3 : 1) * table_.size() * sizeof(std::uint32_t);
  }

 private:
  struct Place {
    std::size_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  static constexpr std::size_t kFirstSlots = 64;

  static std::uint64_t to_number(Word word) {
    if constexpr (requires { word.index(); })
      return word.index();
    else
      return static_cast<std::uint64_t>(word);
  }

  // Sequences are short: mixing word by word beats a call.
  static std::uint32_t hash_of(std::span<const Word> sequence) {
    std::uint64_t out = sequence.size();
    for (const Word word : sequence)
      out = mix_words(out, to_number(word));
    return static_cast<std::uint32_t>(out ^ (out >> 32));
  }

  // Here, too: no call.
  static bool is_equal(std::span<const Word> a, std::span<const Word> b) {
    if (a.size() != b.size())
      return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i])
        return false;
    return true;
  }

  void grow() {
    foresee_growth(table_, table_.size());
    table_.assign(table_.size() * 2, kFree);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::size_t at = places_[i].hash & (table_.size() - 1);
      while (table_[at] != kFree)
        at = (at + 1) & (table_.size() - 1);
      table_[at] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<Word> words_;  // of all sequences, one after the other
  std::vector<Place> places_;
  std::vector<std::uint32_t> table_;  // of numbers
};

}  // namespace tw
