// Are two networks the same system? Walks both in step and stops at the first difference. Ids may
// differ (unused types, order of frames), so what an id stands for is compared, never the id
// itself.

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "engine/model/network.hpp"
#include "engine/model/print.hpp"

namespace tw {
namespace {

class Comparison {
 public:
  Comparison(const Network& a, const Network& b) : a_(a), b_(b) {}

  std::optional<std::string> run() {
    declared("global declaration", a_.declarations, b_.declarations);
    templates();
    instances();
    priorities();
    expressions("before_update", a_.before_update, b_.before_update);
    expressions("after_update", a_.after_update, b_.after_update);
    processes();
    memory();
    return difference_;
  }

 private:
  void differ(std::string what) {
    if (!difference_)
      difference_ = std::move(what);
  }

  template <class T>
  void same(std::string_view what, const T& a, const T& b) {
    if (!(a == b))
      differ(fmt::format("{}: {} / {}", what, a, b));
  }

  // Equal sizes, then element by element until something differs.
  template <class A, class F>
  void each(std::string_view what, const A& a, const A& b, F compare) {
    if (a.size() != b.size())
      return differ(fmt::format("number of {}s: {} / {}", what, a.size(), b.size()));
    auto other = b.begin();
    for (const auto& item : a) {
      if (difference_)
        return;
      compare(item, *other++);
    }
  }

  void types(std::string_view what, TypeId a, TypeId b) {
    const Type& x = a_.types[a];
    const Type& y = b_.types[b];
    if (x.kind != y.kind || x.low != y.low || x.high != y.high || x.urgent != y.urgent ||
        x.broadcast != y.broadcast || x.scalar_set != y.scalar_set)
      return differ(fmt::format("type of {}", what));
    optional_expression(what, x.low_bound, y.low_bound);
    optional_expression(what, x.high_bound, y.high_bound);
    if (x.kind == TypeKind::kArray) {
      types(what, x.index, y.index);
      types(what, x.element, y.element);
    }
    each("field", x.fields, y.fields, [&](const Field& f, const Field& g) {
      same("field", f.name, g.name);
      types(what, f.type, g.type);
    });
  }

  void variable(VariableId a, VariableId b) {
    const Variable& x = a_.variables[a];
    const Variable& y = b_.variables[b];
    const std::string name = a_.qualified_name(a);
    same("variable", name, b_.qualified_name(b));
    types(name, x.type, y.type);
    if (x.role != y.role || x.storage != y.storage || x.by_reference != y.by_reference ||
        x.is_const != y.is_const || x.prototype != y.prototype)
      differ(fmt::format("kind of variable {}", name));
    optional_expression(name, x.initialiser, y.initialiser);
    same("first cell of " + name, x.first_cell.index(), y.first_cell.index());
    same("first clock of " + name, x.first_clock.index(), y.first_clock.index());
    same("first channel of " + name, x.first_channel.index(), y.first_channel.index());
  }

  void variables(const std::vector<VariableId>& a, const std::vector<VariableId>& b) {
    each("variable", a, b, [&](VariableId x, VariableId y) { variable(x, y); });
  }

  // A leaf names the same variable if name and place agree; its declaration is compared elsewhere.
  void mention(VariableId a, VariableId b) {
    same("variable", a_.qualified_name(a), b_.qualified_name(b));
    same("place of " + a_.variables[a].name, a_.variables[a].first_cell.index(),
         b_.variables[b].first_cell.index());
    same("clock of " + a_.variables[a].name, a_.variables[a].first_clock.index(),
         b_.variables[b].first_clock.index());
  }

  void optional_expression(std::string_view what, ExprId a, ExprId b) {
    if (a.valid() != b.valid())
      return differ(fmt::format("{}: expression present / absent", what));
    if (a.valid())
      expression(a, b);
  }

  void expressions(std::string_view what,
                   const std::vector<ExprId>& a,
                   const std::vector<ExprId>& b) {
    each(what, a, b, [&](ExprId x, ExprId y) { expression(x, y); });
  }

  void expression(ExprId a, ExprId b) {
    if (difference_)
      return;
    const Expression& x = a_.pool[a];
    const Expression& y = b_.pool[b];
    if (x.kind != y.kind || x.op != y.op || x.timed != y.timed || x.prototype != y.prototype ||
        x.operand_count != y.operand_count)
      return differ(
          fmt::format("expression '{}' / '{}'", print_expression(a_, a), print_expression(b_, b)));
    types("an expression", x.type, y.type);
    switch (x.kind) {
      case ExprKind::kVariable:
      case ExprKind::kForall:
      case ExprKind::kExists:
      case ExprKind::kSum:
        mention(x.variable(), y.variable());
        break;
      case ExprKind::kCall:
        same("function", a_.functions[x.function()].name, b_.functions[y.function()].name);
        break;
      default:
        same("value", x.payload, y.payload);
    }
    for (std::size_t i = 0; i < x.operand_count; ++i)
      expression(a_.pool.operand(a, i), b_.pool.operand(b, i));
  }

  void statement(StmtId a, StmtId b) {
    const Statement& x = a_.pool[a];
    const Statement& y = b_.pool[b];
    if (x.kind != y.kind || x.variable.valid() != y.variable.valid())
      return differ("kind of a statement");
    if (x.variable.valid())
      variable(x.variable, y.variable);
    expressions("expression", x.exprs, y.exprs);
    each("statement", x.children, y.children, [&](StmtId s, StmtId t) { statement(s, t); });
  }

  void function(FunctionId a, FunctionId b) {
    const Function& x = a_.functions[a];
    const Function& y = b_.functions[b];
    same("function", x.name, y.name);
    types(x.name, x.result, y.result);
    variables(x.parameters, y.parameters);
    variables(x.locals, y.locals);
    statement(x.body, y.body);
  }

  void declared(std::string_view what,
                const std::vector<Declared>& a,
                const std::vector<Declared>& b) {
    each(what, a, b, [&](const Declared& x, const Declared& y) {
      if (x.variable.valid() != y.variable.valid())
        differ(fmt::format("{}: variable / function", what));
      else if (x.variable.valid())
        variable(x.variable, y.variable);
      else
        function(x.function, y.function);
    });
  }

  void labels(const EdgeLabels& a, const EdgeLabels& b) {
    variables(a.selects, b.selects);
    optional_expression("guard", a.guard, b.guard);
    optional_expression("channel", a.channel, b.channel);
    if (a.direction != b.direction)
      differ("direction of a synchronisation");
    expressions("update", a.updates, b.updates);
  }

  void templates() {
    each("template", a_.templates, b_.templates, [&](const Template& s, const Template& t) {
      same("template", s.name, t.name);
      variables(s.parameters, t.parameters);
      declared("declaration", s.declarations, t.declarations);
      each("location", s.locations, t.locations, [&](LocationDeclId x, LocationDeclId y) {
        const LocationDecl& l = a_.location_decls[x];
        const LocationDecl& m = b_.location_decls[y];
        same("location", l.name, m.name);
        if (l.kind != m.kind)
          differ("kind of location " + l.name);
        optional_expression("invariant of " + l.name, l.invariant, m.invariant);
      });
      each("edge", s.edges, t.edges, [&](EdgeDeclId x, EdgeDeclId y) {
        const EdgeDecl& e = a_.edge_decls[x];
        const EdgeDecl& f = b_.edge_decls[y];
        same("source", a_.location_decls[e.source].name, b_.location_decls[f.source].name);
        same("target", a_.location_decls[e.target].name, b_.location_decls[f.target].name);
        same("controllable", e.controllable, f.controllable);
        labels(e.labels, f.labels);
      });
      same("initial location", a_.location_decls[s.initial].name,
           b_.location_decls[t.initial].name);
    });
  }

  void instances() {
    each("instance", a_.instances, b_.instances, [&](const Instance& x, const Instance& y) {
      same("instance", x.name, y.name);
      same("implicit instance", x.implicit, y.implicit);
      variables(x.parameters, y.parameters);
      expressions("argument", x.arguments, y.arguments);
    });
    each("system entry", a_.system, b_.system, [&](const SystemEntry& x, const SystemEntry& y) {
      same("system entry", a_.instances[x.instance].name, b_.instances[y.instance].name);
      same("process priority", x.priority, y.priority);
    });
  }

  void priorities() {
    each("priority group", a_.channel_priorities, b_.channel_priorities,
         [&](const PriorityGroup& x, const PriorityGroup& y) {
           same("default priority", x.has_default, y.has_default);
           expressions("channel", x.channels, y.channels);
         });
  }

  void processes() {
    each("process", a_.processes, b_.processes, [&](const Process& p, const Process& q) {
      same("process", p.name, q.name);
      same("template", a_.templates[p.of_template].name, b_.templates[q.of_template].name);
      same("priority", p.priority, q.priority);
      same("initial location", p.initial.index(), q.initial.index());
      variables(p.variables, q.variables);
      each("function", p.functions, q.functions,
           [&](FunctionId x, FunctionId y) { function(x, y); });
    });
    each("location", a_.locations, b_.locations, [&](const Location& x, const Location& y) {
      optional_expression("invariant", x.invariant, y.invariant);
    });
    each("edge", a_.edges, b_.edges, [&](const Edge& x, const Edge& y) {
      same("source", x.source.index(), y.source.index());
      same("target", x.target.index(), y.target.index());
      labels(x.labels, y.labels);
      same("definitions", x.facts.definitions.size(), y.facts.definitions.size());
      same("uses", x.facts.uses.size(), y.facts.uses.size());
    });
  }

  void memory() {
    each("cell", a_.cells, b_.cells, [&](const Cell& x, const Cell& y) {
      same("lower bound of a cell", x.low, y.low);
      same("upper bound of a cell", x.high, y.high);
      same("initial value of a cell", x.initial, y.initial);
    });
    each("clock", a_.clocks, b_.clocks, [&](const Clock& x, const Clock& y) {
      same("clock", x.name, y.name);
      same("initial value of a clock", x.initial, y.initial);
    });
    each("channel", a_.channels, b_.channels, [&](const Channel& x, const Channel& y) {
      same("channel", x.name, y.name);
      same("channel priority", x.priority, y.priority);
      same("urgent", x.urgent, y.urgent);
      same("broadcast", x.broadcast, y.broadcast);
    });
    same("state cells", a_.memory.state, b_.memory.state);
    same("memory", a_.memory.total, b_.memory.total);
  }

  const Network& a_;
  const Network& b_;
  std::optional<std::string> difference_;
};

}  // namespace

std::optional<std::string> first_difference(const Network& a, const Network& b) {
  return Comparison(a, b).run();
}

}  // namespace tw
