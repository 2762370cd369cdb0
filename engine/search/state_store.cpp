#include "engine/search/state_store.hpp"

#include <algorithm>

namespace tw {
namespace {

// As a tree the table is what is left to save on: it is fuller, and grows in smaller steps.
constexpr RecordIndex::Growth kTight{.most_load = 85, .factor = 125};

constexpr unsigned kHalf = 32;

}  // namespace

StateStore::StateStore(std::size_t words, std::size_t hashed, StoreKind kind)
    : words_(words),
      hashed_(hashed),
      is_tree_(kind == StoreKind::kTree),
      roots_(is_tree_ ? 1 : words, is_tree_ ? kTight : RecordIndex::Growth{}) {
  if (is_tree_)
    build_tree();
}

// Pairs neighbours until two are left; an odd one joins the next round.
void StateStore::build_tree() {
  std::vector<std::uint32_t> open;
  const auto add = [&](std::uint32_t left, std::uint32_t right) {
    nodes_.push_back(std::make_unique<Node>(Node{
        .parts = RecordStore<PartId, std::uint64_t>(1, kTight), .left = left, .right = right}));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  };
  if (words_ > 1)
    for (std::size_t i = 0; i < words_; ++i)
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
    return {.state = state, .record = record, .hash = hash_state(&record, 1)};
  }
  for (std::size_t i = hashed_; i < words_; ++i)
    hash ^= hash_at(i, state[i]);
  return {.state = state, .hash = hash};
}

std::uint64_t StateStore::fold(const std::uint64_t* state) {
  const auto pair = [this](std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{nodes_[left]->last_id.index()} << kHalf | nodes_[right]->last_id.index();
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = *nodes_[i];
    const std::uint64_t value = i < words_ ? state[i] : pair(node.left, node.right);
    if (node.last_id.valid() && node.last == value)
      continue;
    node.last = value;
    node.last_id = node.parts.insert(&value).id;
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
    values_[left] = value >> kHalf;
    values_[right] = value & 0xFFFFFFFF;
  };
  split(record, top_left_, top_right_);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = *nodes_[i];
    values_[i] = *node.parts[PartId(values_[i])];
    if (i >= words_)
      split(values_[i], node.left, node.right);
  }
  return values_.data();
}

std::size_t StateStore::bytes(std::size_t more) const {
  std::size_t out = roots_.bytes(more);
  for (const auto& node : nodes_)
    out += node->parts.bytes(more);
  return out;
}

}  // namespace tw
