#include "engine/model/print.hpp"

#include <fmt/format.h>

namespace tw {
namespace {

// Binding strength, as in docs/uppaal.md 5.1; higher binds tighter.
enum Level : int {
  kLevelComma,
  kLevelQuantifier,
  kLevelAssign,
  kLevelConditional,
  kLevelOr,
  kLevelAnd,
  kLevelBitOr,
  kLevelBitXor,
  kLevelBitAnd,
  kLevelEqual,
  kLevelCompare,
  kLevelMinMax,
  kLevelShift,
  kLevelAdd,
  kLevelMultiply,
  kLevelPower,
  kLevelUnary,
  kLevelPostfix,
};

Level level_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::kConstant:
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
    case ExprKind::kCall:
    case ExprKind::kList:
    case ExprKind::kAbsolute:
    case ExprKind::kRate:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      return kLevelPostfix;
    case ExprKind::kNegate:
    case ExprKind::kNot:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
      return kLevelUnary;
    case ExprKind::kPower:
      return kLevelPower;
    case ExprKind::kMultiply:
    case ExprKind::kDivide:
    case ExprKind::kModulo:
      return kLevelMultiply;
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
      return kLevelAdd;
    case ExprKind::kShiftLeft:
    case ExprKind::kShiftRight:
      return kLevelShift;
    case ExprKind::kMin:
    case ExprKind::kMax:
      return kLevelMinMax;
    case ExprKind::kLess:
    case ExprKind::kLessEqual:
    case ExprKind::kGreaterEqual:
    case ExprKind::kGreater:
      return kLevelCompare;
    case ExprKind::kEqual:
    case ExprKind::kNotEqual:
      return kLevelEqual;
    case ExprKind::kBitAnd:
      return kLevelBitAnd;
    case ExprKind::kBitXor:
      return kLevelBitXor;
    case ExprKind::kBitOr:
      return kLevelBitOr;
    case ExprKind::kAnd:
      return kLevelAnd;
    case ExprKind::kOr:
    case ExprKind::kXor:
    case ExprKind::kImply:
      return kLevelOr;
    case ExprKind::kConditional:
      return kLevelConditional;
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
      return kLevelAssign;
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      return kLevelQuantifier;
    case ExprKind::kComma:
      return kLevelComma;
  }
  return kLevelComma;
}

class Printer {
 public:
  explicit Printer(const Network& network) : Printer(network, network.pool) {}
  Printer(const Network& network, const ExpressionPool& pool) : network_(network), pool_(pool) {}

  std::string model();

  // Prints the expression, in parentheses if it binds weaker than its place demands.
  void expression(ExprId id, int weakest = kLevelComma);

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void bare(ExprId id);
  void prefix(ExprId id);
  void quantifier(ExprId id);
  void binary(ExprId id);
  void comma_list(std::span<const ExprId> items);
  void type(TypeId id, bool with_dimensions);
  void declarator(TypeId id, std::string_view name);
  void variable(VariableId id, std::string_view indent);
  void parameters(const std::vector<VariableId>& ids);
  void function(FunctionId id, std::string_view indent);
  void statement(StmtId id, const std::string& indent);
  void child(StmtId id, const std::string& indent);
  void loop(const Statement& s, const std::string& indent);
  void declarations(const std::vector<Declared>& items, std::string_view indent);
  void choose_scalar_prefix();
  void scalar_sets();
  void priorities();
  void hook(std::string_view word, const std::vector<ExprId>& updates);
  void process(const Template& t);
  void states(const Template& t);
  void marked(const Template& t, std::string_view word, LocationKind kind);
  void edge(const EdgeDecl& edge);
  void instances();
  void system();

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] const Expression& node(ExprId id) const { return pool_[id]; }

  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const { return pool_.operand(id, i); }

  const Network& network_;
  const ExpressionPool& pool_;                 // of the expressions
  std::string scalar_prefix_ = "scalar_set_";  // of the names that scalar sets get
  std::string out_;
};

void Printer::expression(ExprId id, int weakest) {
  const bool brackets = level_of(node(id).kind) < weakest;
  if (brackets)
    out_ += '(';
  bare(id);
  if (brackets)
    out_ += ')';
}

void Printer::comma_list(std::span<const ExprId> items) {
  const char* separator = "";
  for (const ExprId item : items) {
    out_ += separator;
    expression(item, kLevelQuantifier);
    separator = ", ";
  }
}

void Printer::binary(ExprId id) {
  const Expression& e = node(id);
  const int level = level_of(e.kind);
  // A quantifier swallows everything to its right, so as a left operand it needs its own brackets;
  // level_of() puts it below every operator, which also covers the right side.
  expression(operand(id, 0), level);
  put(" {} ", spelling(e.kind));
  expression(operand(id, 1), level + 1);
}

void Printer::prefix(ExprId id) {
  out_ += spelling(node(id).kind);
  // "- -x" must not become "--x".
  const ExprKind inner = node(operand(id, 0)).kind;
  const bool sign = inner == ExprKind::kNegate || inner == ExprKind::kPreDecrement ||
                    (inner == ExprKind::kConstant && node(operand(id, 0)).value() < 0);
  expression(operand(id, 0), sign ? kLevelPostfix + 1 : kLevelUnary);
}

void Printer::quantifier(ExprId id) {
  const Variable& over = network_.variables[node(id).variable()];
  put("{} ({} : ", spelling(node(id).kind), over.name);
  type(over.type, true);
  out_ += ") ";
  expression(operand(id, 0), kLevelQuantifier);
}

void Printer::bare(ExprId id) {
  const Expression& e = node(id);
  switch (e.kind) {
    case ExprKind::kConstant:
      if (network_.types[e.type].kind == TypeKind::kBool)
        put("{}", e.value() != 0);
      else
        put("{}", e.value());
      break;
    case ExprKind::kVariable:
      out_ += network_.variables[e.variable()].name;
      break;
    case ExprKind::kIndex:
      expression(operand(id, 0), kLevelPostfix);
      out_ += '[';
      expression(operand(id, 1), kLevelQuantifier);
      out_ += ']';
      break;
    case ExprKind::kField: {
      expression(operand(id, 0), kLevelPostfix);
      const Type& structure = network_.types[node(operand(id, 0)).type];
      put(".{}", structure.fields[e.field()].name);
      break;
    }
    case ExprKind::kCall:
      put("{}(", network_.functions[e.function()].name);
      comma_list(pool_.operands(id));
      out_ += ')';
      break;
    case ExprKind::kList:
      out_ += '{';
      comma_list(pool_.operands(id));
      out_ += '}';
      break;
    case ExprKind::kAbsolute:
      out_ += "abs(";
      expression(operand(id, 0), kLevelQuantifier);
      out_ += ')';
      break;
    case ExprKind::kConditional:
      expression(operand(id, 0), kLevelConditional + 1);
      out_ += " ? ";
      expression(operand(id, 1), kLevelQuantifier);  // stands between marks, as if in parentheses
      out_ += " : ";
      expression(operand(id, 2), kLevelConditional);
      break;
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      quantifier(id);
      break;
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
      expression(operand(id, 0), kLevelUnary);
      put(" {}= ", e.kind == ExprKind::kAssign ? "" : spelling(e.op));
      expression(operand(id, 1), kLevelAssign);
      break;
    case ExprKind::kComma:
      expression(operand(id, 0), kLevelComma);
      out_ += ", ";
      expression(operand(id, 1), kLevelQuantifier);
      break;
    case ExprKind::kNegate:
    case ExprKind::kNot:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
      prefix(id);
      break;
    case ExprKind::kRate:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      expression(operand(id, 0), kLevelPostfix);
      out_ += spelling(e.kind);
      break;
    default:
      binary(id);
      break;
  }
}

// The part of a type that stands in front of the name: everything but array dimensions.
void Printer::type(TypeId id, bool with_dimensions) {
  const Type& t = network_.types[id];
  switch (t.kind) {
    case TypeKind::kVoid:
      out_ += "void";
      break;
    case TypeKind::kBool:
      out_ += "bool";
      break;
    case TypeKind::kInt:
      if (t.low_bound.valid()) {
        out_ += "int[";
        expression(t.low_bound, kLevelQuantifier);
        out_ += ", ";
        expression(t.high_bound, kLevelQuantifier);
        out_ += ']';
      } else {
        put("int[{}, {}]", t.low, t.high);
      }
      break;
    case TypeKind::kScalar:
      put("{}{}", scalar_prefix_, t.scalar_set);
      break;
    case TypeKind::kClock:
      out_ += "clock";
      break;
    case TypeKind::kChannel:
      put("{}{}chan", t.urgent ? "urgent " : "", t.broadcast ? "broadcast " : "");
      break;
    case TypeKind::kReal:
      out_ += "double";
      break;
    case TypeKind::kArray:
      type(t.element, with_dimensions);
      break;
    case TypeKind::kStruct:
      out_ += "struct { ";
      for (const Field& field : t.fields) {
        declarator(field.type, field.name);
        out_ += "; ";
      }
      out_ += '}';
      break;
  }
}

void Printer::declarator(TypeId id, std::string_view name) {
  type(id, false);
  put(" {}", name);
  for (TypeId at = id; network_.types[at].kind == TypeKind::kArray;
       at = network_.types[at].element) {
    out_ += '[';
    type(network_.types[at].index, true);
    out_ += ']';
  }
}

void Printer::variable(VariableId id, std::string_view indent) {
  const Variable& v = network_.variables[id];
  out_ += indent;
  if (v.storage == Storage::kConstant || v.is_const)
    out_ += "const ";
  else if (v.storage == Storage::kMeta)
    out_ += "meta ";
  declarator(v.type, v.name);
  if (v.initialiser.valid()) {
    out_ += " = ";
    expression(v.initialiser, kLevelQuantifier);
  }
  out_ += ";\n";
}

void Printer::parameters(const std::vector<VariableId>& ids) {
  const char* separator = "";
  out_ += '(';
  for (const VariableId id : ids) {
    const Variable& v = network_.variables[id];
    put("{}{}", separator, v.is_const ? "const " : "");
    declarator(v.type, (v.by_reference ? "&" : "") + v.name);
    separator = ", ";
  }
  out_ += ')';
}

void Printer::function(FunctionId id, std::string_view indent) {
  const Function& f = network_.functions[id];
  out_ += indent;
  type(f.result, true);
  put(" {}", f.name);
  parameters(f.parameters);
  out_ += ' ';
  statement(f.body, std::string(indent));
}

void Printer::child(StmtId id, const std::string& indent) {
  if (network_.pool[id].kind == StmtKind::kBlock) {
    out_ += ' ';
    statement(id, indent);
    return;
  }
  out_ += '\n';
  statement(id, indent + "  ");
}

void Printer::loop(const Statement& s, const std::string& indent) {
  switch (s.kind) {
    case StmtKind::kFor:
      out_ += "for (";
      expression(s.exprs[0]);
      out_ += "; ";
      expression(s.exprs[1]);
      out_ += "; ";
      expression(s.exprs[2]);
      out_ += ')';
      child(s.children[0], indent);
      break;
    case StmtKind::kIterate:
      put("for ({} : ", network_.variables[s.variable].name);
      type(network_.variables[s.variable].type, true);
      out_ += ')';
      child(s.children[0], indent);
      break;
    case StmtKind::kWhile:
      out_ += "while (";
      expression(s.exprs[0]);
      out_ += ')';
      child(s.children[0], indent);
      break;
    case StmtKind::kDoWhile:
      out_ += "do";
      child(s.children[0], indent);
      put("{}while (", indent);
      expression(s.exprs[0]);
      out_ += ");\n";
      break;
    default:
      break;
  }
}

void Printer::statement(StmtId id, const std::string& indent) {
  const Statement& s = network_.pool[id];
  if (s.kind == StmtKind::kBlock) {
    out_ += "{\n";
    for (const StmtId part : s.children) {
      if (network_.pool[part].kind == StmtKind::kBlock)
        out_ += indent + "  ";
      statement(part, indent + "  ");
    }
    out_ += indent + "}\n";
    return;
  }
  out_ += indent;
  switch (s.kind) {
    case StmtKind::kBlock:
      break;
    case StmtKind::kExpression:
      expression(s.exprs[0]);
      out_ += ";\n";
      break;
    case StmtKind::kDeclare: {
      const Variable& v = network_.variables[s.variable];
      out_ += v.is_const ? "const " : "";
      declarator(v.type, v.name);
      if (!s.exprs.empty()) {
        out_ += " = ";
        expression(s.exprs[0], kLevelQuantifier);
      }
      out_ += ";\n";
      break;
    }
    case StmtKind::kIf:
      out_ += "if (";
      expression(s.exprs[0]);
      out_ += ')';
      // Braces the user did not write would change the tree; a dangling else cannot arise,
      // because the parser bound each else to the nearest if.
      child(s.children[0], indent);
      if (s.children.size() > 1) {
        put("{}else", indent);
        child(s.children[1], indent);
      }
      break;
    case StmtKind::kFor:
    case StmtKind::kIterate:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile:
      loop(s, indent);
      break;
    case StmtKind::kReturn:
      out_ += "return";
      if (!s.exprs.empty()) {
        out_ += ' ';
        expression(s.exprs[0], kLevelQuantifier);
      }
      out_ += ";\n";
      break;
    case StmtKind::kAssert:
      // In parentheses: in front of a sign 'assert' would read as a name.
      out_ += "assert (";
      expression(s.exprs[0], kLevelQuantifier);
      out_ += ");\n";
      break;
  }
}

void Printer::declarations(const std::vector<Declared>& items, std::string_view indent) {
  for (const Declared& item : items) {
    if (item.variable.valid())
      variable(item.variable, indent);
    else
      function(item.function, indent);
  }
}

// Nothing of the user's may be called like our names of scalar sets.
void Printer::choose_scalar_prefix() {
  const auto clashes = [&](const auto& named) {
    for (const auto& item : named)
      if (item.name.starts_with(scalar_prefix_))
        return true;
    return false;
  };
  while (clashes(network_.variables) || clashes(network_.functions) ||
         clashes(network_.templates) || clashes(network_.instances) ||
         clashes(network_.location_decls))
    scalar_prefix_ += '_';
}

void Printer::scalar_sets() {
  std::vector<std::int32_t> sizes(network_.scalar_sets.size(), 1);
  for (std::size_t i = 0; i < network_.types.size(); ++i) {
    const Type& t = network_.types[TypeId(i)];
    if (t.kind == TypeKind::kScalar)
      sizes[t.scalar_set] = t.high + 1;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    put("typedef scalar[{}] {}{};\n", sizes[i], scalar_prefix_, i);
}

void Printer::priorities() {
  if (network_.channel_priorities.empty())
    return;
  out_ += "chan priority ";
  const char* separator = "";
  for (const PriorityGroup& group : network_.channel_priorities) {
    out_ += separator;
    comma_list(group.channels);
    if (group.has_default)
      out_ += group.channels.empty() ? "default" : ", default";
    separator = " < ";
  }
  out_ += ";\n";
}

void Printer::hook(std::string_view word, const std::vector<ExprId>& updates) {
  if (updates.empty())
    return;
  put("{} {{ ", word);
  comma_list(updates);
  out_ += " }\n";
}

void Printer::states(const Template& t) {
  const char* separator = "  state ";
  for (const LocationDeclId id : t.locations) {
    const LocationDecl& location = network_.location_decls[id];
    if (location.kind == LocationKind::kBranchpoint)
      continue;
    put("{}{}", separator, location.name);
    if (location.invariant.valid()) {
      out_ += " { ";
      expression(location.invariant, kLevelQuantifier);
      out_ += " }";
    }
    separator = ",\n    ";
  }
  out_ += ";\n";
}

void Printer::marked(const Template& t, std::string_view word, LocationKind kind) {
  std::string names;
  for (const LocationDeclId id : t.locations)
    if (network_.location_decls[id].kind == kind)
      names += (names.empty() ? "" : ", ") + network_.location_decls[id].name;
  if (!names.empty())
    put("  {} {};\n", word, names);
}

void Printer::edge(const EdgeDecl& edge) {
  put("{} {} {} {{", network_.location_decls[edge.source].name, edge.controllable ? "->" : "-u->",
      network_.location_decls[edge.target].name);
  const char* separator = " select ";
  for (const VariableId select : edge.labels.selects) {
    put("{}{} : ", separator, network_.variables[select].name);
    type(network_.variables[select].type, true);
    separator = ", ";
  }
  if (!edge.labels.selects.empty())
    out_ += ';';
  if (edge.labels.guard.valid()) {
    out_ += " guard ";
    expression(edge.labels.guard, kLevelQuantifier);
    out_ += ';';
  }
  if (edge.labels.channel.valid()) {
    out_ += " sync ";
    expression(edge.labels.channel, kLevelPostfix);
    out_ += edge.labels.direction == Direction::kSend ? "!;" : "?;";
  }
  if (!edge.labels.updates.empty()) {
    out_ += " assign ";
    comma_list(edge.labels.updates);
    out_ += ';';
  }
  out_ += " }";
}

void Printer::process(const Template& t) {
  put("\nprocess {}", t.name);
  parameters(t.parameters);
  out_ += " {\n";
  declarations(t.declarations, "  ");
  states(t);
  marked(t, "branchpoint", LocationKind::kBranchpoint);
  marked(t, "commit", LocationKind::kCommitted);
  marked(t, "urgent", LocationKind::kUrgent);
  put("  init {};\n", network_.location_decls[t.initial].name);
  const char* separator = "  trans\n    ";
  for (const EdgeDeclId id : t.edges) {
    out_ += separator;
    edge(network_.edge_decls[id]);
    separator = ",\n    ";
  }
  out_ += t.edges.empty() ? "}\n" : ";\n}\n";
}

void Printer::instances() {
  for (const Instance& instance : network_.instances) {
    if (instance.implicit)
      continue;
    out_ += instance.name;
    if (!instance.parameters.empty())
      parameters(instance.parameters);
    put(" = {}(", instance.of_instance.valid() ? network_.instances[instance.of_instance].name
                                               : network_.templates[instance.of_template].name);
    comma_list(instance.arguments);
    out_ += ");\n";
  }
}

void Printer::system() {
  out_ += "system";
  std::uint32_t level = 0;
  const char* separator = " ";
  for (const SystemEntry& entry : network_.system) {
    put("{}{}", entry.priority > level ? " < " : separator,
        network_.instances[entry.instance].name);
    level = entry.priority;
    separator = ", ";
  }
  out_ += ";\n";
}

std::string Printer::model() {
  if (!network_.scalar_sets.empty())
    choose_scalar_prefix();
  scalar_sets();
  declarations(network_.declarations, "");
  priorities();
  hook("before_update", network_.before_update);
  hook("after_update", network_.after_update);
  for (const Template& t : network_.templates)
    process(t);
  out_ += '\n';
  instances();
  system();
  return std::move(out_);
}

}  // namespace

std::string print_expression(const Network& network, ExprId expression) {
  return print_expression(network, network.pool, expression);
}

std::string print_expression(const Network& network,
                             const ExpressionPool& pool,
                             ExprId expression) {
  Printer printer(network, pool);
  printer.expression(expression);
  return printer.take();
}

std::string print_xta(const Network& network) { return Printer(network).model(); }

}  // namespace tw
