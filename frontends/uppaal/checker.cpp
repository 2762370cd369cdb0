#include "frontends/uppaal/checker.hpp"

#include <fmt/format.h>
#include <limits>
#include <utility>

#include "engine/base/suggest.hpp"

namespace tw::uppaal {
namespace {

struct BuiltinNumber {
  const char* name;
  std::int32_t value;
};

constexpr BuiltinNumber kNumbers[] = {
    {"INT8_MIN", -128},
    {"INT8_MAX", 127},
    {"UINT8_MAX", 255},
    {"INT16_MIN", -32768},
    {"INT16_MAX", 32767},
    {"UINT16_MAX", 65535},
    {"INT32_MIN", std::numeric_limits<std::int32_t>::min()},
    {"INT32_MAX", std::numeric_limits<std::int32_t>::max()},
};

constexpr const char* kRealNumbers[] = {
    "FLT_MIN", "FLT_MAX", "DBL_MIN",    "DBL_MAX",  "M_PI",      "M_PI_2",
    "M_PI_4",  "M_E",     "M_LOG2E",    "M_LOG10E", "M_LN2",     "M_LN10",
    "M_1_PI",  "M_2_PI",  "M_2_SQRTPI", "M_SQRT2",  "M_SQRT1_2",
};

// What priced models grow and spend: used without a declaration.
constexpr const char* kPrices[] = {"cost", "reward"};

struct BuiltinType {
  const char* name;
  std::int32_t low;
  std::int32_t high;
};

constexpr BuiltinType kTypes[] = {
    {"int8_t", -128, 127},
    {"uint8_t", 0, 255},
    {"int16_t", -32768, 32767},
    {"uint16_t", 0, 65535},
    {"int32_t", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()},
};

struct BuiltinFunctions {
  std::uint32_t arguments;
  const char* names;  // separated by blanks
};

constexpr BuiltinFunctions kFunctions[] = {
    {1,
     "abs fabs exp exp2 expm1 ln log log10 log2 log1p sqrt cbrt sin cos tan asin acos atan sinh "
     "cosh "
     "tanh asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round fint ilogb logb "
     "fpclassify isfinite isinf isnan isnormal signbit random random_poisson"},
    {2,
     "fmod fmax fmin fdim pow hypot atan2 ldexp nextafter copysign isunordered random_arcsine "
     "random_beta random_gamma random_normal random_weibull"},
    {3, "fma random_tri"},
};

// Words of the language that look like an unknown name when they are misspelt.
constexpr std::pair<Wanted, const char*> kKeywords[] = {
    {Wanted::kValue, "true"},      {Wanted::kValue, "false"},     {Wanted::kType, "int"},
    {Wanted::kType, "bool"},       {Wanted::kType, "chan"},       {Wanted::kType, "clock"},
    {Wanted::kType, "void"},       {Wanted::kType, "scalar"},     {Wanted::kType, "struct"},
    {Wanted::kType, "double"},     {Wanted::kType, "const"},      {Wanted::kType, "urgent"},
    {Wanted::kType, "broadcast"},  {Wanted::kType, "typedef"},    {Wanted::kType, "return"},
    {Wanted::kType, "system"},     {Wanted::kType, "process"},    {Wanted::kType, "state"},
    {Wanted::kType, "init"},       {Wanted::kType, "trans"},      {Wanted::kType, "commit"},
    {Wanted::kFunction, "if"},     {Wanted::kFunction, "while"},  {Wanted::kFunction, "for"},
    {Wanted::kFunction, "forall"}, {Wanted::kFunction, "exists"},
};

}  // namespace

Checker::Checker(const ast::Document& document,
                 const SourceFile& file,
                 NetworkBuilder& builder,
                 Diagnostics& diagnostics)
    : document_(document),
      file_(file),
      builder_(builder),
      diagnostics_(&diagnostics) {
  builtins();
}

void Checker::error(SourceRange where, std::string message, std::string hint) {
  diagnostics_->error(where, std::move(message), std::move(hint));
}

void Checker::warning(SourceRange where, std::string message, std::string hint) {
  diagnostics_->warning(where, std::move(message), std::move(hint));
}

std::string Checker::place(SourceRange where) const {
  const SourcePosition at = position_of(file_, where.begin);
  return fmt::format("{}:{}:{}", file_.path, at.line, at.column);
}

std::string Checker::suggest(std::string_view name,
                             Wanted wanted,
                             std::string_view otherwise) const {
  const SymbolId close =
      symbols_.suggestion(name, [&](const Symbol& symbol) { return fits(symbol, wanted); });
  std::vector<std::string> keywords;
  for (const auto& [kind, word] : kKeywords)
    if (kind == wanted)
      keywords.emplace_back(word);
  const std::string_view keyword = nearest_name(name, keywords);
  if (!keyword.empty() &&
      (!close.valid() || edit_distance(name, keyword) < edit_distance(name, symbols_[close].name)))
    return fmt::format("did you mean '{}'?", keyword);
  if (!close.valid())
    return std::string(otherwise);
  const Symbol& symbol = symbols_[close];
  if (symbol.frame == Frame::kBuiltin)
    return fmt::format("did you mean '{}'?", symbol.name);
  return fmt::format("did you mean '{}'? (declared at {})", symbol.name, place(symbol.where));
}

bool Checker::fits(const Symbol& symbol, Wanted wanted) const {
  switch (symbol.kind) {
    case SymbolKind::kVariable: {
      if (symbol.price || (wanted != Wanted::kValue && wanted != Wanted::kChannel))
        return false;
      const bool channel = symbol.type.valid() && contains(symbol.type, TypeKind::kChannel);
      return !symbol.type.valid() || channel == (wanted == Wanted::kChannel);
    }
    case SymbolKind::kNumber:
      return wanted == Wanted::kValue;
    case SymbolKind::kType:
      return wanted == Wanted::kType;
    case SymbolKind::kFunction:
    case SymbolKind::kBuiltinFunction:
      return wanted == Wanted::kFunction;
    case SymbolKind::kTemplate:
    case SymbolKind::kInstance:
    case SymbolKind::kSkipped:
      return wanted == Wanted::kProcess;
    case SymbolKind::kLocation:
      return false;
  }
  return false;
}

const ast::Expr* Checker::root_name(ast::ExprId id) const {
  while (id.valid()) {
    const ast::Expr& e = node(id);
    if (e.kind == ast::ExprKind::kName)
      return &e;
    if (e.kind != ast::ExprKind::kIndex && e.kind != ast::ExprKind::kField)
      return nullptr;
    id = e.args[0];
  }
  return nullptr;
}

// In a frame of their own, so that user declarations override them: older models define some of
// these.
void Checker::builtins() {
  const TypeId int_type = builder_.network().types.int_type();
  for (const BuiltinNumber& n : kNumbers)
    symbols_.declare(
        {.name = n.name, .kind = SymbolKind::kNumber, .type = int_type, .value = n.value});
  for (const char* name : kRealNumbers)
    symbols_.declare(
        {.name = name, .kind = SymbolKind::kNumber, .type = builder_.network().types.real_type()});
  for (const char* name : kPrices)
    symbols_.declare({.name = name,
                      .kind = SymbolKind::kVariable,
                      .type = builder_.network().types.real_type(),
                      .hybrid = true,
                      .price = true});
  for (const BuiltinType& t : kTypes)
    symbols_.declare(
        {.name = t.name, .kind = SymbolKind::kType, .type = builder_.int_type(t.low, t.high)});
  for (const BuiltinFunctions& group : kFunctions) {
    std::string_view rest = group.names;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      symbols_.declare({.name = std::string(rest.substr(0, end)),
                        .kind = SymbolKind::kBuiltinFunction,
                        .index = group.arguments});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

void Checker::run() {
  symbols_.push(Frame::kGlobal);
  declarations(document_.declarations);
  for (const ast::Template& t : document_.templates)
    process(t);
  for (const ast::Name& skipped : document_.skipped_templates)
    declare({.name = skipped.text, .kind = SymbolKind::kSkipped, .where = skipped.where});
  declarations(document_.system_declarations);
  system();
  for (const ast::ExprId progress : document_.progress)
    ignored_weight(progress);
  builder_.set_update_hooks(std::move(before_update_), std::move(after_update_));
  for (const ast::Query& q : document_.queries)
    builder_.add_query(
        {.formula = q.formula, .comment = q.comment, .expected = q.expected, .where = q.where});
  for (const Annotation& a : document_.comments)
    builder_.add_annotation(a);
  if (!diagnostics_->has_errors())
    warn_unused();
}

}  // namespace tw::uppaal
