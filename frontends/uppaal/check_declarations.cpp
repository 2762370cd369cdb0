// Declarations: variables with their initial values, types, channel priorities, update hooks,
// parameters.

#include <algorithm>
#include <fmt/format.h>

#include "engine/model/initial_value.hpp"
#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {
namespace {

bool is_hook_function(std::string_view name) {
  return name == "__ON_CONSTRUCT__" || name == "__ON_DESTRUCT__" || name == "__ON_BEGIN__" ||
         name == "__ON_END__";
}

}  // namespace

SymbolId Checker::declare(Symbol symbol) {
  if (symbol.name.empty())
    return {};
  const SymbolId here = symbols_.find_here(symbol.name);
  if (here.valid()) {
    error(
        symbol.where, fmt::format("'{}' is declared twice", symbol.name),
        fmt::format("rename one of the two (the first one is at {})", place(symbols_[here].where)));
    return {};
  }
  if (is_hook_function(symbol.name))
    warning(
        symbol.where,
        fmt::format("'{}' is never called: hooks of external libraries are ignored", symbol.name));
  const SymbolId outer = symbols_.find(symbol.name);
  const bool local_name = symbol.kind == SymbolKind::kVariable;
  if (outer.valid() && local_name && symbols_[outer].kind == SymbolKind::kVariable &&
      symbols_[outer].frame != Frame::kBuiltin)
    warning(symbol.where,
            fmt::format("'{}' hides a {} of the same name", symbol.name,
                        symbols_[outer].frame == Frame::kGlobal ? "global variable" : "variable"),
            "rename one of the two");
  return symbols_.declare(std::move(symbol));
}

void Checker::declarations(const std::vector<ast::Declaration>& list) {
  for (const ast::Declaration& d : list)
    declaration(d);
}

void Checker::declaration(const ast::Declaration& d) {
  if (d.variables)
    variables(*d.variables, nullptr);
  else if (d.types)
    types(*d.types);
  else if (d.function)
    function(*d.function);
  else if (d.process)
    process(*d.process);
  else if (d.instantiation)
    instantiation(*d.instantiation);
  else if (d.channel_priority)
    channel_priority(*d.channel_priority);
  else if (d.hook)
    hook(*d.hook);
  else if (d.unsupported)
    unsupported(*d.unsupported);
}

void Checker::unsupported(const ast::Unsupported& d) {
  if (d.what == "import")
    error(d.where, "external functions are not supported",
          "write the functions in the model, or remove the import");
  else if (d.what == "dynamic")
    error(d.where, "dynamic templates are not supported", "list all processes in the system line");
  else
    error(d.where, fmt::format("'{}' declarations (ECDAR) are not supported", d.what),
          "remove them: channels and edges say which actions there are");
}

void Checker::variables(const ast::VariableDeclaration& d, std::vector<StmtId>* block) {
  const TypeSpec spec = type(d.type);
  for (const ast::Declarator& declarator : d.declarators)
    declare_variable(declarator, spec, block);
}

bool Checker::check_storable(const ast::Declarator& d, const TypeSpec& spec, TypeId t) {
  const SourceRange where = d.name.where;
  if (contains(t, TypeKind::kVoid)) {
    error(where, fmt::format("'{}' cannot be of type void", d.name.text));
    return false;
  }
  if (!builder_.network().types.is_symbolic(t) &&
      builder_.network().types.shape(t).largest() > builder_.limits().variable_cells) {
    error(where,
          fmt::format("'{}' has more than {} elements, the limit for one variable", d.name.text,
                      builder_.limits().variable_cells),
          "use a smaller type");
    return false;
  }
  if (builder_.network().types.has_empty_range(t)) {
    error(spec.where, fmt::format("'{}' has an empty range: no value fits", d.name.text),
          "the lower bound comes first");
    return false;
  }
  if (spec.string && !spec.is_const) {
    error(where, "a string must be a constant", "write const string");
    return false;
  }
  if (function_ != nullptr && contains(t, TypeKind::kClock)) {
    error(where, "a function cannot have a clock of its own", "declare it outside");
    return false;
  }
  if (function_ != nullptr && contains(t, TypeKind::kChannel)) {
    error(where, "a function cannot have a channel of its own", "declare it outside");
    return false;
  }
  if (spec.is_const && !d.initialiser.valid()) {
    error(where, fmt::format("the constant '{}' has no value", d.name.text),
          fmt::format("write {} = …", d.name.text));
    return false;
  }
  if (!d.initialiser.valid())
    return true;
  const SourceRange at = node(d.initialiser).where;
  if (contains(t, TypeKind::kChannel)) {
    error(at, "a channel has no value");
    return false;
  }
  TypeId element = t;
  bool by_scalar = false;
  while (info(element).kind == TypeKind::kArray) {
    by_scalar = by_scalar || info(info(element).index).kind == TypeKind::kScalar;
    element = info(element).element;
  }
  if (by_scalar || contains(t, TypeKind::kScalar)) {
    error(at, "scalars are unordered, so there is nothing to initialise them with");
    return false;
  }
  return true;
}

Storage Checker::storage_of(const TypeSpec& spec, bool local) {
  if (local)
    return Storage::kFrame;
  if (spec.is_const)
    return Storage::kConstant;
  return spec.is_meta ? Storage::kMeta : Storage::kState;
}

void Checker::declare_variable(const ast::Declarator& d,
                               const TypeSpec& spec,
                               std::vector<StmtId>* block) {
  const bool local = block != nullptr;
  const TypeId t = with_dimensions(spec, d.dimensions);
  const bool ok = t.valid() && check_storable(d, spec, t);
  // The initialiser comes first: a variable is not visible in its own initialiser.
  Checked init;
  if (ok && d.initialiser.valid())
    init = initialiser(d.initialiser, t);
  else if (d.initialiser.valid() && node(d.initialiser).kind != ast::ExprKind::kList)
    static_cast<void>(expression(d.initialiser));  // for its own mistakes
  const bool init_ok = !d.initialiser.valid() || !init.poisoned();

  Symbol symbol{.name = d.name.text,
                .kind = SymbolKind::kVariable,
                .where = d.name.where,
                .access = spec.is_const ? Access::kConstant : Access::kWritable,
                .computable = spec.is_const && !local,
                .function_local = local,
                .hybrid = spec.hybrid};
  if (ok && init_ok)
    symbol.type = t;
  // Purely real-valued: known to the checker, absent from the network.
  const bool absent = !ok || !init_ok || is_real(t) || spec.string;
  if (!absent) {
    Role role = in_template() ? Role::kLocal : Role::kGlobal;
    if (local)
      role = Role::kFunctionLocal;
    symbol.variable = builder_.add_variable({.name = d.name.text,
                                             .type = t,
                                             .role = role,
                                             .storage = storage_of(spec, local),
                                             .is_const = spec.is_const,
                                             .where = d.name.where,
                                             .prototype = in_template(),
                                             .owner_template = template_,
                                             .initialiser = local ? ExprId() : init.id});
    // Constants are needed from here on; of other globals the value is checked here, so that one
    // run shows all errors.
    if (role == Role::kGlobal && (spec.is_const || init.runs()) &&
        !builder_.define(symbol.variable, *diagnostics_))
      symbol.type = TypeId();
  }
  const VariableId variable = symbol.variable;
  if (!declare(std::move(symbol)).valid() || absent || !local)
    return;
  locals_->push_back(variable);
  Statement statement{.kind = StmtKind::kDeclare, .where = d.name.where, .variable = variable};
  if (init.runs())
    statement.exprs.push_back(init.id);
  block->push_back(builder_.statement(std::move(statement)));
}

Checked Checker::initialiser(ast::ExprId id, TypeId t) {
  const ast::Expr& e = node(id);
  if (e.kind == ast::ExprKind::kList)
    return initialiser_list(e, t);
  Checked value = expression(id);
  if (value.poisoned())
    return poison();
  if (value.effect)
    return poison(value.where, "an initial value must not change anything");
  if (function_ == nullptr && !value.computable)
    return poison(value.where, "an initial value must be known before the model runs",
                  "use constants, or set it on the first edge");
  if (is_real(t)) {
    value.type = t;
    return value;
  }
  if (info(t).kind == TypeKind::kClock && value.real)
    return poison(value.where, "a clock can only start at a whole number");
  if (!check_assignable(t, value, "the initial value"))
    return poison();
  return value;
}

Checked Checker::initialiser_list(const ast::Expr& e, TypeId t) {
  const TypeKind kind = info(t).kind;
  if (kind != TypeKind::kArray && kind != TypeKind::kStruct)
    return poison(e.where, fmt::format("a list cannot initialise {}", describe(t)));
  Checked out;
  out.type = t;
  out.where = e.where;
  out.computable = true;
  std::vector<ExprId> elements;
  if (!(kind == TypeKind::kArray ? array_elements(e, t, out, elements)
                                 : struct_elements(e, t, out, elements)))
    return poison();
  out.real = is_real(t);
  if (!out.real)
    out.id = builder_.list(t, elements, e.where);
  return out;
}

// One element of a list; a real-valued one keeps its place, so that the others keep theirs.
ExprId Checker::list_element(ast::ExprId id, TypeId type, Checked& list) {
  const Checked value = initialiser(id, type);
  if (value.poisoned())
    return {};
  list.computable = list.computable && value.computable;
  return value.runs() ? value.id : builder_.constant(0, node(id).where);
}

bool Checker::array_elements(const ast::Expr& e,
                             TypeId t,
                             Checked& list,
                             std::vector<ExprId>& elements) {
  const TypeId element = info(t).element;
  bool ok = true;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (i < e.names.size() && !e.names[i].text.empty()) {
      error(e.names[i].where, "elements of an array have no names");
      ok = false;
    }
    elements.push_back(list_element(e.args[i], element, list));
    ok = ok && elements.back().valid();
  }
  const TypeTable& types = builder_.network().types;
  if (!ok || types.is_symbolic(t) || elements.size() == types.array_length(t))
    return ok;
  const std::size_t length = types.array_length(t);
  if (elements.size() > length) {
    error(e.where, fmt::format("{} values for {} elements", elements.size(), length),
          "give one value per element");
    return false;
  }
  warn_short_list(types[element], elements.size(), length, e.where, *diagnostics_);
  elements.resize(length, builder_.default_value(element, e.where));
  return true;
}

bool Checker::struct_elements(const ast::Expr& e,
                              TypeId t,
                              Checked& list,
                              std::vector<ExprId>& elements) {
  const std::vector<Field> fields = info(t).fields;
  elements.resize(fields.size());
  bool ok = true;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const auto position = struct_position(e, i, fields);
    if (!position) {
      ok = false;
      continue;
    }
    if (elements[*position].valid()) {
      error(node(e.args[i]).where,
            fmt::format("the field '{}' has a value already", fields[*position].name));
      ok = false;
      continue;
    }
    elements[*position] = list_element(e.args[i], fields[*position].type, list);
    ok = ok && elements[*position].valid();
  }
  for (std::size_t i = 0; ok && i < elements.size(); ++i) {
    if (elements[i].valid())
      continue;
    error(e.where, fmt::format("the field '{}' has no value", fields[i].name),
          "give every field exactly one value");
    ok = false;
  }
  return ok;
}

std::optional<std::size_t> Checker::struct_position(const ast::Expr& e,
                                                    std::size_t i,
                                                    const std::vector<Field>& fields) {
  if (i >= e.names.size() || e.names[i].text.empty()) {
    if (i < fields.size())
      return i;
    error(node(e.args[i]).where, fmt::format("the struct has only {} fields", fields.size()));
    return std::nullopt;
  }
  const auto at = std::find_if(fields.begin(), fields.end(),
                               [&](const Field& field) { return field.name == e.names[i].text; });
  if (at != fields.end())
    return static_cast<std::size_t>(at - fields.begin());
  error(e.names[i].where, fmt::format("the struct has no field '{}'", e.names[i].text));
  return std::nullopt;
}

void Checker::types(const ast::TypeDeclaration& d) {
  const TypeSpec spec = type(d.type);
  for (const ast::Declarator& declarator : d.declarators) {
    Symbol symbol{.name = declarator.name.text,
                  .kind = SymbolKind::kType,
                  .where = declarator.name.where,
                  .plain_int = spec.plain_int && declarator.dimensions.empty(),
                  .is_const_type = spec.is_const,
                  .is_meta_type = spec.is_meta,
                  .hybrid = spec.hybrid};
    symbol.type = with_dimensions(spec, declarator.dimensions);
    if (symbol.type.valid() && contains(symbol.type, TypeKind::kVoid)) {
      error(declarator.name.where, "a name for void");
      symbol.type = TypeId();
    }
    warn_empty(symbol.type, spec.where, "no value fits");
    declare(std::move(symbol));
  }
}

void Checker::channel_priority(const ast::ChannelPriority& d) {
  if (has_priority_) {
    error(d.where, "channel priorities are declared twice", "use one 'chan priority' for all");
    return;
  }
  has_priority_ = true;
  std::vector<PriorityGroup> groups;
  for (const std::vector<ast::ExprId>& group : d.groups) {
    PriorityGroup out;
    for (const ast::ExprId id : group) {
      if (!id.valid()) {
        out.has_default = true;
        continue;
      }
      const Checked channel = expression(id);
      if (channel.poisoned())
        continue;
      if (!contains(channel.type, TypeKind::kChannel)) {
        error(channel.where,
              fmt::format("{} has no priority, channels have", describe(channel.type)));
        continue;
      }
      out.channels.push_back(channel.id);
    }
    groups.push_back(std::move(out));
  }
  builder_.set_channel_priorities(std::move(groups));
}

void Checker::hook(const ast::UpdateHook& d) {
  std::vector<ExprId>& target = d.after ? after_update_ : before_update_;
  if (!target.empty()) {
    error(d.where,
          fmt::format("'{}' is declared twice", d.after ? "after_update" : "before_update"));
    return;
  }
  updates(d.updates, target);
}

bool Checker::check_parameter(const ast::Parameter& p, const TypeSpec& spec, TypeId t, Role role) {
  const SourceRange where = p.declarator.name.where;
  if (contains(t, TypeKind::kVoid)) {
    error(where, fmt::format("the parameter '{}' cannot be of type void", p.declarator.name.text));
    return false;
  }
  if (p.by_reference)
    return true;
  const bool clock = contains(t, TypeKind::kClock) || spec.hybrid;
  if (!clock && !contains(t, TypeKind::kChannel))
    return true;
  if (clock && role == Role::kFunctionParameter && contains(t, TypeKind::kStruct)) {
    error(where, "a struct with clocks can only be passed by reference",
          fmt::format("write &{}", p.declarator.name.text));
    return false;
  }
  error(where, fmt::format("{} can only be passed by reference", clock ? "a clock" : "a channel"),
        fmt::format("write &{}", p.declarator.name.text));
  return false;
}

std::vector<Checker::ParameterInfo> Checker::parameters(const std::vector<ast::Parameter>& list,
                                                        Role role,
                                                        TemplateId owner) {
  std::vector<ParameterInfo> out;
  out.reserve(list.size());
  for (const ast::Parameter& p : list)
    out.push_back(parameter(p, role, owner));
  return out;
}

Checker::ParameterInfo Checker::parameter(const ast::Parameter& p, Role role, TemplateId owner) {
  const TypeSpec spec = type(p.type);
  const ast::Name& n = p.declarator.name;
  TypeId t = with_dimensions(spec, p.declarator.dimensions);
  if (t.valid() && !check_parameter(p, spec, t, role))
    t = TypeId();
  warn_empty(t, spec.where, "no value fits");
  const bool of_function = role == Role::kFunctionParameter;
  Symbol symbol{.name = n.text,
                .kind = SymbolKind::kVariable,
                .where = n.where,
                .type = t,
                .computable = spec.is_const && !of_function,
                // What a function does through its references counts at the call, where the
                // argument is known.
                .function_local = of_function,
                .hybrid = spec.hybrid};
  if (spec.is_const)
    symbol.access = p.by_reference ? Access::kReferenceToConstant : Access::kConstant;
  Storage storage = spec.is_const ? Storage::kConstant : Storage::kState;
  if (of_function)
    storage = Storage::kFrame;
  if (t.valid() && !is_real(t) && !spec.string)
    symbol.variable = builder_.add_variable({.name = n.text,
                                             .type = t,
                                             .role = role,
                                             .storage = storage,
                                             .by_reference = p.by_reference,
                                             .is_const = spec.is_const,
                                             .where = n.where,
                                             .prototype = !of_function || in_template(),
                                             .owner_template = owner});
  const VariableId variable = symbol.variable;
  declare(std::move(symbol));
  return {.name = n.text,
          .type = t,
          .by_reference = p.by_reference,
          .is_const = spec.is_const,
          .plain_int = spec.plain_int && p.declarator.dimensions.empty(),
          .variable = variable,
          .where = n.where};
}

}  // namespace tw::uppaal
