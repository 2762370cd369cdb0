// Does taking out what is named make an item feasible? Measured on shipped and public models: what
// the JSON of `explain` names is taken out by its place, the text of the model without it is loaded
// anew, and a suite is generated for it, so that nothing of engine/explain judges itself.
#include "engine/explain/causes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/model/print.hpp"
#include "engine/mutants/mutant.hpp"
#include "engine/semantics/clock_bounds.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/explanation.hpp"
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
using nlohmann::json;

// Where the JSON says that something stands.
using Place = std::pair<std::size_t, std::size_t>;

class Editor {
 public:
  Editor(const LoadedModel& model) : file_(model.file), network_(*model.network) {}

  // The upper storey is what is printed: the part is taken out there, as a user would. False: there
  // is no such part.
  bool take_out(const json& obstacle) {
    const std::string kind = obstacle.at("kind");
    if (kind == "channel-priorities") {
      network_.channel_priorities.clear();
      return true;
    }
    if (kind == "process-priorities") {
      for (SystemEntry& entry : network_.system)
        entry.priority = 0;
      return true;
    }
    const Place place{obstacle.at("line"), obstacle.at("column")};
    if (kind == "invariant" || kind == "committed" || kind == "urgent-location") {
      for (std::size_t i = 0; i < network_.location_decls.size(); ++i) {
        LocationDecl& location = network_.location_decls[LocationDeclId(i)];
        if (kind == "invariant" && drop_conjunct(location.invariant, place))
          return true;
        if (kind != "invariant" && is_at(location.where, place)) {
          location.kind = LocationKind::kNormal;
          return true;
        }
      }
      return false;
    }
    for (std::size_t i = 0; i < network_.edge_decls.size(); ++i)
      if (take_out_of(network_.edge_decls[EdgeDeclId(i)].labels, kind, place))
        return true;
    return false;
  }

  [[nodiscard]] std::string text() const { return print_xta(network_); }

 private:
  bool take_out_of(EdgeLabels& labels, const std::string& kind, Place place) {
    if (kind == "guard")
      return drop_conjunct(labels.guard, place);
    if (kind == "synchronisation" && labels.channel.valid() &&
        is_at(network_.pool[labels.channel].where, place)) {
      labels.channel = ExprId();
      labels.direction = Direction::kInternal;
      return true;
    }
    for (ExprId& update : labels.updates)
      if (kind == "update" && is_at(network_.pool[update].where, place)) {
        update = yes();
        return true;
      }
    return false;
  }

  bool drop_conjunct(ExprId& constraint, Place place) {
    for (const Conjunct& conjunct : conjuncts_of(network_, constraint))
      if (is_at(network_.pool[conjunct.expression].where, place)) {
        constraint = replace_part(network_.pool, constraint, conjunct.path, yes());
        return true;
      }
    return false;
  }

  bool is_at(SourceRange where, Place place) const {
    const SourcePosition at = position_of(file_, where.begin);
    return Place(at.line, at.column) == place;
  }

  ExprId yes() {
    return network_.pool.add(
        {.kind = ExprKind::kConstant, .type = network_.types.bool_type(), .payload = 1});
  }

  const SourceFile& file_;
  Network network_;
};

struct Count {
  std::size_t items = 0;
  std::size_t named = 0;  // some obstacle was
  std::size_t right = 0;  // without it the item is covered
  std::size_t several = 0;
  std::size_t met = 0;  // constraints of which it is said what holds instead …
  std::size_t unmet = 0;
  std::map<std::string, std::size_t> kinds;
  std::vector<std::string> failed;
};

bool is_covered_without(const LoadedModel& original,
                        const json& obstacles,
                        const std::vector<std::string>& criteria,
                        const std::string& id) {
  Editor editor(original);
  for (const json& obstacle : obstacles)
    if (!editor.take_out(obstacle))
      return false;
  const LoadedModel model = load_model_text("relaxed.xta", editor.text());
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

// What the command says of it.
json explanation_of(const LoadedModel& model,
                    const CoverageRules& rules,
                    ItemId item,
                    const Causes& causes) {
  return json::parse(explanation_json({.file = model.file,
                                       .network = *model.network,
                                       .item = rules.items()[item],
                                       .criterion = {},
                                       .definition = {},
                                       .rules = {},
                                       .verdict = {.status = ItemStatus::kInfeasible},
                                       .search = {},
                                       .causes = CausesReport{.file = model.file,
                                                              .network = *model.network,
                                                              .causes = causes,
                                                              .exhaustive = true,
                                                              .limit = {}},
                                       .test = {}}));
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
  for (std::size_t i = 0; i < std::min(most_items, ids.size()); ++i) {
    const std::string& id = ids[i * ids.size() / std::min(most_items, ids.size())];
    CoverageRules one = rules_for(network, criteria, ItemFilter({id}));
    const ItemId item = one.find_item(id);
    ++count.items;
    const json told = explanation_of(model, one, item,
                                     find_causes(network, one, item, {.most_states = kMostStates}));
    const json& obstacles = told.at("causes").at("obstacles");
    bool right = false;
    if (!obstacles.empty()) {
      ++count.named;
      count.several += obstacles.size() > 1 ? 1U : 0U;
      for (const json& o : obstacles) {
        const std::string kind = o.at("kind");
        ++count.kinds[kind];
        if (kind == "guard" || kind == "invariant")
          ++(o.contains("met") ? count.met : count.unmet);
      }
      right = is_covered_without(model, obstacles, criteria, id);
    }
    std::string named;
    for (const json& line : told.at("reasons"))
      named += "\n    " + line.get<std::string>();
    count.right += right ? 1U : 0U;
    if (std::getenv("TW_EXPLAIN_VERBOSE") != nullptr)
      std::printf("%s %s %s:%s\n", right ? "ok  " : "FAIL", path.filename().c_str(), id.c_str(),
                  named.c_str());
    if (!right)
      count.failed.push_back(path.filename().string() + " " + id + ":" + named);
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
                     ", several obstacles for " + std::to_string(count.several) +
                     ", bounds met for " + std::to_string(count.met) + " of " +
                     std::to_string(count.met + count.unmet) + " constraints";
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
