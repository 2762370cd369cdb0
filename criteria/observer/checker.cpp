#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "criteria/observer/program.hpp"
#include "criteria/observer/rule_checker.hpp"
#include "engine/base/suggest.hpp"

namespace tw::observer {
namespace {

const Node* node_called(const Observer& observer, std::string_view name) {
  const auto at = std::ranges::find_if(observer.nodes,
                                       [&](const Node& node) { return node.name.text == name; });
  return at == observer.nodes.end() ? nullptr : &*at;
}

void refuse_unknown_node(const Observer& observer, const Word& name, Diagnostics& diagnostics) {
  std::vector<std::string> known = {std::string(kStart)};
  for (const Node& node : observer.nodes)
    known.push_back(node.name.text);
  const std::string_view near = nearest_name(name.text, known);
  diagnostics.error(
      name.where, fmt::format("unknown node '{}'", name.text),
      near.empty() ? "declare it: 'node NAME(types);'" : fmt::format("did you mean '{}'?", near));
}

void check_declarations(const Observer& observer, Diagnostics& diagnostics) {
  std::set<std::string> seen;
  for (const Parameter& parameter : observer.parameters)
    if (!seen.insert(parameter.name.text).second)
      diagnostics.error(parameter.name.where,
                        fmt::format("parameter '{}' is declared twice", parameter.name.text));
  seen.clear();
  for (const Node& node : observer.nodes) {
    if (node.name.text == kStart)
      diagnostics.error(node.name.where, "'start' is always there", "leave out the declaration");
    else if (!seen.insert(node.name.text).second)
      diagnostics.error(node.name.where,
                        fmt::format("node '{}' is declared twice", node.name.text));
  }
  if (observer.accepting.empty())
    diagnostics.error(observer.name.where, "no node is accepting, so nothing can be covered",
                      "end with 'accepting NODE;'");
  seen.clear();
  for (const Word& name : observer.accepting) {
    if (name.text == kStart)
      diagnostics.error(name.where, "'start' cannot be accepting");
    else if (node_called(observer, name.text) == nullptr)
      refuse_unknown_node(observer, name, diagnostics);
    else if (!seen.insert(name.text).second)
      diagnostics.warning(name.where, fmt::format("'{}' is accepting twice", name.text));
  }
}

void check_instance(const Observer& observer,
                    const Instance& instance,
                    bool is_target,
                    Diagnostics& diagnostics) {
  if (instance.node.text == kStart) {
    if (is_target)
      diagnostics.error(instance.node.where, "no rule leads to 'start': it is always active");
    else if (!instance.arguments.empty())
      diagnostics.error(instance.node.where, "'start' has no arguments",
                        "parameters of the observer can be used everywhere");
    return;
  }
  const Node* node = node_called(observer, instance.node.text);
  if (node == nullptr) {
    refuse_unknown_node(observer, instance.node, diagnostics);
    return;
  }
  if (node->arguments.size() != instance.arguments.size())
    diagnostics.error(
        instance.node.where,
        fmt::format("'{}' has {} argument{}, not {}", node->name.text, node->arguments.size(),
                    node->arguments.size() == 1 ? "" : "s", instance.arguments.size()));
}

// Nodes that no run can get to, and those from which nothing can be covered.
void check_flow(const Observer& observer, Diagnostics& diagnostics) {
  const auto close = [&](std::set<std::string> nodes, bool forward) {
    for (bool more = true; more;) {
      more = false;
      for (const Rule& rule : observer.rules) {
        const std::string& from = forward ? rule.source.node.text : rule.target.node.text;
        const std::string& to = forward ? rule.target.node.text : rule.source.node.text;
        if (nodes.contains(from))
          more = nodes.insert(to).second || more;
      }
    }
    return nodes;
  };
  std::set<std::string> accepting;
  for (const Word& name : observer.accepting)
    accepting.insert(name.text);
  const std::set<std::string> reached = close({std::string(kStart)}, true);
  const std::set<std::string> useful = close(accepting, false);
  for (const Node& node : observer.nodes) {
    const std::string& name = node.name.text;
    if (accepting.contains(name) && !reached.contains(name))
      diagnostics.error(node.name.where,
                        fmt::format("no rules lead from 'start' to accepting node '{}'", name));
    else if (!reached.contains(name))
      diagnostics.warning(node.name.where, fmt::format("no rules lead to node '{}'", name));
    else if (!useful.contains(name))
      diagnostics.warning(node.name.where,
                          fmt::format("no rules lead from '{}' to an accepting node", name));
  }
}

bool mentions(const Expression& expression, std::string_view name) {
  return (expression.kind == Expression::Kind::kName && expression.text == name) ||
         std::ranges::any_of(expression.arguments,
                             [&](const Expression& argument) { return mentions(argument, name); });
}

void check_parameters(const Observer& observer, Diagnostics& diagnostics) {
  for (const Parameter& parameter : observer.parameters) {
    const auto in_all = [&](const auto& list) {
      return std::ranges::any_of(
          list, [&](const Expression& e) { return mentions(e, parameter.name.text); });
    };
    const bool used = std::ranges::any_of(observer.rules, [&](const Rule& rule) {
      return in_all(rule.source.arguments) || in_all(rule.target.arguments) ||
             std::ranges::any_of(rule.conditions, [&](const Condition& condition) {
               return mentions(condition.left, parameter.name.text) ||
                      mentions(condition.right, parameter.name.text);
             });
    });
    if (!used)
      diagnostics.warning(parameter.name.where,
                          fmt::format("parameter '{}' is not used", parameter.name.text));
  }
}

// The values that the command line allows for each parameter; none: all.
std::vector<std::optional<std::vector<Value>>> bound_values(const Observer& observer,
                                                            const ModelValues& values,
                                                            const std::vector<Binding>& bindings,
                                                            Diagnostics& diagnostics) {
  std::vector<std::optional<std::vector<Value>>> out(observer.parameters.size());
  for (const Binding& binding : bindings) {
    if (!binding.observer.empty() && binding.observer != observer.name.text)
      continue;
    for (std::size_t i = 0; i < observer.parameters.size(); ++i) {
      const Parameter& parameter = observer.parameters[i];
      if (parameter.name.text != binding.parameter)
        continue;
      std::string hint;
      std::vector<Value> found;
      if (binding.value.kind == Expression::Kind::kNumber) {
        if (parameter.type == ValueType::kInt)
          found = {encode(binding.value.number)};
      } else {
        found = values.find(parameter.type, binding.value.text, hint);
      }
      if (found.empty())
        diagnostics.error(parameter.name.where,
                          fmt::format("--observer {}: the model has no {} '{}'", binding.text,
                                      kind_in_words(parameter.type),
                                      binding.value.kind == Expression::Kind::kNumber
                                          ? fmt::format("{}", binding.value.number)
                                          : binding.value.text),
                          hint);
      out[i] = std::move(found);
    }
  }
  return out;
}

}  // namespace

bool Operand::admits(Value value) const {
  return kind != Kind::kSet || std::ranges::binary_search(set, value);
}

std::string_view kind_in_words(ValueType type) {
  switch (type) {
    case ValueType::kProcess:
      return "process";
    case ValueType::kVariable:
      return "variable";
    case ValueType::kTemplate:
      return "template";
    case ValueType::kChannel:
      return "channel";
    case ValueType::kLocation:
      return "location";
    case ValueType::kEdge:
      return "edge";
    case ValueType::kInt:
      return "integer constant";
  }
  return "";
}

void check_names(const Observer& observer, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  check_declarations(observer, diagnostics);
  for (const Rule& rule : observer.rules) {
    check_instance(observer, rule.source, false, diagnostics);
    check_instance(observer, rule.target, true, diagnostics);
  }
  if (diagnostics.errors() == before)
    check_flow(observer, diagnostics);
  check_parameters(observer, diagnostics);
}

std::optional<Program> check(const Observer& observer,
                             const ModelValues& values,
                             const std::vector<Binding>& bindings,
                             Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  Program out{.name = observer.name.text};
  for (const Parameter& parameter : observer.parameters)
    out.parameters.push_back({.name = parameter.name.text, .type = parameter.type});
  for (const Node& node : observer.nodes) {
    CheckedNode checked{.name = node.name.text};
    for (const Parameter& parameter : observer.parameters)
      checked.positions.push_back(parameter.type);
    checked.positions.insert(checked.positions.end(), node.arguments.begin(), node.arguments.end());
    checked.accepting = std::ranges::any_of(
        observer.accepting, [&](const Word& name) { return name.text == node.name.text; });
    if (checked.positions.size() > Arguments::kMost)
      diagnostics.error(node.name.where,
                        fmt::format("'{}' has {} arguments, those of the observer included: more "
                                    "than {}",
                                    node.name.text, checked.positions.size(), Arguments::kMost));
    out.nodes.push_back(std::move(checked));
  }
  const auto fixed = bound_values(observer, values, bindings, diagnostics);
  for (const Rule& rule : observer.rules)
    out.rules.push_back(RuleChecker(observer, out, rule, values, diagnostics).run(fixed));
  return diagnostics.errors() == before ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace tw::observer
