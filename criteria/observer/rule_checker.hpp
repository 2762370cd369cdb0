// One rule: which names are variables and which are the model's, what types they have, and each
// condition in its plain form.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "criteria/observer/program.hpp"

namespace tw::observer {

/// "process", "edge"
[[nodiscard]] std::string_view kind_in_words(ValueType type);

/// The name that stands for anything.
inline constexpr std::string_view kAnything = "_";

/// May be the name of a variable.
[[nodiscard]] inline bool is_plain(const Expression& expression) {
  return expression.kind == Expression::Kind::kName &&
         expression.text.find_first_of("(.[") == std::string::npos;
}

[[nodiscard]] inline bool is_call(const Expression& expression, std::string_view function) {
  return expression.kind == Expression::Kind::kCall && expression.text == function;
}

/// Depends on the step, not on its arguments alone.
[[nodiscard]] inline bool is_dynamic(const Expression& expression) {
  return is_call(expression, "edge") || is_call(expression, "loc") ||
         is_call(expression, "event") || is_call(expression, "eval");
}

[[nodiscard]] inline Operand variable_operand(VariableNumber number) {
  return {.kind = Operand::Kind::kVariable, .variable = number, .set = {}};
}

[[nodiscard]] inline Operand set_operand(std::vector<Value> values) {
  return {.kind = Operand::Kind::kSet, .variable = 0, .set = std::move(values)};
}

class RuleChecker {
 public:
  /// All are borrowed. Pre: the names of nodes are right, and the numbers of their arguments.
  RuleChecker(const Observer& observer,
              const Program& program,
              const Rule& rule,
              const ModelValues& values,
              Diagnostics& diagnostics);

  /// `fixed`: by parameter, the values it may have.
  [[nodiscard]] CheckedRule run(const std::vector<std::optional<std::vector<Value>>>& fixed);

 private:
  using Types = std::span<const ValueType>;

  // Variables.
  void declare_variables();
  void count(const Expression& expression);
  void infer_types();
  bool infer(const Expression& expression, std::optional<ValueType> type);
  [[nodiscard]] std::optional<ValueType> type_of(const Expression& expression) const;
  [[nodiscard]] VariableNumber add_variable(std::string name, ValueType type);
  [[nodiscard]] VariableNumber variable_for(const Expression& argument, ValueType type);
  void name_parts();
  void check_bound();

  // Conditions.
  void lower(const Condition& condition);
  void lower_call(const Condition& condition);
  void lower_access(const Condition& condition);
  void lower_comparison(const Condition& condition);
  void lower_edge(const Condition& c, const Expression& left, const Expression& right, Relation r);
  void lower_location(const Condition& c,
                      const Expression& left,
                      const Expression& right,
                      Relation r);
  void lower_value(const Condition& c, const Expression& left, const Expression& right, Relation r);
  void lower_check(const Condition& c, const Expression& left, const Expression& right, Relation r);
  [[nodiscard]] Demand fired(const Condition& condition, const Expression& call);
  void require(Operand left, ValueType type, Relation relation, Operand right, SourceRange where);

  // Expressions.
  [[nodiscard]] Operand operand(const Expression& expression, Types types, ValueType* found);
  [[nodiscard]] Operand nested(const Expression& call, Types types, ValueType* found);
  [[nodiscard]] std::optional<Side> side(const Expression& expression,
                                         std::optional<ValueType> wanted);
  void set_owner(const Expression& call, Demand& demand);
  bool has_arguments(const Expression& call, std::size_t least, std::size_t most);
  void refuse_name(const Expression& name, Types types, const std::string& hint);

  const Observer& observer_;
  const Program& program_;
  const Rule& rule_;
  const ModelValues& values_;
  Diagnostics& diagnostics_;
  CheckedRule out_;
  std::map<std::string, VariableNumber, std::less<>> known_;
  std::map<std::string, ValueType, std::less<>> types_;  // of names that may be variables
  std::map<std::string, int, std::less<>> occurrences_;
  bool inside_no_ = false;
};

}  // namespace tw::observer
