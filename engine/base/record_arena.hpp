#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/base/pages.hpp"

namespace tw {

/// Records of equally many words, numbered as they come. They never move. Chunks double in size, so
/// there are few of them, and only touched pages take room.
template <class Word>
class RecordArena {
 public:
  explicit RecordArena(std::size_t words_per_record) : words_(words_per_record) {}

  [[nodiscard]] const Word* operator[](std::size_t index) const {
    const Place at = place_of(index);
    return chunks_[at.chunk].template as<Word>() + at.offset * words_;
  }

  void push_back(const Word* record) {
    const Place at = place_of(size_);
    if (at.offset == 0 && chunks_[at.chunk].bytes() == 0)
      add_chunk(at.chunk);
    Word* const to = chunks_[at.chunk].template as<Word>() + at.offset * words_;
    // Records are short: a loop beats a call of memcpy.
    for (std::size_t i = 0; i < words_; ++i)
      to[i] = record[i];
    ++size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// In use: untouched pages do not count.
  [[nodiscard]] std::size_t bytes() const { return bytes_of(size_); }
  [[nodiscard]] std::size_t bytes_of(std::size_t records) const {
    return records * words_ * sizeof(Word);
  }

 private:
  static constexpr unsigned kFirstShift = 8;
  static constexpr std::size_t kFirst = std::size_t{1} << kFirstShift;
  static constexpr std::size_t kChunks = 33 - kFirstShift;  // numbers have 32 bits

  struct Place {
    std::size_t chunk = 0;
    std::size_t offset = 0;
  };
  [[nodiscard]] static Place place_of(std::size_t index) {
    const std::size_t shifted = index + kFirst;
    const auto top = static_cast<unsigned>(std::bit_width(shifted)) - 1;
    return {.chunk = top - kFirstShift, .offset = shifted - (std::size_t{1} << top)};
  }

  // Apart, so that the rest is small enough to be compiled in place.
  [[gnu::noinline]] void add_chunk(std::size_t chunk) {
    // A little more than its records: eight bytes can be read where any of them begins.
    chunks_[chunk] = Pages((kFirst << chunk) * words_ * sizeof(Word) + sizeof(std::uint64_t),
                           Pages::Use::kGradual);
  }

  std::size_t words_;
  std::size_t size_ = 0;
  std::array<Pages, kChunks> chunks_;
};

}  // namespace tw
