// Combinatorial coverage (CoC), also multiple condition coverage: every combination of clause
// values of a guard occurs while the process is in the source location (docs/criteria.md#coc).
//
// Items: 2^n for n clauses; many of them are infeasible where clauses depend on each other.
// Tokens: none. One rule per guard covers them all: the valuation is the item's argument.

#include <fmt/format.h>

#include "criteria/decisions.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostClauses = 12;

class CombinatorialCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("coc", options));
    const ItemFamilyId family = rules.add_item_family("valuation");
    for (const Decision& decision :
         decisions_of(network, options, "coc", kMostClauses, rules, diagnostics)) {
      const std::size_t clauses = decision.clauses.size();
      for (std::uint32_t v = 0; v < (1U << clauses); ++v) {
        std::string letters;
        std::string words;
        for (std::size_t i = 0; i < clauses; ++i) {
          const bool value = ((v >> i) & 1) != 0;
          letters += value ? 'T' : 'F';
          words +=
              fmt::format("{}{} is {}", i == 0 ? "" : ", ", decision.clauses[i], truth_name(value));
        }
        const ItemId item = rules.add_item(family, {decision.key, v},
                                           {.id = fmt::format("coc:{}={}", decision.name, letters),
                                            .label = fmt::format("{} in {}", words, decision.label),
                                            .where = decision.where});
        for (const ObservationId at : decision.observations)
          rules.lead_to(at, item);
      }
      for (const ObservationId at : decision.observations)
        rules.add_rule({.on = EventKind::kState,
                        .at = at,
                        .action = Rule::Action::kCover,
                        .item = family,
                        .arguments = {Term::constant(decision.key), Term::valuation()}});
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_coc() { return std::make_unique<CombinatorialCriterion>(); }

}  // namespace tw
