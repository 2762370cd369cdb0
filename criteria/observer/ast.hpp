// An observer as it is written: names are not looked up, types not checked. The language is that of
// UPPAAL CoVer, with some additions (docs/observers.md#language).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"

namespace tw::observer {

/// What parameters and arguments of nodes hold.
enum class ValueType : std::uint8_t {
  kProcess,
  kVariable,  // one cell, or a clock
  kTemplate,
  kChannel,  // an array of channels is one
  kLocation,
  kEdge,
  kInt,
};

[[nodiscard]] std::string_view name_of(ValueType type);  // "procid"
[[nodiscard]] std::optional<ValueType> type_called(std::string_view name);

enum class Relation : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

[[nodiscard]] std::string_view name_of(Relation relation);
[[nodiscard]] Relation opposite(Relation relation);

struct Word {
  std::string text;
  SourceRange where;
};

struct Expression {
  enum class Kind : std::uint8_t {
    kName,    // of an argument, or of something in the model: "E", "Train(1).Safe", "list[2]"
    kNumber,  //
    kCall,    // edge(P); edge alone is a call without arguments
  };

  Kind kind = Kind::kName;
  std::string text;  // name, or function
  std::int32_t number = 0;
  std::vector<Expression> arguments;
  SourceRange where;
};

struct Condition {
  enum class Kind : std::uint8_t {
    kCall,     // def(V), initial, edge(P) alone
    kCompare,  // left relation right
    kBind,     // left := right
  };

  Kind kind = Kind::kCall;
  bool negated = false;
  bool last = false;  // `last def`
  Expression left;
  Relation relation = Relation::kEqual;
  Expression right;
  SourceRange where;
};

struct Parameter {
  ValueType type = ValueType::kInt;
  Word name;
};

struct Node {
  Word name;
  std::vector<ValueType> arguments;
};

/// A node with arguments in a rule.
struct Instance {
  Word node;
  std::vector<Expression> arguments;
};

struct Rule {
  Instance source;
  Instance target;
  std::vector<Condition> conditions;
  SourceRange where;
};

struct Observer {
  Word name;
  std::vector<Parameter> parameters;
  std::vector<Node> nodes;
  std::vector<Rule> rules;
  std::vector<Word> accepting;
};

/// The node that is always active and need not be declared.
inline constexpr std::string_view kStart = "start";

}  // namespace tw::observer
