// What observers speak of, as numbers: processes, locations, edges … of one network. Values are
// always those of processes. In items they have a *key*: at template level the same edge of all
// processes is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "criteria/cell_accesses.hpp"
#include "criteria/cell_names.hpp"
#include "criteria/observer/ast.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/coverage/names.hpp"
#include "engine/model/network.hpp"

namespace tw::observer {

using Value = std::uint32_t;
inline constexpr Value kNoValue = Term::kNothing;

/// Functions of a value alone, whatever the step.
enum class Function : std::uint8_t {
  kSource,    // of an edge: a location
  kTarget,    //
  kProcess,   // of an edge or location
  kTemplate,  // of an edge, location or process
};

// Integers as values: the largest one is left out, it would be kNoValue.
[[nodiscard]] constexpr Value encode(std::int32_t number) {
  return static_cast<std::uint32_t>(number) ^ 0x80000000U;
}
[[nodiscard]] constexpr std::int32_t decode(Value value) {
  return static_cast<std::int32_t>(value ^ 0x80000000U);
}

class ModelValues {
 public:
  /// The network is borrowed. `chosen`: by cell, which of them count as variables.
  ModelValues(const Network& network, Level level, std::vector<bool> chosen);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] Level level() const { return level_; }

  /// One more than the largest value. Pre: not kInt.
  [[nodiscard]] std::size_t bound(ValueType type) const;
  /// All values, ascending; edges without `hook`. Pre: not kInt.
  [[nodiscard]] std::vector<Value> domain(ValueType type) const;

  [[nodiscard]] Value key(ValueType type, Value value) const;
  /// By value; empty if all are their own keys.
  [[nodiscard]] std::vector<Value> keys(ValueType type) const;
  /// Of a key, in ids: "Train.Safe.Appr".
  [[nodiscard]] std::string name(ValueType type, Value key) const;
  /// Of a key, for people: "Train Safe -> Appr".
  [[nodiscard]] std::string words(ValueType type, Value key) const;
  [[nodiscard]] SourceRange where(ValueType type, Value key) const;

  /// kNoValue: an update hook has no source.
  [[nodiscard]] Value apply(Function function, ValueType type, Value value) const;
  [[nodiscard]] bool is_branchpoint(Value location) const;
  [[nodiscard]] bool is_hook(Value edge) const { return edge == network_->edges.size(); }
  /// kNoValue: internal.
  [[nodiscard]] Value channel_of(Value edge) const { return channels_[edge]; }
  [[nodiscard]] bool is_chosen(Value cell) const { return chosen_[cell]; }

  /// What a name of the model means, ascending: several values if it is that of a template's
  /// element or of an array. Empty: nothing, and `hint` may say what was meant.
  [[nodiscard]] std::vector<Value> find(ValueType type,
                                        const std::string& name,
                                        std::string& hint) const;

 private:
  [[nodiscard]] std::vector<std::string> names_of(ValueType type, Value value) const;
  [[nodiscard]] std::vector<Value> find_variable(const std::string& name, std::string& hint) const;
  [[nodiscard]] std::vector<Value> find_number(const std::string& name, std::string& hint) const;
  [[nodiscard]] EdgeDeclId decl_of_key(Value edge) const;
  [[nodiscard]] LocationDeclId place_of_key(Value location) const;

  const Network* network_;  // borrowed: outlives this
  Level level_;
  ElementNames names_;
  CellKeys cells_;
  std::vector<bool> chosen_;
  std::vector<Value> channels_;  // by edge, hook last
};

}  // namespace tw::observer
