// Calls of the user's functions and of the built-in ones.

#include <fmt/format.h>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {

// The function a call names; invalid, and reported, if there is none.
SymbolId Checker::callee(const ast::Expr& e) {
  const ast::Expr& name = node(e.args[0]);
  if (name.kind != ast::ExprKind::kName) {
    error(name.where, "this cannot be called", "call a function by its name");
    return {};
  }
  const SymbolId id = symbols_.find(name.text);
  if (id.valid()) {
    use(id);
    return id;
  }
  if (name.text == "spawn" || name.text == "numOf" || name.text == "exit") {
    if (!reported_dynamic_)
      error(name.where, fmt::format("dynamic templates ('{}') are not supported", name.text),
            "list all processes in the system line");
    reported_dynamic_ = true;
  } else if (!is_lost(name.text)) {
    error(name.where, fmt::format("unknown function '{}'", name.text),
          suggest(name.text, Wanted::kFunction, "declare it before its first use"));
  }
  return {};
}

Checked Checker::call(const ast::Expr& e) {
  const SymbolId id = callee(e);
  if (!id.valid())
    return poison();
  const Symbol symbol = symbols_[id];
  const SourceRange where = node(e.args[0]).where;
  if (symbol.kind == SymbolKind::kBuiltinFunction)
    return call_builtin(e, symbol);
  if (symbol.kind != SymbolKind::kFunction)
    return poison(where, fmt::format("'{}' is not a function", symbol.name));
  if (!functions_[symbol.index].complete)
    return function_ == &functions_[symbol.index]
               ? poison(where, fmt::format("'{}' calls itself", symbol.name),
                        "functions cannot be recursive; use a loop")
               : poison();

  const std::size_t given = e.args.size() - 1;
  const std::size_t wanted = functions_[symbol.index].parameters.size();
  if (given != wanted)
    return poison(e.where, fmt::format("'{}' takes {} argument{}, {} given", symbol.name, wanted,
                                       wanted == 1 ? "" : "s", given));
  Checked out;
  out.where = e.where;
  out.computable = true;
  std::vector<ExprId> passed;
  bool ok = true;
  for (std::size_t i = 0; i < given; ++i) {
    const Checked argument = expression(e.args[i + 1]);
    const ParameterInfo parameter = functions_[symbol.index].parameters[i];
    ok = pass_argument(parameter, argument, out, passed) && ok;
  }
  return ok ? called(e, symbol, passed, out) : poison();
}

// What a call is, once its arguments are known.
Checked Checker::called(const ast::Expr& e,
                        const Symbol& symbol,
                        std::span<const ExprId> passed,
                        Checked out) {
  const FunctionInfo& function = functions_[symbol.index];
  // Whoever follows calls needs stack in proportion: evaluators, compiler, analyses.
  if (level_ + function.height > kMaxEvaluationDepth)
    return poison(e.where,
                  fmt::format("with this call of '{}', calls and expressions nest deeper than {} "
                              "levels",
                              symbol.name, kMaxEvaluationDepth),
                  "use loops, or fewer functions that call each other");
  highest_ = std::max(highest_, level_ + function.height);
  out.type = function.result;
  out.effect = out.effect || function.effect;
  out.live_effect = out.live_effect || function.live_effect;
  out.useful = out.effect;
  out.computable = out.computable && function.computable && !function.effect;
  if (function_ != nullptr) {
    function_->effect = function_->effect || function.effect;
    function_->live_effect = function_->live_effect || function.live_effect;
    function_->computable = function_->computable && function.computable;
  }
  out.real = is_real(function.result);
  if (!out.real)
    out.id = builder_.call(function.id, passed, e.where);
  else if (function.live_effect)
    return poison(e.where,
                  fmt::format("'{}' returns a real number and changes the model", symbol.name),
                  "split it: real values may not influence the model");
  return out;
}

bool Checker::pass_argument(const ParameterInfo& parameter,
                            const Checked& argument,
                            Checked& out,
                            std::vector<ExprId>& arguments) {
  if (argument.poisoned() || !parameter.type.valid())
    return false;
  out.effect = out.effect || argument.effect;
  out.live_effect = out.live_effect || argument.live_effect;
  out.computable = out.computable && argument.computable;
  if (is_real(parameter.type)) {
    if (argument.live_effect) {
      error(argument.where, "a real-valued argument changes the model");
      return false;
    }
    if (parameter.by_reference && !parameter.is_const && argument.lvalue) {
      Checked written = argument;
      written.real = true;
      note_write(written, out);
    }
    return true;
  }
  const bool alias = parameter.by_reference && !parameter.is_const;
  if (!alias) {
    if (info(parameter.type).kind == TypeKind::kChannel) {
      arguments.push_back(argument.id);
      return argument.runs();
    }
    if (!check_assignable(parameter.type, argument, "the argument"))
      return false;
    arguments.push_back(argument.id);
    return argument.runs();
  }
  const bool channel = contains(parameter.type, TypeKind::kChannel);
  if (!channel && !check_writable(argument))
    return false;
  if (argument.real || !equivalent(parameter.type, argument.type)) {
    error(
        argument.where,
        fmt::format("the argument for '{}' must be a variable of exactly the type of the reference",
                    parameter.name),
        "ranges, lengths and field names must agree");
    return false;
  }
  if (!channel)
    note_write(argument, out);
  arguments.push_back(argument.id);
  return true;
}

Checked Checker::call_builtin(const ast::Expr& e, const Symbol& symbol) {
  Checked out;
  out.where = e.where;
  out.computable = true;
  const std::size_t given = e.args.size() - 1;
  const auto wanted = static_cast<std::size_t>(symbol.index);
  std::vector<Checked> arguments;
  for (std::size_t i = 1; i < e.args.size(); ++i) {
    arguments.push_back(expression(e.args[i]));
    if (arguments.back().poisoned())
      return poison();
    out.effect = out.effect || arguments.back().effect;
    out.live_effect = out.live_effect || arguments.back().live_effect;
    out.computable = out.computable && arguments.back().computable;
  }
  if (given != wanted)
    return poison(e.where, fmt::format("'{}' takes {} argument{}, {} given", symbol.name, wanted,
                                       wanted == 1 ? "" : "s", given));
  if (symbol.name == "abs" && !arguments[0].real) {
    if (!integral(arguments[0], "the argument of 'abs'"))
      return poison();
    out.type = builder_.network().types.int_type();
    out.id = builder_.unary(ExprKind::kAbsolute, arguments[0].id, e.where);
    return out;
  }
  if (symbol.name.starts_with("random"))
    out.computable = false;
  out.real = true;
  out.type = builder_.network().types.real_type();
  return out;
}

}  // namespace tw::uppaal
