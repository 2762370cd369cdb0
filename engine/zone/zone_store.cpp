#include "engine/zone/zone_store.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <span>

#include "engine/base/hash.hpp"

namespace tw {
namespace {

constexpr std::size_t kBlockBytes = 16384;
constexpr std::size_t kFirstSlots = 64;

}  // namespace

ZoneStore::ZoneStore(std::size_t size)
    : n_(size),
      table_(kFirstSlots, kNone),
      probe_(size),
      loaded_(size - 1) {
  set_width(sizeof(std::int8_t));
}

void ZoneStore::set_width(std::size_t width) {
  width_ = width;
  stride_ = probe_.stride(width);
  block_shift_ = std::bit_width(kBlockBytes / stride_ + 1) - 1U;
}

void ZoneStore::add_block() {
  blocks_.push_back(std::make_unique<std::byte[]>((stride_ << block_shift_) + ZoneProbe::kVector));
}

void ZoneStore::widen(std::size_t width) {
  const std::vector<Bytes> old = std::move(blocks_);
  const std::size_t old_width = width_;
  const std::size_t old_stride = stride_;
  const std::size_t old_shift = block_shift_;
  set_width(width);
  blocks_.clear();
  std::fill(table_.begin(), table_.end(), kNone);
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if ((i & ((1U << block_shift_) - 1)) == 0)
      add_block();
    if (records_[i].references == 0)
      continue;
    probe_.unpack(old[i >> old_shift].get() + (i & ((1U << old_shift) - 1)) * old_stride, old_width,
                  loaded_.data());
    [[maybe_unused]] const std::size_t needed = probe_.set_zone(loaded_.view());
    probe_.pack(width_);
    std::memcpy(place(i), probe_.bytes(), stride_);
    records_[i].hash = hash_of(place(i));
    enter(i);
  }
}

void ZoneStore::set_probe(const ZoneView& zone) {
  if (const std::size_t needed = probe_.set_zone(zone); needed > width_) {
    widen(needed);
    [[maybe_unused]] const std::size_t again = probe_.set_zone(zone);
  }
  probe_.pack(width_);
}

bool ZoneStore::is_probe(ZoneId id) const {
  return std::memcmp(place(id.index()), probe_.bytes(), stride_) == 0;
}

std::uint32_t ZoneStore::hash_of(const std::byte* place) const {
  const std::uint64_t wide = hash_bytes(std::span(place, stride_));
  return static_cast<std::uint32_t>(wide ^ (wide >> 32));
}

// Pre: there is room.
void ZoneStore::enter(std::uint32_t index) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = records_[index].hash & mask;
  while (table_[at] != kNone)
    at = (at + 1) & mask;
  table_[at] = index;
}

void ZoneStore::grow_table() {
  table_.assign(table_.size() * 2, kNone);
  for (std::uint32_t i = 0; i < records_.size(); ++i)
    if (records_[i].references != 0)
      enter(i);
}

std::uint32_t ZoneStore::new_place() {
  if (first_free_ != kNone) {
    const std::uint32_t index = first_free_;
    first_free_ = records_[index].hash;
    return index;
  }
  const auto index = static_cast<std::uint32_t>(records_.size());
  if ((index & ((1U << block_shift_) - 1)) == 0)
    add_block();
  records_.push_back({});
  return index;
}

ZoneId ZoneStore::insert() {
  if ((used_ + 1) * 4 >= table_.size() * 3)
    grow_table();
  const std::uint32_t hash = hash_of(probe_.bytes());
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at] != kNone; at = (at + 1) & mask) {
    Record& record = records_[table_[at]];
    if (record.hash != hash || !is_probe(ZoneId(table_[at])))
      continue;
    ++record.references;
    return ZoneId(table_[at]);
  }
  const std::uint32_t index = new_place();
  std::memcpy(place(index), probe_.bytes(), stride_);
  records_[index] = {.hash = hash, .references = 1};
  table_[at] = index;
  ++used_;
  return ZoneId(index);
}

// The hole in the table is closed by moving back whatever was pushed past it.
void ZoneStore::release(ZoneId id) {
  Record& record = records_[id.index()];
  assert(record.references != 0 && "somebody referred to it");
  if (--record.references != 0)
    return;
  const std::size_t mask = table_.size() - 1;
  std::size_t hole = record.hash & mask;
  while (table_[hole] != id.index())
    hole = (hole + 1) & mask;
  for (std::size_t at = (hole + 1) & mask; table_[at] != kNone; at = (at + 1) & mask) {
    const std::size_t home = records_[table_[at]].hash & mask;
    if (((at - home) & mask) < ((at - hole) & mask))
      continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = kNone;
  record.hash = first_free_;
  first_free_ = static_cast<std::uint32_t>(id.index());
  --used_;
}

Bound ZoneStore::at(ZoneId id, std::size_t i, std::size_t j) const {
  return ZoneProbe::unpack(place(id.index()), width_, i * n_ + j);
}

void ZoneStore::load(ZoneId id, Bound* out) const { probe_.unpack(place(id.index()), width_, out); }

std::uint64_t ZoneStore::hash(const ZoneView& zone) {
  return hash_bytes(std::as_bytes(std::span(zone.data(), zone.size() * zone.size())));
}

std::uint64_t ZoneStore::hash(ZoneId id) {
  load(id, loaded_.data());
  return hash(loaded_.view());
}

std::size_t ZoneStore::bytes() const {
  return blocks_.size() * ((stride_ << block_shift_) + ZoneProbe::kVector) + records_.bytes() +
         table_.capacity() * sizeof(std::uint32_t);
}

}  // namespace tw
