#include "criteria/temporal_monitor.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/budget.hpp"

namespace tw {
namespace {

using Kind = TemporalNode::Kind;
using Conjunction = std::vector<TemporalId>;   // sorted next-formulas
using Disjunction = std::vector<Conjunction>;  // sorted, none inside another

bool less(TemporalId a, TemporalId b) { return a.index() < b.index(); }

bool less_conjunction(const Conjunction& a, const Conjunction& b) {
  return std::ranges::lexicographical_compare(a, b, less);
}

void minimise(Disjunction& all) {
  std::ranges::sort(all, less_conjunction);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Disjunction out;
  for (const Conjunction& one : all) {
    spend_budget(all.size());
    if (std::ranges::none_of(all, [&](const Conjunction& other) {
          return other.size() < one.size() && std::ranges::includes(one, other, less);
        }))
      out.push_back(one);
  }
  all = std::move(out);
}

Disjunction either(Disjunction a, const Disjunction& b) {
  a.insert(a.end(), b.begin(), b.end());
  minimise(a);
  return a;
}

Disjunction both(const Disjunction& a, const Disjunction& b) {
  Disjunction out;
  for (const Conjunction& x : a)
    for (const Conjunction& y : b) {
      Conjunction joined;
      std::ranges::set_union(x, y, std::back_inserter(joined), less);
      out.push_back(std::move(joined));
    }
  minimise(out);
  return out;
}

class Maker {
 public:
  explicit Maker(TemporalPool& pool) : pool_(pool) {}

  std::optional<TemporalMonitor> make(TemporalId formula) {
    collect(formula);
    if (out_.letters.size() > TemporalMonitor::kMostLetters)
      return std::nullopt;
    number({{pool_.next(formula)}});
    unfolded_.resize(std::size_t{1} << out_.letters.size());
    for (std::size_t at = 0; at < states_.size(); ++at) {
      if (states_.size() > TemporalMonitor::kMostStates)
        return std::nullopt;
      out_.next.emplace_back();
      for (values_ = 0; values_ < (1U << out_.letters.size()); ++values_) {
        const Disjunction from = states_[at];  // a copy: there may be new states
        const Disjunction to = progress(from);
        if (is_too_large_)
          return std::nullopt;
        out_.next[at].push_back(is_accepting(to) ? TemporalMonitor::kAccept : number(to));
      }
    }
    return std::move(out_);
  }

 private:
  // Formulas share their parts: each is looked at once.
  void collect(TemporalId id) {
    if (!collected_.insert(id.index()).second)
      return;
    const TemporalNode node = pool_[id];
    if (node.is_state) {
      const TemporalId letter = node.kind == Kind::kNot ? node.left : id;
      const bool constant = node.kind == Kind::kTrue || node.kind == Kind::kFalse;
      if (!constant && std::ranges::find(out_.letters, letter) == out_.letters.end())
        out_.letters.push_back(letter);
      return;
    }
    collect(node.left);
    if (node.right.valid())
      collect(node.right);
  }

  std::uint32_t number(const Disjunction& state) {
    if (state.empty())
      return TemporalMonitor::kReject;
    const auto [at, is_new] = numbers_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (is_new)
      states_.push_back(state);
    return at->second;
  }

  // The run may end here: nothing is asked of a next state.
  bool is_accepting(const Disjunction& state) const {
    return std::ranges::any_of(state, [this](const Conjunction& one) {
      return std::ranges::all_of(
          one, [this](TemporalId id) { return pool_[id].kind == Kind::kWeakNext; });
    });
  }

  Disjunction progress(const Disjunction& state) {
    Disjunction out;
    for (const Conjunction& one : state) {
      Disjunction here = {{}};
      for (const TemporalId id : one)
        here = both(here, unfold(pool_[id].left));
      out = either(std::move(out), here);
      is_too_large_ = is_too_large_ || out.size() > TemporalMonitor::kMostAlternatives;
      if (is_too_large_)
        return {};
    }
    return out;
  }

  // What a formula asks of the next state, where letters have the current values.
  const Disjunction& unfold(TemporalId id) {
    auto& known = unfolded_[values_];
    if (const auto at = known.find(id); at != known.end())
      return at->second;
    Disjunction out = unfold_operator(id);
    is_too_large_ = is_too_large_ || out.size() > TemporalMonitor::kMostAlternatives;
    if (is_too_large_)
      out.clear();
    return known.emplace(id, std::move(out)).first->second;
  }

  Disjunction unfold_operator(TemporalId id) {
    const TemporalNode node = pool_[id];
    if (node.is_state)
      return holds(id) ? Disjunction{{}} : Disjunction{};
    switch (node.kind) {
      case Kind::kAnd:
        return both(unfold(node.left), unfold(node.right));
      case Kind::kOr:
        return either(unfold(node.left), unfold(node.right));
      case Kind::kNext:
      case Kind::kWeakNext:
        return {{id}};
      case Kind::kUntil:
        return either(unfold(node.right), both(unfold(node.left), {{pool_.next(id)}}));
      default:
        return either(unfold(node.right), both(unfold(node.left), {{pool_.weak_next(id)}}));
    }
  }

  bool holds(TemporalId id) const {
    const TemporalNode& node = pool_[id];
    if (node.kind == Kind::kTrue || node.kind == Kind::kFalse)
      return node.kind == Kind::kTrue;
    const bool negated = node.kind == Kind::kNot;
    const auto letter = std::ranges::find(out_.letters, negated ? node.left : id);
    return (((values_ >> (letter - out_.letters.begin())) & 1U) != 0) != negated;
  }

  struct Less {
    bool operator()(const Disjunction& a, const Disjunction& b) const {
      return std::ranges::lexicographical_compare(a, b, less_conjunction);
    }
  };

  TemporalPool& pool_;
  std::unordered_set<std::size_t> collected_;
  TemporalMonitor out_;
  std::vector<Disjunction> states_;
  std::map<Disjunction, std::uint32_t, Less> numbers_;
  std::uint32_t values_ = 0;
  // By values of the letters.
  std::vector<std::unordered_map<TemporalId, Disjunction>> unfolded_;
  bool is_too_large_ = false;
};

}  // namespace

std::optional<TemporalMonitor> monitor_of(TemporalId formula, TemporalPool& pool) {
  return Maker(pool).make(formula);
}

}  // namespace tw
