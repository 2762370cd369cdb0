// Builds a network: front ends and tests say what was written (types, variables, functions,
// templates, the system line), freeze() makes the processes, lays out the memory and computes the
// facts.
//
// Expressions are typed here in one place. The builder trusts its caller that names were resolved
// and types fit; what depends on the values of parameters (ranges, array lengths, initial values)
// is checked when processes are made and reported as diagnostics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/evaluate.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Sizes beyond which a model is refused, with a message that names the limit.
struct Limits {
  std::uint64_t processes = 100'000;
  std::uint64_t elements = 10'000'000;       // locations and edges of all processes together
  std::uint64_t expressions = 20'000'000;    // nodes of all expressions together
  std::uint64_t statements = 4'194'304;      // of all functions together
  std::uint64_t variable_cells = 1'048'576;  // one variable
  std::uint64_t cells = 4'194'304;           // all variables and frames together; clocks; channels
  std::uint64_t clocks = 2'000;              // a zone has the square of that many bounds
  std::uint64_t variables = 2'097'152;       // of all processes together, with those of functions
  std::uint64_t name_bytes = 67'108'864;     // names of all processes; of all clocks and channels
  std::uint64_t accesses = 20'000'000;       // uses and definitions of all edges together
};

class NetworkBuilder {
 public:
  explicit NetworkBuilder(Limits limits = {}) : limits_(limits) {}

  [[nodiscard]] const Network& network() const { return network_; }

  [[nodiscard]] const Limits& limits() const { return limits_; }

  [[nodiscard]] ConstantValues& constants() { return constants_; }

  // --- Types
  TypeId int_type(std::int32_t low, std::int32_t high);
  TypeId symbolic_int_type(ExprId low, ExprId high);
  TypeId scalar_type(std::string name, std::int32_t size);
  TypeId channel_type(bool urgent, bool broadcast);
  TypeId array_type(TypeId index, TypeId element);
  TypeId struct_type(std::vector<Field> fields);

  [[nodiscard]] TypeId bool_type() const { return network_.types.bool_type(); }

  [[nodiscard]] TypeId clock_type() const { return network_.types.clock_type(); }

  [[nodiscard]] TypeId void_type() const { return network_.types.void_type(); }

  // --- Expressions; `where` is where the user wrote it
  ExprId constant(std::int32_t value, SourceRange where = {});
  ExprId truth(bool value, SourceRange where = {});
  ExprId variable(VariableId id, SourceRange where = {});
  ExprId index(ExprId array, ExprId position, SourceRange where = {});
  ExprId field(ExprId structure, std::size_t field, SourceRange where = {});
  ExprId call(FunctionId function, std::span<const ExprId> arguments, SourceRange where = {});
  ExprId list(TypeId type, std::span<const ExprId> elements, SourceRange where = {});
  /// What a variable of this type starts with. Pre: no channel, no prototypes.
  ExprId default_value(TypeId type, SourceRange where = {});
  ExprId unary(ExprKind kind, ExprId operand, SourceRange where = {});
  ExprId binary(ExprKind kind, ExprId left, ExprId right, SourceRange where = {});
  ExprId conditional(ExprId condition, ExprId yes, ExprId no, SourceRange where = {});
  ExprId quantifier(ExprKind kind, VariableId over, ExprId body, SourceRange where = {});
  ExprId assign(ExprId target, ExprId value, SourceRange where = {});
  ExprId compound_assign(ExprKind op, ExprId target, ExprId value, SourceRange where = {});
  ExprId increment(ExprKind kind, ExprId target, SourceRange where = {});

  StmtId statement(Statement statement) { return network_.pool.add(std::move(statement)); }

  // --- Declarations
  /// A global variable is appended to the globals and, if constant, must get its value by define().
  VariableId add_variable(Variable variable);

  /// Gives a global its (initial) value; false and a diagnostic if it has none.
  bool define(VariableId global, Diagnostics& diagnostics);

  /// Evaluates what mentions no template; reports a failure as "cannot evaluate …".
  std::optional<std::int32_t> evaluate(ExprId expression, Diagnostics& diagnostics);

  FunctionId add_function(Function function);
  void set_body(FunctionId function, StmtId body, std::vector<VariableId> locals);

  TemplateId add_template(std::string name, SourceRange where = {});
  LocationDeclId add_location(TemplateId owner, LocationDecl location);
  EdgeDeclId add_edge(TemplateId owner, EdgeDecl edge);
  void set_initial(TemplateId owner, LocationDeclId location);
  void set_invariant(LocationDeclId location, ExprId invariant);
  void set_kind(LocationDeclId location, LocationKind kind);

  InstanceId add_instance(Instance instance);
  /// The instance a template is when listed in the system line itself.
  InstanceId add_implicit_instance(TemplateId of);
  void add_system_entry(SystemEntry entry);

  void set_channel_priorities(std::vector<PriorityGroup> groups);
  void set_update_hooks(std::vector<ExprId> before, std::vector<ExprId> after);
  void add_query(Query query) { network_.queries.push_back(std::move(query)); }
  void add_annotation(Annotation annotation) {
    network_.annotations.push_back(std::move(annotation));
  }

  /// Makes the processes. Nothing if a diagnostic was an error. The builder is spent afterwards.
  [[nodiscard]] std::optional<Network> freeze(Diagnostics& diagnostics);

  /// Takes the network that freeze() gave out back, so that properties, which speak of processes,
  /// can get their expressions. Nothing else may be added: places in memory are fixed.
  void resume(Network network) { network_ = std::move(network); }
  Query& query(std::size_t index) { return network_.queries[index]; }
  void add_property(Property property) { network_.properties.push_back(std::move(property)); }
  [[nodiscard]] Network release() { return std::move(network_); }

 private:
  ExprId add(Expression expression, std::span<const ExprId> operands = {});

  Limits limits_;
  Network network_;
  ConstantValues constants_;
  std::unordered_map<VariableId, std::vector<std::int32_t>> initial_;  // of globals that vary
};

}  // namespace tw
