// Runs of small timed models in UPPAAL's text format: time passes by wait("3/2"), steps are told as
// in run.hpp.
#pragma once

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "engine/base/rational.hpp"
#include "frontends/load.hpp"
#include "tests/replay/run.hpp"

namespace tw::test {

class TimedRun : public Run {
 public:
  explicit TimedRun(const std::string& text, OnError on_error = OnError::kStop)
      : on_error_(on_error) {
    LoadedModel model = load_model_text("model.xta", text);
    for (const Diagnostic& diagnostic : model.diagnostics.all())
      if (diagnostic.severity == Severity::kError)
        FAIL(render(diagnostic, model.file));
    REQUIRE(model.network);
    network = std::move(*model.network);
    at = interpreter().initial();
  }

  [[nodiscard]] replay::StepResult try_wait(const std::string& duration) const {
    const std::optional<Rational> d = parse_rational(duration);
    REQUIRE(d);
    return replay::Interpreter(*network, InvariantUses::kNone, on_error_).delay(at, *d);
  }

  void wait(const std::string& duration) {
    replay::StepResult result = try_wait(duration);
    INFO(result.why_not);
    REQUIRE(result.possible);
    CHECK(result.events.empty());
    CHECK(result.state.locations == at.locations);
    CHECK(result.state.cells == at.cells);
    at = std::move(result.state);
  }

  /// Why so much time cannot pass; empty if it can.
  [[nodiscard]] std::string stuck(const std::string& duration) const {
    const replay::StepResult result = try_wait(duration);
    CHECK(result.possible == result.why_not.empty());
    return result.why_not;
  }

  [[nodiscard]] std::string time(const std::string& name) const {
    for (std::size_t i = 0; i < network->clocks.size(); ++i)
      if (network->clocks[ClockId(i)].name == name)
        return to_string(at.clocks[i]);
    FAIL("no clock " << name);
    return "";
  }

  /// Which steps there are after each of these waits, from here.
  [[nodiscard]] std::map<std::string, Words> steps_after(const Words& durations) const {
    std::map<std::string, Words> out;
    for (const std::string& duration : durations) {
      TimedRun later = *this;
      later.wait(duration);
      out.emplace(duration, later.steps());
    }
    return out;
  }

 private:
  OnError on_error_;
};

}  // namespace tw::test
