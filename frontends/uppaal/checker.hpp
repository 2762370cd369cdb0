// Gives the syntax tree its meaning: resolves names, checks types (docs/uppaal.md 4 to 8) and hands
// the result to the NetworkBuilder. Every error of the model is reported in one run: an expression
// in error is *poisoned*, and whoever uses it stays silent.
//
// Real-valued things (doubles, hybrid clocks, strings, random numbers) have no place in the
// network. They are checked like everything else, but yield no expression; a statement that only
// changes such things disappears, and an error is reported where one would influence the rest of
// the model.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/builder.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/source_text.hpp"
#include "frontends/uppaal/symbols.hpp"

namespace tw::uppaal {

/// What an expression may be used for, each including the ones before it.
enum class ConstraintClass : std::uint8_t {
  kIntegral,    // no clocks
  kInvariant,   // conjunction of clock bounds
  kGuard,       // also equalities
  kConstraint,  // anything over clocks: fits nowhere in a model
};

/// How clocks occur in a value.
enum class ClockForm : std::uint8_t {
  kNone,
  kClock,       // x, x + c
  kDifference,  // x - y
  kRate,        // x'
  kOther,       // x + y, 2 * x …: has no meaning for zones
};

/// The result of checking an expression.
struct Checked {
  TypeId type;  // invalid: poisoned, an error was reported
  ExprId id;    // invalid: poisoned, or nothing that runs (real-valued)
  SourceRange where;
  ConstraintClass constraint = ConstraintClass::kIntegral;
  ClockForm form = ClockForm::kNone;
  bool real = false;         // depends on something real-valued
  bool ignorable = false;    // a rate of a hybrid clock: may vanish from a conjunction
  bool rate = false;         // says how fast a clock runs: invariants only
  bool effect = false;       // changes something outside the function it stands in
  bool live_effect = false;  // … that is not real-valued
  bool useful = false;       // as a statement it does something (writes a local, too)
  bool computable = false;   // known before the model runs
  bool lvalue = false;
  Access access = Access::kWritable;
  bool function_local = false;  // an lvalue inside the function that writes it
  SymbolId root;                // the variable an lvalue belongs to
  SourceRange culprit;          // what made it a kConstraint
  const char* reason = "";      // … and why

  [[nodiscard]] bool poisoned() const { return !type.valid(); }

  [[nodiscard]] bool runs() const { return id.valid(); }
};

/// What could stand in the place of an unknown name.
enum class Wanted : std::uint8_t {
  kValue,
  kChannel,
  kType,
  kFunction,
  kProcess,
};

class Checker {
 public:
  /// All are borrowed and outlive the checker.
  Checker(const ast::Document& document,
          const SourceFile& file,
          NetworkBuilder& builder,
          Diagnostics& diagnostics);

  /// Checks the whole document and fills the builder; the builder may be frozen if there is no
  /// error. The names of the model stay known.
  void run();

  /// A requirement about the processes; none if the problems have an error. Pre: run() was without
  /// error, and the builder has resumed the frozen network. The formula is of the document, and the
  /// text is what it was read from.
  [[nodiscard]] std::optional<Property> property(ast::LtlId formula,
                                                 const SourceText& text,
                                                 Diagnostics& problems);

 private:
  struct TypeSpec {
    TypeId type;  // invalid: poisoned
    bool is_const = false;
    bool is_meta = false;
    bool hybrid = false;
    bool string = false;
    bool plain_int = false;
    SourceRange where;
  };

  struct ParameterInfo {
    std::string name;
    TypeId type;
    bool by_reference = false;
    bool is_const = false;
    bool plain_int = false;
    VariableId variable;  // invalid: real-valued, not passed at run time
    SourceRange where;
  };

  struct FunctionInfo {
    FunctionId id;  // invalid: real-valued result, cannot be called at run time
    TypeId result;
    std::vector<ParameterInfo> parameters;
    bool effect = false;
    bool live_effect = false;
    bool computable = true;
    bool complete = false;   // the body has been read; before that a call is recursion
    std::size_t height = 0;  // levels of statements, expressions and calls inside a call
  };

  // A template or a (partial) instantiation of one.
  struct InstantiableInfo {
    std::string name;
    TemplateId id;        // templates
    InstanceId instance;  // instantiations
    std::vector<ParameterInfo> parameters;
    bool listed = false;
    bool instantiated = false;
    bool broken = false;
    SourceRange where;
    SymbolId symbol;
  };

  // --- Types (check_types.cpp)
  TypeSpec type(ast::TypeId id);
  TypeSpec base_type(const ast::Type& type);
  TypeSpec named_type(const ast::Type& type);
  TypeSpec int_type(const ast::Type& type);
  TypeSpec scalar_type(const ast::Type& type);
  TypeSpec struct_type(const ast::Type& type);
  void check_prefix(const ast::Type& type, TypeSpec& spec);
  TypeId with_dimensions(TypeSpec base, const std::vector<ast::Dimension>& dimensions);
  TypeId index_type(const ast::Dimension& dimension);
  TypeId index_from_size(ast::ExprId id);
  bool check_array_size(TypeId array, SourceRange where);
  bool check_depth(TypeId id, SourceRange where);
  void warn_empty(TypeId type, SourceRange where, std::string_view consequence);
  [[nodiscard]] bool is_bounded_range(const TypeSpec& spec, std::string_view role);
  [[nodiscard]] bool equivalent(TypeId a, TypeId b) const;
  [[nodiscard]] bool same_expression(ExprId a, ExprId b) const;
  [[nodiscard]] bool is_real(TypeId id) const;
  [[nodiscard]] bool contains(TypeId id, TypeKind kind) const {
    return builder_.network().types.contains(id, kind);
  }
  [[nodiscard]] std::string describe(TypeId id) const;
  [[nodiscard]] const Type& info(TypeId id) const { return builder_.network().types[id]; }

  // --- Expressions (check_expressions.cpp, check_operators.cpp, check_calls.cpp)
  Checked expression(ast::ExprId id);
  Checked dispatch(const ast::Expr& e);
  Checked number(const ast::Expr& e);
  Checked name(const ast::Expr& e);
  Checked variable(SymbolId id, SourceRange where);
  Checked unknown_name(const ast::Expr& e);
  Checked index(const ast::Expr& e);
  Checked field(const ast::Expr& e);
  Checked unary(const ast::Expr& e);
  Checked binary(const ast::Expr& e);
  Checked arithmetic(const ast::Expr& e, const Checked& left, const Checked& right);
  Checked comparison(const ast::Expr& e, const Checked& left, const Checked& right);
  Checked compare_whole(const ast::Expr& e, const Checked& a, const Checked& b);
  Checked compare_clocks(const ast::Expr& e, const Checked& left, const Checked& right);
  Checked compare_rate(const ast::Expr& e, const Checked& rate, const Checked& value);
  Checked logical(const ast::Expr& e, const Checked& a, const Checked& b);
  Checked conditional(const ast::Expr& e);
  Checked quantifier(const ast::Expr& e);
  Checked rate(const ast::Expr& e);
  Checked comma(const ast::Expr& e);
  Checked assignment(const ast::Expr& e);
  Checked increment(const ast::Expr& e);
  Checked compound_assignment(const ast::Expr& e,
                              const Checked& target,
                              Checked value,
                              Checked out);
  Checked call(const ast::Expr& e);
  SymbolId callee(const ast::Expr& e);
  Checked called(const ast::Expr& e,
                 const Symbol& symbol,
                 std::span<const ExprId> passed,
                 Checked out);
  Checked call_builtin(const ast::Expr& e, const Symbol& symbol);
  bool pass_argument(const ParameterInfo& parameter,
                     const Checked& argument,
                     Checked& out,
                     std::vector<ExprId>& arguments);
  Checked poison() const { return {}; }
  Checked poison(SourceRange where, std::string message, std::string hint = {});
  Checked merge(const ast::Expr& e, const Checked& a, const Checked& b) const;
  /// An integer value that runs: reports clocks, constraints and real values; poisons.
  bool integral(Checked& value, std::string_view role);
  bool scalar_value(const Checked& value, std::string_view role);
  bool check_writable(const Checked& target);
  bool check_assignable(TypeId target, const Checked& value, std::string_view role);
  void note_write(const Checked& target, Checked& out);
  void use(SymbolId id);
  void warn_real(const Checked& target);
  [[nodiscard]] bool is_price(const Checked& value) const;

  // --- Declarations (check_declarations.cpp)
  void declarations(const std::vector<ast::Declaration>& list);
  void declaration(const ast::Declaration& d);
  void variables(const ast::VariableDeclaration& d, std::vector<StmtId>* block);
  void declare_variable(const ast::Declarator& d, const TypeSpec& spec, std::vector<StmtId>* block);
  [[nodiscard]] static Storage storage_of(const TypeSpec& spec, bool local);
  bool check_storable(const ast::Declarator& d, const TypeSpec& spec, TypeId type);
  void types(const ast::TypeDeclaration& d);
  Checked initialiser(ast::ExprId id, TypeId type);
  Checked initialiser_list(const ast::Expr& e, TypeId type);
  ExprId list_element(ast::ExprId id, TypeId type, Checked& list);
  bool array_elements(const ast::Expr& e, TypeId t, Checked& list, std::vector<ExprId>& elements);
  bool struct_elements(const ast::Expr& e, TypeId t, Checked& list, std::vector<ExprId>& elements);
  std::optional<std::size_t> struct_position(const ast::Expr& e,
                                             std::size_t i,
                                             const std::vector<Field>& fields);
  SymbolId declare(Symbol symbol);
  void channel_priority(const ast::ChannelPriority& d);
  void hook(const ast::UpdateHook& d);
  void unsupported(const ast::Unsupported& d);
  std::vector<ParameterInfo> parameters(const std::vector<ast::Parameter>& list,
                                        Role role,
                                        TemplateId owner);
  ParameterInfo parameter(const ast::Parameter& p, Role role, TemplateId owner);
  bool check_parameter(const ast::Parameter& p, const TypeSpec& spec, TypeId type, Role role);

  // --- Functions (check_functions.cpp)
  void function(const ast::Function& f);
  StmtId statement(ast::StmtId id);  // invalid: nothing is left of it
  StmtId block(const ast::Stmt& s);
  StmtId if_statement(const ast::Stmt& s);
  StmtId loop(const ast::Stmt& s);
  StmtId iterate(const ast::Stmt& s);
  StmtId return_statement(const ast::Stmt& s);
  StmtId expression_statement(const ast::Stmt& s);
  std::optional<Checked> condition(ast::ExprId id);
  StmtId empty_block(SourceRange where);
  [[nodiscard]] bool returns(ast::StmtId id) const;
  bool is_empty(StmtId id) const;

  // --- Templates (check_templates.cpp)
  void process(const ast::Template& t);
  void locations(const ast::Template& t);
  void declare_location(const ast::Name& name);
  void invariant(const ast::Location& l, LocationDeclId id);
  void edges(const ast::Template& t);
  void edge(const ast::Edge& e);
  void selects(const ast::Edge& e, EdgeLabels& labels);
  void guard(const ast::Edge& e, EdgeLabels& labels);
  void sync(const ast::Edge& e, EdgeLabels& labels);
  void updates(const std::vector<ast::ExprId>& list, std::vector<ExprId>& out);
  void ignored_weight(ast::ExprId id);
  void warn_constant_guard(const Checked& value, ast::ExprId id);
  LocationDeclId endpoint(const ast::Name& name, bool source);

  // --- System (check_system.cpp)
  void instantiation(const ast::Instantiation& i);
  std::vector<ExprId> arguments(const ast::Instantiation& i, const InstantiableInfo& target);
  bool check_argument(const ParameterInfo& parameter, const Checked& argument);
  bool check_channel_argument(const ParameterInfo& parameter, const Checked& argument);
  bool is_unique_reference(const Checked& argument) const;
  void system();
  void system_entry(const ast::SystemEntry& entry);
  bool check_free_parameters(const InstantiableInfo& listed, SourceRange where);
  bool check_free_layout(const InstantiableInfo& listed, SourceRange where);
  [[nodiscard]] bool mentions(ExprId expression, const std::unordered_set<VariableId>& names) const;
  TemplateId spread_over_instances(const InstantiableInfo& listed,
                                   std::unordered_set<VariableId>& names) const;
  void warn_unused();
  [[nodiscard]] bool is_template_parameter(const Symbol& symbol) const;
  [[nodiscard]] bool is_reference_parameter(const Symbol& symbol) const;

  // --- Properties (check_properties.cpp)
  struct PropertyScope;
  // `P.name`: exactly one of location and variable is valid, or none and it was reported.
  struct Member {
    LocationId location;
    VariableId variable;
  };
  struct Range {
    TypeId type;
    std::int32_t low = 0;
    std::int32_t high = -1;
  };
  PropertyNodeId temporal(ast::LtlId id);
  PropertyNodeId state_formula(ast::ExprId id);
  PropertyNodeId clause(ast::ExprId id);
  PropertyNodeId split_clause(ast::ExprId id, std::size_t depth);
  PropertyNodeId quantified(const Range& range,
                            const std::string& name,
                            bool all,
                            const std::function<PropertyNodeId()>& body);
  PropertyNodeId add_node(PropertyNode node);
  PropertyNodeId truth_node(bool value);
  PropertyNodeId negation(PropertyNodeId operand);
  PropertyNodeId connect(PropertyNode::Kind kind, PropertyNodeId left, PropertyNodeId right);
  PropertyNodeId temporal_node(PropertyNode::Kind kind, PropertyNodeId left, PropertyNodeId right);
  [[nodiscard]] std::optional<bool> truth_of(PropertyNodeId id) const;
  std::optional<Range> property_range(ast::TypeId type);
  void bind(const std::string& name, const Range& range, std::int32_t value);
  void unbind();
  Checked written_out(const ast::Expr& e);
  std::optional<Member> member(const ast::Expr& e);
  Checked member_value(const ast::Expr& e, const Member& found);
  std::optional<std::string> process_name(const ast::Expr& e);
  ProcessId find_process(const ast::Expr& e, const std::string& name);
  bool check_clause(Checked& value);
  [[nodiscard]] std::string clause_text(SourceRange where) const;
  [[nodiscard]] std::string suggest_member(std::string_view name) const;
  [[nodiscard]] bool mentions_meta(ExprId expression) const;

  // --- Helpers
  void builtins();
  void error(SourceRange where, std::string message, std::string hint = {});
  void warning(SourceRange where, std::string message, std::string hint = {});
  [[nodiscard]] const ast::Expr& node(ast::ExprId id) const { return document_.exprs[id]; }
  [[nodiscard]] bool in_template() const { return template_.valid(); }

  /// A syntax error may have lost the declaration of this name; who mentions it is not to blame.
  [[nodiscard]] bool is_lost(const std::string& name) const {
    return document_.lost_names.count(name) != 0;
  }
  [[nodiscard]] bool is_lost_process(const std::string& name) const;

  /// "did you mean 'len'? (declared at gate.xml:6:5)", or the other hint if nothing that is wanted
  /// is close.
  [[nodiscard]] std::string suggest(std::string_view name,
                                    Wanted wanted,
                                    std::string_view otherwise) const;
  [[nodiscard]] bool fits(const Symbol& symbol, Wanted wanted) const;
  [[nodiscard]] std::string place(SourceRange where) const;

  /// The name at the root of `c[i]` or `s.c`; null if there is none.
  [[nodiscard]] const ast::Expr* root_name(ast::ExprId id) const;

  const ast::Document& document_;
  const SourceFile& file_;
  NetworkBuilder& builder_;
  Diagnostics* diagnostics_;  // never null: of the model, or of a property
  SymbolTable symbols_;

  std::vector<FunctionInfo> functions_;
  std::vector<InstantiableInfo> instantiables_;

  /// One level of statements and expressions, for as long as it lives.
  class Level {
   public:
    explicit Level(Checker& checker) : checker_(checker) {
      checker_.highest_ = std::max(checker_.highest_, ++checker_.level_);
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --checker_.level_; }

   private:
    Checker& checker_;
  };

  // Where we are.
  std::size_t level_ = 0;    // of statements and expressions, in the function or label
  std::size_t highest_ = 0;  // … with what calls add, so far
  TemplateId template_;      // inside a template
  const ast::Expr* channel_name_ = nullptr;    // a name that should be a channel's
  FunctionInfo* function_ = nullptr;           // inside a function
  std::vector<VariableId>* locals_ = nullptr;  // of that function

  // Of the current template.
  std::unordered_map<std::string, LocationDeclId> endpoints_;
  std::unordered_set<std::string> location_names_;
  std::unordered_set<LocationDeclId>
      branch_entries_;  // branchpoints entered with a synchronisation
  std::vector<std::pair<LocationDeclId, SourceRange>> branch_exits_;  // … and left with one

  // Said once per model.
  bool warned_real_ = false;
  bool warned_rates_ = false;
  bool warned_weights_ = false;
  bool warned_prices_ = false;
  bool warned_hybrid_ = false;
  bool reported_csp_ = false;
  bool reported_dynamic_ = false;
  std::vector<ExprId> before_update_;
  std::vector<ExprId> after_update_;
  bool has_priority_ = false;

  PropertyScope* scope_ = nullptr;                        // inside a property
  std::unordered_map<std::string, ProcessId> processes_;  // by name, once there was a property
};

}  // namespace tw::uppaal
