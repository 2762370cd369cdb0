// Query coverage: every query `E<> p` of the model is a test purpose, reached in a state in which p
// holds; where p speaks of clocks, at some moment.
//
// Items: one per query. Tokens: none.

#include <fmt/format.h>

#include "criteria/registry.hpp"
#include "criteria/requirements.hpp"

namespace tw {
namespace {

class QueryCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "query", .options = {}});
    RequirementRules items(network, "query", rules, diagnostics);
    for (const Property* property : purposes_of(network, options, diagnostics)) {
      TemporalPool pool;
      if (items.begin(*property, pool))
        items.add({.id = fmt::format("query:{}", property->name),
                   .label = property->text,
                   .where = property->where},
                  pool.normal(temporal_property(*property, pool).formula));
    }
    items.finish();
  }
};

}  // namespace

std::unique_ptr<Criterion> make_query() { return std::make_unique<QueryCriterion>(); }

}  // namespace tw
