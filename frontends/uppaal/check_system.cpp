// Instantiations and the system line: which processes there are, and with which arguments.

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {
namespace {

// Plain can stand for everything, broadcast for urgent, urgent for itself only.
int strength(const Type& channel) {
  if (channel.urgent)
    return 0;
  return channel.broadcast ? 1 : 2;
}

}  // namespace

// It may also be the one that lacks its name.
bool Checker::is_lost_process(const std::string& name) const {
  return is_lost(name) || std::any_of(document_.templates.begin(), document_.templates.end(),
                                      [](const ast::Template& t) { return t.name.text.empty(); });
}

void Checker::instantiation(const ast::Instantiation& i) {
  const SymbolId found = symbols_.find(i.target.text);
  if (found.valid() && symbols_[found].kind == SymbolKind::kSkipped) {
    declare({.name = i.name.text, .kind = SymbolKind::kSkipped, .where = i.name.where});
    return;
  }
  const bool known = found.valid() && (symbols_[found].kind == SymbolKind::kTemplate ||
                                       symbols_[found].kind == SymbolKind::kInstance);
  if (!known && (found.valid() || !is_lost_process(i.target.text))) {
    error(i.target.where, fmt::format("there is no template '{}'", i.target.text),
          found.valid() ? "templates must be declared before they are instantiated"
                        : suggest(i.target.text, Wanted::kProcess,
                                  "templates must be declared before they are instantiated"));
  } else if (known) {
    use(found);
  }
  const auto slot = static_cast<std::uint32_t>(instantiables_.size());
  InstantiableInfo made{.name = i.name.text, .where = i.name.where};
  instantiables_.push_back(made);
  symbols_.push(Frame::kBlock);
  made.parameters = parameters(i.parameters, Role::kParameter, TemplateId());
  std::vector<ExprId> passed;
  const std::size_t errors = diagnostics_->errors();
  if (known) {
    instantiables_[symbols_[found].index].instantiated = true;
    passed = arguments(i, instantiables_[symbols_[found].index]);
  }
  symbols_.pop();
  made.broken =
      !known || diagnostics_->errors() != errors || instantiables_[symbols_[found].index].broken;
  if (!made.broken) {
    Instance instance{.name = i.name.text, .where = i.name.where, .arguments = std::move(passed)};
    for (const ParameterInfo& p : made.parameters)
      if (p.variable.valid())
        instance.parameters.push_back(p.variable);
    const InstantiableInfo& target = instantiables_[symbols_[found].index];
    if (target.instance.valid())
      instance.of_instance = target.instance;
    else
      instance.of_template = target.id;
    made.instance = builder_.add_instance(std::move(instance));
  }
  made.symbol = declare(
      {.name = i.name.text, .kind = SymbolKind::kInstance, .where = i.name.where, .index = slot});
  instantiables_[slot] = std::move(made);
}

std::vector<ExprId> Checker::arguments(const ast::Instantiation& i,
                                       const InstantiableInfo& target) {
  const std::vector<ParameterInfo> wanted = target.parameters;
  std::vector<ExprId> out;
  if (i.arguments.size() != wanted.size()) {
    error(i.target.where,
          fmt::format("'{}' takes {} argument{}, {} given", i.target.text, wanted.size(),
                      wanted.size() == 1 ? "" : "s", i.arguments.size()));
    return out;
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const bool channel = wanted[k].type.valid() && contains(wanted[k].type, TypeKind::kChannel);
    channel_name_ = channel ? root_name(i.arguments[k]) : nullptr;
    const Checked argument = expression(i.arguments[k]);
    channel_name_ = nullptr;
    if (argument.poisoned() || !wanted[k].type.valid() || !check_argument(wanted[k], argument))
      continue;
    // Sends and receives inside the template go to the channel it was given.
    if (argument.root.valid() && contains(argument.type, TypeKind::kChannel)) {
      symbols_[argument.root].sent = true;
      symbols_[argument.root].received = true;
    }
    if (wanted[k].variable.valid())
      out.push_back(argument.id);
  }
  return out;
}

bool Checker::check_argument(const ParameterInfo& parameter, const Checked& argument) {
  if (argument.effect) {
    error(argument.where, "an argument must not change anything");
    return false;
  }
  if (is_real(parameter.type))
    return true;
  if (contains(parameter.type, TypeKind::kChannel))
    return check_channel_argument(parameter, argument);
  const bool alias = parameter.by_reference && !parameter.is_const;
  if (!alias) {
    if (!check_assignable(parameter.type, argument,
                          fmt::format("the argument for '{}'", parameter.name)))
      return false;
    if (argument.computable)
      return true;
    error(argument.where,
          fmt::format("the argument for '{}' must be known before the model runs", parameter.name),
          "pass a constant, or declare the parameter as a reference with '&'");
    return false;
  }
  if (argument.real || !argument.lvalue || !check_writable(argument)) {
    if (argument.real || !argument.lvalue)
      error(argument.where,
            fmt::format("the argument for '&{}' must be a variable", parameter.name));
    return false;
  }
  if (!equivalent(parameter.type, argument.type)) {
    error(argument.where,
          fmt::format("the argument for '&{}' must have exactly its type", parameter.name),
          "ranges, lengths and field names must agree");
    return false;
  }
  return is_unique_reference(argument) ||
         (error(argument.where, "a reference must be known before the model runs",
                "use a constant index"),
          false);
}

bool Checker::is_unique_reference(const Checked& argument) const {
  const ExpressionPool& pool = builder_.network().pool;
  ExprId at = argument.id;
  while (pool[at].kind == ExprKind::kIndex || pool[at].kind == ExprKind::kField) {
    if (pool[at].kind == ExprKind::kIndex) {
      // Computable indices mention constants and const parameters only.
      std::vector<ExprId> stack = {pool.operand(at, 1)};
      while (!stack.empty()) {
        const ExprId id = stack.back();
        stack.pop_back();
        const Expression& e = pool[id];
        if (e.kind == ExprKind::kVariable &&
            builder_.network().variables[e.variable()].storage != Storage::kConstant)
          return false;
        const auto parts = pool.operands(id);
        stack.insert(stack.end(), parts.begin(), parts.end());
      }
    }
    at = pool.operand(at, 0);
  }
  return pool[at].kind == ExprKind::kVariable;
}

bool Checker::check_channel_argument(const ParameterInfo& parameter, const Checked& argument) {
  TypeId want = parameter.type;
  TypeId have = argument.type;
  while (info(want).kind == TypeKind::kArray && info(have).kind == TypeKind::kArray &&
         equivalent(info(want).index, info(have).index)) {
    want = info(want).element;
    have = info(have).element;
  }
  if (info(want).kind != TypeKind::kChannel || info(have).kind != TypeKind::kChannel) {
    error(argument.where, fmt::format("the argument for '&{}' must be {}", parameter.name,
                                      info(parameter.type).kind == TypeKind::kArray
                                          ? "an array of channels of the same length"
                                          : "a channel"));
    return false;
  }
  if (!is_unique_reference(argument)) {
    error(argument.where, "a channel argument must be known before the model runs",
          "use a constant index");
    return false;
  }
  const Type& a = info(want);
  const Type& b = info(have);
  if (strength(b) < strength(a)) {
    error(argument.where,
          fmt::format("a{} channel cannot be passed for '&{}'",
                      b.urgent ? "n urgent" : " broadcast", parameter.name),
          "give the parameter the same kind of channel");
    return false;
  }
  if (a.urgent != b.urgent || a.broadcast != b.broadcast)
    warning(argument.where,
            fmt::format("the channel passed for '&{}' is of another kind; it keeps its own",
                        parameter.name),
            "give the parameter the same kind of channel");
  return true;
}

void Checker::system() {
  if (!document_.system) {
    if (diagnostics_->has_errors())
      return;  // it was reported missing, or got lost in a syntax error
    error({document_.where.end, document_.where.end}, "the model has no system line",
          "end it with 'system' and the names of the processes");
    return;
  }
  if (document_.system->entries.empty())
    error(document_.system->where, "the system line names no process");
  for (const ast::SystemEntry& entry : document_.system->entries)
    system_entry(entry);
}

void Checker::system_entry(const ast::SystemEntry& entry) {
  const SymbolId found = symbols_.find(entry.name.text);
  if (found.valid() && symbols_[found].kind == SymbolKind::kSkipped)
    return;
  const bool known = found.valid() && (symbols_[found].kind == SymbolKind::kTemplate ||
                                       symbols_[found].kind == SymbolKind::kInstance);
  if (!known) {
    if (!found.valid() && is_lost_process(entry.name.text))
      return;
    constexpr std::string_view kHint = "list templates or instantiations of templates";
    return error(
        entry.name.where, fmt::format("there is no process '{}'", entry.name.text),
        found.valid() ? std::string(kHint) : suggest(entry.name.text, Wanted::kProcess, kHint));
  }
  use(found);
  InstantiableInfo& listed = instantiables_[symbols_[found].index];
  if (listed.listed)
    return error(entry.name.where, fmt::format("'{}' is listed twice", entry.name.text),
                 "instantiate it twice under different names");
  listed.listed = true;
  listed.instantiated = true;
  if (listed.broken || !check_free_parameters(listed, entry.name.where))
    return;
  SystemEntry out{.priority = entry.level};
  out.instance =
      listed.instance.valid() ? listed.instance : builder_.add_implicit_instance(listed.id);
  builder_.add_system_entry(out);
}

bool Checker::check_free_parameters(const InstantiableInfo& listed, SourceRange where) {
  for (const ParameterInfo& p : listed.parameters) {
    if (!p.type.valid())
      return false;
    const TypeKind kind = info(p.type).kind;
    const bool range = (kind == TypeKind::kInt || kind == TypeKind::kScalar) && !p.plain_int &&
                       !builder_.network().types.is_symbolic(p.type);
    if (range && !(p.by_reference && !p.is_const))
      continue;
    error(where,
          fmt::format("'{}' has a free parameter '{}' whose values cannot be enumerated",
                      listed.name, p.name),
          p.by_reference
              ? "instantiate it: P = " + listed.name + "(…)"
              : "give the parameter a range, as in int[0,3], or instantiate the template");
    return false;
  }
  return check_free_layout(listed, where);
}

bool Checker::mentions(ExprId expression, const std::unordered_set<VariableId>& names) const {
  const ExpressionPool& pool = builder_.network().pool;
  std::vector<ExprId> stack = {expression};
  while (!stack.empty()) {
    const ExprId id = stack.back();
    stack.pop_back();
    if (pool[id].kind == ExprKind::kVariable && names.contains(pool[id].variable()))
      return true;
    const auto parts = pool.operands(id);
    stack.insert(stack.end(), parts.begin(), parts.end());
  }
  return false;
}

// Which parameters of the template get a value that depends on these names; returns the template.
TemplateId Checker::spread_over_instances(const InstantiableInfo& listed,
                                          std::unordered_set<VariableId>& names) const {
  const Network& network = builder_.network();
  TemplateId of = listed.id;
  for (InstanceId at = listed.instance; at.valid();) {
    const Instance& instance = network.instances[at];
    at = instance.of_instance;
    if (!at.valid())
      of = instance.of_template;
    const std::vector<VariableId>& inner =
        at.valid() ? network.instances[at].parameters : network.templates[of].parameters;
    for (std::size_t i = 0; i < inner.size() && i < instance.arguments.size(); ++i)
      if (mentions(instance.arguments[i], names))
        names.insert(inner[i]);
  }
  return of;
}

// Free parameters may not decide how much memory a process has.
bool Checker::check_free_layout(const InstantiableInfo& listed, SourceRange where) {
  const Network& network = builder_.network();
  std::unordered_set<VariableId> free;
  for (const ParameterInfo& p : listed.parameters)
    if (p.variable.valid())
      free.insert(p.variable);
  if (free.empty())
    return true;
  const TemplateId of = spread_over_instances(listed, free);
  for (const VariableId local : network.templates[of].locals) {
    const Variable& v = network.variables[local];
    if (v.storage == Storage::kConstant && v.initialiser.valid() && mentions(v.initialiser, free))
      free.insert(local);
    for (TypeId t = v.type; info(t).kind == TypeKind::kArray; t = info(t).element) {
      const Type& range = info(info(t).index);
      if (!range.high_bound.valid() ||
          (!mentions(range.low_bound, free) && !mentions(range.high_bound, free)))
        continue;
      error(where,
            fmt::format("a free parameter of '{}' decides the size of its array '{}'", listed.name,
                        v.name),
            "instantiate the template with constants, one process each");
      return false;
    }
  }
  return true;
}

void Checker::warn_unused() {
  for (const Symbol& symbol : symbols_.all()) {
    if (symbol.frame == Frame::kBuiltin || symbol.name.empty() ||
        symbol.kind == SymbolKind::kLocation)
      continue;
    const bool channel = symbol.kind == SymbolKind::kVariable && symbol.type.valid() &&
                         contains(symbol.type, TypeKind::kChannel);
    const bool parameter = symbol.frame == Frame::kFunction;
    if (channel && symbol.used && symbol.sent != symbol.received &&
        symbol.access == Access::kWritable && !is_reference_parameter(symbol))
      warning(symbol.where, fmt::format("nobody {} channel '{}'",
                                        symbol.sent ? "receives on" : "sends on", symbol.name));
    if (symbol.used || parameter)
      continue;
    switch (symbol.kind) {
      case SymbolKind::kVariable:
        // A parameter may be there only to tell processes apart.
        if (symbol.type.valid() && !is_template_parameter(symbol))
          warning(symbol.where, fmt::format("'{}' is never used", symbol.name));
        break;
      case SymbolKind::kFunction:
        if (!symbol.name.starts_with("__ON_"))
          warning(symbol.where, fmt::format("the function '{}' is never called", symbol.name));
        break;
      case SymbolKind::kTemplate:
        warning(symbol.where, fmt::format("the template '{}' is never instantiated", symbol.name));
        break;
      case SymbolKind::kInstance:
        warning(symbol.where, fmt::format("'{}' is not listed in the system line", symbol.name));
        break;
      case SymbolKind::kType:
      case SymbolKind::kLocation:
      case SymbolKind::kNumber:
      case SymbolKind::kBuiltinFunction:
      case SymbolKind::kSkipped:
        break;
    }
  }
}

bool Checker::is_template_parameter(const Symbol& symbol) const {
  return symbol.variable.valid() &&
         builder_.network().variables[symbol.variable].role == Role::kParameter;
}

bool Checker::is_reference_parameter(const Symbol& symbol) const {
  return symbol.variable.valid() && builder_.network().variables[symbol.variable].by_reference;
}

}  // namespace tw::uppaal
