// Guards as decisions. The clauses of a guard are its largest parts without connectives (`&& || !
// imply xor`); clauses with equal text are one. Where the process is in the source of the edge, all
// clauses are observed together, for every combination of the select values they depend on. The
// criteria about guards are formulas over these clauses (docs/criteria.md#guards).
//
// An element is the guard of an edge of a template, whichever process is there, or of one process;
// a guard behind a branchpoint is none, since no state is there, and neither is an edge without a
// guard.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct Decision {
  std::uint32_t key = 0;  // first argument of its items
  EdgeDeclId decl;
  std::string name;   // "Train.Safe.Appr"
  std::string label;  // "x > 3 && y of Safe -> Appr of Train"
  SourceRange where;
  std::vector<std::string> clauses;         // as text
  std::vector<std::uint32_t> occurrences;   // by occurrence, left to right: its clause
  std::vector<EdgeId> edges;                // one per process
  std::vector<ObservationId> observations;  // the same; atoms are the clauses
  FormulaId guard;
  std::vector<FormulaId> clause;                 // by clause: it holds
  std::vector<FormulaId> determines;             // by clause: the guard follows it
  std::vector<FormulaId> occurrence_determines;  // by occurrence: the same, the others staying

  /// "#2" as in ids.
  [[nodiscard]] static std::string number(std::size_t clause);
};

/// What a criterion about guards says of itself.
[[nodiscard]] CriterionInfo guard_criterion(std::string_view name, const CriterionOptions& options);

/// All decisions; the formulas are in the rules. `most_clauses`: a guard with more is left out, and
/// an error that names the criterion, or a warning if nobody asked for it by name.
[[nodiscard]] std::vector<Decision> decisions_of(const Network& network,
                                                 const CriterionOptions& options,
                                                 std::string_view criterion,
                                                 std::size_t most_clauses,
                                                 CoverageRules& rules,
                                                 Diagnostics& diagnostics);

/// What is looked at for the guard of one of its edges.
[[nodiscard]] Observation observation_of(const Network& network,
                                         EdgeId edge,
                                         const Decision& decision,
                                         CoverageRules& rules);

/// Adds an item of a decision, and a rule: it is covered where the formula holds.
void add_decision_item(const Decision& decision,
                       ItemFamilyId family,
                       const Arguments& arguments,
                       Item item,
                       FormulaId when,
                       CoverageRules& rules);

/// What a connective makes of two formulas. Pre: it has two operands.
[[nodiscard]] FormulaId connect(CoverageRules& rules,
                                ExprKind kind,
                                FormulaId left,
                                FormulaId right);

/// The value of a formula where all atoms are defined.
[[nodiscard]] bool value_of(const CoverageRules& rules, FormulaId formula, std::uint64_t values);

/// "true" and "false", as in ids and labels.
[[nodiscard]] std::string_view truth_name(bool value);

}  // namespace tw
