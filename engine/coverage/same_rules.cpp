#include "engine/coverage/same_rules.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace tw {
namespace {

class Comparer {
 public:
  Comparer(const CoverageRules& a, const CoverageRules& b) : a_(a), b_(b) {}

  [[nodiscard]] bool run() const {
    return a_.watched() == b_.watched() && a_.invariant_uses() == b_.invariant_uses() &&
           a_.value_tuples().empty() && b_.value_tuples().empty() && families() && items() &&
           all(a_.tokens(), b_.tokens(),
               [](const Token& x, const Token& y) {
                 return x.family == y.family && x.arguments == y.arguments &&
                        x.leads_to == y.leads_to;
               }) &&
           observations() &&
           all(a_.rules(), b_.rules(), [this](const Rule& x, const Rule& y) { return same(x, y); });
  }

 private:
  template <class List, class Same>
  [[nodiscard]] static bool all(const List& x, const List& y, Same same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  }

  [[nodiscard]] bool families() const {
    return all(a_.item_families(), b_.item_families(),
               [](const ItemFamily& x, const ItemFamily& y) { return !x.make && !y.make; }) &&
           all(a_.token_families(), b_.token_families(),
               [](const TokenFamily& x, const TokenFamily& y) {
                 return x.open == y.open && !x.leads_to == !y.leads_to &&
                        x.lifetime == y.lifetime && x.process_argument == y.process_argument &&
                        x.observation_argument == y.observation_argument;
               });
  }

  [[nodiscard]] bool items() const {
    return all(a_.items(), b_.items(), [](const Item& x, const Item& y) {
      return x.family == y.family && x.arguments == y.arguments;
    });
  }

  [[nodiscard]] bool observations() const {
    const auto same_atom = [this](const Atom& x, const Atom& y) {
      return x.location == y.location && x.expression.valid() == y.expression.valid() &&
             (!x.expression.valid() || same(x.expression, y.expression));
    };
    if (a_.observations().size() != b_.observations().size())
      return false;
    for (std::size_t i = 0; i < a_.observations().size(); ++i) {
      const Observation& x = a_.observations()[ObservationId(i)];
      const Observation& y = b_.observations()[ObservationId(i)];
      if (x.locations != y.locations || x.cells != y.cells || x.selects != y.selects ||
          !all(x.atoms, y.atoms, same_atom) ||
          a_.items_of(ObservationId(i)) != b_.items_of(ObservationId(i)))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool same(const Rule& x, const Rule& y) const {
    const auto same_term = [this](const Term& s, const Term& t) { return same(s, t); };
    if (x.needs.has_value() != y.needs.has_value() ||
        (x.needs && (x.needs->family != y.needs->family ||
                     !all(x.needs->arguments, y.needs->arguments, same_term))))
      return false;
    return x.on == y.on && x.use == y.use && x.at == y.at && same(x.when, y.when) &&
           x.action == y.action && x.item == y.item && x.token == y.token &&
           all(x.arguments, y.arguments, same_term);
  }

  [[nodiscard]] bool same(const Term& x, const Term& y) const {
    return x.source == y.source && x.value == y.value && x.map.valid() == y.map.valid() &&
           (!x.map.valid() || a_.map(x.map) == b_.map(y.map));
  }

  [[nodiscard]] bool same(FormulaId x, FormulaId y) const {
    if (!x.valid() || !y.valid())
      return x.valid() == y.valid();
    const Formula& f = a_.formula(x);
    const Formula& g = b_.formula(y);
    return f.kind == g.kind && f.number == g.number && same(f.left, g.left) &&
           same(f.right, g.right);
  }

  [[nodiscard]] bool same(ExprId x, ExprId y) const {
    const Expression& e = a_.pool()[x];
    const Expression& f = b_.pool()[y];
    return e.kind == f.kind && e.op == f.op && e.type == f.type && e.payload == f.payload &&
           all(a_.pool().operands(x), b_.pool().operands(y),
               [this](ExprId s, ExprId t) { return same(s, t); });
  }

  const CoverageRules& a_;
  const CoverageRules& b_;
};

}  // namespace

bool ask_for_the_same(const CoverageRules& a, const CoverageRules& b) {
  return Comparer(a, b).run();
}

}  // namespace tw
