// Formulas of linear temporal logic over numbered clauses, each kept once. Temporal operators are
// only next, until and weak until; the others are made of them:
//
//   F p = true U p      G p = p W false      a R b = b W (a && b)
//
// Runs of tests are finite. A formula is *covered* by a run if some beginning of the run satisfies
// it: what has to happen has happened there (X, U), what must last has lasted so far (W). So
// coverage stays when the run goes on. The *weak* reading of a formula asks for less: nothing has
// happened so far that rules it out.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/base/id_vector.hpp"
#include "engine/model/property.hpp"

namespace tw {

using TemporalId = Id<struct TemporalTag>;

struct TemporalNode {
  enum class Kind : std::uint8_t {
    kTrue,
    kFalse,
    kClause,  // number: a node of the property
    kNot,     // of a state formula, in formulas that monitors take
    kAnd,
    kOr,
    kXor,
    kNext,
    kWeakNext,
    kUntil,
    kWeakUntil,
  };

  Kind kind = Kind::kTrue;
  bool is_state = true;  // speaks of one state: no temporal operator inside
  std::uint32_t number = 0;
  TemporalId left;
  TemporalId right;
};

class TemporalPool {
 public:
  TemporalPool();

  TemporalId truth(bool value) const { return TemporalId(value ? 1U : 0U); }
  TemporalId clause(PropertyNodeId id);
  TemporalId negate(TemporalId a);
  TemporalId both(TemporalId a, TemporalId b);
  TemporalId either(TemporalId a, TemporalId b);
  TemporalId differ(TemporalId a, TemporalId b);
  TemporalId next(TemporalId a);
  TemporalId weak_next(TemporalId a);
  TemporalId until(TemporalId a, TemporalId b);
  TemporalId weak_until(TemporalId a, TemporalId b);

  /// The formula, or its negation, with negations of state formulas only.
  TemporalId normal(TemporalId a, bool negated = false);
  /// The weak reading. Pre: normal form.
  TemporalId weak(TemporalId a);
  /// A formula without X and U is covered by the state it begins in, or not at all: by which
  /// states. None if it has such an operator. Pre: normal form.
  std::optional<TemporalId> at_once(TemporalId a);

  [[nodiscard]] const TemporalNode& operator[](TemporalId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  TemporalId add(TemporalNode::Kind kind,
                 TemporalId left,
                 TemporalId right = {},
                 std::uint32_t number = 0);

  IdVector<TemporalId, TemporalNode> nodes_;
  std::unordered_map<std::uint64_t, std::vector<TemporalId>> index_;  // by hash
  std::unordered_map<TemporalId, TemporalId> normal_[2];              // memo, by negation
};

/// The property as a formula, its clauses in order from left to right.
struct TemporalProperty {
  TemporalId formula;
  std::vector<PropertyNodeId> clauses;
};

/// One thing to cover about a clause.
struct Obligation {
  std::size_t clause = 0;     // its number
  TemporalId formula;         // in normal form
  std::optional<bool> value;  // vacuity: what the clause was replaced by, if both are asked for
};

[[nodiscard]] TemporalProperty temporal_property(const Property& property, TemporalPool& pool);

/// Per clause, what shows that it matters: a run that violates the property with the clause
/// replaced by true or false, whichever makes it stronger; by each where both do.
[[nodiscard]] std::vector<Obligation> vacuity_obligations(const Property& property,
                                                          TemporalPool& pool);

/// Per clause, the runs on which it is the unique first cause of the property.
[[nodiscard]] std::vector<Obligation> first_cause_obligations(const Property& property,
                                                              TemporalPool& pool);

}  // namespace tw
