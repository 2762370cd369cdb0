#include "criteria/temporal.hpp"

#include <functional>

#include "engine/base/hash.hpp"

namespace tw {

using Kind = TemporalNode::Kind;

TemporalPool::TemporalPool() {
  nodes_.push_back({.kind = Kind::kFalse});
  nodes_.push_back({.kind = Kind::kTrue});
}

TemporalId TemporalPool::add(Kind kind, TemporalId left, TemporalId right, std::uint32_t number) {
  const auto bits = [](TemporalId id) { return id.valid() ? std::uint64_t{id.index()} + 1 : 0; };
  const std::uint64_t words[] = {static_cast<std::uint64_t>(kind), bits(left), bits(right), number};
  std::vector<TemporalId>& same = index_[hash_words(words)];
  for (const TemporalId known : same) {
    const TemporalNode& node = nodes_[known];
    if (node.kind == kind && node.left == left && node.right == right && node.number == number)
      return known;
  }
  bool is_state = kind < Kind::kNext;
  for (const TemporalId part : {left, right})
    is_state = is_state && (!part.valid() || nodes_[part].is_state);
  same.push_back(nodes_.push_back(
      {.kind = kind, .is_state = is_state, .number = number, .left = left, .right = right}));
  return same.back();
}

TemporalId TemporalPool::clause(PropertyNodeId id) {
  return add(Kind::kClause, {}, {}, static_cast<std::uint32_t>(id.index()));
}

TemporalId TemporalPool::negate(TemporalId a) {
  if (a == truth(true) || a == truth(false))
    return truth(a == truth(false));
  if (nodes_[a].kind == Kind::kNot)
    return nodes_[a].left;
  return add(Kind::kNot, a);
}

// The order of operands stays: the right one may be undefined where the left one decides.
TemporalId TemporalPool::both(TemporalId a, TemporalId b) {
  if (a == truth(false) || b == truth(true) || a == b)
    return a;
  if (a == truth(true) || b == truth(false))
    return b;
  return add(Kind::kAnd, a, b);
}

TemporalId TemporalPool::either(TemporalId a, TemporalId b) {
  if (a == truth(true) || b == truth(false) || a == b)
    return a;
  if (a == truth(false) || b == truth(true))
    return b;
  return add(Kind::kOr, a, b);
}

TemporalId TemporalPool::differ(TemporalId a, TemporalId b) {
  if (a == truth(false) || a == truth(true))
    return a == truth(false) ? b : negate(b);
  if (b == truth(false) || b == truth(true))
    return b == truth(false) ? a : negate(a);
  return add(Kind::kXor, a, b);
}

TemporalId TemporalPool::next(TemporalId a) { return add(Kind::kNext, a); }

TemporalId TemporalPool::weak_next(TemporalId a) {
  return a == truth(true) ? a : add(Kind::kWeakNext, a);
}

TemporalId TemporalPool::until(TemporalId a, TemporalId b) {
  if (a == truth(false) || b == truth(false) || b == truth(true))
    return b;
  return add(Kind::kUntil, a, b);
}

TemporalId TemporalPool::weak_until(TemporalId a, TemporalId b) {
  if (a == truth(false) || b == truth(true))
    return b;
  if (a == truth(true))
    return a;
  return add(Kind::kWeakUntil, a, b);
}

TemporalId TemporalPool::normal(TemporalId id, bool negated) {
  const TemporalNode node = nodes_[id];
  if (node.is_state)
    return negated ? negate(id) : id;
  if (node.kind == Kind::kNot)
    return normal(node.left, !negated);
  auto& memo = normal_[negated ? 1 : 0];
  const auto known = memo.find(id);
  if (known != memo.end())
    return known->second;
  const auto left = [&](bool flip) { return normal(node.left, flip); };
  const auto right = [&](bool flip) { return normal(node.right, flip); };
  TemporalId out;
  switch (node.kind) {
    case Kind::kAnd:
    case Kind::kOr:
      out = (node.kind == Kind::kAnd) == negated ? either(left(negated), right(negated))
                                                 : both(left(negated), right(negated));
      break;
    case Kind::kXor:
      out = either(both(left(false), right(!negated)), both(left(true), right(negated)));
      break;
    // On the runs of a model every state has a next one, so there is one kind of next to negate.
    case Kind::kNext:
      out = next(left(negated));
      break;
    case Kind::kWeakNext:
      out = negated ? next(left(true)) : weak_next(left(false));
      break;
    case Kind::kUntil:
      out = negated ? weak_until(right(true), both(left(true), right(true)))
                    : until(left(false), right(false));
      break;
    case Kind::kWeakUntil:
      out = negated ? until(right(true), both(left(true), right(true)))
                    : weak_until(left(false), right(false));
      break;
    case Kind::kTrue:
    case Kind::kFalse:
    case Kind::kClause:
    case Kind::kNot:
      out = id;
      break;
  }
  memo.emplace(id, out);
  return out;
}

TemporalId TemporalPool::weak(TemporalId id) {
  const TemporalNode node = nodes_[id];
  if (node.is_state)
    return id;
  const TemporalId left = weak(node.left);
  switch (node.kind) {
    case Kind::kAnd:
      return both(left, weak(node.right));
    case Kind::kOr:
      return either(left, weak(node.right));
    case Kind::kNext:
    case Kind::kWeakNext:
      return weak_next(left);
    default:
      return weak_until(left, weak(node.right));
  }
}

std::optional<TemporalId> TemporalPool::at_once(TemporalId id) {
  const TemporalNode node = nodes_[id];
  if (node.is_state)
    return id;
  if (node.kind == Kind::kNext || node.kind == Kind::kUntil)
    return std::nullopt;
  if (node.kind == Kind::kWeakNext)
    return at_once(node.left) ? std::optional(truth(true)) : std::nullopt;
  const std::optional<TemporalId> left = at_once(node.left);
  const std::optional<TemporalId> right = at_once(node.right);
  if (!left || !right)
    return std::nullopt;
  if (node.kind == Kind::kAnd)
    return both(*left, *right);
  return node.kind == Kind::kOr ? either(*left, *right) : either(*right, *left);
}

namespace {

using PropertyKind = PropertyNode::Kind;

// Builds formulas of a property. `leaf` says what stands for a clause.
class Translation {
 public:
  using Leaf = std::function<TemporalId(PropertyNodeId)>;

  Translation(const Property& property, TemporalPool& pool, Leaf leaf)
      : property_(property),
        pool_(pool),
        leaf_(std::move(leaf)) {}

  TemporalId of(PropertyNodeId id) {
    const PropertyNode& node = property_[id];
    if (node.is_clause)
      return leaf_(id);
    if (node.kind == PropertyKind::kConstant)
      return pool_.truth(node.value);
    const TemporalId left = of(node.left);
    const TemporalId right = node.right.valid() ? of(node.right) : TemporalId();
    switch (node.kind) {
      case PropertyKind::kNot:
        return pool_.negate(left);
      case PropertyKind::kAnd:
        return pool_.both(left, right);
      case PropertyKind::kOr:
        return pool_.either(left, right);
      case PropertyKind::kImply:
        return pool_.either(pool_.negate(left), right);
      case PropertyKind::kXor:
        return pool_.differ(left, right);
      case PropertyKind::kNext:
        return pool_.next(left);
      case PropertyKind::kAlways:
        return pool_.weak_until(left, pool_.truth(false));
      case PropertyKind::kEventually:
        return pool_.until(pool_.truth(true), left);
      case PropertyKind::kUntil:
        return pool_.until(left, right);
      case PropertyKind::kWeakUntil:
        return pool_.weak_until(left, right);
      case PropertyKind::kRelease:
        return pool_.weak_until(right, pool_.both(left, right));
      case PropertyKind::kConstant:
      case PropertyKind::kExpression:
      case PropertyKind::kLocation:
        break;
    }
    return pool_.truth(true);
  }

 private:
  const Property& property_;
  TemporalPool& pool_;
  Leaf leaf_;
};

// Whether a clause stands for more, or for less, or both: below how many negations.
struct Polarity {
  bool positive = false;
  bool negative = false;
};

void find_polarities(const Property& property,
                     PropertyNodeId id,
                     Polarity here,
                     const std::function<void(PropertyNodeId, Polarity)>& found) {
  const PropertyNode& node = property[id];
  if (node.is_clause) {
    found(id, here);
    return;
  }
  const Polarity flipped{.positive = here.negative, .negative = here.positive};
  const Polarity mixed{.positive = true, .negative = true};
  Polarity left = here;
  if (node.kind == PropertyKind::kNot || node.kind == PropertyKind::kImply)
    left = flipped;
  if (node.kind == PropertyKind::kXor)
    left = mixed;
  if (node.left.valid())
    find_polarities(property, node.left, left, found);
  if (node.right.valid())
    find_polarities(property, node.right, node.kind == PropertyKind::kXor ? mixed : here, found);
}

// As in docs/criteria.md#ufc. `plus`: the formula holds because of a clause; minus: it is violated
// because of one.
class FirstCauses {
 public:
  FirstCauses(const Property& property, TemporalPool& pool)
      : property_(property),
        pool_(pool),
        whole_(property, pool, [&pool](PropertyNodeId id) { return pool.clause(id); }) {}

  std::vector<Obligation> of(PropertyNodeId id, bool plus) {
    const PropertyNode& node = property_[id];
    if (node.is_clause) {
      const TemporalId clause = pool_.clause(id);
      return {{.clause = id.index(), .formula = plus ? clause : pool_.negate(clause)}};
    }
    switch (node.kind) {
      case PropertyKind::kNot:
        return of(node.left, !plus);
      case PropertyKind::kAnd:
        return junction(side(node.left, plus), side(node.right, plus), false);
      case PropertyKind::kOr:
        return junction(side(node.left, plus), side(node.right, plus), true);
      case PropertyKind::kImply:
        return junction(negated(node.left, plus), side(node.right, plus), true);
      case PropertyKind::kXor: {
        // (A && !B) || (!A && B)
        const Side first = joined(side(node.left, plus), negated(node.right, plus), false);
        const Side second = joined(negated(node.left, plus), side(node.right, plus), false);
        return junction(first, second, true);
      }
      case PropertyKind::kNext:
        return each(of(node.left, plus), [this](TemporalId a) { return pool_.next(a); });
      case PropertyKind::kAlways:
        return until(side(node.left, plus), nothing(false), {.plus = plus, .weak = true});
      case PropertyKind::kEventually:
        return until(nothing(true), side(node.left, plus), {.plus = plus, .weak = false});
      case PropertyKind::kUntil:
        return until(side(node.left, plus), side(node.right, plus), {.plus = plus, .weak = false});
      case PropertyKind::kWeakUntil:
        return until(side(node.left, plus), side(node.right, plus), {.plus = plus, .weak = true});
      case PropertyKind::kRelease: {
        const Side last = joined(side(node.left, plus), side(node.right, plus), false);
        return until(side(node.right, plus), last, {.plus = plus, .weak = true});
      }
      case PropertyKind::kConstant:
      case PropertyKind::kExpression:
      case PropertyKind::kLocation:
        break;
    }
    return {};
  }

 private:
  // An operand: its formula, and what makes it true, or false.
  struct Side {
    TemporalId formula;
    std::vector<Obligation> causes;
  };

  struct UntilKind {
    bool plus = true;
    bool weak = false;
  };

  Side side(PropertyNodeId id, bool plus) {
    return {.formula = whole_.of(id), .causes = of(id, plus)};
  }

  Side negated(PropertyNodeId id, bool plus) {
    return {.formula = pool_.negate(whole_.of(id)), .causes = of(id, !plus)};
  }

  [[nodiscard]] Side nothing(bool value) const {
    return {.formula = pool_.truth(value), .causes = {}};
  }

  template <class F>
  std::vector<Obligation> each(std::vector<Obligation> causes, F f) {
    for (Obligation& cause : causes)
      cause.formula = f(cause.formula);
    return causes;
  }

  static std::vector<Obligation> together(std::vector<Obligation> a,
                                          const std::vector<Obligation>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  // Of `A && B`, or `A || B`: the other side must not mask the cause.
  std::vector<Obligation> junction(const Side& a, const Side& b, bool or_) {
    const auto open = [&](TemporalId other) { return or_ ? pool_.negate(other) : other; };
    return together(
        each(a.causes, [&](TemporalId cause) { return pool_.both(cause, open(b.formula)); }),
        each(b.causes, [&](TemporalId cause) { return pool_.both(open(a.formula), cause); }));
  }

  Side joined(const Side& a, const Side& b, bool or_) {
    return {.formula = or_ ? pool_.either(a.formula, b.formula) : pool_.both(a.formula, b.formula),
            .causes = junction(a, b, or_)};
  }

  // Of `A U B` or `A W B`. What follows the cause has the weak reading: not ruled out.
  std::vector<Obligation> until(const Side& a, const Side& b, UntilKind kind) {
    const TemporalId not_b = pool_.negate(b.formula);
    const TemporalId before = pool_.both(a.formula, not_b);
    const TemporalId all =
        kind.weak ? pool_.weak_until(a.formula, b.formula) : pool_.until(a.formula, b.formula);
    const TemporalId rest = pool_.weak(pool_.normal(all, !kind.plus));
    return together(each(a.causes,
                         [&](TemporalId cause) {
                           const TemporalId now = pool_.both(cause, not_b);
                           return pool_.until(before, kind.plus ? pool_.both(now, rest) : now);
                         }),
                    each(b.causes, [&](TemporalId cause) {
                      return pool_.until(before, kind.plus ? cause : pool_.both(cause, rest));
                    }));
  }

  const Property& property_;
  TemporalPool& pool_;
  Translation whole_;
};

}  // namespace

TemporalProperty temporal_property(const Property& property, TemporalPool& pool) {
  TemporalProperty out;
  out.formula = Translation(property, pool, [&pool](PropertyNodeId id) {
                  return pool.clause(id);
                }).of(property.root);
  find_polarities(property, property.root, {.positive = true},
                  [&out](PropertyNodeId id, Polarity) { out.clauses.push_back(id); });
  return out;
}

std::vector<Obligation> vacuity_obligations(const Property& property, TemporalPool& pool) {
  std::vector<Obligation> out;
  std::size_t number = 0;
  find_polarities(property, property.root, {.positive = true},
                  [&](PropertyNodeId clause, Polarity polarity) {
                    for (const bool value : {false, true}) {
                      if (value ? !polarity.negative : !polarity.positive)
                        continue;
                      Translation replaced(property, pool, [&](PropertyNodeId id) {
                        return id == clause ? pool.truth(value) : pool.clause(id);
                      });
                      const bool both = polarity.positive && polarity.negative;
                      out.push_back({.clause = number,
                                     .formula = pool.normal(replaced.of(property.root), true),
                                     .value = both ? std::optional(value) : std::nullopt});
                    }
                    ++number;
                  });
  return out;
}

std::vector<Obligation> first_cause_obligations(const Property& property, TemporalPool& pool) {
  std::vector<Obligation> out = FirstCauses(property, pool).of(property.root, true);
  const std::vector<PropertyNodeId> clauses = temporal_property(property, pool).clauses;
  std::vector<std::size_t> number(property.nodes.size());
  for (std::size_t i = 0; i < clauses.size(); ++i)
    number[clauses[i].index()] = i;
  for (Obligation& obligation : out) {
    obligation.clause = number[obligation.clause];
    obligation.formula = pool.normal(obligation.formula);
  }
  return out;
}

}  // namespace tw
