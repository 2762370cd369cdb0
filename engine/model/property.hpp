// What a model is asked, with all names resolved: a tree over *clauses*, the largest parts without
// connectives and temporal operators. Quantifiers are written out over their ranges and constants
// are folded, so a tree has as many clauses as the requirement really has.
//
// A clause is an expression of the network's pool or says that a process is in a location. One that
// uses locations as numbers, `sum (i : id_t) Train(i).Cross <= 1`, is a tree itself, split by where
// the processes are; it is marked, and criteria do not look into it.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/model/ids.hpp"

namespace tw {

using PropertyNodeId = Id<struct PropertyNodeTag>;

struct PropertyNode {
  enum class Kind : std::uint8_t {
    kConstant,
    kExpression,
    kLocation,
    kNot,
    kAnd,
    kOr,
    kImply,
    kXor,
    kNext,
    kAlways,
    kEventually,
    kUntil,
    kWeakUntil,
    kRelease,
  };

  Kind kind = Kind::kConstant;
  bool value = false;  // kConstant
  ExprId expression;   // kExpression: of the network's pool, a truth value
  LocationId location;
  PropertyNodeId left;
  PropertyNodeId right;
  bool is_clause = false;
  std::string text;  // of a clause, as the user wrote it, quantified names replaced by their values
};

struct Property {
  std::string name;           // "Q2", "R1": unique among those of one origin
  std::string text;           // as written
  SourceRange where;          // in the model; nothing if it was written elsewhere
  std::string place;          // "rules.ltl:3:1" if it was written elsewhere
  bool is_condition = false;  // no requirement, but a condition on states that an option needs
  IdVector<PropertyNodeId, PropertyNode> nodes;  // parts before wholes
  PropertyNodeId root;

  [[nodiscard]] const PropertyNode& operator[](PropertyNodeId id) const { return nodes[id]; }
};

}  // namespace tw
