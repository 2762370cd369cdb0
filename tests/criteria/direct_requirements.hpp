// Requirements read literally: vacuity and unique first causes as formulas, and what a finite run
// says about a formula, by walking both. It shares nothing with the criteria but the property.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/property.hpp"

namespace tw::test {

struct Ltl;
using LtlPtr = std::shared_ptr<const Ltl>;

struct Ltl {
  enum class Kind {
    kTruth,
    kClause,
    kNot,
    kAnd,
    kOr,
    kNext,
    kUntil,
    kWeakUntil,
    kWeak,  // the weak reading of what is inside
  };

  Kind kind = Kind::kTruth;
  bool value = false;
  PropertyNodeId clause;
  LtlPtr left;
  LtlPtr right;
};

inline LtlPtr make(Ltl node) { return std::make_shared<const Ltl>(std::move(node)); }
inline LtlPtr truth(bool value) { return make({.kind = Ltl::Kind::kTruth, .value = value}); }
inline LtlPtr not_(LtlPtr a) { return make({.kind = Ltl::Kind::kNot, .left = std::move(a)}); }
inline LtlPtr two(Ltl::Kind kind, LtlPtr a, LtlPtr b) {
  return make({.kind = kind, .left = std::move(a), .right = std::move(b)});
}
inline LtlPtr and_(LtlPtr a, LtlPtr b) { return two(Ltl::Kind::kAnd, std::move(a), std::move(b)); }
inline LtlPtr or_(LtlPtr a, LtlPtr b) { return two(Ltl::Kind::kOr, std::move(a), std::move(b)); }
inline LtlPtr until(LtlPtr a, LtlPtr b) {
  return two(Ltl::Kind::kUntil, std::move(a), std::move(b));
}
inline LtlPtr weak(LtlPtr a) { return make({.kind = Ltl::Kind::kWeak, .left = std::move(a)}); }

/// The value of a clause in a state of the run.
using ClauseValue = std::function<bool(PropertyNodeId, std::size_t)>;

/// What a run of `length` states says about a formula from one of its states on.
class Reading {
 public:
  Reading(std::size_t length, ClauseValue clause) : length_(length), clause_(std::move(clause)) {}

  /// Shown: what has to happen has happened. `weak`: not ruled out. `wrong`: of the negation.
  [[nodiscard]] bool holds(const LtlPtr& f, std::size_t i, bool weak, bool wrong) const {
    const auto at = [&](const LtlPtr& part, std::size_t k) { return holds(part, k, weak, wrong); };
    switch (f->kind) {
      case Ltl::Kind::kTruth:
        return f->value != wrong;
      case Ltl::Kind::kClause:
        return clause_(f->clause, i) != wrong;
      case Ltl::Kind::kNot:
        return holds(f->left, i, weak, !wrong);
      case Ltl::Kind::kAnd:
        return wrong ? at(f->left, i) || at(f->right, i) : at(f->left, i) && at(f->right, i);
      case Ltl::Kind::kOr:
        return wrong ? at(f->left, i) && at(f->right, i) : at(f->left, i) || at(f->right, i);
      case Ltl::Kind::kNext:
        return i + 1 < length_ ? at(f->left, i + 1) : weak;
      case Ltl::Kind::kWeak:
        return holds(f->left, i, true, wrong);
      case Ltl::Kind::kUntil:
      case Ltl::Kind::kWeakUntil:
        break;
    }
    const bool is_weak = f->kind == Ltl::Kind::kWeakUntil;
    for (std::size_t k = i; k < length_; ++k) {
      const bool a = at(f->left, k);
      const bool b = at(f->right, k);
      if (!wrong && b)
        return true;
      if (!wrong && !a)
        return false;
      // The negation: no b, and then neither a nor b.
      if (wrong && !b)
        return false;
      if (wrong && a)
        return true;
    }
    // Nothing is decided: `A W B` and the negation of `A U B` may end so.
    return weak || is_weak != wrong;
  }

 private:
  std::size_t length_;
  ClauseValue clause_;
};

/// Covered if some beginning of the run shows it; the whole run is tried here.
inline bool shows(const LtlPtr& f, std::size_t length, const ClauseValue& clause) {
  return Reading(length, clause).holds(f, 0, false, false);
}

/// A property as written, some clause replaced.
class DirectProperty {
 public:
  explicit DirectProperty(const Property& property) : property_(property) { find(property.root); }

  [[nodiscard]] const std::vector<PropertyNodeId>& clauses() const { return clauses_; }

  [[nodiscard]] LtlPtr formula(PropertyNodeId replaced = {}, bool by = false) const {
    return of(property_.root, replaced, by);
  }

  using Obligations = std::vector<std::pair<std::size_t, LtlPtr>>;

  /// By clause: the negated property with the clause replaced, `#2` or `#2=true` and `#2=false`.
  [[nodiscard]] std::vector<std::pair<std::string, LtlPtr>> vacuity() const {
    std::vector<std::pair<std::string, LtlPtr>> out;
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      const std::string name = "#" + std::to_string(i + 1);
      const int sign = polarity(property_.root, clauses_[i]);
      for (const bool value : {false, true})
        if (sign == 0 || (sign < 0) == value)
          out.emplace_back(sign == 0 ? name + (value ? "=true" : "=false") : name,
                           not_(formula(clauses_[i], value)));
    }
    return out;
  }

  [[nodiscard]] std::vector<std::pair<std::string, LtlPtr>> first_causes() const {
    std::vector<std::pair<std::string, LtlPtr>> out;
    std::vector<std::size_t> times(clauses_.size());
    for (const auto& [clause, formula] : causes(property_.root, true)) {
      const std::size_t time = ++times[clause];
      out.emplace_back(
          "#" + std::to_string(clause + 1) + (time == 1 ? "" : "." + std::to_string(time)),
          formula);
    }
    return out;
  }

  /// What makes a part true (plus) or false: the table of the paper, the last parts weak.
  [[nodiscard]] Obligations causes(PropertyNodeId id, bool plus) const {
    using Kind = PropertyNode::Kind;
    const PropertyNode& node = property_[id];
    Obligations out;
    const auto add = [&out](const Obligations& from, const std::function<LtlPtr(LtlPtr)>& with) {
      for (const auto& [clause, formula] : from)
        out.emplace_back(clause, with(formula));
    };
    if (node.is_clause) {
      for (std::size_t i = 0; i < clauses_.size(); ++i)
        if (clauses_[i] == id)
          out.emplace_back(i, plus ? leaf(id) : not_(leaf(id)));
      return out;
    }
    const auto whole = [this](PropertyNodeId part) { return of(part, {}, false); };
    switch (node.kind) {
      case Kind::kNot:
        return causes(node.left, !plus);
      case Kind::kAnd:
        add(causes(node.left, plus), [&](LtlPtr a) { return and_(a, whole(node.right)); });
        add(causes(node.right, plus), [&](LtlPtr b) { return and_(whole(node.left), b); });
        break;
      case Kind::kOr:
        add(causes(node.left, plus), [&](LtlPtr a) { return and_(a, not_(whole(node.right))); });
        add(causes(node.right, plus), [&](LtlPtr b) { return and_(not_(whole(node.left)), b); });
        break;
      case Kind::kImply:
        add(causes(node.left, !plus), [&](LtlPtr a) { return and_(a, not_(whole(node.right))); });
        add(causes(node.right, plus), [&](LtlPtr b) { return and_(whole(node.left), b); });
        break;
      case Kind::kXor: {
        const LtlPtr a = whole(node.left);
        const LtlPtr b = whole(node.right);
        const LtlPtr first = and_(a, not_(b));
        const LtlPtr second = and_(not_(a), b);
        add(causes(node.left, plus),
            [&](LtlPtr x) { return and_(and_(x, not_(b)), not_(second)); });
        add(causes(node.right, !plus), [&](LtlPtr x) { return and_(and_(a, x), not_(second)); });
        add(causes(node.left, !plus), [&](LtlPtr x) { return and_(not_(first), and_(x, b)); });
        add(causes(node.right, plus),
            [&](LtlPtr x) { return and_(not_(first), and_(not_(a), x)); });
        break;
      }
      case Kind::kNext:
        add(causes(node.left, plus),
            [](LtlPtr a) { return make({.kind = Ltl::Kind::kNext, .left = std::move(a)}); });
        break;
      case Kind::kAlways: {
        const LtlPtr a = whole(node.left);
        const LtlPtr all = two(Ltl::Kind::kWeakUntil, a, truth(false));
        add(causes(node.left, plus),
            [&](LtlPtr x) { return until(a, plus ? and_(x, weak(all)) : x); });
        break;
      }
      case Kind::kEventually: {
        const LtlPtr none = not_(whole(node.left));
        const LtlPtr all = two(Ltl::Kind::kWeakUntil, none, truth(false));
        add(causes(node.left, plus),
            [&](LtlPtr x) { return until(none, plus ? x : and_(x, weak(all))); });
        break;
      }
      case Kind::kUntil:
      case Kind::kWeakUntil:
        until_causes(id, plus, out);
        break;
      default:
        break;
    }
    return out;
  }

 private:
  void until_causes(PropertyNodeId id, bool plus, Obligations& out) const {
    const PropertyNode& node = property_[id];
    const LtlPtr a = of(node.left, {}, false);
    const LtlPtr b = of(node.right, {}, false);
    const LtlPtr before = and_(a, not_(b));
    const LtlPtr all = of(id, {}, false);
    for (const auto& [clause, x] : causes(node.left, plus)) {
      const LtlPtr now = and_(x, not_(b));
      out.emplace_back(clause, until(before, plus ? and_(now, weak(all)) : now));
    }
    for (const auto& [clause, x] : causes(node.right, plus))
      out.emplace_back(clause, until(before, plus ? x : and_(x, weak(not_(all)))));
  }

  static LtlPtr leaf(PropertyNodeId id) { return make({.kind = Ltl::Kind::kClause, .clause = id}); }

  void find(PropertyNodeId id) {
    if (!id.valid())
      return;
    if (property_[id].is_clause) {
      clauses_.push_back(id);
      return;
    }
    find(property_[id].left);
    find(property_[id].right);
  }

  // 1, -1, or 0 if a clause is below both an even and an odd number of negations; 2: not here.
  [[nodiscard]] int polarity(PropertyNodeId id, PropertyNodeId clause) const {
    using Kind = PropertyNode::Kind;
    constexpr int kElsewhere = 2;
    if (!id.valid())
      return kElsewhere;
    if (id == clause)
      return 1;
    const PropertyNode& node = property_[id];
    if (node.is_clause)
      return kElsewhere;
    const int left = polarity(node.left, clause);
    const int right = polarity(node.right, clause);
    if (left == kElsewhere && right == kElsewhere)
      return kElsewhere;
    if (node.kind == Kind::kXor)
      return 0;
    if (left != kElsewhere)
      return node.kind == Kind::kNot || node.kind == Kind::kImply ? -left : left;
    return right;
  }

  [[nodiscard]] LtlPtr of(PropertyNodeId id, PropertyNodeId replaced, bool by) const {
    using Kind = PropertyNode::Kind;
    const PropertyNode& node = property_[id];
    if (node.is_clause)
      return id == replaced ? truth(by) : leaf(id);
    if (node.kind == Kind::kConstant)
      return truth(node.value);
    const LtlPtr left = of(node.left, replaced, by);
    const LtlPtr right = node.right.valid() ? of(node.right, replaced, by) : nullptr;
    switch (node.kind) {
      case Kind::kNot:
        return not_(left);
      case Kind::kAnd:
        return and_(left, right);
      case Kind::kOr:
        return or_(left, right);
      case Kind::kImply:
        return or_(not_(left), right);
      case Kind::kXor:
        return or_(and_(left, not_(right)), and_(not_(left), right));
      case Kind::kNext:
        return make({.kind = Ltl::Kind::kNext, .left = left});
      case Kind::kAlways:
        return two(Ltl::Kind::kWeakUntil, left, truth(false));
      case Kind::kEventually:
        return until(truth(true), left);
      case Kind::kUntil:
        return until(left, right);
      case Kind::kWeakUntil:
        return two(Ltl::Kind::kWeakUntil, left, right);
      default:
        return two(Ltl::Kind::kWeakUntil, right, and_(left, right));
    }
  }

  const Property& property_;
  std::vector<PropertyNodeId> clauses_;
};

}  // namespace tw::test
