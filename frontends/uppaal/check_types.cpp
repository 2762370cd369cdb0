// Types: ranges, arrays, structs, scalars, and when two types are the same.

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "frontends/uppaal/checker.hpp"
#include "frontends/uppaal/parser.hpp"

namespace tw::uppaal {
namespace {

constexpr std::int32_t kDefaultLow = -32768;
constexpr std::int32_t kDefaultHigh = 32767;

// `int` without bounds; the constant one has all 32 bits, but is the same type to the user.
bool is_plain(const Type& t) {
  return (t.low == kDefaultLow && t.high == kDefaultHigh) ||
         (t.low == std::numeric_limits<std::int32_t>::min() &&
          t.high == std::numeric_limits<std::int32_t>::max());
}

}  // namespace

Checker::TypeSpec Checker::type(ast::TypeId id) {
  const ast::Type& t = document_.types[id];
  TypeSpec spec = base_type(t);
  spec.where = t.where;
  check_prefix(t, spec);
  return spec;
}

Checker::TypeSpec Checker::base_type(const ast::Type& t) {
  const TypeTable& table = builder_.network().types;
  switch (t.base) {
    case ast::BaseType::kInt:
      return int_type(t);
    case ast::BaseType::kBool:
      return {.type = table.bool_type()};
    case ast::BaseType::kDouble:
    case ast::BaseType::kString:
      // Younger than many models: a user's own type of this name comes first.
      if (symbols_.find(t.name.text).valid())
        return named_type(t);
      return {.type = table.real_type(), .string = t.base == ast::BaseType::kString};
    case ast::BaseType::kChannel:
      return {.type = builder_.channel_type(t.is_urgent, t.is_broadcast)};
    case ast::BaseType::kClock:
      if (t.is_hybrid)
        return {.type = table.real_type(), .hybrid = true};
      return {.type = table.clock_type()};
    case ast::BaseType::kVoid:
      return {.type = table.void_type()};
    case ast::BaseType::kScalar:
      return scalar_type(t);
    case ast::BaseType::kStruct:
      return struct_type(t);
    case ast::BaseType::kNamed:
      return named_type(t);
  }
  return {};
}

void Checker::check_prefix(const ast::Type& t, TypeSpec& spec) {
  spec.is_const = spec.is_const || t.is_const;
  spec.is_meta = spec.is_meta || t.is_meta;
  if (spec.type.valid() && (t.is_const || t.is_meta) &&
      (contains(spec.type, TypeKind::kClock) || contains(spec.type, TypeKind::kChannel) ||
       spec.hybrid)) {
    error(t.where,
          fmt::format("'{}' does not go with {}", t.is_const ? "const" : "meta",
                      contains(spec.type, TypeKind::kChannel) ? "a channel" : "a clock"),
          "remove the word");
    spec.type = TypeId();
  }
  if ((t.is_urgent || t.is_broadcast) && t.base != ast::BaseType::kChannel && spec.type.valid()) {
    const bool channel = info(spec.type).kind == TypeKind::kChannel;
    if (t.base == ast::BaseType::kNamed && channel) {
      spec.type = builder_.channel_type(t.is_urgent || info(spec.type).urgent,
                                        t.is_broadcast || info(spec.type).broadcast);
      return;
    }
    error(t.where,
          fmt::format("'{}' only goes with channels", t.is_urgent ? "urgent" : "broadcast"),
          "remove the word, or declare a 'chan'");
    spec.type = TypeId();
  }
}

Checker::TypeSpec Checker::named_type(const ast::Type& t) {
  const SymbolId id = symbols_.find(t.name.text);
  if (!id.valid() && is_lost(t.name.text))
    return {};
  if (!id.valid()) {
    error(t.name.where, fmt::format("unknown type '{}'", t.name.text),
          suggest(t.name.text, Wanted::kType, "declare it with 'typedef' before its first use"));
    return {};
  }
  const Symbol& symbol = symbols_[id];
  if (symbol.kind != SymbolKind::kType) {
    error(t.name.where, fmt::format("'{}' is not a type", t.name.text));
    return {};
  }
  use(id);
  TypeSpec spec{.type = symbol.type,
                .is_const = symbol.is_const_type,
                .is_meta = symbol.is_meta_type,
                .hybrid = symbol.hybrid,
                .plain_int = symbol.plain_int};
  // A constant of a plain integer type has the full range, also through a name.
  if (spec.plain_int && (t.is_const || spec.is_const) && info(spec.type).kind == TypeKind::kInt)
    spec.type = builder_.network().types.int_type();
  return spec;
}

Checker::TypeSpec Checker::int_type(const ast::Type& t) {
  if (!t.low.valid() && !t.high.valid()) {
    if (t.is_const)
      return {.type = builder_.network().types.int_type(), .plain_int = true};
    return {.type = builder_.int_type(kDefaultLow, kDefaultHigh), .plain_int = true};
  }
  if (!t.low.valid() || !t.high.valid())
    return {};  // the parser has reported it
  Checked low = expression(t.low);
  Checked high = expression(t.high);
  const bool low_ok = integral(low, "the lower bound of a range");
  const bool high_ok = integral(high, "the upper bound of a range");
  if (!low_ok || !high_ok)
    return {};
  for (const Checked* bound : {&low, &high}) {
    if (bound->computable && !bound->effect)
      continue;
    error(bound->where, "the bounds of a range must be known before the model runs",
          "use constants, or 'const' parameters of the template");
    return {};
  }
  const ExpressionPool& pool = builder_.network().pool;
  if (pool[low.id].prototype || pool[high.id].prototype)
    return {.type = builder_.symbolic_int_type(low.id, high.id)};
  const auto from = builder_.evaluate(low.id, *diagnostics_);
  const auto to = builder_.evaluate(high.id, *diagnostics_);
  if (!from || !to)
    return {};
  // An empty range is fine to iterate over; variables and arrays are checked where they are
  // declared.
  return {.type = builder_.int_type(*from, *to)};
}

Checker::TypeSpec Checker::scalar_type(const ast::Type& t) {
  if (!t.high.valid())
    return {};
  Checked size = expression(t.high);
  if (!integral(size, "the size of a scalar set"))
    return {};
  if (!size.computable || builder_.network().pool[size.id].prototype) {
    error(size.where, "the size of a scalar set must be a constant of the model");
    return {};
  }
  const auto count = builder_.evaluate(size.id, *diagnostics_);
  if (!count)
    return {};
  if (*count < 1) {
    error(size.where, fmt::format("a scalar set of {} elements", *count), "use at least 1");
    return {};
  }
  return {.type = builder_.scalar_type(t.name.text, *count)};
}

Checker::TypeSpec Checker::struct_type(const ast::Type& t) {
  std::vector<Field> fields;
  std::unordered_map<std::string, SourceRange> seen;
  bool ok = true;
  for (const ast::Field& f : t.fields) {
    const TypeSpec spec = type(f.type);
    const ast::Name& field_name = f.declarator.name;
    const TypeId field_type = with_dimensions(spec, f.declarator.dimensions);
    if (!seen.emplace(field_name.text, field_name.where).second) {
      error(field_name.where, fmt::format("the struct has a field '{}' already", field_name.text));
      ok = false;
    }
    if (!field_type.valid()) {
      ok = false;
      continue;
    }
    const char* forbidden = nullptr;
    if (contains(field_type, TypeKind::kChannel))
      forbidden = "a channel";
    else if (contains(field_type, TypeKind::kVoid))
      forbidden = "void";
    else if (spec.string)
      forbidden = "a string";
    if (forbidden != nullptr || spec.is_const) {
      error(field_name.where, forbidden != nullptr
                                  ? fmt::format("a field of a struct cannot be {}", forbidden)
                                  : "a field of a struct cannot be 'const'");
      ok = false;
      continue;
    }
    if (spec.is_meta)
      warning(field_name.where, "'meta' is ignored here: the field is part of the state",
              "declare the whole variable as 'meta'");
    fields.push_back({.name = field_name.text, .type = field_type});
  }
  if (!ok)
    return {};
  const TypeId made = builder_.struct_type(std::move(fields));
  return check_depth(made, t.where) ? TypeSpec{.type = made} : TypeSpec{};
}

TypeId Checker::with_dimensions(TypeSpec base, const std::vector<ast::Dimension>& dimensions) {
  bool ok = base.type.valid();
  TypeId out = base.type;
  // The first dimension is the outermost: int m[2][3] is 2 rows of 3.
  std::vector<TypeId> indices;
  for (const ast::Dimension& dimension : dimensions) {
    indices.push_back(index_type(dimension));
    ok = ok && indices.back().valid();
  }
  if (!ok)
    return {};
  if (!dimensions.empty() && info(out).kind == TypeKind::kVoid) {
    error(base.where, "an array of void");
    return {};
  }
  for (std::size_t i = indices.size(); i-- > 0;) {
    out = builder_.array_type(indices[i], out);
    if (!check_depth(out, dimensions[i].where) || !check_array_size(out, dimensions[i].where))
      return {};
  }
  return out;
}

// Everything after this recurses over types, so they may not nest without limit.
bool Checker::check_depth(TypeId id, SourceRange where) {
  if (builder_.network().types.depth(id) <= kMaxNesting)
    return true;
  error(where, fmt::format("nesting is deeper than {} levels", kMaxNesting),
        "use fewer array dimensions or nested structs");
  return false;
}

bool Checker::check_array_size(TypeId array, SourceRange where) {
  if (builder_.network().types.is_symbolic(array))
    return true;
  if (builder_.network().types.array_length(array) == 0) {
    error(where, "an array of 0 elements", "the lower bound of the index comes first");
    return false;
  }
  const std::uint64_t most = builder_.network().types.shape(array).largest();
  const std::uint64_t limit = builder_.limits().variable_cells;
  if (most <= limit)
    return true;
  error(where,
        fmt::format("the array has {}{} elements; the limit is {}",
                    most >= Shape::kTooMany ? "at least " : "", most, limit),
        "use a smaller array");
  return false;
}

TypeId Checker::index_type(const ast::Dimension& dimension) {
  TypeSpec spec;
  if (dimension.type.valid()) {
    spec = type(dimension.type);
  } else {
    if (!dimension.size.valid())
      return {};
    // A lone name may be a type: `int a[id_t]`.
    const ast::Expr& e = node(dimension.size);
    const SymbolId named = e.kind == ast::ExprKind::kName ? symbols_.find(e.text) : SymbolId();
    if (!named.valid() || symbols_[named].kind != SymbolKind::kType)
      return index_from_size(dimension.size);
    use(named);
    spec = {.type = symbols_[named].type, .plain_int = symbols_[named].plain_int, .where = e.where};
  }
  return is_bounded_range(spec, "the index of an array") ? spec.type : TypeId();
}

TypeId Checker::index_from_size(ast::ExprId id) {
  Checked size = expression(id);
  if (!integral(size, "the size of an array"))
    return {};
  if (!size.computable || size.effect) {
    error(size.where, "the size of an array must be known before the model runs",
          "use a constant, or a 'const' parameter of the template");
    return {};
  }
  if (builder_.network().pool[size.id].prototype) {
    const ExprId zero = builder_.constant(0, size.where);
    const ExprId one = builder_.constant(1, size.where);
    return builder_.symbolic_int_type(
        zero, builder_.binary(ExprKind::kSubtract, size.id, one, size.where));
  }
  const auto count = builder_.evaluate(size.id, *diagnostics_);
  if (!count)
    return {};
  if (*count < 1) {
    error(size.where, fmt::format("an array of {} elements", *count), "use at least 1");
    return {};
  }
  return builder_.int_type(0, *count - 1);
}

bool Checker::is_bounded_range(const TypeSpec& spec, std::string_view role) {
  if (!spec.type.valid())
    return false;
  const TypeKind kind = info(spec.type).kind;
  if (spec.plain_int) {
    error(spec.where, fmt::format("{} needs a bounded range, not all 65536 values of 'int'", role),
          "write int[low,high]");
    return false;
  }
  if (kind == TypeKind::kInt || kind == TypeKind::kScalar)
    return true;
  error(spec.where,
        fmt::format("{} must be a bounded integer or a scalar type, not {}", role,
                    describe(spec.type)),
        kind == TypeKind::kBool ? "write int[0,1]" : "write int[low,high]");
  return false;
}

// Nothing is wrong with a range that is empty for some constants; one that was meant the other way
// round looks the same.
void Checker::warn_empty(TypeId id, SourceRange where, std::string_view consequence) {
  if (!id.valid() || !builder_.network().types.has_empty_range(id))
    return;
  const Type& t = info(id);
  const std::string range =
      t.kind == TypeKind::kInt ? fmt::format(" [{},{}]", t.low, t.high) : std::string();
  warning(where, fmt::format("the range{} is empty: {}", range, consequence),
          "the lower bound comes first");
}

bool Checker::is_real(TypeId id) const {
  const Type& t = info(id);
  return t.kind == TypeKind::kReal || (t.kind == TypeKind::kArray && is_real(t.element));
}

// Ranges count where whole variables are identified with each other: references, arrays, structs.
bool Checker::equivalent(TypeId a, TypeId b) const {
  if (a == b)
    return true;
  const Type& x = info(a);
  const Type& y = info(b);
  if (x.kind != y.kind)
    return false;
  switch (x.kind) {
    case TypeKind::kInt:
      if (x.low_bound.valid() != y.low_bound.valid())
        return true;  // one bound waits for a parameter: cannot be told apart here
      return x.low_bound.valid()
                 ? same_expression(x.low_bound, y.low_bound) &&
                       same_expression(x.high_bound, y.high_bound)
                 : (x.low == y.low && x.high == y.high) || (is_plain(x) && is_plain(y));
    case TypeKind::kArray:
      return equivalent(x.index, y.index) && equivalent(x.element, y.element);
    case TypeKind::kStruct:
      if (x.fields.size() != y.fields.size())
        return false;
      for (std::size_t i = 0; i < x.fields.size(); ++i)
        if (x.fields[i].name != y.fields[i].name || !equivalent(x.fields[i].type, y.fields[i].type))
          return false;
      return true;
    case TypeKind::kVoid:
    case TypeKind::kBool:
    case TypeKind::kScalar:
    case TypeKind::kClock:
    case TypeKind::kChannel:
    case TypeKind::kReal:
      return x == y;
  }
  return false;
}

// Different expressions may still have equal values; only constants are worth comparing by value.
bool Checker::same_expression(ExprId a, ExprId b) const {
  const ExpressionPool& pool = builder_.network().pool;
  const Expression& x = pool[a];
  const Expression& y = pool[b];
  if (x.kind != y.kind || x.payload != y.payload || x.operand_count != y.operand_count)
    return false;
  for (std::size_t i = 0; i < x.operand_count; ++i)
    if (!same_expression(pool.operand(a, i), pool.operand(b, i)))
      return false;
  return true;
}

std::string Checker::describe(TypeId id) const {
  const Type& t = info(id);
  switch (t.kind) {
    case TypeKind::kVoid:
      return "void";
    case TypeKind::kBool:
      return "a bool";
    case TypeKind::kInt:
      return "an int";
    case TypeKind::kScalar:
      return "a scalar";
    case TypeKind::kClock:
      return "a clock";
    case TypeKind::kChannel:
      return "a channel";
    case TypeKind::kReal:
      return "a real number";
    case TypeKind::kArray:
      return "an array";
    case TypeKind::kStruct:
      return "a struct";
  }
  return "";
}

}  // namespace tw::uppaal
