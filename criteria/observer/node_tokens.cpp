#include "criteria/observer/node_tokens.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace tw::observer {
namespace {

// Nothing but the same instance again, unless something happens that can be told from its token.
bool is_keeping(const CheckedRule& rule) {
  const auto plain = [](const Demand& demand) {
    return demand.kind == Demand::Kind::kEvent && demand.negated &&
           std::ranges::none_of(
               demand.roles, [](const Operand& role) { return role.kind == Operand::Kind::kSet; });
  };
  return rule.source == rule.target && rule.source_arguments == rule.target_arguments &&
         std::ranges::all_of(rule.demands, plain);
}

bool is_own_step(const CheckedRule& rule) { return rule.source == rule.target; }

std::vector<std::uint32_t> list_of(const Arguments& arguments) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    out.push_back(arguments[i]);
  return out;
}

// Variables of the rule that are edges or locations of the process `parameter` stands for.
bool says_whose(const CheckedRule& rule, VariableNumber argument, VariableNumber parameter) {
  return std::ranges::any_of(rule.demands, [&](const Demand& demand) {
    const Operand& owner = demand.role(Role::kProcess);
    const Operand& edge = demand.role(Role::kEdge);
    const auto is_it = [&](const Operand& operand, VariableNumber wanted) {
      return operand.is_variable() && operand.variable == wanted;
    };
    return !demand.negated && is_it(owner, parameter) &&
           (is_it(edge, argument) || is_it(demand.location, argument));
  });
}

}  // namespace

// --- Maps

MapId Maps::keys(ValueType type) { return function(std::nullopt, type, true); }

MapId Maps::of_edge(Role role) {
  const auto [at, is_new] = known_.try_emplace({0, static_cast<int>(role)});
  if (!is_new)
    return at->second;
  std::vector<std::uint32_t> table;
  for (Value edge = 0; edge < values_.bound(ValueType::kEdge); ++edge)
    table.push_back(role == Role::kChannel
                        ? values_.channel_of(edge)
                        : values_.apply(Function::kTemplate, ValueType::kEdge, edge));
  return at->second = rules_.add_map(std::move(table));
}

MapId Maps::function(std::optional<Function> function, ValueType type, bool to_key) {
  if (type == ValueType::kInt)
    return {};
  const auto [at, is_new] = known_.try_emplace(
      {1, function ? static_cast<int>(*function) : -1, static_cast<int>(type), to_key ? 1 : 0});
  if (!is_new)
    return at->second;
  const ValueType result = !function                          ? type
                           : *function == Function::kProcess  ? ValueType::kProcess
                           : *function == Function::kTemplate ? ValueType::kTemplate
                                                              : ValueType::kLocation;
  std::vector<std::uint32_t> table;
  for (Value value = 0; value < values_.bound(type); ++value) {
    const Value applied = function ? values_.apply(*function, type, value) : value;
    table.push_back(to_key && applied != kNoValue ? values_.key(result, applied) : applied);
  }
  std::vector<std::uint32_t> same(table.size());
  std::iota(same.begin(), same.end(), 0U);
  if (!function && table == same)
    return at->second;
  return at->second = rules_.add_map(std::move(table));
}

// --- Nodes

NodeTokens::NodeTokens(const Program& program, const ModelValues& values, CoverageRules& rules)
    : program_(program),
      values_(values),
      rules_(rules),
      stays_(program.nodes.size()),
      dropped_(program.nodes.size()),
      replaced_(program.rules.size()),
      tokens_(program.nodes.size()),
      items_(program.nodes.size()) {
  find_replaced();
  find_determined();
}

void NodeTokens::find_replaced() {
  for (std::size_t node = 0; node < program_.nodes.size(); ++node) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < program_.rules.size(); ++i)
      if (is_own_step(program_.rules[i]) && program_.rules[i].target == node)
        own.push_back(i);
    const auto unconditional = std::ranges::find_if(own, [this](std::size_t i) {
      return is_keeping(program_.rules[i]) && program_.rules[i].demands.empty();
    });
    // An accepting instance is never left.
    stays_[node] = program_.nodes[node].accepting || unconditional != own.end();
    for (const std::size_t i : own)
      replaced_[i] = stays_[node] && is_keeping(program_.rules[i]);
    if (!stays_[node] && own.size() == 1 && is_keeping(program_.rules[own.front()])) {
      stays_[node] = true;
      dropped_[node] = true;
      replaced_[own.front()] = true;
    }
  }
}

// The largest assumption that no rule contradicts.
void NodeTokens::find_determined() {
  const std::size_t parameters = program_.parameters.size();
  std::vector<std::vector<std::vector<bool>>> by;  // by node, parameter, position
  for (const CheckedNode& node : program_.nodes)
    by.emplace_back(parameters, std::vector<bool>(node.positions.size(), true));
  for (bool more = true; more;) {
    more = false;
    for (const CheckedRule& rule : program_.rules)
      for (std::size_t p = 0; p < parameters; ++p)
        for (std::size_t k = 0; k < rule.target_arguments.size(); ++k) {
          const VariableNumber argument = rule.target_arguments[k];
          bool says = k >= parameters && says_whose(rule, argument, static_cast<VariableNumber>(p));
          for (std::size_t i = 0;
               rule.source && k >= parameters && !says && i < rule.source_arguments.size(); ++i)
            says = rule.source_arguments[i] == argument && by[*rule.source][p][i];
          if (!says && by[rule.target][p][k]) {
            by[rule.target][p][k] = false;
            more = true;
          }
        }
  }
  for (std::size_t node = 0; node < program_.nodes.size(); ++node) {
    determined_.emplace_back(parameters);
    for (std::size_t p = 0; p < parameters; ++p)
      determined_[node][p] = program_.parameters[p].type == ValueType::kProcess &&
                             std::ranges::find(by[node][p], true) != by[node][p].end();
  }
}

Item NodeTokens::describe(std::size_t node, const Arguments& keys) const {
  const CheckedNode& own = program_.nodes[node];
  const bool one = std::ranges::count_if(program_.nodes, &CheckedNode::accepting) == 1;
  std::vector<std::string> parts = {program_.name};
  std::vector<std::string> words;
  SourceRange where;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i < program_.parameters.size() && determined_[node][i])
      continue;
    parts.push_back(values_.name(own.positions[i], keys[i]));
    words.push_back(values_.words(own.positions[i], keys[i]));
  }
  if (!one || parts.size() == 1)
    parts.insert(parts.begin() + 1, own.name);
  // The last edge or location says where; else whatever has a place.
  for (const bool any : {false, true})
    for (std::size_t i = keys.size(); i-- > 0 && where == SourceRange{};)
      if (any || own.positions[i] == ValueType::kEdge || own.positions[i] == ValueType::kLocation)
        where = values_.where(own.positions[i], keys[i]);
  return {
      .id = fmt::format("{}", fmt::join(parts, ":")),
      .label = words.empty() ? own.name : fmt::format("{} ({})", own.name, fmt::join(words, ", ")),
      .where = where};
}

// For explanations; outlives the observer.
void NodeTokens::tell_edges(std::size_t node) {
  std::vector<Value> keys;  // by edge
  for (Value edge = 0; edge < values_.network().edges.size(); ++edge)
    keys.push_back(values_.key(ValueType::kEdge, edge));
  rules_.set_edges(
      items_[node],
      [keys = std::move(keys), positions = program_.nodes[node].positions](const Arguments& item) {
        std::vector<EdgeId> out;
        for (std::size_t i = 0; i < positions.size(); ++i)
          for (std::size_t edge = 0; positions[i] == ValueType::kEdge && edge < keys.size(); ++edge)
            if (keys[edge] == item[i])
              out.push_back(EdgeId(edge));
        return out;
      });
}

bool NodeTokens::start(const InstanceGraph& graph) {
  // Items in the order of the document, whatever the order in which they were found.
  std::vector<InstanceNumber> accepting;
  for (InstanceNumber i = 0; i < graph.instances.size(); ++i)
    if (program_.nodes[graph.instances[i].node].accepting)
      accepting.push_back(i);
  if (accepting.size() > kMostItems)
    return false;
  std::ranges::sort(accepting, {}, [&](InstanceNumber i) {
    return std::pair(graph.instances[i].node, list_of(graph.instances[i].arguments));
  });
  leads_to_.resize(graph.instances.size());
  const KeptAsKeys kept = kept_as_keys(program_);
  std::size_t links = 0;
  std::vector<InstanceNumber> seen(graph.instances.size(), 0);  // by instance: the last item + 1
  InstanceNumber round = 0;
  for (const InstanceNumber last : accepting) {
    const std::size_t node = graph.instances[last].node;
    const CheckedNode& own = program_.nodes[node];
    if (!items_[node].valid()) {
      items_[node] = rules_.add_item_family(own.name);
      tell_edges(node);
    }
    Arguments keys;
    for (std::size_t i = 0; i < own.positions.size(); ++i)
      keys.push_back(kept[node][i]
                         ? graph.instances[last].arguments[i]
                         : values_.key(own.positions[i], graph.instances[last].arguments[i]));
    ItemId item = rules_.item(items_[node], keys);
    if (!item.valid())
      item = rules_.add_item(items_[node], keys, describe(node, keys));
    if (!item.valid())
      continue;
    ++round;
    std::vector<InstanceNumber> open = {last};
    seen[last] = round;
    while (!open.empty()) {
      const InstanceNumber at = open.back();
      open.pop_back();
      leads_to_[at].push_back(item);
      if (++links > kMostLinks)
        return false;
      for (const InstanceNumber before : graph.before[at])
        if (std::exchange(seen[before], round) != round)
          open.push_back(before);
    }
  }
  for (std::size_t node = 0; node < program_.nodes.size(); ++node) {
    const bool is_left = std::ranges::any_of(program_.rules, [&](const CheckedRule& rule) {
      return rule.source == node && !(rule.target == node && is_keeping(rule));
    });
    if (is_left)
      tokens_[node] = rules_.add_token_family(
          {.name = program_.nodes[node].name,
           .lifetime = stays_[node] ? Lifetime::kUntilDropped : Lifetime::kNextStep});
  }
  for (InstanceNumber i = 0; i < graph.instances.size(); ++i)
    if (tokens_[graph.instances[i].node].valid())
      rules_.add_token(tokens_[graph.instances[i].node], graph.instances[i].arguments,
                       leads_to_[i]);
  return true;
}

}  // namespace tw::observer
