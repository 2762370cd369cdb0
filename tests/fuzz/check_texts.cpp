#include "tests/fuzz/check_texts.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/coverage/rules.hpp"
#include "frontends/load.hpp"

namespace tw::fuzz {
namespace {

// Between them all that observers and properties may speak of.
constexpr const char* kUntimed =
    "const int N = 2;\ntypedef int[0,N-1] id_t;\nint[0,3] n, list[N];\nbool ok;\nmeta int[0,1] m;\n"
    "chan go[N], stop;\nbroadcast chan all;\nstruct { int[0,3] a; bool b; } s;\n"
    "int[0,9] twice(int[0,3] i) { return 2 * i; }\n"
    "process Train(const id_t id) { int[0,5] len; state Safe, Cross; init Safe;\n"
    "  trans Safe -> Cross { guard n < 3; sync go[id]!; assign len = id, n = n + 1; },\n"
    "    Cross -> Safe { sync all?; assign s.a = len % 4; }; }\n"
    "process Gate() { state Free, G; branchpoint b; init Free;\n"
    "  trans Free -> b { select i : id_t; sync go[i]?; assign list[i] = 1; }, b -> G { }, b -> "
    "Free "
    "{ assign ok = !ok; },\n    G -> Free { sync all!; assign n = 0; }; }\nsystem Train, Gate;\n";

constexpr const char* kTimed =
    "clock z;\nint[0,3] n;\nchan c;\nprocess P() { clock x; state A { x <= 5 }, B; init A;\n"
    "  trans A -> B { guard x >= 2; sync c!; assign x = 0, n = (n + 1) % 4; }, B -> A { guard z > "
    "3; "
    "assign z = 0; }; }\n"
    "process Q() { state C; init C; trans C -> C { guard n > 0; sync c?; }; }\nsystem P, Q;\n";

LoadedModel load(const char* text, std::vector<PropertyText> properties = {}) {
  return load_model_text("fuzz-model.xta", text, std::move(properties));
}

std::string render_all(const SourceFile& file, const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all())
    out += render(d, file);
  return out;
}

// A place outside the text makes a message wrong even where rendering it happens to go well.
bool has_bad_place(const SourceFile& file, const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.where.begin > d.where.end || d.where.end > file.text.size())
      return true;
  return false;
}

std::optional<std::string> find_fault_in(const SourceFile& file, const Diagnostics& diagnostics) {
  const std::string messages = render_all(file, diagnostics);
  if (has_bad_place(file, diagnostics))
    return "a diagnostic points outside the text\n" + messages;
  return std::nullopt;
}

std::optional<std::string> declare_observer(const ObserverFile& file, const Network& network) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_observer(file, {})->declare(network, {}, rules, diagnostics);
  if (auto fault = find_fault_in(file.file, diagnostics))
    return fault;
  if (!diagnostics.has_errors() && rules.items().empty() && diagnostics.warnings() == 0)
    return "no items, and not a word about it";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_observer_fault(const std::string& text) {
  static const LoadedModel kModels[] = {load(kUntimed), load(kTimed)};
  const ObserverFile file = load_observer_text("fuzz.obs", text);
  if (auto fault = find_fault_in(file.file, file.diagnostics))
    return fault;
  if (file.observer.has_value() == file.diagnostics.has_errors())
    return "expected either errors or an observer\n" + render_all(file.file, file.diagnostics);
  // The value of --observer is read by the same parser.
  std::string problem;
  if (parse_binding("V=" + text, problem).has_value() != problem.empty())
    return "expected either a problem or a binding";
  if (!file.observer)
    return std::nullopt;
  for (const LoadedModel& model : kModels)
    if (auto fault = declare_observer(file, *model.network))
      return fault;
  return std::nullopt;
}

std::optional<std::string> find_properties_fault(const std::string& text) {
  for (const bool is_condition : {false, true}) {
    const LoadedModel model = load(
        kUntimed, {{.file = {.path = "fuzz.ltl", .text = text}, .is_condition = is_condition}});
    if (!model.network)
      return "properties kept a model from loading";
    const PropertyText& given = model.properties.front();
    if (auto fault = find_fault_in(given.file, given.diagnostics))
      return fault;
    if (is_condition && model.network->properties.empty() && !given.diagnostics.has_errors())
      return "expected either errors or a condition";
    CoverageRules rules;
    Diagnostics diagnostics;
    for (const char* criterion : {"vc", "ufc"})
      make_criterion(criterion)->declare(*model.network, {}, rules, diagnostics);
  }
  return std::nullopt;
}

}  // namespace tw::fuzz
