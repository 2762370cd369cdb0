// Runs of small models, told in short words: a step is "0+2" (edges by number), "1[3]" (selected
// values).
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "tests/model/build.hpp"

namespace tw::test {

using Words = std::vector<std::string>;

inline std::string step_words(const Step& step) {
  Words parts;
  for (const FiredEdge& fired : step.edges) {
    parts.push_back(std::to_string(fired.edge.index()));
    if (!fired.selects.empty())
      parts.back() += fmt::format("[{}]", fmt::join(fired.selects, ","));
  }
  return fmt::format("{}", fmt::join(parts, "+"));
}

/// Build with `m`, then start(); from then on `at` is the current state.
class Run {
 public:
  test::Model m;
  std::optional<Network> network;
  replay::RunState at;

  void start() {
    Diagnostics diagnostics;
    network = m.freeze(diagnostics);
    REQUIRE(network);
    at = interpreter().initial();
  }

  [[nodiscard]] replay::Interpreter interpreter() const { return replay::Interpreter(*network); }

  [[nodiscard]] Words steps() const {
    Words out;
    const replay::StepList list = interpreter().steps(at);
    CHECK(list.error == RunStatus::kOk);
    for (const Step& step : list.steps)
      out.push_back(step_words(step));
    return out;
  }

  [[nodiscard]] replay::StepResult try_step(const Words& edges) const {
    Step step;
    for (const std::string& edge : edges)
      step.edges.push_back({.edge = EdgeId(std::stoul(edge))});
    return interpreter().step(at, step);
  }

  /// Takes the listed step of this name.
  replay::StepResult go(const std::string& name) {
    for (const Step& step : interpreter().steps(at).steps) {
      if (step_words(step) != name)
        continue;
      replay::StepResult result = interpreter().step(at, step);
      REQUIRE(result.possible);
      at = result.state;
      return result;
    }
    FAIL("no step " << name);
    return {};
  }

  [[nodiscard]] std::int32_t value(const std::string& name) const {
    for (std::size_t i = 0; i < at.cells.size(); ++i)
      if (network->cell_name(CellId(i)) == name)
        return at.cells[i];
    FAIL("no cell " << name);
    return 0;
  }

  [[nodiscard]] std::string place(std::size_t process) const {
    return network->decl(at.locations[process]).name;
  }

  /// "p x 0": edge 0 uses x as a predicate; "c x 0", "def x 0", "fired 0", "state"; '-' is a hook.
  [[nodiscard]] Words events(const std::vector<Event>& events) const {
    Words out;
    for (const Event& event : events)
      out.push_back(words(event));
    return out;
  }

  // --- Building
  VariableId select(TemplateId owner, std::string name, TypeId type) {
    return m.add_variable({.name = std::move(name),
                           .type = type,
                           .role = Role::kSelect,
                           .storage = Storage::kFrame,
                           .is_const = true,
                           .prototype = true,
                           .owner_template = owner});
  }

  VariableId frame(std::string name, TypeId type, Role role = Role::kFunctionLocal) {
    return m.add_variable(
        {.name = std::move(name), .type = type, .role = role, .storage = Storage::kFrame});
  }

  VariableId channel(std::string name, bool broadcast = false) {
    return m.global(std::move(name), m.channel_type(false, broadcast));
  }

  EdgeLabels send(VariableId channel, std::vector<ExprId> updates = {}) {
    return {.channel = m.v(channel), .direction = Direction::kSend, .updates = std::move(updates)};
  }

  EdgeLabels receive(VariableId channel, std::vector<ExprId> updates = {}) {
    return {
        .channel = m.v(channel), .direction = Direction::kReceive, .updates = std::move(updates)};
  }

  /// A listed template with locations a and b.
  struct Two {
    TemplateId of;
    LocationDeclId a;
    LocationDeclId b;
  };

  Two process(std::string name) {
    Two two;
    two.of = m.add_template(std::move(name));
    two.a = m.location(two.of, "a");
    two.b = m.location(two.of, "b");
    m.list(two.of);
    return two;
  }

  EdgeDeclId edge(const Two& two, EdgeLabels labels = {}) {
    return m.edge(two.of, two.a, two.b, std::move(labels));
  }

  ExprId is(VariableId x, std::int32_t value) {
    return m.binary(ExprKind::kEqual, m.v(x), m.c(value));
  }

  ExprId set(VariableId x, std::int32_t value) { return m.assign(m.v(x), m.c(value)); }

  ExprId plus(ExprId a, std::int32_t b) { return m.binary(ExprKind::kAdd, a, m.c(b)); }

  StmtId expression(ExprId e) { return m.statement({.kind = StmtKind::kExpression, .exprs = {e}}); }

  StmtId returns(ExprId e) { return m.statement({.kind = StmtKind::kReturn, .exprs = {e}}); }

  StmtId block(std::vector<StmtId> children) {
    return m.statement({.kind = StmtKind::kBlock, .children = std::move(children)});
  }

 private:
  [[nodiscard]] std::string words(const Event& event) const {
    const std::string edge = event.edge.valid() ? std::to_string(event.edge.index()) : "-";
    switch (event.kind) {
      case EventKind::kStart:
        return "start";
      case EventKind::kInitialDefinition:
        return "init " + network->cell_name(event.cell);
      case EventKind::kUse:
        return fmt::format("{} {} {}", event.use == UseKind::kPredicate ? "p" : "c",
                           network->cell_name(event.cell), edge);
      case EventKind::kDefinition:
        return fmt::format("def {} {}", network->cell_name(event.cell), edge);
      case EventKind::kFired:
        return "fired " + edge;
      case EventKind::kBegin:  // goes without saying
      case EventKind::kEnd:
      case EventKind::kState:
        return "state";
    }
    return "";
  }
};

}  // namespace tw::test
