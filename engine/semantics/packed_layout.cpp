#include "engine/semantics/packed_layout.hpp"

#include <algorithm>
#include <bit>

namespace tw {

std::vector<StateBits> state_bits(std::span<const std::uint64_t> mask) {
  std::vector<StateBits> out;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] != 0)
      out.push_back({.word = static_cast<std::uint32_t>(i), .mask = mask[i]});
  return out;
}

PackedLayout::PackedLayout(const Network& network) {
  std::vector<Range> ranges;
  for (const Process& process : network.processes) {
    std::uint64_t places = 0;  // branchpoints come last and are never stayed in
    for (std::size_t i = 0; i < process.location_count; ++i) {
      const LocationId location(process.first_location.index() + i);
      places += network.decl(location).kind == LocationKind::kBranchpoint ? 0U : 1U;
    }
    ranges.push_back({.values = places});
  }
  for (std::size_t i = 0; i < network.memory.state; ++i) {
    const Cell& cell = network.cells[CellId(i)];
    ranges.push_back({.values = static_cast<std::uint64_t>(std::int64_t{cell.high} - cell.low) + 1,
                      .low = cell.low});
  }
  // As few words as there can be, and as evenly as that allows.
  constexpr std::uint64_t kWordBits = 64;
  const std::size_t locations = network.processes.size();
  lay_out(ranges, locations, kWordBits);
  const std::size_t fewest = words_;
  for (std::uint64_t even = (bits_ + fewest - 1) / fewest; fewest > 1 && even <= kWordBits;
       ++even) {
    lay_out(ranges, locations, even);
    if (words_ == fewest)
      return;
  }
}

void PackedLayout::lay_out(std::span<const Range> ranges,
                           std::size_t locations,
                           std::uint64_t word_bits) {
  location_fields_.clear();
  cell_fields_.clear();
  words_ = 1;
  used_ = 0;
  bits_ = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    (i < locations ? location_fields_ : cell_fields_).push_back(add_field(ranges[i], word_bits));
}

PackedLayout::Field PackedLayout::add_field(const Range& range, std::uint64_t word_bits) {
  const auto width =
      range.values <= 1 ? 0U : static_cast<std::uint32_t>(std::bit_width(range.values - 1));
  bits_ += width;
  if (used_ != 0 && used_ + width > word_bits) {
    ++words_;
    used_ = 0;
  }
  // A field without bits must not shift by 64, also where the word is full.
  const Field field{.mask = width == 0 ? 0 : (std::uint64_t{1} << width) - 1,
                    .word = static_cast<std::uint32_t>(words_ - 1),
                    .shift = width == 0 ? 0 : used_,
                    .low = range.low};
  used_ += width;
  return field;
}

void PackedLayout::pack(std::span<const std::uint32_t> locations,
                        const std::int32_t* cells,
                        std::uint64_t* out) const {
  std::fill_n(out, words_, 0);
  for (std::size_t i = 0; i < location_fields_.size(); ++i) {
    const Field& field = location_fields_[i];
    out[field.word] |= (std::uint64_t{locations[i]} & field.mask) << field.shift;
  }
  for (std::size_t i = 0; i < cell_fields_.size(); ++i) {
    const Field& field = cell_fields_[i];
    const std::uint64_t value =
        static_cast<std::uint32_t>(cells[i]) - static_cast<std::uint32_t>(field.low);
    out[field.word] |= (value & field.mask) << field.shift;
  }
}

void PackedLayout::unpack_locations(const std::uint64_t* in,
                                    std::span<std::uint32_t> locations) const {
  for (std::size_t i = 0; i < location_fields_.size(); ++i) {
    const Field& field = location_fields_[i];
    locations[i] = static_cast<std::uint32_t>((in[field.word] >> field.shift) & field.mask);
  }
}

void PackedLayout::unpack(const std::uint64_t* in,
                          std::span<std::uint32_t> locations,
                          std::int32_t* cells) const {
  unpack_locations(in, locations);
  for (std::size_t i = 0; i < cell_fields_.size(); ++i) {
    const Field& field = cell_fields_[i];
    const auto offset = static_cast<std::uint32_t>((in[field.word] >> field.shift) & field.mask);
    cells[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(field.low) + offset);
  }
}

void PackedLayout::require_location(std::size_t process,
                                    std::uint32_t location,
                                    PackedPattern& pattern) const {
  const Field& field = location_fields_[process];
  pattern.mask[field.word] |= field.mask << field.shift;
  set_location(process, location, pattern.value.data());
}

void PackedLayout::require_cell(std::size_t cell,
                                std::int32_t value,
                                PackedPattern& pattern) const {
  const Field& field = cell_fields_[cell];
  pattern.mask[field.word] |= field.mask << field.shift;
  set_cell(cell, value, pattern.value.data());
}

}  // namespace tw
