// Does taking out what is named make an item feasible? Measured on shipped and public models: the
// text of the model without the named parts is loaded anew and a suite is generated for it, so that
// nothing of engine/explain judges itself.
#include "engine/explain/relief.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/explain/item_goal.hpp"
#include "engine/model/print.hpp"
#include "engine/mutants/mutant.hpp"
#include "engine/semantics/clock_bounds.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostStates = 20'000;

CoverageRules rules_for(const Network& network,
                        const std::vector<std::string>& criteria,
                        ItemFilter only = {}) {
  CoverageRules rules(std::move(only));
  Diagnostics diagnostics;
  for (const std::string& criterion : criteria)
    make_criterion(criterion)->declare(network, {}, rules, diagnostics);
  return rules;
}

Generated suite_for(const Network& network, CoverageRules& rules, std::uint64_t most_states) {
  return generate(network, rules,
                  {.search = {.on_error = OnError::kSkip, .max_states = most_states},
                   .reduce = Reduction::kNone});
}

// The upper storey is what is printed: the part is taken out there, as a user would.
void take_out_of_text(Network& network, const Obstacle& obstacle) {
  const auto yes = [&] {
    return network.pool.add(
        {.kind = ExprKind::kConstant, .type = network.types.bool_type(), .payload = 1});
  };
  switch (obstacle.kind) {
    case ObstacleKind::kGuard: {
      ExprId& guard = network.edge_decls[obstacle.edge].labels.guard;
      guard = replace_part(network.pool, guard, obstacle.path, yes());
      return;
    }
    case ObstacleKind::kInvariant: {
      ExprId& invariant = network.location_decls[obstacle.location].invariant;
      invariant = replace_part(network.pool, invariant, obstacle.path, yes());
      return;
    }
    case ObstacleKind::kSynchronisation:
      network.edge_decls[obstacle.edge].labels.channel = ExprId();
      network.edge_decls[obstacle.edge].labels.direction = Direction::kInternal;
      return;
    case ObstacleKind::kUpdate: {
      std::vector<ExprId>& updates = network.edge_decls[obstacle.edge].labels.updates;
      updates[obstacle.update] = yes();
      return;
    }
    case ObstacleKind::kCommitted:
    case ObstacleKind::kUrgentLocation:
      network.location_decls[obstacle.location].kind = LocationKind::kNormal;
      return;
    case ObstacleKind::kUrgentChannel: {
      Type type = network.types[network.variables[obstacle.channel].type];
      FAIL_CHECK("urgent channels are not tried in text");
      (void)type;
      return;
    }
    case ObstacleKind::kChannelPriorities:
      network.channel_priorities.clear();
      return;
    case ObstacleKind::kProcessPriorities:
      for (SystemEntry& entry : network.system)
        entry.priority = 0;
      return;
  }
}

struct Count {
  std::size_t items = 0;
  std::size_t named = 0;  // some obstacle was
  std::size_t right = 0;  // without it the item is covered
  std::size_t several = 0;
  std::map<std::string, std::size_t> kinds;
  std::vector<std::string> failed;
};

bool is_covered_without(const Network& network,
                        const Relief& relief,
                        const std::vector<std::string>& criteria,
                        const std::string& id) {
  Network copy = network;
  for (const Obstacle& obstacle : relief.obstacles)
    take_out_of_text(copy, obstacle);
  const LoadedModel model = load_model_text("relaxed.xta", print_xta(copy));
  if (!model.network) {
    for (const Diagnostic& d : model.diagnostics.all())
      if (d.severity == Severity::kError)
        WARN(render(d, model.file));
    return false;
  }
  CoverageRules rules = rules_for(*model.network, criteria, ItemFilter({id}));
  const ItemId item = rules.find_item(id);
  if (!item.valid())
    return false;
  return suite_for(*model.network, rules, 200'000).verdicts[item.index()].status ==
         ItemStatus::kCovered;
}

void measure(const fs::path& path,
             const std::vector<std::string>& criteria,
             std::size_t most_items,
             Count& count) {
  const LoadedModel model = load_model(path.string());
  if (!model.network || ClockBounds(*model.network).unbounded().valid())
    return;
  const Network& network = *model.network;
  CoverageRules rules = rules_for(network, criteria);
  const Generated all = suite_for(network, rules, kMostStates);
  if (!all.has_initial_state || !all.search.exhaustive)
    return;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.verdicts.size(); ++i)
    if (all.verdicts[i].status == ItemStatus::kInfeasible)
      ids.push_back(rules.items()[ItemId(i)].id);
  if (ids.empty())
    return;
  const Reach reach = explore_reach(network, {.max_states = kMostStates});
  for (std::size_t i = 0; i < std::min(most_items, ids.size()); ++i) {
    const std::string& id = ids[i * ids.size() / std::min(most_items, ids.size())];
    CoverageRules one = rules_for(network, criteria, ItemFilter({id}));
    const ItemId item = one.find_item(id);
    ++count.items;
    const std::optional<Relief> relief =
        find_relief(network, one, item, goal_of(events_of_item(network, one, item)), reach,
                    {.most_states = kMostStates});
    bool right = false;
    std::string named;
    if (relief) {
      ++count.named;
      count.several += relief->obstacles.size() > 1 ? 1U : 0U;
      for (const Obstacle& o : relief->obstacles) {
        ++count.kinds[std::string(name_of(o.kind))];
        const ExprId e = expression_of(network, o);
        named += std::string(" ") + std::string(name_of(o.kind)) + " '" +
                 (e.valid() ? print_expression(network, e) : "") + "'";
      }
      right = is_covered_without(network, *relief, criteria, id);
    }
    count.right += right ? 1U : 0U;
    if (std::getenv("TW_EXPLAIN_VERBOSE") != nullptr)
      std::printf("%s %s %s:%s%s\n", right ? "ok  " : "FAIL", path.filename().c_str(), id.c_str(),
                  relief ? named.c_str() : " nothing",
                  relief && !relief->minimal ? " (not minimal)" : "");
    if (!right)
      count.failed.push_back(path.filename().string() + " " + id + ":" +
                             (relief ? named : " nothing named"));
  }
}

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".xml" || extension == ".xta" || extension == ".ta")
      out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

void report(const std::string& what, const Count& count) {
  std::string text = what + ": " + std::to_string(count.items) + " items, named for " +
                     std::to_string(count.named) + ", right for " + std::to_string(count.right) +
                     ", several obstacles for " + std::to_string(count.several);
  for (const auto& [kind, n] : count.kinds)
    text += "\n  " + kind + " " + std::to_string(n);
  for (const std::string& failed : count.failed)
    text += "\n  " + failed;
  WARN(text);
}

TEST_CASE("what explain names is what stands in the way: shipped models", "[explain]") {
  Count count;
  for (const fs::path& model : models_in(fs::path(TW_SOURCE_DIR) / "models"))
    measure(model, {"edge", "location"}, 40, count);
  report("shipped models, edge and location", count);
  CHECK(count.items > 0);
  CHECK(count.right * 10 >= count.items * 9);
}

TEST_CASE("what explain names is what stands in the way: public models", "[explain]") {
  const fs::path corpus = fs::path(TW_SOURCE_DIR).parent_path() / "shared" / "corpus" / "uppaal";
  const char* const other = std::getenv("TW_EXPLAIN_CORPUS");
  const fs::path folder = other != nullptr ? fs::path(other) : corpus;
  if (!fs::is_directory(folder)) {
    WARN("skipped: there is no " << folder);
    return;
  }
  Count count;
  for (const fs::path& model : models_in(folder))
    measure(model, {"edge", "location"}, 8, count);
  report("public models, edge and location", count);
  CHECK(count.right * 10 >= count.items * 9);
}

}  // namespace
}  // namespace tw
