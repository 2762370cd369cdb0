// Mutation coverage of guards (M): for every small change to a guard there is a state in which the
// changed guard has another value (docs/criteria.md#mutation; guard_mutants.hpp has the changes).
//
// Items: one per mutant; those that are the same function of the clauses are left out, those that
// differ only where the model never comes are infeasible. Tokens: none.

#include <fmt/format.h>
#include <map>

#include "criteria/decisions.hpp"
#include "criteria/guard_mutants.hpp"
#include "criteria/registry.hpp"
#include "engine/model/print.hpp"

namespace tw {
namespace {

class Declaration {
 public:
  Declaration(const Network& network, CoverageRules& rules)
      : network_(network),
        rules_(rules),
        family_(rules.add_item_family("mutant")) {}

  void add(const Decision& decision) {
    const ExprId guard = network_.edge_decls[decision.decl].labels.guard;
    GuardMutants mutants(network_, guard, rules_);
    std::vector<GuardMutant> all = mutants.all(decision);
    // Those with a clause of their own share an observation as long as there is room.
    const std::size_t room = Observation::kMostAtoms - decision.clauses.size();
    std::vector<GuardMutant> group;
    std::size_t own = 0;
    for (GuardMutant& mutant : all) {
      if (mutant.has_clause() && own == room) {
        add_group(decision, mutants, group);
        group.clear();
        own = 0;
      }
      own += mutant.has_clause() ? 1U : 0U;
      group.push_back(std::move(mutant));
    }
    add_group(decision, mutants, group);
    number_.clear();
    next_ = 0;
  }

 private:
  void add_group(const Decision& decision,
                 GuardMutants& mutants,
                 const std::vector<GuardMutant>& group) {
    std::vector<ObservationId> observations;
    for (const EdgeId edge : decision.edges) {
      Observation observation = observation_of(network_, edge, decision, rules_);
      const std::vector<ExprId> occurrences =
          clauses_of(network_, network_.edges[edge].labels.guard);
      for (const GuardMutant& mutant : group)
        if (mutant.has_clause())
          observation.atoms.push_back(
              {.expression = mutants.clause(mutant, network_.edges[edge].process,
                                            occurrences[mutant.occurrence])});
      observations.push_back(rules_.add_observation(observation));
    }
    Decision seen = decision;
    seen.observations = observations;
    const std::vector<ExprId> written =
        clauses_of(network_, network_.edge_decls[decision.decl].labels.guard);
    std::size_t own = decision.clauses.size();
    for (const GuardMutant& mutant : group) {
      std::string label = mutant.label;
      if (mutant.has_clause())
        label +=
            " becomes " + print_expression(network_, rules_.pool(),
                                           mutants.clause(mutant, {}, written[mutant.occurrence]));
      const FormulaId changed = mutants.formula(decision, mutant, own);
      own += mutant.has_clause() ? 1U : 0U;
      add_decision_item(
          seen, family_, {decision.key, next_++},
          {.id = fmt::format("mutation:{}:{}.{}", decision.name, mutant.op, ++number_[mutant.op]),
           .label = fmt::format("{} in the guard of {}", label, decision.label)},
          rules_.differ(decision.guard, changed), rules_);
    }
  }

  const Network& network_;
  CoverageRules& rules_;
  ItemFamilyId family_;
  std::map<std::string_view, std::uint32_t> number_;  // by operator, within a guard
  std::uint32_t next_ = 0;
};

class MutationCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("mutation", options));
    Declaration declaration(network, rules);
    constexpr std::size_t kMostClauses = Observation::kMostAtoms / 2;
    for (const Decision& decision :
         decisions_of(network, options, "mutation", kMostClauses, rules, diagnostics))
      declaration.add(decision);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_mutation() { return std::make_unique<MutationCriterion>(); }

}  // namespace tw
