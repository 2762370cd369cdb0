// Functions and statements. What only concerns real values vanishes: a statement may come out as
// nothing.

#include <fmt/format.h>
#include <utility>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {

void Checker::function(const ast::Function& f) {
  const TypeSpec result = type(f.result);
  TypeId result_type = result.type;
  if (result_type.valid() &&
      (info(result_type).kind == TypeKind::kArray || contains(result_type, TypeKind::kClock) ||
       contains(result_type, TypeKind::kChannel) || result.string)) {
    error(result.where, fmt::format("a function cannot return {}", describe(result_type)),
          "pass a reference parameter and write to it");
    result_type = TypeId();
  }
  const auto slot = static_cast<std::uint32_t>(functions_.size());
  functions_.emplace_back();
  functions_.back().result = result_type;
  const SymbolId symbol = declare(
      {.name = f.name.text, .kind = SymbolKind::kFunction, .where = f.name.where, .index = slot});

  symbols_.push(Frame::kFunction);
  FunctionInfo current;
  current.result = result_type;
  current.parameters = parameters(f.parameters, Role::kFunctionParameter, template_);
  const bool runs = result_type.valid() && !is_real(result_type);
  Function made{.name = f.name.text,
                .result = result_type,
                .where = f.name.where,
                .prototype = in_template(),
                .owner_template = template_};
  for (const ParameterInfo& parameter : current.parameters)
    if (parameter.variable.valid())
      made.parameters.push_back(parameter.variable);

  functions_[slot] = std::move(current);
  std::vector<VariableId> locals;
  // The table may not grow while a body is read (functions do not nest), so the pointer stays good.
  function_ = &functions_[slot];
  locals_ = &locals;
  const std::size_t outer = std::exchange(highest_, 0);
  StmtId body = statement(f.body);
  functions_[slot].height = std::exchange(highest_, outer);
  const bool is_void = result_type.valid() && info(result_type).kind == TypeKind::kVoid;
  if (result_type.valid() && !is_void && !returns(f.body))
    error(f.name.where, fmt::format("'{}' may end without returning a value", f.name.text),
          "end it with a 'return' on every path");
  function_ = nullptr;
  locals_ = nullptr;
  symbols_.pop();
  if (!body.valid())
    body = empty_block(f.name.where);
  if (runs && symbol.valid()) {
    functions_[slot].id = builder_.add_function(std::move(made));
    builder_.set_body(functions_[slot].id, body, std::move(locals));
  }
  functions_[slot].complete = result_type.valid();
}

StmtId Checker::empty_block(SourceRange where) {
  return builder_.statement({.kind = StmtKind::kBlock, .where = where});
}

bool Checker::is_empty(StmtId id) const {
  if (!id.valid())
    return true;
  const Statement& s = builder_.network().pool[id];
  if (s.kind != StmtKind::kBlock)
    return false;
  for (const StmtId child : s.children)
    if (!is_empty(child))
      return false;
  return true;
}

StmtId Checker::statement(ast::StmtId id) {
  if (!id.valid())
    return {};
  const Level level(*this);
  const ast::Stmt& s = document_.stmts[id];
  switch (s.kind) {
    case ast::StmtKind::kEmpty:
      return empty_block(s.where);
    case ast::StmtKind::kBlock:
      return block(s);
    case ast::StmtKind::kExpression:
      return expression_statement(s);
    case ast::StmtKind::kIf:
      return if_statement(s);
    case ast::StmtKind::kFor:
    case ast::StmtKind::kWhile:
    case ast::StmtKind::kDoWhile:
      return loop(s);
    case ast::StmtKind::kIterate:
      return iterate(s);
    case ast::StmtKind::kReturn:
      return return_statement(s);
    case ast::StmtKind::kAssert: {
      Checked value = expression(s.exprs[0]);
      if (value.poisoned() || !integral(value, "an assertion"))
        return {};
      if (value.effect) {
        error(value.where, "an assertion must not change anything");
        return {};
      }
      return builder_.statement({.kind = StmtKind::kAssert, .where = s.where, .exprs = {value.id}});
    }
  }
  return {};
}

StmtId Checker::block(const ast::Stmt& s) {
  symbols_.push(Frame::kBlock);
  std::vector<StmtId> parts;
  for (const ast::LocalDeclaration& d : s.declarations) {
    if (d.variables)
      variables(*d.variables, &parts);
    if (d.types)
      types(*d.types);
  }
  for (const ast::StmtId part : s.body) {
    const StmtId made = statement(part);
    if (made.valid())
      parts.push_back(made);
  }
  symbols_.pop();
  return builder_.statement(
      {.kind = StmtKind::kBlock, .where = s.where, .children = std::move(parts)});
}

StmtId Checker::expression_statement(const ast::Stmt& s) {
  const Checked value = expression(s.exprs[0]);
  if (value.poisoned())
    return {};
  if (!value.useful && !value.effect && info(value.type).kind != TypeKind::kVoid)
    warning(value.where, "this statement has no effect", "did you mean to assign it?");
  if (value.form != ClockForm::kNone && !value.useful) {
    error(value.where, "a function cannot read a clock: its value is a set of times");
    return {};
  }
  if (!value.runs())
    return {};
  return builder_.statement({.kind = StmtKind::kExpression, .where = s.where, .exprs = {value.id}});
}

// nullopt: in error. A condition on real values does not run; the caller sees what depends on it.
std::optional<Checked> Checker::condition(ast::ExprId id) {
  Checked value = expression(id);
  if (value.poisoned())
    return std::nullopt;
  if (!value.real && !integral(value, "a condition"))
    return std::nullopt;
  return value;
}

StmtId Checker::if_statement(const ast::Stmt& s) {
  const auto value = condition(s.exprs[0]);
  const StmtId yes = statement(s.body[0]);
  const StmtId no = s.body.size() > 1 ? statement(s.body[1]) : StmtId();
  if (!value)
    return {};
  if (value->real) {
    if (is_empty(yes) && is_empty(no))
      return {};
    Checked copy = *value;
    static_cast<void>(integral(copy, "a condition"));
    return {};
  }
  Statement out{.kind = StmtKind::kIf, .where = s.where, .exprs = {value->id}};
  out.children.push_back(yes.valid() ? yes : empty_block(s.where));
  if (no.valid())
    out.children.push_back(no);
  return builder_.statement(std::move(out));
}

StmtId Checker::loop(const ast::Stmt& s) {
  const bool is_for = s.kind == ast::StmtKind::kFor;
  const Checked start = is_for ? expression(s.exprs[0]) : Checked{};
  const auto value = condition(is_for ? s.exprs[1] : s.exprs[0]);
  const Checked step = is_for ? expression(s.exprs[2]) : Checked{};
  const StmtId body = statement(s.body[0]);
  if (!value || (is_for && (start.poisoned() || step.poisoned())))
    return {};
  const bool real = value->real || (is_for && (!start.runs() || !step.runs()));
  if (real) {
    if (is_empty(body) && !(is_for && (start.runs() || step.runs())))
      return {};
    error(value->where, "a loop depends on a real value",
          "real numbers may be computed, but must not influence the model");
    return {};
  }
  Statement out{.where = s.where, .children = {body.valid() ? body : empty_block(s.where)}};
  if (is_for) {
    out.kind = StmtKind::kFor;
    out.exprs = {start.id, value->id, step.id};
  } else {
    out.kind = s.kind == ast::StmtKind::kWhile ? StmtKind::kWhile : StmtKind::kDoWhile;
    out.exprs = {value->id};
  }
  return builder_.statement(std::move(out));
}

StmtId Checker::iterate(const ast::Stmt& s) {
  const TypeSpec spec = type(s.type);
  const bool ok = is_bounded_range(spec, "an iteration");
  if (ok)
    warn_empty(spec.type, spec.where, "the loop does nothing");
  symbols_.push(Frame::kBlock);
  Symbol symbol{.name = s.variable.text,
                .kind = SymbolKind::kVariable,
                .where = s.variable.where,
                .access = Access::kIterator,
                .function_local = true,
                .used = true};
  if (ok) {
    symbol.type = spec.type;
    symbol.variable = builder_.add_variable({.name = s.variable.text,
                                             .type = spec.type,
                                             .role = Role::kIterator,
                                             .storage = Storage::kFrame,
                                             .is_const = true,
                                             .where = s.variable.where,
                                             .prototype = in_template(),
                                             .owner_template = template_});
  }
  const VariableId variable = symbol.variable;
  declare(std::move(symbol));
  const StmtId body = statement(s.body[0]);
  symbols_.pop();
  if (!ok)
    return {};
  return builder_.statement({.kind = StmtKind::kIterate,
                             .where = s.where,
                             .variable = variable,
                             .children = {body.valid() ? body : empty_block(s.where)}});
}

StmtId Checker::return_statement(const ast::Stmt& s) {
  if (function_ == nullptr || !function_->result.valid())
    return {};
  const TypeId want = function_->result;
  const bool is_void = info(want).kind == TypeKind::kVoid;
  if (s.exprs.empty()) {
    if (!is_void)
      error(s.where, "the function must return a value");
    return builder_.statement({.kind = StmtKind::kReturn, .where = s.where});
  }
  const Checked value = expression(s.exprs[0]);
  if (value.poisoned())
    return {};
  if (is_void) {
    if (info(value.type).kind != TypeKind::kVoid) {
      error(value.where, "a void function returns no value");
      return {};
    }
    // `return f();` with a void f: call it, then return.
    Statement both{.kind = StmtKind::kBlock, .where = s.where};
    if (value.runs())
      both.children.push_back(builder_.statement(
          {.kind = StmtKind::kExpression, .where = s.where, .exprs = {value.id}}));
    both.children.push_back(builder_.statement({.kind = StmtKind::kReturn, .where = s.where}));
    return builder_.statement(std::move(both));
  }
  if (is_real(want) || !check_assignable(want, value, "the returned value"))
    return {};
  return builder_.statement({.kind = StmtKind::kReturn, .where = s.where, .exprs = {value.id}});
}

// The simple check of the reference: the last statement returns, of an if both branches.
bool Checker::returns(ast::StmtId id) const {
  if (!id.valid())
    return true;  // a syntax error was reported
  const ast::Stmt& s = document_.stmts[id];
  switch (s.kind) {
    case ast::StmtKind::kReturn:
      return true;
    case ast::StmtKind::kBlock:
      return !s.body.empty() && returns(s.body.back());
    case ast::StmtKind::kIf:
      return s.body.size() > 1 && returns(s.body[0]) && returns(s.body[1]);
    case ast::StmtKind::kDoWhile:
      return returns(s.body[0]);
    case ast::StmtKind::kEmpty:
    case ast::StmtKind::kExpression:
    case ast::StmtKind::kFor:
    case ast::StmtKind::kIterate:
    case ast::StmtKind::kWhile:
    case ast::StmtKind::kAssert:
      return false;
  }
  return false;
}

}  // namespace tw::uppaal
