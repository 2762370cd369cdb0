// Names and what they stand for. Frames nest: built-in names, the model, a template, a function or
// edge, blocks and quantifiers. A name is looked up from the inside out; declaring it again in the
// same frame is an error, in an inner frame it shadows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/model/ids.hpp"

namespace tw::uppaal {

using SymbolId = Id<struct SymbolTag>;

enum class SymbolKind : std::uint8_t {
  kVariable,  // also parameters, selects, iterators, constants
  kType,
  kFunction,
  kTemplate,
  kInstance,
  kLocation,
  kNumber,  // built-in constant
  kBuiltinFunction,
  kSkipped,  // a live sequence chart or an instance of one
};

/// Why a variable cannot be assigned to.
enum class Access : std::uint8_t {
  kWritable,
  kConstant,
  kSelect,
  kIterator,
  kReferenceToConstant,
};

enum class Frame : std::uint8_t {
  kBuiltin,
  kGlobal,
  kTemplate,
  kEdge,
  kFunction,
  kBlock,
};

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::kVariable;
  Frame frame = Frame::kGlobal;
  SourceRange where;
  TypeId type;              // variables, types
  VariableId variable;      // invalid for what is real-valued: it does not exist at run time
  std::uint32_t index = 0;  // functions, templates, instances: position in the checker's tables
  std::int32_t value = 0;   // kNumber
  Access access = Access::kWritable;
  bool computable = false;      // its value is known before the model runs
  bool function_local = false;  // writing it is no side effect of the function
  bool plain_int = false;       // `int` without bounds: no range to iterate over
  bool is_const_type = false;   // typedef const …
  bool is_meta_type = false;
  bool hybrid = false;
  bool price = false;  // 'cost' or 'reward', which a priced model does not declare
  bool used = false;
  bool sent = false;      // channels: somebody sends on it
  bool received = false;  // channels: somebody receives on it
};

class SymbolTable {
 public:
  SymbolTable() { push(Frame::kBuiltin); }

  void push(Frame frame) { frames_.push_back({.frame = frame}); }

  /// Leaves the innermost frame; its symbols stay in all().
  void pop();

  /// Pre: find_here(symbol.name) is invalid.
  SymbolId declare(Symbol symbol);

  /// In the innermost frame only.
  [[nodiscard]] SymbolId find_here(std::string_view name) const;

  /// Inside out; invalid if unknown.
  [[nodiscard]] SymbolId find(std::string_view name) const;

  /// A visible name that differs from this one by a typo, among those that fit; invalid if there is
  /// none.
  [[nodiscard]] SymbolId suggestion(std::string_view name,
                                    const std::function<bool(const Symbol&)>& fits) const;

  [[nodiscard]] const Symbol& operator[](SymbolId id) const { return symbols_[id]; }

  [[nodiscard]] Symbol& operator[](SymbolId id) { return symbols_[id]; }

  [[nodiscard]] const IdVector<SymbolId, Symbol>& all() const { return symbols_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  // What a name means in the frames that declare it, innermost last.
  struct Meaning {
    SymbolId symbol;
    std::size_t depth = 0;
  };

  struct Names {
    Frame frame = Frame::kGlobal;
    std::vector<SymbolId> declared;
  };

  IdVector<SymbolId, Symbol> symbols_;
  std::unordered_map<std::string, std::vector<Meaning>, Hash, std::equal_to<>> meanings_;
  std::vector<Names> frames_;
};

}  // namespace tw::uppaal
