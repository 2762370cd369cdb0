// Zones, each stored once however many states have it, in as few bits per bound as all of them
// need: 8 until a zone with greater numbers comes, then 16, then 32. Extrapolated zones have no
// numbers beyond the constants of the model, which are mostly small. A zone that nobody refers to
// any more makes room for another one.
//
// Questions are asked about one zone, the *probe*, and many stored ones: whatever depends on the
// probe and on the bounds of the clocks is worked out once, so that a question is a comparison of
// numbers. HOT: bench zone/store/*.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "engine/base/chunked_vector.hpp"
#include "engine/base/id.hpp"
#include "engine/zone/dbm.hpp"
#include "engine/zone/zone_probe.hpp"

namespace tw {

using ZoneId = Id<struct ZoneTag>;

class ZoneStore {
 public:
  /// size: clocks + 1.
  explicit ZoneStore(std::size_t size);
  ~ZoneStore() = default;
  ZoneStore(const ZoneStore&) = delete;
  ZoneStore& operator=(const ZoneStore&) = delete;

  /// The zone that questions are about; borrowed until the next one.
  void set_probe(const ZoneView& zone);
  /// What the clocks of the probe can still be compared with, for questions about simulation;
  /// borrowed until the next probe.
  void set_bounds(const LuBounds& bounds) { probe_.set_bounds(bounds); }

  [[nodiscard]] bool is_probe(ZoneId id) const;
  /// Pre: the bounds are set.
  [[nodiscard]] bool simulates_probe(ZoneId id) const {
    return probe_.is_simulated_by(place(id.index()));
  }
  [[nodiscard]] bool is_simulated_by_probe(ZoneId id) {
    return probe_.simulates(place(id.index()));
  }
  /// Calls f(ask) where ask(id) says the same of many.
  template <class F>
  auto ask_who_simulates(F f) const {
    return probe_.compare([&](const auto& with) {
      return f([this, &with](ZoneId id) { return with.is_simulated_by(place(id.index())); });
    });
  }
  template <class F>
  auto ask_who_is_simulated(F f) {
    probe_.limit_above();
    return probe_.compare([&](const auto& with) {
      return f([this, &with](ZoneId id) { return with.simulates(place(id.index())); });
    });
  }

  /// Refers to the zone that is equal to the probe, which is stored if there is none.
  ZoneId insert();
  /// Refers no more. The number may come back for another zone.
  void release(ZoneId id);

  [[nodiscard]] Bound at(ZoneId id, std::size_t i, std::size_t j) const;
  void load(ZoneId id, Bound* out) const;
  /// The same for equal zones.
  [[nodiscard]] std::uint64_t hash(ZoneId id);
  [[nodiscard]] static std::uint64_t hash(const ZoneView& zone);

  /// Zones that somebody refers to.
  [[nodiscard]] std::size_t size() const { return used_; }
  /// Memory that grows with the zones, as allocated.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Record {
    std::uint32_t hash = 0;  // of the bytes as stored; without references, the next free place
    std::uint32_t references = 0;
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  using Bytes = std::unique_ptr<std::byte[]>;

  [[nodiscard]] std::byte* place(std::size_t index) const {
    return blocks_[index >> block_shift_].get() + (index & ((1U << block_shift_) - 1)) * stride_;
  }
  void set_width(std::size_t width);
  void widen(std::size_t width);
  [[nodiscard]] std::uint32_t hash_of(const std::byte* place) const;
  void enter(std::uint32_t index);
  void grow_table();
  std::uint32_t new_place();
  void add_block();

  std::size_t n_;
  std::size_t width_ = 0;        // bytes of a number
  std::size_t stride_ = 0;       // bytes of a zone: whole vectors, the rest is infinity
  std::size_t block_shift_ = 0;  // log2 of zones per block
  std::vector<Bytes> blocks_;
  ChunkedVector<Record> records_;
  std::vector<std::uint32_t> table_;  // open addressing: numbers of zones or kNone
  std::size_t used_ = 0;
  std::uint32_t first_free_ = kNone;

  ZoneProbe probe_;
  Zone loaded_;  // scratch
};

}  // namespace tw
