#include "engine/model/run_error.hpp"

#include <fmt/format.h>
#include <optional>

#include "engine/model/print.hpp"

namespace tw {
namespace {

// What is said of an expression has to fit into a message; its place is shown anyway.
constexpr std::size_t kMostCharacters = 60;

class Teller {
 public:
  Teller(const Network& network, const RunError& error)
      : network_(network),
        error_(error),
        misfit_(error.misfit) {}

  [[nodiscard]] std::string message() const {
    // A place in a copy of the network that was changed need not be one here.
    if (!error_.at.valid() || error_.at.index() >= network_.pool.size())
      return std::string(describe(error_.status));
    switch (error_.status) {
      case RunStatus::kValueOutOfRange:
        return out_of_range();
      case RunStatus::kIndexOutOfRange:
        return fmt::format("index {} lies outside {}, whose {} go from {} to {}", misfit_.value,
                           part("the array", 0), elements(), misfit_.low, misfit_.high);
      case RunStatus::kDivisionByZero:
        return fmt::format("division by zero: {} in {}", division(), quoted(error_.at));
      case RunStatus::kNegativeShift:
        return fmt::format("shift by a negative count: {} in {}", misfit_.value, quoted(error_.at));
      case RunStatus::kBoundTooLarge:
        return fmt::format("a clock is compared with {}; the largest number is {}", misfit_.value,
                           misfit_.high);
      case RunStatus::kAssertionFailed:
        return fmt::format("the assertion {} fails", quoted(error_.at));
      case RunStatus::kNoReturn:
        if (node(error_.at).kind == ExprKind::kCall)
          return fmt::format("'{}' ends without returning a value",
                             network_.functions[node(error_.at).function()].name);
        break;
      case RunStatus::kOk:
      case RunStatus::kTooManySteps:
      case RunStatus::kTooDeep:
      case RunStatus::kNotConstant:
        break;
    }
    return std::string(describe(error_.status));
  }

 private:
  [[nodiscard]] const Expression& node(ExprId id) const { return network_.pool[id]; }

  [[nodiscard]] std::string quoted(ExprId id) const {
    const std::string text = print_expression(network_, id);
    return text.size() > kMostCharacters ? "this expression" : "'" + text + "'";
  }

  // The text of an operand, if there is one.
  [[nodiscard]] std::string part(std::string_view otherwise, std::size_t i) const {
    return i < node(error_.at).operand_count ? quoted(network_.pool.operand(error_.at, i))
                                             : std::string(otherwise);
  }

  [[nodiscard]] std::string elements() const {
    const std::int64_t count = misfit_.high - misfit_.low + 1;
    return count == 1 ? "1 element" : fmt::format("{} elements", count);
  }

  [[nodiscard]] std::string division() const {
    const Expression& e = node(error_.at);
    const ExprKind op = e.kind == ExprKind::kCompoundAssign ? e.op : e.kind;
    if (op == ExprKind::kPower)
      return fmt::format("0 ** {}", misfit_.value);
    return fmt::format("{} {} 0", misfit_.value, op == ExprKind::kModulo ? "%" : "/");
  }

  [[nodiscard]] std::string out_of_range() const {
    const ExprKind kind = node(error_.at).kind;
    if (kind == ExprKind::kEqual)
      return fmt::format("the rate of a clock would be {}; it may be 0 or 1", misfit_.value);
    if (kind < ExprKind::kAssign || kind > ExprKind::kPostDecrement)
      return fmt::format("{} would be {}, outside its range [{},{}]", role(), misfit_.value,
                         misfit_.low, misfit_.high);
    const ExprId target = network_.pool.operand(error_.at, 0);
    const TypeId type = node(target).type;
    if (network_.types[type].kind == TypeKind::kClock)
      return misfit_.value > misfit_.high
                 ? fmt::format("the clock {} would be set to {}; the largest number is {}",
                               quoted(target), misfit_.value, misfit_.high)
                 : fmt::format("the clock {} would be set to a negative number", quoted(target));
    return fmt::format("{}{} would be set to {}, outside its range [{},{}]",
                       network_.types.is_discrete(type) ? "" : "a part of ", quoted(target),
                       misfit_.value, misfit_.low, misfit_.high);
  }

  // What a value is for whose expression is no assignment.
  [[nodiscard]] std::string role() const {
    for (std::size_t i = 0; i < network_.pool.size(); ++i) {
      const ExprId id(i);
      if (node(id).kind != ExprKind::kCall)
        continue;
      const Function& function = network_.functions[node(id).function()];
      for (std::size_t k = 0; k < node(id).operand_count; ++k)
        if (network_.pool.operand(id, k) == error_.at &&
            !network_.variables[function.parameters[k]].is_alias())
          return fmt::format("the parameter '{}' of '{}'",
                             network_.variables[function.parameters[k]].name, function.name);
    }
    for (std::size_t i = 0; i < network_.pool.statement_count(); ++i) {
      const Statement& s = network_.pool[StmtId(i)];
      if (s.exprs.empty() || s.exprs[0] != error_.at)
        continue;
      if (s.kind == StmtKind::kDeclare)
        return fmt::format("'{}'", network_.variables[s.variable].name);
      if (s.kind == StmtKind::kReturn)
        return "the result of the function";
    }
    return "the value of " + quoted(error_.at);
  }

  const Network& network_;
  const RunError& error_;
  const Misfit& misfit_;
};

}  // namespace

std::string describe(const Network& network, const RunError& error) {
  return Teller(network, error).message();
}

}  // namespace tw
