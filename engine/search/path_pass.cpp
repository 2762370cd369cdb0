#include "engine/search/path_pass.hpp"

#include <algorithm>

namespace tw {
namespace {

constexpr unsigned kStepShift = 32;

std::uint32_t number(SetId id) { return static_cast<std::uint32_t>(id.index()); }
std::uint32_t number(StateId id) { return static_cast<std::uint32_t>(id.index()); }

}  // namespace

PathPass::PathPass(const SearchOptions& options,
                   StateStore& store,
                   Effects& effects,
                   const Ledger& ledger)
    : options_(options),
      store_(store),
      effects_(effects),
      ledger_(ledger),
      random_(options.seed) {}

SetId PathPass::with_items(SetId before, std::span<const ItemId> more) {
  scratch_.clear();
  for (const ItemId item : more)
    if (!ledger_.is_covered(item))
      set_bit(scratch_, item.index());
  return scratch_.empty() ? before : items_.unite(before, scratch_);
}

bool PathPass::is_dead(TokenId token, Words items) const {
  const std::vector<ItemId>& leads_to = effects_.rules().tokens()[token].leads_to;
  return !leads_to.empty() && std::ranges::all_of(leads_to, [&](ItemId item) {
    return ledger_.is_covered(item) || contains(items, item.index());
  });
}

// Tokens that can cover nothing new would keep paths apart for nothing.
SetId PathPass::useful(SetId tokens, SetId items) {
  if (!options_.drop_dead)
    return tokens;
  const auto [known, is_new] = useful_.try_emplace((tokens.index() << 32) | items.index());
  if (!is_new)
    return known->second;
  scratch_.clear();
  for_each_bit(effects_.sets()[tokens], [&](std::size_t bit) {
    if (bit == kBottomBit || !is_dead(TokenId(bit - 1), items_[items]))
      set_bit(scratch_, bit);
  });
  known->second = effects_.sets().intern(scratch_);
  return known->second;
}

void PathPass::start(const std::uint64_t* state, SetId tokens, std::span<const ItemId> items) {
  first_state_ = store_.insert(state).id;
  first_tokens_ = tokens;
  add({.state = first_state_, .tokens = tokens, .items = with_items(BitSets::kEmpty, items)}, 0, 1);
}

std::optional<EntryId> PathPass::pop() {
  auto& by_rank = records_.get<ByRank>();
  for (auto first = by_rank.begin(); first != by_rank.end() && !first->rank.passed;
       first = by_rank.begin()) {
    if (first->rank.major != layer_)
      popped_ = 0;
    layer_ = first->rank.major;
    const EntryId out = first->entry;
    by_rank.modify(first, [](Record& record) { record.rank.passed = true; });
    if (options_.beam == 0 || ++popped_ <= options_.beam)
      return out;
  }
  return std::nullopt;
}

// Items, and tokens as a part of one: a path that holds what others have still to fetch is ahead.
std::uint64_t PathPass::achieved(const Node& node) const {
  constexpr std::uint64_t kItem = 4;
  return kItem * count_bits(items_[node.items]) + count_bits(effects_.sets()[node.tokens]);
}

bool PathPass::arrive(const StateKey& key,
                      SetId tokens,
                      std::span<const ItemId> items,
                      EntryId parent,
                      std::uint32_t steps) {
  const Node from = node(parent);
  const std::uint64_t cost = costs_[parent.index()];
  return add({.state = store_.insert(key).id,
              .tokens = tokens,
              .items = with_items(from.items, items),
              .parent = parent},
             (cost >> kStepShift) + steps, static_cast<std::uint32_t>(cost));
}

void PathPass::add_reset(EntryId parent) {
  const Node from = node(parent);
  const std::uint64_t cost = costs_[parent.index()];
  add({.state = first_state_,
       .tokens = first_tokens_,
       .items = from.items,
       .parent = parent,
       .reset = true},
      cost >> kStepShift, static_cast<std::uint32_t>(cost) + 1);
}

bool PathPass::add(Node node, std::uint64_t steps, std::uint64_t tests) {
  if (options_.max_depth != 0 && steps > options_.max_depth)
    return false;
  node.tokens = useful(node.tokens, node.items);
  if (is_subsumed(node))
    return false;
  if (options_.subsumption == Subsumption::kBothWays)
    remove_subsumed(node);
  const EntryId entry(nodes_.size());
  Rank rank{.number = nodes_.size()};
  switch (options_.order) {
    case Order::kBfs:
      rank.major = steps;
      rank.minor = options_.beam == 0 ? tests : ~achieved(node);
      break;
    case Order::kDfs:
      rank.major = ~std::uint64_t{nodes_.size()};
      break;
    case Order::kRandom:
      rank.major = random_();
      break;
  }
  nodes_.push_back(node);
  costs_.push_back((steps << kStepShift) | tests);
  records_.insert({.entry = entry,
                   .state = number(node.state),
                   .tokens = number(node.tokens),
                   .items = number(node.items),
                   .rank = rank});
  return true;
}

bool PathPass::is_subsumed(const Node& node) {
  const auto& same = records_.get<ByContent>();
  if (same.find(std::make_tuple(number(node.state), number(node.tokens), number(node.items))) !=
      same.end())
    return true;
  if (options_.subsumption == Subsumption::kEquality)
    return false;
  const BitSets& sets = effects_.sets();
  const auto [first, last] = records_.get<ByState>().equal_range(number(node.state));
  for (auto it = first; it != last; ++it) {
    ++comparisons_;
    if (is_subset(sets[node.tokens], sets[SetId(it->tokens)]) &&
        is_subset(items_[node.items], items_[SetId(it->items)]))
      return true;
  }
  return false;
}

void PathPass::remove_subsumed(const Node& node) {
  const BitSets& sets = effects_.sets();
  auto& by_state = records_.get<ByState>();
  const auto [first, last] = by_state.equal_range(number(node.state));
  for (auto it = first; it != last;) {
    if (is_subset(sets[SetId(it->tokens)], sets[node.tokens]) &&
        is_subset(items_[SetId(it->items)], items_[node.items]))
      it = by_state.erase(it);
    else
      ++it;
  }
}

std::size_t PathPass::coverage(EntryId entry, std::span<const ItemId> more) {
  return count_bits(items_[with_items(node(entry).items, more)]);
}

std::size_t PathPass::bytes() const {
  constexpr std::size_t kRecord = sizeof(Record) + 7 * sizeof(void*);  // three indices
  return nodes_.bytes() + costs_.bytes() + items_.bytes() + records_.size() * kRecord;
}

}  // namespace tw
