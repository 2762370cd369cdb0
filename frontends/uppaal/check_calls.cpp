// Calls of the user's functions and of the built-in ones.

#include <fmt/format.h>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {

Checked Checker::call(const ast::Expr& e) {
  const ast::Expr& callee = node(e.args[0]);
  if (callee.kind != ast::ExprKind::kName)
    return poison(callee.where, "this cannot be called", "call a function by its name");
  const SymbolId id = symbols_.find(callee.text);
  if (!id.valid()) {
    if (callee.text == "spawn" || callee.text == "numOf" || callee.text == "exit") {
      if (!reported_dynamic_)
        error(callee.where,
              fmt::format("dynamic templates ('{}') are not supported", callee.text),
              "list all processes in the system line");
      reported_dynamic_ = true;
      return poison();
    }
    if (names_may_be_missing_)
      return poison();
    const std::string close = symbols_.suggestion(callee.text);
    return poison(callee.where, fmt::format("unknown function '{}'", callee.text),
                  close.empty() ? "declare it before its first use"
                                : fmt::format("did you mean '{}'?", close));
  }
  use(id);
  const Symbol symbol = symbols_[id];
  if (symbol.kind == SymbolKind::kBuiltinFunction)
    return call_builtin(e, symbol);
  if (symbol.kind != SymbolKind::kFunction)
    return poison(callee.where, fmt::format("'{}' is not a function", callee.text));
  if (!functions_[symbol.index].complete)
    return function_ == &functions_[symbol.index]
               ? poison(callee.where, fmt::format("'{}' calls itself", callee.text),
                        "functions cannot be recursive; use a loop")
               : poison();

  const std::size_t given = e.args.size() - 1;
  const std::size_t wanted = functions_[symbol.index].parameters.size();
  if (given != wanted)
    return poison(e.where, fmt::format("'{}' takes {} argument{}, {} given", callee.text, wanted,
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
  if (!ok)
    return poison();
  const FunctionInfo& function = functions_[symbol.index];
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
                  fmt::format("'{}' returns a real number and changes the model", callee.text),
                  "split it: real values may not influence the model");
  return out;
}

bool Checker::pass_argument(const ParameterInfo& parameter, const Checked& argument, Checked& out,
                            std::vector<ExprId>& arguments) {
  if (argument.poisoned() || !parameter.type.valid())
    return false;
  out.effect = out.effect || argument.effect;
  out.live_effect = out.live_effect || argument.live_effect;
  out.computable = out.computable && argument.computable;
  const std::string role = fmt::format("the argument for '{}'", parameter.name);
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
    if (!check_assignable(parameter.type, argument, role))
      return false;
    arguments.push_back(argument.id);
    return argument.runs();
  }
  const bool channel = contains(parameter.type, TypeKind::kChannel);
  if (!channel && !check_writable(argument))
    return false;
  if (argument.real || !equivalent(parameter.type, argument.type)) {
    error(argument.where,
          fmt::format("{} must be a variable of exactly the type of the reference", role),
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
