#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/mutants/equivalence.hpp"
#include "engine/search/state_store.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

// The original, expanded as far as any mutant needed it. States of mutants are kept with the
// original's: they have the same layout.
class PairJudge::Graph {
 public:
  using StepId = Id<struct GraphStepTag>;

  struct Transition {
    StepId step;
    StateId target;
  };

  Graph(const Network& network, Execution execution)
      : system_(network, {}, execution),
        generator_(system_, OnError::kSkip),
        store_(system_.state_words()) {
    const SuccessorGenerator::Initial initial = generator_.initial();
    if (initial.exists && initial.error.status == RunStatus::kOk)
      initial_ = store_.insert(initial.state.data()).id;
  }

  /// Invalid: there is none.
  [[nodiscard]] StateId initial() const { return initial_; }
  [[nodiscard]] const std::uint64_t* state(StateId id) const { return store_[id]; }
  [[nodiscard]] StateId add(const std::uint64_t* state) { return store_.insert(state).id; }
  [[nodiscard]] const Step& step(StepId id) const { return *steps_[id]; }
  [[nodiscard]] const PackedLayout& layout() const { return system_.layout(); }
  [[nodiscard]] std::size_t words() const { return system_.state_words(); }
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }

  /// Good until the next call.
  [[nodiscard]] const std::vector<Transition>& transitions(StateId id) {
    if (expanded_.size() <= id.index())
      expanded_.resize(store_.size());
    std::optional<std::vector<Transition>>& known = expanded_[id.index()];
    if (known)
      return *known;
    generator_.expand(store_[id], successors_);
    std::vector<Transition> out;
    for (std::size_t i = 0; i < successors_.size(); ++i)
      out.push_back({.step = intern(generator_.describe(successors_, i)),
                     .target = add(successors_.state(i).data())});
    if (expanded_.size() < store_.size())
      expanded_.resize(store_.size());
    expanded_[id.index()] = std::move(out);
    return *expanded_[id.index()];
  }

 private:
  StepId intern(Step step) {
    std::vector<std::int64_t> key;
    for (const FiredEdge& fired : step.edges) {
      key.push_back(-1 - static_cast<std::int64_t>(fired.edge.index()));
      key.push_back(static_cast<std::int64_t>(fired.selects.size()));
      key.insert(key.end(), fired.selects.begin(), fired.selects.end());
    }
    const auto known = numbers_.find(key);
    if (known != numbers_.end())
      return known->second.first;
    const auto place =
        numbers_.emplace(std::move(key), std::pair(StepId(steps_.size()), std::move(step)));
    steps_.push_back(&place.first->second.second);
    return place.first->second.first;
  }

  const System system_;
  SuccessorGenerator generator_;
  Successors successors_;
  StateStore store_;
  StateId initial_;
  std::vector<std::optional<std::vector<Transition>>> expanded_;
  std::map<std::vector<std::int64_t>, std::pair<StepId, Step>> numbers_;
  IdVector<StepId, const Step*> steps_;
};

namespace {

// One mutant beside the original.
template <class Graph>
class PairSearch {
 public:
  PairSearch(const Network& network,
             Graph& graph,
             const Mutant& mutant,
             const JudgeOptions& options)
      : network_(network),
        graph_(graph),
        mutant_(mutant),
        options_(options),
        changed_(mutate(network, mutant)),
        system_(changed_, {}, options.execution),
        generator_(system_, OnError::kSkip),
        fires_only_(mutant.kind != MutantKind::kInvariant &&
                    (mutant.kind == MutantKind::kLostUpdate ||
                     mutant.kind == MutantKind::kAddedReset ||
                     mutant.kind == MutantKind::kSwappedTarget || acts_alone(network, mutant))) {}

  MutantVerdict run() {
    if (!graph_.initial().valid())
      return MutantVerdict::kEquivalent;  // there is no test at all
    const SuccessorGenerator::Initial initial = generator_.initial();
    if (!initial.exists || initial.error.status != RunStatus::kOk)
      return MutantVerdict::kKillable;
    meet(graph_.initial(), graph_.initial());
    for (std::uint64_t count = 0; !waiting_.empty(); ++count) {
      if (count >= options_.most_pairs)
        return MutantVerdict::kUndecided;
      check_budget();
      const auto [original, mutant] = waiting_.front();
      waiting_.pop_front();
      if (!expand(original, mutant))
        return MutantVerdict::kKillable;
    }
    return MutantVerdict::kEquivalent;
  }

 private:
  void meet(StateId original, StateId mutant) {
    const std::uint64_t key = (std::uint64_t{original.index()} << 32) | mutant.index();
    if (seen_.insert(key).second)
      waiting_.emplace_back(original, mutant);
  }

  [[nodiscard]] bool fires(const Step& step) const {
    return std::ranges::any_of(step.edges, [&](const FiredEdge& fired) {
      return network_.edges[fired.edge].decl == mutant_.edge;
    });
  }

  // False: some step tells the two apart.
  bool expand(StateId original, StateId mutant) {
    const std::vector<typename Graph::Transition> steps = graph_.transitions(original);
    const bool same = original == mutant && fires_only_;
    bool expanded = false;
    for (const auto& transition : steps) {
      const Step& step = graph_.step(transition.step);
      const bool fired = fires(step);
      if (same && !fired) {
        meet(transition.target, transition.target);
        continue;
      }
      if (fired && mutant_.kind == MutantKind::kRenamedSync)
        return false;
      if (!expanded)
        generator_.expand(graph_.state(mutant), successors_);
      expanded = true;
      const std::optional<StateId> target = follow(step, transition.target);
      if (!target)
        return false;
      meet(transition.target, *target);
    }
    return true;
  }

  // Where the step leads in the mutant; none if it is not possible or shows something else.
  std::optional<StateId> follow(const Step& step, StateId expected) {
    for (std::size_t i = 0; i < successors_.size(); ++i) {
      if (!(generator_.describe(successors_, i) == step))
        continue;
      const std::uint64_t* const state = successors_.state(i).data();
      if (!has_same_variables(state, graph_.state(expected)))
        return std::nullopt;
      return graph_.add(state);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_same_variables(const std::uint64_t* a, const std::uint64_t* b) {
    const auto unpack = [&](const std::uint64_t* state, std::vector<std::int32_t>& cells) {
      locations_.resize(network_.processes.size());
      cells.resize(network_.memory.state);
      graph_.layout().unpack(state, locations_, cells.data());
    };
    unpack(a, left_);
    unpack(b, right_);
    return left_ == right_;
  }

  const Network& network_;
  Graph& graph_;
  const Mutant& mutant_;
  const JudgeOptions& options_;
  const Network changed_;
  const System system_;
  SuccessorGenerator generator_;
  const bool fires_only_;  // only steps in which the edge fires can differ in a common state
  Successors successors_;
  std::unordered_set<std::uint64_t> seen_;
  std::deque<std::pair<StateId, StateId>> waiting_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::int32_t> left_;
  std::vector<std::int32_t> right_;
};

}  // namespace

PairJudge::PairJudge(const Network& network, JudgeOptions options)
    : network_(network),
      options_(std::move(options)),
      graph_(std::make_unique<Graph>(network, options_.execution)) {}

PairJudge::~PairJudge() = default;

MutantVerdict PairJudge::judge(const Mutant& mutant) {
  return PairSearch<Graph>(network_, *graph_, mutant, options_).run();
}

}  // namespace tw
