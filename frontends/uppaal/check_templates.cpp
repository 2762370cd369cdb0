// Templates: locations with invariants, edges with select, guard, synchronisation and update.

#include <cctype>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

#include "engine/base/suggest.hpp"
#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {
namespace {

// '_' and the id, as UPPAAL shows it in traces; characters no name can have become '_'.
std::string name_from_id(const std::string& id) {
  std::string name = "_" + id;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_')
      c = '_';
  return name;
}

LocationKind kind_of(const ast::Location& l) {
  if (l.committed)
    return LocationKind::kCommitted;
  return l.urgent ? LocationKind::kUrgent : LocationKind::kNormal;
}

}  // namespace

void Checker::process(const ast::Template& t) {
  const auto slot = static_cast<std::uint32_t>(instantiables_.size());
  InstantiableInfo made{.name = t.name.text, .where = t.name.where};
  made.symbol = declare(
      {.name = t.name.text, .kind = SymbolKind::kTemplate, .where = t.name.where, .index = slot});
  made.id = builder_.add_template(t.name.text, t.name.where);
  instantiables_.push_back(made);

  const std::size_t errors = diagnostics_->errors();
  template_ = made.id;
  endpoints_.clear();
  location_names_.clear();
  symbols_.push(Frame::kTemplate);
  instantiables_[slot].parameters = parameters(t.parameters, Role::kParameter, made.id);
  declarations(t.declarations);
  locations(t);
  edges(t);
  symbols_.pop();
  template_ = TemplateId();
  instantiables_[slot].broken = diagnostics_->errors() != errors;
}

void Checker::locations(const ast::Template& t) {
  if (t.locations.empty() && t.incomplete)
    return;
  if (t.locations.empty()) {
    error(t.name.where, fmt::format("the template '{}' has no locations", t.name.text),
          "every template needs at least one location");
    return;
  }
  std::vector<LocationDeclId> ids;
  std::unordered_map<std::string, std::size_t> others_of;  // how often a name was wanted again
  const auto add = [&](const std::string& id, const ast::Name& given, LocationDecl decl) {
    decl.name = given.text.empty() ? name_from_id(id) : given.text;
    decl.named = !given.text.empty();
    const std::string wish = decl.name;
    while (!location_names_.insert(decl.name).second) {
      if (decl.named) {
        error(given.where, fmt::format("the template has a location '{}' already", given.text),
              "rename one of the two");
        break;
      }
      const std::size_t others = ++others_of[wish];
      decl.name = others == 1 ? wish + '_' : fmt::format("{}_{}", wish, others);
    }
    const LocationDeclId made = builder_.add_location(template_, std::move(decl));
    endpoints_.emplace(id, made);
    return made;
  };
  for (const ast::Location& l : t.locations) {
    if (l.urgent && l.committed)
      error(l.where, "a location cannot be both urgent and committed",
            "committed locations are urgent anyway");
    ids.push_back(add(
        l.id, l.name,
        {.kind = kind_of(l), .where = l.where, .annotations = l.annotations, .layout = l.layout}));
    declare_location(l.name);
  }
  for (const ast::Branchpoint& b : t.branchpoints)
    add(b.id, b.name, {.kind = LocationKind::kBranchpoint, .where = b.where, .layout = b.layout});
  for (std::size_t i = 0; i < t.locations.size(); ++i)
    invariant(t.locations[i], ids[i]);
  if (!t.initial && t.incomplete)
    return;
  if (!t.initial) {
    error(t.name.where, fmt::format("the template '{}' has no initial location", t.name.text),
          "say where it starts with 'init'");
    return;
  }
  const LocationDeclId initial = endpoint(*t.initial, false);
  if (!initial.valid())
    return;
  if (builder_.network().location_decls[initial].kind == LocationKind::kBranchpoint)
    error(t.initial->where, "a branchpoint cannot be the initial location");
  builder_.set_initial(template_, initial);
}

// Locations share the name space of the template's declarations.
void Checker::declare_location(const ast::Name& name) {
  if (name.text.empty())
    return;
  const SymbolId known = symbols_.find_here(name.text);
  if (!known.valid())
    symbols_.declare(
        {.name = name.text, .kind = SymbolKind::kLocation, .where = name.where, .used = true});
  else if (symbols_[known].kind != SymbolKind::kLocation)
    error(name.where, fmt::format("'{}' is declared twice", name.text),
          "a location and a local variable cannot share a name");
}

LocationDeclId Checker::endpoint(const ast::Name& name, bool source) {
  const auto at = endpoints_.find(name.text);
  if (at != endpoints_.end())
    return at->second;
  if (!name.text.empty() && !is_lost(name.text)) {
    std::string close;
    std::size_t least = 3;
    for (const auto& [id, decl] : endpoints_) {
      const std::size_t distance = edit_distance(id, name.text);
      if (distance < least || (distance == least && !close.empty() && id < close)) {
        least = distance;
        close = id;
      }
    }
    error(name.where, fmt::format("unknown location '{}'", name.text),
          close.empty()
              ? fmt::format("{} must be a location of this template", source ? "the source" : "it")
              : fmt::format("did you mean '{}'?", close));
  }
  return {};
}

void Checker::invariant(const ast::Location& l, LocationDeclId id) {
  if (l.rate.valid() || l.rate_divisor.valid()) {
    ignored_weight(l.rate);
    ignored_weight(l.rate_divisor);
    if (!warned_rates_)
      warning(l.rate.valid() ? node(l.rate).where : l.where,
              "exponential rates are ignored: they do not change what can happen");
    warned_rates_ = true;
  }
  if (!l.invariant.valid())
    return;
  Checked value = expression(l.invariant);
  if (value.poisoned() || value.ignorable)
    return;
  if (value.real) {
    static_cast<void>(integral(value, "an invariant"));
    return;
  }
  if (value.form != ClockForm::kNone || !scalar_value(value, "an invariant"))
    return value.form == ClockForm::kNone
               ? void()
               : error(value.where, "an invariant must be a truth value, not a clock");
  if (value.effect)
    return error(value.where, "an invariant must not change anything");
  if (value.constraint > ConstraintClass::kInvariant)
    return error(value.culprit.end != 0 ? value.culprit : value.where,
                 "an invariant must be a conjunction of clock bounds and integer conditions",
                 value.reason);
  if (value.constraint == ConstraintClass::kIntegral)
    warning(value.where, "this invariant bounds no clock",
            "it blocks edges into the location when false; a guard may say that more clearly");
  for (const ClockTest& test : clock_tests_of(builder_.network(), value.id))
    if (test.relation == ExprKind::kLess)
      warning(builder_.network().pool[test.at].where,
              "a strict invariant has no last moment at which the location can be left");
  builder_.set_invariant(id, value.id);
}

void Checker::ignored_weight(ast::ExprId id) {
  if (!id.valid())
    return;
  const Checked value = expression(id);
  if (value.poisoned())
    return;
  if (value.effect)
    error(value.where, "a rate or weight must not change anything");
  else
    static_cast<void>(scalar_value(value, "a rate or weight"));
}

void Checker::edges(const ast::Template& t) {
  branch_entries_.clear();
  branch_exits_.clear();
  for (const ast::Edge& e : t.edges)
    edge(e);
  for (const auto& [branchpoint, where] : branch_exits_)
    if (branch_entries_.contains(branchpoint))
      error(where, "the edge into this branchpoint synchronises already",
            "synchronise before the branchpoint or behind it, not both");
}

void Checker::edge(const ast::Edge& e) {
  const LocationDeclId source = endpoint(e.source, true);
  const LocationDeclId target = endpoint(e.target, false);
  EdgeLabels labels;
  symbols_.push(Frame::kEdge);
  selects(e, labels);
  guard(e, labels);
  sync(e, labels);
  updates(e.updates, labels.updates);
  if (e.probability.valid()) {
    ignored_weight(e.probability);
    if (!warned_weights_)
      warning(node(e.probability).where,
              "branch weights are ignored: every branch is possible, also one of weight 0");
    warned_weights_ = true;
  }
  symbols_.pop();
  if (!source.valid() || !target.valid())
    return;
  const auto& decls = builder_.network().location_decls;
  const bool from_branch = decls[source].kind == LocationKind::kBranchpoint;
  if (from_branch && decls[target].kind == LocationKind::kBranchpoint)
    return error(e.where, "an edge cannot lead from one branchpoint to another",
                 "join the two branchpoints");
  // One transition goes in and out of a branchpoint, so it can synchronise once.
  if (labels.channel.valid() && decls[target].kind == LocationKind::kBranchpoint)
    branch_entries_.insert(target);
  if (labels.channel.valid() && from_branch)
    branch_exits_.emplace_back(source, e.sync->where);
  builder_.add_edge(template_, {.source = source,
                                .target = target,
                                .labels = std::move(labels),
                                .where = e.where,
                                .controllable = e.controllable,
                                .annotations = e.annotations,
                                .layout = e.layout});
}

void Checker::selects(const ast::Edge& e, EdgeLabels& labels) {
  // Ranges first: one select cannot depend on another.
  std::vector<TypeSpec> specs;
  for (const ast::Select& s : e.selects)
    specs.push_back(type(s.type));
  for (std::size_t i = 0; i < e.selects.size(); ++i) {
    const ast::Select& s = e.selects[i];
    Symbol symbol{.name = s.name.text,
                  .kind = SymbolKind::kVariable,
                  .where = s.name.where,
                  .access = Access::kSelect,
                  .used = true};
    if (is_bounded_range(specs[i], "a select")) {
      warn_empty(specs[i].type, specs[i].where, "the edge can never be taken");
      symbol.type = specs[i].type;
      symbol.variable = builder_.add_variable({.name = s.name.text,
                                               .type = specs[i].type,
                                               .role = Role::kSelect,
                                               .storage = Storage::kFrame,
                                               .is_const = true,
                                               .where = s.name.where,
                                               .prototype = true,
                                               .owner_template = template_});
      labels.selects.push_back(symbol.variable);
    }
    declare(std::move(symbol));
  }
}

void Checker::guard(const ast::Edge& e, EdgeLabels& labels) {
  if (!e.guard.valid())
    return;
  Checked value = expression(e.guard);
  if (value.poisoned())
    return;
  if (value.real) {
    static_cast<void>(integral(value, "a guard"));
    return;
  }
  if (value.form != ClockForm::kNone)
    return error(value.where, "a guard must be a truth value, not a clock",
                 "compare the clock with a bound");
  if (!scalar_value(value, "a guard"))
    return;
  if (value.effect)
    return error(value.where, "a guard must not change anything",
                 "did you mean '=='? put changes into the update");
  if (value.rate)
    return error(value.where, "rates belong into invariants, not into guards");
  if (value.constraint > ConstraintClass::kGuard)
    return error(value.culprit.end != 0 ? value.culprit : value.where,
                 "a guard must be a conjunction of clock constraints and integer conditions",
                 value.reason);
  labels.guard = value.id;
  warn_constant_guard(value, e.guard);
}

void Checker::warn_constant_guard(const Checked& value, ast::ExprId id) {
  const ast::ExprKind kind = node(id).kind;
  const bool literal = kind == ast::ExprKind::kTrue || kind == ast::ExprKind::kNumber;
  if (!value.computable || literal || builder_.network().pool[value.id].prototype)
    return;
  const EvalResult result = evaluate(builder_.network(), builder_.constants(), value.id);
  if (!result.ok())
    return error(builder_.network().pool[result.at.valid() ? result.at : value.id].where,
                 fmt::format("the guard cannot be evaluated: {}", tw::describe(result.status)));
  warning(value.where, fmt::format("this guard is always {}", result.scalar() != 0),
          result.scalar() != 0 ? "it can be left out" : "the edge can never be taken");
}

void Checker::sync(const ast::Edge& e, EdgeLabels& labels) {
  if (!e.sync)
    return;
  channel_name_ = root_name(e.sync->channel);
  const Checked channel = expression(e.sync->channel);
  channel_name_ = nullptr;
  if (channel.poisoned())
    return;
  if (info(channel.type).kind != TypeKind::kChannel)
    return error(
        channel.where,
        info(channel.type).kind == TypeKind::kArray && contains(channel.type, TypeKind::kChannel)
            ? std::string("a synchronisation needs one channel, not a whole array")
            : fmt::format("a synchronisation needs a channel, not {}", describe(channel.type)),
        "write channel! or channel?");
  if (channel.effect)
    return error(channel.where, "choosing a channel must not change anything");
  if (e.sync->direction == ast::SyncDirection::kNone) {
    if (!reported_csp_)
      error(e.sync->where, "CSP synchronisation (a channel without '!' or '?') is not supported",
            "write channel! on one side and channel? on the other");
    reported_csp_ = true;
    return;
  }
  const bool send = e.sync->direction == ast::SyncDirection::kSend;
  if (channel.root.valid())
    (send ? symbols_[channel.root].sent : symbols_[channel.root].received) = true;
  if (info(channel.type).urgent && labels.guard.valid() &&
      builder_.network().pool[labels.guard].timed)
    return error(builder_.network().pool[labels.guard].where,
                 "an edge on an urgent channel cannot have a clock in its guard",
                 "test the clock in another location, or make the channel not urgent");
  labels.channel = channel.id;
  labels.direction = send ? Direction::kSend : Direction::kReceive;
}

void Checker::updates(const std::vector<ast::ExprId>& list, std::vector<ExprId>& out) {
  for (const ast::ExprId id : list) {
    const Checked value = expression(id);
    if (value.poisoned())
      continue;
    const bool is_void = info(value.type).kind == TypeKind::kVoid;
    if (value.constraint != ConstraintClass::kIntegral ||
        (value.form != ClockForm::kNone && !value.useful)) {
      error(value.where, "an update must change something; this only reads a clock");
      continue;
    }
    const TypeKind kind = info(value.type).kind;
    if (kind == TypeKind::kChannel) {
      error(value.where, "a channel is no update", "synchronisations have a label of their own");
      continue;
    }
    if (!value.effect && !value.useful && !is_void)
      warning(value.where, "this update changes nothing",
              node(id).kind == ast::ExprKind::kBinary && node(id).op == ast::Op::kEqual
                  ? "'==' compares; did you mean '='?"
                  : "did you mean to assign it?");
    if (value.runs())
      out.push_back(value.id);
  }
}

}  // namespace tw::uppaal
