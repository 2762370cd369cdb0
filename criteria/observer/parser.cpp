#include "criteria/observer/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "criteria/observer/lexer.hpp"
#include "engine/base/suggest.hpp"

namespace tw::observer {
namespace {

struct TypeName {
  ValueType type;
  std::string_view name;
};

constexpr TypeName kTypes[] = {
    {ValueType::kProcess, "procid"},   {ValueType::kVariable, "varid"},
    {ValueType::kTemplate, "templid"}, {ValueType::kChannel, "syncid"},
    {ValueType::kLocation, "locid"},   {ValueType::kEdge, "edgeid"},
    {ValueType::kInt, "int"},
};

struct RelationName {
  Relation relation;
  std::string_view name;
  Relation opposite;
};

constexpr RelationName kRelations[] = {
    {Relation::kEqual, "==", Relation::kNotEqual},
    {Relation::kNotEqual, "!=", Relation::kEqual},
    {Relation::kLess, "<", Relation::kGreaterEqual},
    {Relation::kLessEqual, "<=", Relation::kGreater},
    {Relation::kGreater, ">", Relation::kLessEqual},
    {Relation::kGreaterEqual, ">=", Relation::kLess},
};

// Names that mean something of their own wherever an expression may stand.
constexpr std::string_view kFunctions[] = {"edge",   "loc",    "event",   "eval",
                                           "def",    "use",    "initial", "branchpoint",
                                           "source", "target", "process", "template"};
constexpr std::string_view kWords[] = {"observer", "node",      "rule", "to",
                                       "with",     "accepting", "no",   "last"};

bool is_function(std::string_view name) {
  return std::ranges::find(kFunctions, name) != std::end(kFunctions);
}

bool is_reserved(std::string_view name) {
  return is_function(name) || type_called(name) ||
         std::ranges::find(kWords, name) != std::end(kWords);
}

// Nothing deeper than source(E) makes sense; this is against input made to harm.
constexpr std::size_t kMostDepth = 20;

class Parser {
 public:
  Parser(const SourceFile& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        words_(split(file, diagnostics)) {}

  std::optional<Observer> run() {
    Observer out;
    const std::size_t before = diagnostics_.errors();
    header(out);
    while (!ended() && !now().is("}"))
      declaration(out);
    if (!take("}"))
      fail("the observer is not closed", "end it with '}'");
    else if (!ended())
      fail(fmt::format("unexpected '{}' behind the observer", now().text), "one observer per file");
    return diagnostics_.errors() == before ? std::optional(std::move(out)) : std::nullopt;
  }

  std::optional<Expression> run_value() {
    std::optional<Expression> out = expression();
    if (out && !ended())
      fail(fmt::format("unexpected '{}'", now().text));
    return diagnostics_.has_errors() ? std::nullopt : std::move(out);
  }

 private:
  [[nodiscard]] const Lexeme& now() const { return words_[at_]; }
  [[nodiscard]] bool ended() const { return now().kind == Lexeme::Kind::kEnd; }

  bool take(std::string_view word) {
    if (!now().is(word))
      return false;
    ++at_;
    return true;
  }

  void fail(std::string message, std::string hint = {}) {
    diagnostics_.error(now().where, std::move(message), std::move(hint));
  }

  [[nodiscard]] std::string found() const {
    return ended() ? "found the end of the file" : fmt::format("found '{}'", now().text);
  }

  bool expect(std::string_view word) {
    if (take(word))
      return true;
    fail(fmt::format("expected '{}', {}", word, found()));
    return false;
  }

  // After a mistake: behind the next ';', or at the end of the observer.
  void recover() {
    while (!ended() && !now().is("}"))
      if (words_[at_++].is(";"))
        return;
  }

  void header(Observer& out) {
    bool fine = expect("observer");
    if (fine)
      fine = name(out.name, "name of the observer");
    if (fine && take("(")) {
      while (fine && !now().is(")") && !ended())
        fine = parameter(out);
      fine = fine && expect(")");
    }
    if (!fine)
      while (!ended() && !now().is("{"))
        ++at_;
    if (!take("{") && fine)
      fail(fmt::format("expected '{{', {}", found()));
  }

  bool parameter(Observer& out) {
    Parameter parameter;
    if (!type(parameter.type) || !name(parameter.name, "name of the parameter"))
      return false;
    out.parameters.push_back(std::move(parameter));
    if (now().is(")") || take(";") || take(","))
      return true;
    fail(fmt::format("expected ';' or ')', {}", found()));
    return false;
  }

  bool type(ValueType& out) {
    const std::optional<ValueType> known = type_called(now().text);
    if (known && !ended()) {
      out = *known;
      ++at_;
      return true;
    }
    std::vector<std::string> names;
    for (const TypeName& type : kTypes)
      names.emplace_back(type.name);
    const std::string_view near = nearest_name(now().text, names);
    fail(fmt::format("expected a type, {}", found()),
         near.empty() ? "procid, varid, templid, syncid, locid, edgeid or int"
                      : fmt::format("did you mean '{}'?", near));
    return false;
  }

  bool name(Word& out, std::string_view what) {
    if (now().kind != Lexeme::Kind::kName) {
      fail(fmt::format("expected the {}, {}", what, found()));
      return false;
    }
    if (is_reserved(now().text)) {
      fail(fmt::format("'{}' is a word of the language", now().text),
           fmt::format("choose another {}", what));
      return false;
    }
    out = {.text = std::string(now().text), .where = now().where};
    ++at_;
    return true;
  }

  void declaration(Observer& out) {
    bool fine = false;
    if (take("node")) {
      fine = node(out);
    } else if (take("rule")) {
      fine = rule(out);
    } else if (take("accepting")) {
      fine = accepting(out);
    } else {
      constexpr std::array<std::string_view, 3> kKinds = {"node", "rule", "accepting"};
      const std::vector<std::string> known(kKinds.begin(), kKinds.end());
      const std::string_view near = nearest_name(now().text, known);
      fail(fmt::format("expected 'node', 'rule' or 'accepting', {}", found()),
           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    if (fine && !take(";")) {
      fail(fmt::format("expected ';', {}", found()));
      fine = false;
    }
    if (!fine)
      recover();
  }

  bool node(Observer& out) {
    Node node;
    if (!name(node.name, "name of the node"))
      return false;
    if (take("(") && !take(")")) {
      do {
        node.arguments.push_back({});
        if (!type(node.arguments.back()))
          return false;
      } while (take(","));
      if (!expect(")"))
        return false;
    }
    out.nodes.push_back(std::move(node));
    return true;
  }

  bool rule(Observer& out) {
    Rule rule{.where = now().where};
    if (!instance(rule.source) || !expect("to") || !instance(rule.target))
      return false;
    if (take("with")) {
      do {
        rule.conditions.push_back({});
        if (!condition(rule.conditions.back()))
          return false;
      } while (take(","));
    }
    rule.where = join(rule.where, words_[at_ - 1].where);
    out.rules.push_back(std::move(rule));
    return true;
  }

  bool instance(Instance& out) {
    if (!name(out.node, "name of a node"))
      return false;
    if (!take("(") || take(")"))
      return true;
    do {
      std::optional<Expression> argument = expression();
      if (!argument)
        return false;
      out.arguments.push_back(std::move(*argument));
    } while (take(","));
    return expect(")");
  }

  bool accepting(Observer& out) {
    do {
      out.accepting.push_back({});
      if (!name(out.accepting.back(), "name of a node"))
        return false;
    } while (take(","));
    return true;
  }

  bool condition(Condition& out) {
    out.where = now().where;
    for (; take("no"); out.negated = !out.negated) {
    }
    out.last = take("last");
    std::optional<Expression> left = expression();
    if (!left)
      return false;
    out.left = std::move(*left);
    if (take(":=")) {
      out.kind = Condition::Kind::kBind;
    } else if (const auto* known = std::ranges::find(kRelations, now().text, &RelationName::name);
               known != std::end(kRelations) && !ended()) {
      out.kind = Condition::Kind::kCompare;
      out.relation = known->relation;
      ++at_;
    } else if (now().is("=")) {
      fail("'=' is no comparison", "write '==' to compare, ':=' to bind");
      return false;
    }
    if (out.kind != Condition::Kind::kCall) {
      std::optional<Expression> right = expression();
      if (!right)
        return false;
      out.right = std::move(*right);
    }
    out.where = join(out.where, words_[at_ - 1].where);
    return true;
  }

  std::optional<Expression> expression() {
    const bool negative = now().is("-");
    if (negative || now().kind == Lexeme::Kind::kNumber)
      return number();
    if (now().kind != Lexeme::Kind::kName ||
        (is_reserved(now().text) && !is_function(now().text))) {
      fail(fmt::format("expected an expression, {}", found()),
           "a name, a number, or one of edge, loc, event, eval, source, target, process, template");
      return std::nullopt;
    }
    if (is_function(now().text))
      return call();
    return model_name();
  }

  std::optional<Expression> number() {
    Expression out{.kind = Expression::Kind::kNumber, .where = now().where};
    const bool negative = take("-");
    if (now().kind != Lexeme::Kind::kNumber) {
      fail(fmt::format("expected a number, {}", found()));
      return std::nullopt;
    }
    std::int64_t value = 0;
    const std::string_view digits = now().text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    value = negative ? -value : value;
    if (error != std::errc() || value > std::numeric_limits<std::int32_t>::max() - 1 ||
        value < std::numeric_limits<std::int32_t>::min()) {
      fail(fmt::format("number '{}' is too large", digits), "numbers have 32 bits");
      return std::nullopt;
    }
    out.number = static_cast<std::int32_t>(value);
    out.where = join(out.where, now().where);
    ++at_;
    return out;
  }

  std::optional<Expression> call() {
    Expression out{
        .kind = Expression::Kind::kCall, .text = std::string(now().text), .where = now().where};
    ++at_;
    if (!take("("))
      return out;
    if (++depth_ > kMostDepth) {
      fail("expressions are nested too deeply");
      return std::nullopt;
    }
    if (!now().is(")")) {
      do {
        std::optional<Expression> argument = expression();
        if (!argument)
          return std::nullopt;
        out.arguments.push_back(std::move(*argument));
      } while (take(","));
    }
    --depth_;
    out.where = join(out.where, now().where);
    return expect(")") ? std::optional(std::move(out)) : std::nullopt;
  }

  // Name [ ( numbers ) ] { . name | . number } { [ number ] }, without what stands between.
  std::optional<Expression> model_name() {
    Expression out{.text = std::string(now().text), .where = now().where};
    ++at_;
    if (now().is("(") && words_[at_ + 1].kind != Lexeme::Kind::kName) {
      do {
        out.text += now().text == "(" ? "(" : ",";
        ++at_;
        if (take("-"))
          out.text += "-";
        if (!digits(out))
          return std::nullopt;
      } while (now().is(","));
      if (!expect(")"))
        return std::nullopt;
      out.text += ")";
    } else if (now().is("(")) {
      fail(fmt::format("unknown function '{}'", out.text),
           fmt::format("these exist: {}", fmt::join(kFunctions, ", ")));
      return std::nullopt;
    }
    while (now().is(".") || now().is("[")) {
      const bool index = now().is("[");
      out.text += now().text;
      ++at_;
      if (!index && now().kind == Lexeme::Kind::kName) {
        out.text += now().text;
        ++at_;
      } else if (!digits(out)) {
        return std::nullopt;
      }
      if (index && !expect("]"))
        return std::nullopt;
      out.text += index ? "]" : "";
    }
    out.where = join(out.where, words_[at_ - 1].where);
    return out;
  }

  bool digits(Expression& out) {
    if (now().kind != Lexeme::Kind::kNumber) {
      fail(fmt::format("expected a number, {}", found()));
      return false;
    }
    out.text += now().text;
    ++at_;
    return true;
  }

  Diagnostics& diagnostics_;
  std::vector<Lexeme> words_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::string_view name_of(ValueType type) {
  return std::ranges::find(kTypes, type, &TypeName::type)->name;
}

std::optional<ValueType> type_called(std::string_view name) {
  const auto* known = std::ranges::find(kTypes, name, &TypeName::name);
  return known == std::end(kTypes) ? std::nullopt : std::optional(known->type);
}

std::string_view name_of(Relation relation) {
  return std::ranges::find(kRelations, relation, &RelationName::relation)->name;
}

Relation opposite(Relation relation) {
  return std::ranges::find(kRelations, relation, &RelationName::relation)->opposite;
}

std::optional<Observer> parse(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).run();
}

std::optional<Expression> parse_value(const SourceFile& text, Diagnostics& diagnostics) {
  return Parser(text, diagnostics).run_value();
}

}  // namespace tw::observer
