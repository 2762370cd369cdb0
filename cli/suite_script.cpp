#include "cli/suite_script.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <utility>

#include "engine/base/file.hpp"

namespace tw {

std::optional<SuiteFile> load_suite(const std::string& path) {
  SourceFile file{.path = path};
  FileContents contents = read_file(path);
  if (!contents.bytes) {
    fmt::print(stderr, "error: {}\n", contents.error);
    return std::nullopt;
  }
  file.text = std::move(*contents.bytes);
  Diagnostics diagnostics;
  std::optional<SuiteFile> suite = read_suite(file, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    // What names a JSON path has no place in the text.
    if (d.where == SourceRange{})
      fmt::print(stderr, "{}: error: {}\n{}", path, d.message,
                 d.hint.empty() ? "" : fmt::format("  hint: {}\n", d.hint));
    else
      fmt::print(stderr, "{}", render(d, file));
  }
  return suite;
}

std::size_t length_of(const SuiteFile::Test& test) {
  return static_cast<std::size_t>(std::ranges::count_if(
      test.steps, [](const SuiteFile::Step& step) { return !step.edges.empty(); }));
}

ScriptOrProblem script_of(const Network& network,
                          const SuiteNames& names,
                          const SuiteFile::Test& test) {
  Script script{.test = &test, .steps = {}, .delays = {}};
  for (std::size_t i = 0; i < test.steps.size(); ++i) {
    SuiteNames::Found<Step> found = names.step(test.steps[i]);
    const std::optional<SuiteFile::Delay>& delay = test.steps[i].delay;
    if (found.value && delay.has_value() != network.is_timed())
      found = {.value = std::nullopt,
               .problem = delay ? "the model has no clocks, the suite gives a delay"
                                : "the model has clocks, the suite gives no delay"};
    if (!found.value)
      return {.script = std::nullopt, .step = i + 1, .problem = std::move(found.problem)};
    script.steps.push_back(std::move(*found.value));
    if (delay)
      script.delays.push_back(delay->chosen);
  }
  return {.script = std::move(script), .step = 0, .problem = {}};
}

}  // namespace tw
