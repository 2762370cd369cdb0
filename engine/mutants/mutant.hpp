// Model mutants: copies of a network with one small fault, as a programmer might make it. Suites
// are compared by how many of them they notice.
//
// A mutant is a change of a template: it is made in all its processes. Only the lower storey of the
// network is edited; locations, variables, places in memory and the numbers of edges stay, so that
// steps, states and rules of the original mean the same in the mutant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"

namespace tw {

enum class MutantKind : std::uint8_t {
  kMissingEdge,
  kBound,          // a constant of a guard's comparison is one more or less
  kInvariant,      // the same in an invariant
  kNegatedClause,  // of a guard
  kLostUpdate,
  kAddedReset,     // a clock or variable gets its initial value
  kSwappedTarget,  // the edge leads elsewhere
  kRenamedSync,    // the edge synchronises on another channel of the same type
};

/// "missing-edge", "bound", …
[[nodiscard]] std::string_view name_of(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::kMissingEdge;
  std::string id;           // made of names: `bound:Train.Appr.Stop:1:+1`
  std::string label;        // what was changed, for people
  SourceRange where;        // in the model
  EdgeDeclId edge;          // invalid: kInvariant
  LocationDeclId location;  // kInvariant: whose; kSwappedTarget: where the edge leads now
  /// kBound, kInvariant, kNegatedClause: the part to change, as positions of operands from the
  /// guard or invariant down.
  std::vector<std::size_t> path;
  std::int32_t delta = 0;  // kBound, kInvariant
  std::size_t update = 0;  // kLostUpdate: which
  VariableId variable;     // kAddedReset: global, or of the template; kRenamedSync: the channel
};

/// All mutants of the templates that have processes, in a fixed order: by template, locations, then
/// edges in document order.
[[nodiscard]] std::vector<Mutant> list_mutants(const Network& network);

/// At most so many, spread evenly over the list.
[[nodiscard]] std::vector<Mutant> choose(std::vector<Mutant> mutants, std::size_t most);

/// The network with the change, and its facts. Pre: a mutant of this network.
[[nodiscard]] Network mutate(const Network& network, const Mutant& mutant);

/// Whether a guard, channel or the mere existence of an edge of this template matters only to steps
/// in which it fires. It does not where others look at it: who receives a broadcast must take part,
/// who has priority comes first, who can synchronise urgently stops time.
[[nodiscard]] bool acts_alone(const Network& network, const Mutant& mutant);

// Expressions, for mutants and for telling them apart.
[[nodiscard]] ExprId part_at(const ExpressionPool& pool,
                             ExprId root,
                             const std::vector<std::size_t>& path);
/// The root with another part at this place.
[[nodiscard]] ExprId replace_part(ExpressionPool& pool,
                                  ExprId root,
                                  const std::vector<std::size_t>& path,
                                  ExprId part);
[[nodiscard]] ExprId negation(Network& network, ExprId clause);
/// The mutated guard, invariant or part of it.
[[nodiscard]] ExprId changed_part(Network& network, const Mutant& mutant, ExprId part);
/// The process's copy of a variable of its template; a global stays.
[[nodiscard]] VariableId variable_in(const Network& network, ProcessId process, VariableId id);
/// Sets a clock or variable to its initial value. Pre: one cell or clock.
[[nodiscard]] ExprId reset_of(Network& network, VariableId variable);

}  // namespace tw
