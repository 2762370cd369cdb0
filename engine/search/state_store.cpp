#include "engine/search/state_store.hpp"

#include <algorithm>

namespace tw {
namespace {

// Two numbers in one: while both are small, in six bytes.
constexpr unsigned kSmallBits = 24;
constexpr unsigned kHalf = 32;
constexpr std::uint64_t kSmall = (std::uint64_t{1} << kSmallBits) - 1;

std::uint64_t pair_of(std::uint64_t left, std::uint64_t right) {
  return (left & kSmall) | (right & kSmall) << kSmallBits |
         (left >> kSmallBits) << (2 * kSmallBits) | (right >> kSmallBits) << (kHalf + kSmallBits);
}

std::uint64_t left_of(std::uint64_t pair) {
  return (pair & kSmall) | ((pair >> (2 * kSmallBits)) & 0xFF) << kSmallBits;
}

std::uint64_t right_of(std::uint64_t pair) {
  return ((pair >> kSmallBits) & kSmall) | (pair >> (kHalf + kSmallBits)) << kSmallBits;
}

}  // namespace

StateStore::StateStore(std::size_t words, std::size_t hashed, StoreKind kind)
    : words_(words),
      hashed_(hashed),
      is_tree_(kind == StoreKind::kTree),
      states_(words) {
  if (is_tree_)
    build_tree();
}

// Pairs neighbours until two are left; an odd one joins the next round.
void StateStore::build_tree() {
  std::vector<std::uint32_t> open;
  const auto add = [&](std::uint32_t left, std::uint32_t right) {
    nodes_.emplace_back();
    nodes_.back().left = left;
    nodes_.back().right = right;
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  };
  for (std::size_t i = 0; words_ > 1 && i < words_; ++i)
    open.push_back(add(0, 0));
  while (open.size() > 2) {
    std::vector<std::uint32_t> next;
    for (std::size_t i = 0; i + 1 < open.size(); i += 2)
      next.push_back(add(open[i], open[i + 1]));
    if (open.size() % 2 == 1)
      next.push_back(open.back());
    open = std::move(next);
  }
  if (words_ > 1) {
    top_left_ = open[0];
    top_right_ = open[1];
  }
  values_.resize(std::max(nodes_.size(), std::size_t{1}));
}

StateKey StateStore::key(const std::uint64_t* state, std::uint64_t hash) {
  if (is_tree_) {
    const std::uint64_t record = words_ == 1 ? *state : fold(state);
    return {.state = state, .record = record, .hash = NumberSet::hash(record), .state_hash = hash};
  }
  const std::uint64_t state_hash = hash;
  for (std::size_t i = hashed_; i < words_; ++i)
    hash ^= hash_at(i, state[i]);
  return {.state = state, .hash = hash, .state_hash = state_hash};
}

std::uint64_t StateStore::fold(const std::uint64_t* state) {
  const auto pair = [this](std::uint32_t left, std::uint32_t right) {
    return pair_of(nodes_[left].last_id, nodes_[right].last_id);
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    const std::uint64_t value = i < words_ ? state[i] : pair(node.left, node.right);
    if (node.has_last && node.last == value)
      continue;
    node.last = value;
    node.has_last = true;
    node.last_id = node.parts.insert(value, NumberSet::hash(value)).id;
  }
  return pair(top_left_, top_right_);
}

const std::uint64_t* StateStore::unfold(std::uint64_t record) const {
  if (words_ == 1) {
    values_[0] = record;
    return values_.data();
  }
  // By node: first the number of its part, then the part.
  const auto split = [this](std::uint64_t value, std::uint32_t left, std::uint32_t right) {
    values_[left] = left_of(value);
    values_[right] = right_of(value);
  };
  split(record, top_left_, top_right_);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    values_[i] = node.parts[values_[i]];
    if (i >= words_)
      split(values_[i], node.left, node.right);
  }
  return values_.data();
}

std::size_t StateStore::bytes(std::size_t more) const {
  if (!is_tree_)
    return states_.bytes(more);
  std::size_t out = roots_.bytes(more);
  for (const Node& node : nodes_)
    out += node.parts.bytes(more);
  return out;
}

}  // namespace tw
