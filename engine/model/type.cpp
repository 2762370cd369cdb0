#include "engine/model/type.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <utility>

namespace tw {
namespace {

std::uint64_t saturate(std::uint64_t count) { return std::min(count, Shape::kTooMany); }

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0)
    return 0;
  return a > Shape::kTooMany / b ? Shape::kTooMany : saturate(a * b);
}

void add(Shape& sum, const Shape& part) {
  sum.cells = saturate(sum.cells + part.cells);
  sum.clocks = saturate(sum.clocks + part.clocks);
  sum.channels = saturate(sum.channels + part.channels);
  sum.reals = saturate(sum.reals + part.reals);
}

std::size_t hash_of(const Type& type) {
  std::size_t hash = static_cast<std::size_t>(type.kind);
  const auto mix = [&hash](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL; };
  mix((type.urgent ? 1U : 0U) + (type.broadcast ? 2U : 0U));
  mix(static_cast<std::uint32_t>(type.low));
  mix(static_cast<std::uint32_t>(type.high));
  mix(type.low_bound.index());
  mix(type.high_bound.index());
  mix(type.scalar_set);
  mix(type.index.index());
  mix(type.element.index());
  for (const Field& field : type.fields) {
    mix(std::hash<std::string>{}(field.name));
    mix(field.type.index());
  }
  return hash;
}

}  // namespace

TypeTable::TypeTable() {
  void_ = intern({.kind = TypeKind::kVoid});
  bool_ = intern({.kind = TypeKind::kBool, .low = 0, .high = 1});
  int_ = intern({.kind = TypeKind::kInt,
                 .low = std::numeric_limits<std::int32_t>::min(),
                 .high = std::numeric_limits<std::int32_t>::max()});
  clock_ = intern({.kind = TypeKind::kClock});
  real_ = intern({.kind = TypeKind::kReal});
}

TypeId TypeTable::intern(Type type) {
  const std::size_t hash = hash_of(type);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (entries_[at->second].type == type)
      return at->second;
  const TypeId id = entries_.push_back(describe(std::move(type)));
  by_hash_.emplace(hash, id);
  return id;
}

TypeTable::Entry TypeTable::describe(Type type) const {
  Entry entry;
  entry.kinds = mask(type.kind);
  switch (type.kind) {
    case TypeKind::kVoid:
      break;
    case TypeKind::kReal:
      entry.shape.reals = 1;
      break;
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kScalar:
      entry.shape.cells = 1;
      entry.symbolic = type.low_bound.valid() || type.high_bound.valid();
      entry.empty = !entry.symbolic && type.low > type.high;
      break;
    case TypeKind::kClock:
      entry.shape.clocks = 1;
      break;
    case TypeKind::kChannel:
      entry.shape.channels = 1;
      break;
    case TypeKind::kArray: {
      const Entry& index = entries_[type.index];
      const Entry& element = entries_[type.element];
      entry.symbolic = index.symbolic || element.symbolic;
      const auto length = static_cast<std::uint64_t>(
          std::max<std::int64_t>(0, std::int64_t{index.type.high} - index.type.low + 1));
      entry.shape = {.cells = multiply(length, element.shape.cells),
                     .clocks = multiply(length, element.shape.clocks),
                     .channels = multiply(length, element.shape.channels),
                     .reals = multiply(length, element.shape.reals)};
      entry.kinds |= element.kinds;
      entry.empty = element.empty || (!index.symbolic && length == 0);
      entry.depth = element.depth + 1;
      break;
    }
    case TypeKind::kStruct:
      for (const Field& field : type.fields) {
        const Entry& part = entries_[field.type];
        entry.symbolic = entry.symbolic || part.symbolic;
        entry.empty = entry.empty || part.empty;
        entry.kinds |= part.kinds;
        entry.depth = std::max(entry.depth, part.depth + 1);
        add(entry.shape, part.shape);
      }
      break;
  }
  entry.type = std::move(type);
  return entry;
}

Shape TypeTable::field_offset(TypeId structure, std::size_t field) const {
  const Type& type = entries_[structure].type;
  assert(type.kind == TypeKind::kStruct && field < type.fields.size());
  Shape offset;
  for (std::size_t i = 0; i < field; ++i)
    add(offset, entries_[type.fields[i].type].shape);
  return offset;
}

std::uint64_t TypeTable::array_length(TypeId array) const {
  const Type& index = entries_[entries_[array].type.index].type;
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, std::int64_t{index.high} - index.low + 1));
}

bool TypeTable::is_discrete(TypeId id) const {
  const TypeKind kind = entries_[id].type.kind;
  return kind == TypeKind::kBool || kind == TypeKind::kInt || kind == TypeKind::kScalar;
}

}  // namespace tw
