#include <algorithm>
#include <numeric>
#include <optional>

#include "engine/base/budget.hpp"
#include "engine/base/hash.hpp"
#include "engine/suite/route.hpp"

namespace tw {
namespace {

// A part of a test is replaced if it alone covers at most so many items …
constexpr std::size_t kMostOwnItems = 10;
// … and a way around it is looked for among so many nodes with what was covered on the way.
constexpr std::size_t kMostPlaces = 20'000;

// Numbers that were met; beginning anew costs nothing.
class PlaceSet {
 public:
  PlaceSet() : slots_(kSlots) {}

  void start() { ++round_; }
  /// False: it was there.
  bool add(std::uint64_t number) {
    std::size_t at = mix_words(1, number) % kSlots;
    for (; slots_[at].round == round_; at = (at + 1) % kSlots)
      if (slots_[at].number == number)
        return false;
    slots_[at] = {.number = number, .round = round_};
    return true;
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 16;  // more than twice kMostPlaces
  struct Slot {
    std::uint64_t number = 0;
    std::uint64_t round = 0;
  };
  std::vector<Slot> slots_;
  std::uint64_t round_ = 0;
};

}  // namespace

// A plan with a count of how often each item is covered in it. Parts of its tests are replaced by
// shorter ones, as long as nothing that only they cover is lost.
class Planner::Improvement {
 public:
  Improvement(Planner& planner, Plan plan)
      : planner_(planner),
        graph_(planner.graph_),
        plan_(std::move(plan)),
        count_(graph_.wanted()),
        bit_of_(graph_.wanted(), kNone) {
    for (const std::uint32_t item : graph_.items(graph_.initial_gain()))
      ++count_[item];
    for (const Route& route : plan_)
      add(route, 1);
  }

  Plan run() {
    for (bool changed = true; changed && !planner_.is_spent();) {
      changed = false;
      for (std::size_t t = 0; t < plan_.size(); ++t)
        changed = improve_test(t) || changed;
      if (plan_.size() > 1)
        std::erase_if(plan_, [](const Route& route) { return route.empty(); });
      if (plan_.empty())
        plan_.emplace_back();
    }
    return std::move(plan_);
  }

 private:
  static constexpr std::uint8_t kNone = 0xFF;
  using Part = std::span<const RunGraph::Move>;

  void add(Part part, int times) {
    for (const RunGraph::Move move : part)
      for (const std::uint32_t item : graph_.items(graph_.arc(move).gain))
        count_[item] += static_cast<std::uint32_t>(times);
  }

  [[nodiscard]] std::uint32_t length(Part part) const {
    return std::accumulate(part.begin(), part.end(), 0U, [&](std::uint32_t sum, auto move) {
      return sum + graph_.arc(move).length();
    });
  }

  // Items of a part that nothing else covers. Pre: the part is not counted.
  void collect_own(Part part, std::vector<std::uint32_t>& own) const {
    for (const RunGraph::Move move : part)
      for (const std::uint32_t item : graph_.items(graph_.arc(move).gain))
        if (count_[item] == 0 && std::ranges::find(own, item) == own.end())
          own.push_back(item);
  }

  // From each place as far as there are not too many items that only this part covers.
  bool improve_test(std::size_t t) {
    bool changed = false;
    for (std::size_t first = 0; first < plan_[t].size() && !planner_.is_spent();) {
      std::size_t last = first;
      std::vector<std::uint32_t> own;
      for (; last < plan_[t].size(); ++last) {
        add(Part(plan_[t]).subspan(last, 1), -1);
        std::vector<std::uint32_t> more = own;
        // The last move that covers an item takes its count to zero.
        collect_own(Part(plan_[t]).subspan(last, 1), more);
        if (more.size() > kMostOwnItems) {
          add(Part(plan_[t]).subspan(last, 1), 1);
          break;
        }
        own = std::move(more);
      }
      const Part part = Part(plan_[t]).subspan(first, last - first);
      const bool is_end = last == plan_[t].size();
      std::optional<Route> better = shorter(first, part, own, is_end, t);
      const std::size_t step = better ? 0 : std::max<std::size_t>(1, (last - first) / 3);
      if (better) {
        Route route(plan_[t].begin(), plan_[t].begin() + static_cast<std::ptrdiff_t>(first));
        add(*better, 1);
        route.insert(route.end(), better->begin(), better->end());
        route.insert(route.end(), plan_[t].begin() + static_cast<std::ptrdiff_t>(last),
                     plan_[t].end());
        plan_[t] = std::move(route);
        changed = true;
      } else {
        add(part, 1);
      }
      first += step;
    }
    return changed;
  }

  std::optional<Route> give_up(const std::vector<std::uint32_t>& own) {
    for (const std::uint32_t item : own)
      bit_of_[item] = kNone;
    return std::nullopt;
  }

  // A way from where the part begins to where it ends that covers these items and has fewer steps.
  std::optional<Route> shorter(std::size_t first,
                               Part part,
                               const std::vector<std::uint32_t>& own,
                               bool is_end,
                               std::size_t t) {
    const std::uint32_t most = length(part);
    if (most == 0)
      return std::nullopt;
    const RunGraph::Node from = first == 0 ? RunGraph::kStart : graph_.arc(plan_[t][first - 1]).to;
    const RunGraph::Node to = graph_.arc(part.back()).to;
    for (std::size_t i = 0; i < own.size(); ++i)
      bit_of_[own[i]] = static_cast<std::uint8_t>(i);
    const std::uint32_t all = (1U << own.size()) - 1;
    struct Place {
      RunGraph::Node node = 0;
      std::uint32_t got = 0;
      std::uint32_t parent = 0;
      std::uint32_t arc = 0;
    };
    std::vector<Place> places{{.node = from}};
    known_.start();
    static_cast<void>(known_.add(std::uint64_t{from} << 32));
    std::optional<std::uint32_t> found;
    std::vector<std::uint32_t> layer{0};
    std::vector<std::uint32_t> next;
    const auto is_goal = [&](const Place& place) {
      return place.got == all && (is_end || place.node == to);
    };
    if (is_goal(places[0]))
      found = 0;
    for (std::uint32_t depth = 0; !found && depth < most && !layer.empty(); ++depth) {
      for (std::size_t i = 0; i < layer.size() && !found; ++i) {
        check_budget();
        const Place place = places[layer[i]];
        const auto count = static_cast<std::uint32_t>(graph_.arcs(place.node).size());
        planner_.work_ += count + 1;
        for (std::uint32_t a = 0; a < count && !found; ++a) {
          const RunGraph::Arc arc = graph_.known_arcs(place.node)[a];
          if (depth + arc.length() >= most)
            continue;
          Place there{.node = arc.to, .got = place.got, .parent = layer[i], .arc = a};
          for (const std::uint32_t item : graph_.items(arc.gain))
            if (bit_of_[item] != kNone)
              there.got |= 1U << bit_of_[item];
          const auto number = static_cast<std::uint32_t>(places.size());
          if (places.size() == kMostPlaces)
            return give_up(own);
          if (!known_.add((std::uint64_t{there.node} << 32) | there.got))
            continue;
          places.push_back(there);
          (arc.length() == 0 ? layer : next).push_back(number);
          if (is_goal(there))
            found = number;
        }
      }
      layer.swap(next);
      next.clear();
    }
    static_cast<void>(give_up(own));
    if (!found)
      return std::nullopt;
    Route out;
    for (std::uint32_t at = *found; at != 0; at = places[at].parent)
      out.push_back({places[places[at].parent].node, places[at].arc});
    std::ranges::reverse(out);
    return out;
  }

  Planner& planner_;
  RunGraph& graph_;
  PlaceSet known_;
  Plan plan_;
  std::vector<std::uint32_t> count_;  // by item: moves that cover it
  std::vector<std::uint8_t> bit_of_;  // by item, of `shorter`
};

Plan Planner::improve(Plan plan) { return Improvement(*this, std::move(plan)).run(); }

}  // namespace tw
