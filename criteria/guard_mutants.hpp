// Small changes to a guard, each a fault that someone could make. The operators are the usual ones
// for Boolean specifications (docs/criteria.md#mutation):
//
//   enf  a part with a connective, or the whole guard, negated      lnf  a clause negated
//   orf  && for ||, and the other way round                         mlf  an operand left out
//   asf  parentheses left out: a && (b || c) as (a && b) || c       st0, st1  a clause false, true
//   rof  a comparison by another operator                           crf  a constant by one off
//   vrf  a variable by another one of the same type
//
// The first six change how clauses are connected and are formulas over the clauses; the others put
// a clause of their own in the place of one occurrence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "criteria/decisions.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct GuardMutant {
  enum class Change : std::uint8_t {
    kNegate,
    kSwap,        // && and ||
    kLeft,        // only the left operand is left
    kRight,       // only the right one
    kShiftRight,  // a && (b || c): (a && b) || c
    kShiftLeft,   // (a || b) && c: a || (b && c)
    kFalse,
    kTrue,
    kOperator,  // of the clause: the rest is about a part of it
    kConstant,
    kVariable,
  };

  std::string_view op;  // "lnf"
  std::string label;    // "x > 3 becomes x >= 3"
  Change change = Change::kNegate;
  std::size_t node = 0;           // connectives and clauses, in the order in which they begin
  std::size_t occurrence = 0;     // of the clause that changes
  std::vector<std::size_t> path;  // to the part that changes, by operands
  ExprKind relation = ExprKind::kEqual;  // kOperator
  std::int32_t offset = 0;               // kConstant
  VariableId variable;                   // kVariable, as the template calls it

  /// It has a clause of its own.
  [[nodiscard]] bool has_clause() const { return change >= Change::kOperator; }
};

class GuardMutants {
 public:
  /// All are borrowed. `guard` is the template's.
  GuardMutants(const Network& network, ExprId guard, CoverageRules& rules)
      : network_(network),
        guard_(guard),
        rules_(rules) {}

  /// Those that are not the same function of the clauses as the guard.
  [[nodiscard]] std::vector<GuardMutant> all(const Decision& decision);

  /// The mutated guard; `own` is the number of its own clause among the atoms, if it has one.
  [[nodiscard]] FormulaId formula(const Decision& decision,
                                  const GuardMutant& mutant,
                                  std::size_t own);

  /// The mutant's own clause, made from that occurrence in the guard of a process (or of the
  /// template, if the process is invalid).
  [[nodiscard]] ExprId clause(const GuardMutant& mutant, ProcessId process, ExprId occurrence);

 private:
  void add_connective(ExprId id, std::size_t node, std::vector<GuardMutant>& out) const;
  void add_clause(ExprId id,
                  std::size_t node,
                  std::size_t occurrence,
                  std::vector<GuardMutant>& out) const;
  void add_parts(ExprId clause,
                 ExprId part,
                 std::vector<std::size_t>& path,
                 std::size_t occurrence,
                 std::vector<GuardMutant>& out) const;
  void visit(ExprId id,
             std::size_t& node,
             std::size_t& occurrence,
             std::vector<GuardMutant>& out) const;
  [[nodiscard]] const std::vector<VariableId>& variables();
  [[nodiscard]] bool is_equal(const Decision& decision, const GuardMutant& mutant);
  ExprId rebuild(const GuardMutant& mutant, ProcessId process, ExprId part, std::size_t depth);

  const Network& network_;
  ExprId guard_;
  CoverageRules& rules_;
  std::vector<VariableId> variables_;  // that may stand for each other
};

}  // namespace tw
