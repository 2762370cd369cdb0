// How a state is stored: every location and every state cell in as few bits as its range needs,
// packed into 64-bit words. A field never crosses a word, so reading one is a load, a shift and a
// mask. Words are filled evenly: halves of states repeat more often than all but a few bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/network.hpp"

namespace tw {

/// Some bits of a packed state: word by word, those without any left out.
struct StateBits {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
};
[[nodiscard]] std::vector<StateBits> state_bits(std::span<const std::uint64_t> mask);

/// Some bits of a word of a packed state get other values.
struct BitAssignment {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
  std::uint64_t value = 0;  // within the mask
};

/// Some fields of a packed state have given values.
struct PackedPattern {
  std::vector<std::uint64_t> mask;  // by word
  std::vector<std::uint64_t> value;

  [[nodiscard]] bool matches(const std::uint64_t* state) const {
    for (std::size_t i = 0; i < mask.size(); ++i)
      if ((state[i] & mask[i]) != value[i])
        return false;
    return true;
  }
};

class PackedLayout {
 public:
  struct Field {
    std::uint64_t mask = 0;  // unshifted; 0: the field has one value and takes no bits
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::int32_t low = 0;

    /// The value minus the least one.
    [[nodiscard]] std::uint32_t read(const std::uint64_t* state) const {
      return static_cast<std::uint32_t>((state[word] >> shift) & mask);
    }
  };

  explicit PackedLayout(const Network& network);

  /// Words per state; at least 1.
  [[nodiscard]] std::size_t words() const { return words_; }

  /// Bits that carry information; the rest of the words is padding.
  [[nodiscard]] std::uint64_t bits() const { return bits_; }

  /// locations: index within its process, by process. cells: the state cells.
  void pack(std::span<const std::uint32_t> locations,
            const std::int32_t* cells,
            std::uint64_t* out) const;
  void unpack(const std::uint64_t* in,
              std::span<std::uint32_t> locations,
              std::int32_t* cells) const;

  void unpack_locations(const std::uint64_t* in, std::span<std::uint32_t> locations) const;

  /// Change one field of a packed state.
  void set_location(std::size_t process, std::uint32_t location, std::uint64_t* state) const {
    put(location_fields_[process], location, state);
  }

  void set_cell(std::size_t cell, std::int32_t value, std::uint64_t* state) const {
    const Field& field = cell_fields_[cell];
    put(field, static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(field.low), state);
  }

  /// Adds the bits of a field to a mask of words() words.
  void add_location_bits(std::size_t process, std::span<std::uint64_t> mask) const {
    mask[location_fields_[process].word] |= bits_of(location_fields_[process]);
  }
  /// False: the cell has one value only.
  [[nodiscard]] bool has_bits(std::size_t cell) const { return cell_fields_[cell].mask != 0; }
  [[nodiscard]] StateBits cell_bits(std::size_t cell) const {
    return {.word = cell_fields_[cell].word, .mask = bits_of(cell_fields_[cell])};
  }
  void add_cell_bits(std::size_t cell, std::span<std::uint64_t> mask) const {
    mask[cell_fields_[cell].word] |= bits_of(cell_fields_[cell]);
  }

  [[nodiscard]] std::uint32_t location(std::size_t process, const std::uint64_t* state) const {
    return location_fields_[process].read(state);
  }
  [[nodiscard]] const Field& location_field(std::size_t process) const {
    return location_fields_[process];
  }

  /// A pattern that every state matches, and one more field that must have this value.
  [[nodiscard]] PackedPattern pattern() const {
    return {.mask = std::vector<std::uint64_t>(words_),
            .value = std::vector<std::uint64_t>(words_)};
  }
  void require_location(std::size_t process, std::uint32_t location, PackedPattern& pattern) const;
  /// Pre: the value is in the cell's range.
  void require_cell(std::size_t cell, std::int32_t value, PackedPattern& pattern) const;

 private:
  [[nodiscard]] static std::uint64_t bits_of(const Field& field) {
    return field.mask << field.shift;
  }

  static void put(const Field& field, std::uint64_t value, std::uint64_t* state) {
    state[field.word] = (state[field.word] & ~(field.mask << field.shift)) | (value << field.shift);
  }

  struct Range {
    std::uint64_t values = 0;
    std::int32_t low = 0;
  };
  void lay_out(std::span<const Range> ranges, std::size_t locations, std::uint64_t word_bits);
  Field add_field(const Range& range, std::uint64_t word_bits);

  std::vector<Field> location_fields_;
  std::vector<Field> cell_fields_;
  std::size_t words_ = 1;
  std::uint32_t used_ = 0;  // bits of the last word
  std::uint64_t bits_ = 0;
};

}  // namespace tw
