#include "engine/mutants/kills.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/replay/interpreter.hpp"

namespace tw {
namespace {

// One mutant, and all that is known about its transitions.
class MutantRun {
 public:
  MutantRun(const TestRuns& runs, const Mutant& mutant)
      : runs_(runs),
        mutant_(mutant),
        changed_(mutate(runs.network(), mutant)),
        interpreter_(changed_, InvariantUses::kNone, OnError::kSkip),
        fires_only_(mutant.kind == MutantKind::kLostUpdate ||
                    mutant.kind == MutantKind::kAddedReset ||
                    mutant.kind == MutantKind::kSwappedTarget ||
                    (mutant.kind != MutantKind::kInvariant && acts_alone(runs.network(), mutant))),
        matters_(runs.transitions(), Matters::kUnknown) {}

  [[nodiscard]] bool starts() const { return !interpreter_.initial_problem(); }

  [[nodiscard]] bool is_killed_by(const std::vector<std::uint32_t>& test) {
    std::optional<std::uint32_t> state;  // none: that of the original
    for (const std::uint32_t transition : test) {
      if (!state && !matters(transition))
        continue;
      const Result& result = take(state, transition);
      if (result.killed)
        return true;
      state = result.state;
    }
    return false;
  }

 private:
  enum class Matters : std::uint8_t {
    kUnknown,
    kNo,
    kYes,
  };

  struct Result {
    bool killed = false;
    std::optional<std::uint32_t> state;
  };

  [[nodiscard]] bool fires(const Step& step) const {
    return std::ranges::any_of(step.edges, [&](const FiredEdge& fired) {
      return runs_.network().edges[fired.edge].decl == mutant_.edge;
    });
  }

  [[nodiscard]] bool is_at(const replay::RunState& state, LocationDeclId decl) const {
    return std::ranges::any_of(
        state.locations, [&](LocationId id) { return runs_.network().locations[id].decl == decl; });
  }

  // Whether the mutant may differ in this transition, begun in the original's state.
  [[nodiscard]] bool matters(std::uint32_t number) {
    Matters& known = matters_[number];
    if (known == Matters::kUnknown)
      known = may_differ(runs_.transition(number)) ? Matters::kYes : Matters::kNo;
    return known == Matters::kYes;
  }

  [[nodiscard]] bool may_differ(const TestRuns::Transition& t) const {
    if (mutant_.kind == MutantKind::kInvariant)
      return is_at(runs_.state(t.from), mutant_.location) ||
             is_at(runs_.state(t.to), mutant_.location);
    if (fires(t.step))
      return true;
    if (fires_only_)
      return false;
    const LocationDeclId source = runs_.network().edge_decls[mutant_.edge].source;
    return runs_.network().location_decls[source].kind == LocationKind::kBranchpoint ||
           is_at(runs_.state(t.from), source);
  }

  const Result& take(std::optional<std::uint32_t> state, std::uint32_t number) {
    const std::uint64_t from = state ? *state + 1ULL : 0;
    const std::uint64_t key = (from << 32) | number;
    const auto known = results_.find(key);
    if (known != results_.end())
      return known->second;
    check_budget();
    Result result =
        try_transition(state ? *states_[*state] : runs_.state(runs_.transition(number).from),
                       runs_.transition(number));
    return results_.emplace(key, result).first->second;
  }

  [[nodiscard]] Result try_transition(const replay::RunState& from, const TestRuns::Transition& t) {
    // The channel that is seen, or that the partners wait for, is another one.
    if (mutant_.kind == MutantKind::kRenamedSync && fires(t.step))
      return {.killed = true};
    replay::StepResult result = interpreter_.delay(from, t.delay);
    if (result.possible && !t.step.is_wait())
      result = interpreter_.step(result.state, t.step);
    if (!result.possible)
      return {.killed = true};
    const replay::RunState& expected = runs_.state(t.to);
    if (!std::equal(expected.cells.begin(), expected.cells.end(), result.state.cells.begin()))
      return {.killed = true};
    if (result.state == expected)
      return {};
    const auto [place, is_new] = state_numbers_.try_emplace(
        std::move(result.state), static_cast<std::uint32_t>(states_.size()));
    if (is_new)
      states_.push_back(&place->first);
    return {.state = place->second};
  }

  const TestRuns& runs_;
  const Mutant& mutant_;
  const Network changed_;
  const replay::Interpreter interpreter_;
  const bool fires_only_;  // only steps in which the edge fires can differ
  std::vector<Matters> matters_;
  std::map<replay::RunState, std::uint32_t> state_numbers_;  // of states the original is not in
  std::vector<const replay::RunState*> states_;
  std::unordered_map<std::uint64_t, Result> results_;
};

}  // namespace

std::vector<bool> kills(const TestRuns& runs, const Mutant& mutant) {
  MutantRun run(runs, mutant);
  // An invariant that does not hold at the start ends every test there.
  if (mutant.kind == MutantKind::kInvariant && !run.starts())
    return std::vector<bool>(runs.size(), true);
  std::vector<bool> out;
  for (std::size_t i = 0; i < runs.size(); ++i)
    out.push_back(run.is_killed_by(runs.test(i)));
  return out;
}

}  // namespace tw
