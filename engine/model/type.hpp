// Types of the model, interned: equal types have equal ids, so comparing types is comparing ids.
//
// At run time there are only integers, clocks and channels. A type therefore also has a *shape*:
// how many of each a variable of this type occupies; arrays and structs are laid out without gaps,
// elements in index order, fields in declaration order. Inside a template bounds may depend on
// parameters: such a type is *symbolic*, carries its bounds as expressions, and has no shape until
// a process fixes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/id_vector.hpp"
#include "engine/model/ids.hpp"

namespace tw {

enum class TypeKind : std::uint8_t {
  kVoid,
  kBool,
  kInt,
  kScalar,  // unordered set of n values; stored as 0 … n-1
  kClock,
  kChannel,
  kReal,  // a double: influences nothing, occupies nothing, only ever a field of a struct
  kArray,
  kStruct,
};

struct Field {
  std::string name;
  TypeId type;

  friend bool operator==(const Field&, const Field&) = default;
};

struct Type {
  TypeKind kind = TypeKind::kVoid;
  bool urgent = false;     // kChannel
  bool broadcast = false;  // kChannel
  std::int32_t low = 0;    // kBool, kInt, kScalar, unless symbolic
  std::int32_t high = 0;
  ExprId low_bound;  // kInt, kScalar: valid iff this very type is symbolic
  ExprId high_bound;
  std::uint32_t scalar_set = 0;  // kScalar: each written `scalar[n]` is a type of its own
  TypeId index;                  // kArray: a kInt or kScalar type
  TypeId element;                // kArray
  std::vector<Field> fields;     // kStruct

  friend bool operator==(const Type&, const Type&) = default;
};

/// What a variable of some type occupies. Counts saturate at kTooMany instead of overflowing.
struct Shape {
  static constexpr std::uint64_t kTooMany = std::uint64_t{1} << 40;

  std::uint64_t cells = 0;
  std::uint64_t clocks = 0;
  std::uint64_t channels = 0;
  std::uint64_t reals = 0;  // occupy nothing, but have names

  [[nodiscard]] std::uint64_t largest() const { return std::max({cells, clocks, channels, reals}); }
};

class TypeTable {
 public:
  TypeTable();

  TypeId intern(Type type);

  [[nodiscard]] const Type& operator[](TypeId id) const { return entries_[id].type; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Meaningless while the type is symbolic.
  [[nodiscard]] const Shape& shape(TypeId id) const { return entries_[id].shape; }

  [[nodiscard]] bool is_symbolic(TypeId id) const { return entries_[id].symbolic; }

  /// Is this kind somewhere in the type? A stored answer: types share parts, a walk could take
  /// forever.
  [[nodiscard]] bool contains(TypeId id, TypeKind kind) const {
    return (entries_[id].kinds & mask(kind)) != 0;
  }

  /// Some integer or array inside has no value: its lower bound exceeds the upper one.
  [[nodiscard]] bool has_empty_range(TypeId id) const { return entries_[id].empty; }

  /// How deep arrays and structs nest.
  [[nodiscard]] std::size_t depth(TypeId id) const { return entries_[id].depth; }

  /// What lies in front of field `field` inside a struct.
  [[nodiscard]] Shape field_offset(TypeId structure, std::size_t field) const;

  [[nodiscard]] std::uint64_t array_length(TypeId array) const;

  /// An integer-valued scalar: kBool, kInt or kScalar.
  [[nodiscard]] bool is_discrete(TypeId id) const;

  // The types every model has.
  [[nodiscard]] TypeId void_type() const { return void_; }

  [[nodiscard]] TypeId bool_type() const { return bool_; }

  [[nodiscard]] TypeId int_type() const { return int_; }  // the full 32-bit range: computed values

  [[nodiscard]] TypeId clock_type() const { return clock_; }

  [[nodiscard]] TypeId real_type() const { return real_; }

 private:
  struct Entry {
    Type type;
    Shape shape;
    bool symbolic = false;
    bool empty = false;
    std::uint32_t kinds = 0;
    std::size_t depth = 0;
  };

  static std::uint32_t mask(TypeKind kind) { return 1U << static_cast<unsigned>(kind); }

  [[nodiscard]] Entry describe(Type type) const;

  IdVector<TypeId, Entry> entries_;
  std::unordered_multimap<std::size_t, TypeId> by_hash_;
  TypeId void_;
  TypeId bool_;
  TypeId int_;
  TypeId clock_;
  TypeId real_;
};

}  // namespace tw
