// Properties: what may be asked about processes and their locations. Checked once the processes
// exist. Quantifiers are written out, each value of the bound name in turn a constant: `Train(i)`
// must be some process, and no new variable needs a place in memory.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/base/suggest.hpp"
#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {
namespace {

using Kind = PropertyNode::Kind;

// Written out, a property may have so many parts; and one clause may be split by so many locations.
constexpr std::size_t kMostParts = 200'000;
constexpr std::size_t kMostSplits = 10;
constexpr std::size_t kMostNames = 4;

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool continues_word(char c) {
  return starts_word(c) || (c >= '0' && c <= '9') || c == '$' || c == '#';
}

Kind kind_of(ast::LtlKind kind) {
  switch (kind) {
    case ast::LtlKind::kAnd:
      return Kind::kAnd;
    case ast::LtlKind::kOr:
      return Kind::kOr;
    case ast::LtlKind::kImply:
      return Kind::kImply;
    case ast::LtlKind::kXor:
    case ast::LtlKind::kEquivalent:
      return Kind::kXor;
    case ast::LtlKind::kNext:
      return Kind::kNext;
    case ast::LtlKind::kAlways:
      return Kind::kAlways;
    case ast::LtlKind::kEventually:
      return Kind::kEventually;
    case ast::LtlKind::kUntil:
      return Kind::kUntil;
    case ast::LtlKind::kWeakUntil:
      return Kind::kWeakUntil;
    case ast::LtlKind::kRelease:
      return Kind::kRelease;
    case ast::LtlKind::kExpression:
    case ast::LtlKind::kNot:
    case ast::LtlKind::kForall:
    case ast::LtlKind::kExists:
      break;
  }
  return Kind::kConstant;
}

std::optional<Kind> connective(const ast::Expr& e) {
  if (e.kind != ast::ExprKind::kBinary)
    return std::nullopt;
  if (e.op == ast::Op::kAnd)
    return Kind::kAnd;
  if (e.op == ast::Op::kOr)
    return Kind::kOr;
  if (e.op == ast::Op::kImply)
    return Kind::kImply;
  if (e.op == ast::Op::kXor)
    return Kind::kXor;
  return std::nullopt;
}

// Combined in pairs of neighbours, so that the tree is flat and the order stays.
template <class T, class F>
T in_pairs(std::vector<T> parts, F combine) {
  while (parts.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
      next.push_back(combine(parts[i], parts[i + 1]));
    if (parts.size() % 2 == 1)
      next.push_back(parts.back());
    parts = std::move(next);
  }
  return parts.front();
}

}  // namespace

struct Checker::PropertyScope {
  Property property;
  const SourceText& text;
  std::vector<std::pair<std::string, std::int32_t>> bound;  // quantified names, innermost last
  std::vector<std::pair<LocationId, bool>> assumed;         // inside a split clause
  LocationId open;                                          // one that is not assumed yet
  std::size_t parts = 0;                                    // copies made by quantifiers
  bool too_large = false;
};

std::optional<Property> Checker::property(ast::LtlId formula,
                                          const SourceText& text,
                                          Diagnostics& problems) {
  const Network& network = builder_.network();
  if (processes_.empty())
    for (std::size_t i = 0; i < network.processes.size(); ++i)
      processes_.emplace(network.processes[ProcessId(i)].name, ProcessId(i));
  PropertyScope scope{.property = {}, .text = text};
  Diagnostics* const outer = std::exchange(diagnostics_, &problems);
  scope_ = &scope;
  reported_dynamic_ = false;  // said once per property
  scope.property.root = temporal(formula);
  scope_ = nullptr;
  diagnostics_ = outer;
  if (problems.has_errors() || !scope.property.root.valid())
    return std::nullopt;
  return std::move(scope.property);
}

// --- The tree

PropertyNodeId Checker::add_node(PropertyNode node) {
  if (scope_->property.nodes.size() < kMostParts)
    return scope_->property.nodes.push_back(std::move(node));
  if (!scope_->too_large)
    error(scope_->text.where(),
          fmt::format("with its quantifiers written out, this has more than {} parts", kMostParts),
          "ask about fewer processes at once");
  scope_->too_large = true;
  return {};
}

PropertyNodeId Checker::truth_node(bool value) {
  return add_node({.kind = Kind::kConstant, .value = value});
}

std::optional<bool> Checker::truth_of(PropertyNodeId id) const {
  const PropertyNode& node = scope_->property[id];
  return node.kind == Kind::kConstant ? std::optional(node.value) : std::nullopt;
}

PropertyNodeId Checker::negation(PropertyNodeId operand) {
  if (!operand.valid())
    return {};
  if (const std::optional<bool> value = truth_of(operand))
    return truth_node(!*value);
  return add_node({.kind = Kind::kNot, .left = operand});
}

PropertyNodeId Checker::connect(Kind kind, PropertyNodeId left, PropertyNodeId right) {
  if (!left.valid() || !right.valid())
    return {};
  const std::optional<bool> a = truth_of(left);
  const std::optional<bool> b = truth_of(right);
  switch (kind) {
    case Kind::kAnd:
      if (a)
        return *a ? right : left;
      if (b)
        return *b ? left : right;
      break;
    case Kind::kOr:
      if (a)
        return *a ? left : right;
      if (b)
        return *b ? right : left;
      break;
    case Kind::kImply:
      if (a)
        return *a ? right : truth_node(true);
      if (b)
        return *b ? right : negation(left);
      break;
    default:
      if (a)
        return *a ? negation(right) : right;
      if (b)
        return *b ? negation(left) : left;
      break;
  }
  return add_node({.kind = kind, .left = left, .right = right});
}

PropertyNodeId Checker::temporal_node(Kind kind, PropertyNodeId left, PropertyNodeId right) {
  const bool binary = kind == Kind::kUntil || kind == Kind::kWeakUntil || kind == Kind::kRelease;
  if (!left.valid() || (binary && !right.valid()))
    return {};
  const std::optional<bool> a = truth_of(left);
  if (!binary)
    return a ? left : add_node({.kind = kind, .left = left});
  const std::optional<bool> b = truth_of(right);
  const bool release = kind == Kind::kRelease;
  // What ends it is there at once, or what has to last never is.
  if (b == std::optional(!release) || (release && b))
    return right;
  if (kind == Kind::kUntil && b)
    return right;
  if (kind == Kind::kWeakUntil && a == std::optional(true))
    return left;
  if (a == std::optional(release))
    return right;
  if (kind == Kind::kWeakUntil && b)
    return temporal_node(Kind::kAlways, left, {});
  if (release && a)
    return temporal_node(Kind::kAlways, right, {});
  if (kind == Kind::kUntil && a)
    return temporal_node(Kind::kEventually, right, {});
  return add_node({.kind = kind, .left = left, .right = right});
}

PropertyNodeId Checker::temporal(ast::LtlId id) {
  const ast::Ltl& e = document_.ltl[id];
  switch (e.kind) {
    case ast::LtlKind::kExpression:
      return state_formula(e.expression);
    case ast::LtlKind::kNot:
      return negation(temporal(e.left));
    case ast::LtlKind::kAnd:
    case ast::LtlKind::kOr:
    case ast::LtlKind::kImply:
    case ast::LtlKind::kXor:
    case ast::LtlKind::kEquivalent: {
      const PropertyNodeId left = temporal(e.left);
      const PropertyNodeId both = connect(kind_of(e.kind), left, temporal(e.right));
      return e.kind == ast::LtlKind::kEquivalent ? negation(both) : both;
    }
    case ast::LtlKind::kForall:
    case ast::LtlKind::kExists: {
      const std::optional<Range> range = property_range(e.type);
      if (!range)
        return {};
      return quantified(*range, e.variable.text, e.kind == ast::LtlKind::kForall,
                        [&] { return temporal(e.left); });
    }
    case ast::LtlKind::kNext:
    case ast::LtlKind::kAlways:
    case ast::LtlKind::kEventually:
      return temporal_node(kind_of(e.kind), temporal(e.left), {});
    case ast::LtlKind::kUntil:
    case ast::LtlKind::kWeakUntil:
    case ast::LtlKind::kRelease: {
      const PropertyNodeId left = temporal(e.left);
      return temporal_node(kind_of(e.kind), left, temporal(e.right));
    }
  }
  return {};
}

PropertyNodeId Checker::state_formula(ast::ExprId id) {
  if (!id.valid())
    return {};
  const ast::Expr& e = node(id);
  if (e.kind == ast::ExprKind::kUnary && e.op == ast::Op::kNot)
    return negation(state_formula(e.args[0]));
  if (const std::optional<Kind> kind = connective(e)) {
    const PropertyNodeId left = state_formula(e.args[0]);
    return connect(*kind, left, state_formula(e.args[1]));
  }
  if (e.kind == ast::ExprKind::kQuantifier && e.op != ast::Op::kSum) {
    const std::optional<Range> range = property_range(e.type);
    if (!range)
      return {};
    return quantified(*range, e.text, e.op == ast::Op::kForall,
                      [&] { return state_formula(e.args[0]); });
  }
  return clause(id);
}

std::optional<Checker::Range> Checker::property_range(ast::TypeId id) {
  const TypeSpec spec = type(id);
  if (!is_bounded_range(spec, "a quantifier"))
    return std::nullopt;
  return Range{.type = spec.type, .low = info(spec.type).low, .high = info(spec.type).high};
}

void Checker::bind(const std::string& name, const Range& range, std::int32_t value) {
  symbols_.push(Frame::kBlock);
  symbols_.declare({.name = name,
                    .kind = SymbolKind::kNumber,
                    .frame = Frame::kBlock,
                    .type = range.type,
                    .value = value});
  scope_->bound.emplace_back(name, value);
}

void Checker::unbind() {
  scope_->bound.pop_back();
  symbols_.pop();
}

PropertyNodeId Checker::quantified(const Range& range,
                                   const std::string& name,
                                   bool all,
                                   const std::function<PropertyNodeId()>& body) {
  std::vector<PropertyNodeId> parts;
  for (std::int64_t value = range.low; value <= range.high; ++value) {
    bind(name, range, static_cast<std::int32_t>(value));
    parts.push_back(body());
    unbind();
    if (!parts.back().valid() || diagnostics_->has_errors())
      return {};
  }
  if (parts.empty())
    return truth_node(all);
  return in_pairs(std::move(parts), [&](PropertyNodeId a, PropertyNodeId b) {
    return connect(all ? Kind::kAnd : Kind::kOr, a, b);
  });
}

// --- Clauses

PropertyNodeId Checker::clause(ast::ExprId id) {
  const ast::Expr& e = node(id);
  if (e.kind == ast::ExprKind::kField) {
    const std::optional<Member> found = member(e);
    if (found && found->location.valid())
      return add_node({.kind = Kind::kLocation,
                       .location = found->location,
                       .is_clause = true,
                       .text = clause_text(e.where)});
    if (found && !found->variable.valid())
      return {};
  }
  const PropertyNodeId out = split_clause(id, 0);
  if (!out.valid() || truth_of(out))
    return out;
  // What was a node before is still the root of no other part: clauses are made one by one.
  PropertyNode& top = scope_->property.nodes[out];
  top.is_clause = true;
  top.text = clause_text(e.where);
  return out;
}

// A location that is used as a number has two values: one tree for each.
PropertyNodeId Checker::split_clause(ast::ExprId id, std::size_t depth) {
  scope_->open = LocationId();
  Checked value = expression(id);
  if (value.poisoned() || !check_clause(value))
    return {};
  if (!scope_->open.valid()) {
    if (value.computable) {
      const EvalResult known = evaluate(builder_.network(), builder_.constants(), value.id);
      if (known.ok())
        return truth_node(known.scalar() != 0);
    }
    return add_node({.kind = Kind::kExpression, .expression = value.id});
  }
  const LocationId location = scope_->open;
  if (depth == kMostSplits) {
    error(node(id).where,
          fmt::format("this computes with more than {} locations at once", kMostSplits),
          "connect them with 'and' and 'or', or count in a variable of the model");
    return {};
  }
  scope_->assumed.emplace_back(location, true);
  const PropertyNodeId yes = split_clause(id, depth + 1);
  scope_->assumed.back().second = false;
  const PropertyNodeId no = split_clause(id, depth + 1);
  scope_->assumed.pop_back();
  const PropertyNodeId there = add_node({.kind = Kind::kLocation, .location = location});
  const PropertyNodeId again = add_node({.kind = Kind::kLocation, .location = location});
  return connect(Kind::kOr, connect(Kind::kAnd, there, yes),
                 connect(Kind::kAnd, negation(again), no));
}

// A truth value that states have; a number is one, too.
bool Checker::check_clause(Checked& value) {
  if (value.effect) {
    error(value.where, "a property must not change anything");
    return false;
  }
  if (value.form != ClockForm::kNone) {
    error(value.where, "a property needs a truth value, not a clock",
          "compare the clock with a bound");
    return false;
  }
  if (value.rate || value.real || !value.runs()) {
    error(value.where, value.rate ? "a property cannot ask how fast a clock runs"
                                  : "real values do not exist while the model runs");
    return false;
  }
  if (!scalar_value(value, "a property"))
    return false;
  if (mentions_meta(value.id)) {
    error(value.where, "a 'meta' variable has no value in a state",
          "declare the variable without 'meta'");
    return false;
  }
  if (info(value.type).kind != TypeKind::kBool)
    value.id = builder_.binary(ExprKind::kNotEqual, value.id, builder_.constant(0, value.where),
                               value.where);
  return true;
}

bool Checker::mentions_meta(ExprId id) const {
  const Network& network = builder_.network();
  const Expression& e = network.pool[id];
  if (e.kind == ExprKind::kVariable)
    return network.variables[e.variable()].storage == Storage::kMeta;
  return std::ranges::any_of(network.pool.operands(id),
                             [this](ExprId part) { return mentions_meta(part); });
}

std::string Checker::clause_text(SourceRange where) const {
  const std::string_view text = scope_->text.at(where);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!starts_word(text[i])) {
      const bool blank = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
      out += blank ? ' ' : text[i];
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && continues_word(text[end]))
      ++end;
    const std::string_view word = text.substr(i, end - i);
    const bool is_member = i > 0 && text[i - 1] == '.';
    const auto known = std::find_if(scope_->bound.rbegin(), scope_->bound.rend(),
                                    [&](const auto& entry) { return entry.first == word; });
    if (known == scope_->bound.rend() || is_member)
      out += word;
    else
      out += fmt::to_string(known->second);
    i = end;
  }
  return out;
}

// A quantifier inside a clause.
Checked Checker::written_out(const ast::Expr& e) {
  const std::optional<Range> range = property_range(e.type);
  if (!range)
    return poison();
  const bool sum = e.op == ast::Op::kSum;
  Checked out;
  out.where = e.where;
  out.computable = true;
  out.type = sum ? builder_.network().types.int_type() : builder_.bool_type();
  std::vector<ExprId> parts;
  for (std::int64_t value = range->low; value <= range->high; ++value) {
    if (++scope_->parts > kMostParts)
      return poison(e.where, fmt::format("written out, this has more than {} parts", kMostParts),
                    "ask about a smaller range");
    bind(e.text, *range, static_cast<std::int32_t>(value));
    Checked body = expression(e.args[0]);
    unbind();
    if (body.poisoned())
      return poison();
    if (body.effect)
      return poison(body.where, "the body of a quantifier must not change anything");
    if (sum ? !integral(body, "the body of 'sum'")
            : !scalar_value(body, "the body of a quantifier"))
      return poison();
    out.real = out.real || body.real;
    out.rate = out.rate || body.rate;
    out.computable = out.computable && body.computable;
    out.constraint = std::max(out.constraint, body.constraint);
    parts.push_back(body.id);
  }
  if (out.real)
    return out;
  if (parts.empty()) {
    out.id =
        sum ? builder_.constant(0, e.where) : builder_.truth(e.op == ast::Op::kForall, e.where);
    return out;
  }
  ExprKind kind = sum ? ExprKind::kAdd : ExprKind::kAnd;
  if (e.op == ast::Op::kExists)
    kind = ExprKind::kOr;
  out.id = in_pairs(std::move(parts),
                    [&](ExprId a, ExprId b) { return builder_.binary(kind, a, b, e.where); });
  return out;
}

// --- Processes

// "Train(1)" of `Train(1)`, `Train(i)` and `P`; none if this names no process of a known template.
std::optional<std::string> Checker::process_name(const ast::Expr& e) {
  const bool call = e.kind == ast::ExprKind::kCall;
  const ast::Expr& name = call ? node(e.args[0]) : e;
  if (name.kind != ast::ExprKind::kName)
    return std::nullopt;
  const SymbolId id = symbols_.find(name.text);
  if (!id.valid() ||
      (symbols_[id].kind != SymbolKind::kTemplate && symbols_[id].kind != SymbolKind::kInstance))
    return std::nullopt;
  std::string out = name.text;
  for (std::size_t i = 1; call && i < e.args.size(); ++i) {
    const Checked argument = expression(e.args[i]);
    if (argument.poisoned())
      return "";
    const bool known = argument.computable && argument.runs() &&
                       builder_.network().types.is_discrete(argument.type);
    if (!known) {
      error(argument.where, "which process is meant must be known before the model runs",
            "use a number, a constant or a quantified name");
      return "";
    }
    const std::optional<std::int32_t> value = builder_.evaluate(argument.id, *diagnostics_);
    if (!value)
      return "";
    out += fmt::format("{}{}", i == 1 ? "(" : ",", *value);
  }
  return call && e.args.size() > 1 ? out + ")" : out;
}

ProcessId Checker::find_process(const ast::Expr& e, const std::string& name) {
  if (name.empty())
    return {};
  const auto known = processes_.find(name);
  if (known != processes_.end())
    return known->second;
  const std::string base = name.substr(0, name.find('('));
  std::string some;
  std::size_t count = 0;
  for (const Process& process : builder_.network().processes)
    if (process.name.substr(0, process.name.find('(')) == base && ++count <= kMostNames)
      some += (some.empty() ? "" : ", ") + process.name;
  if (count > kMostNames)
    some += ", …";
  if (count == 0)
    error(e.where, fmt::format("'{}' is no process of the system", base),
          "list it in the system line");
  else
    error(e.where, fmt::format("there is no process '{}'", name), fmt::format("there is {}", some));
  return {};
}

// None if `e` looks into something else than a process.
std::optional<Checker::Member> Checker::member(const ast::Expr& e) {
  const ast::Expr& owner = node(e.args[0]);
  const std::optional<std::string> name = process_name(owner);
  if (!name)
    return std::nullopt;
  const ProcessId id = find_process(owner, *name);
  if (!id.valid())
    return Member{};
  const Network& network = builder_.network();
  const Process& process = network.processes[id];
  std::vector<std::string> names;
  for (std::size_t i = 0; i < process.location_count; ++i) {
    const LocationId location(process.first_location.index() + i);
    const LocationDecl& decl = network.decl(location);
    if (decl.kind == LocationKind::kBranchpoint || !decl.named)
      continue;
    if (decl.name == e.text)
      return Member{.location = location};
    names.push_back(decl.name);
  }
  for (const VariableId variable : process.variables) {
    if (network.variables[variable].name == e.text)
      return Member{.variable = variable};
    names.push_back(network.variables[variable].name);
  }
  for (const VariableId parameter : network.templates[process.of_template].parameters)
    if (network.variables[parameter].name == e.text) {
      error(e.op_where, fmt::format("'{}' only stands for another variable", e.text),
            "name that variable itself");
      return Member{};
    }
  const std::string_view near = nearest_name(e.text, names);
  error(e.op_where,
        fmt::format("process '{}' has no location or variable '{}'", process.name, e.text),
        near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  return Member{};
}

// For a name that is unknown outside of processes: the first process that has one.
std::string Checker::suggest_member(std::string_view name) const {
  const Network& network = builder_.network();
  for (const Process& process : network.processes) {
    const Template& t = network.templates[process.of_template];
    const bool variable = std::ranges::any_of(
        process.variables, [&](VariableId id) { return network.variables[id].name == name; });
    const bool location = std::ranges::any_of(
        t.locations, [&](LocationDeclId id) { return network.location_decls[id].name == name; });
    if (variable || location)
      return fmt::format("did you mean '{}.{}'?", process.name, name);
  }
  return suggest(name, Wanted::kValue, "use a global name, or 'process.name'");
}

Checked Checker::member_value(const ast::Expr& e, const Member& found) {
  Checked out;
  out.where = e.where;
  if (found.location.valid()) {
    out.type = builder_.bool_type();
    const auto known =
        std::ranges::find(scope_->assumed, found.location, &std::pair<LocationId, bool>::first);
    if (known == scope_->assumed.end())
      scope_->open = found.location;
    out.id = builder_.truth(known != scope_->assumed.end() && known->second, e.where);
    // Until all locations are assumed nothing is known.
    out.computable = known != scope_->assumed.end();
    return out;
  }
  if (!found.variable.valid())
    return poison();
  const Variable& variable = builder_.network().variables[found.variable];
  out.type = variable.type;
  out.lvalue = true;
  out.access = Access::kConstant;  // nothing is written here
  out.computable = variable.storage == Storage::kConstant;
  out.id = builder_.variable(found.variable, e.where);
  if (info(variable.type).kind == TypeKind::kClock)
    out.form = ClockForm::kClock;
  return out;
}

}  // namespace tw::uppaal
