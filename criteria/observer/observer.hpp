// Criteria that users write: observer files, `-c my.obs` (docs/observers.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "criteria/observer/ast.hpp"
#include "criteria/observer/program.hpp"
#include "engine/coverage/criterion.hpp"

namespace tw {

/// A word of `-c` that is no name of a criterion but of a file.
[[nodiscard]] bool is_observer_file(std::string_view word);

struct ObserverFile {
  SourceFile file;
  std::optional<observer::Observer> observer;  // none: see the diagnostics, or the problem
  Diagnostics diagnostics;
  std::string problem;  // the file cannot be read
};

/// Reads and parses; what needs no model is checked.
[[nodiscard]] ObserverFile load_observer(const std::string& path);
/// The same from memory.
[[nodiscard]] ObserverFile load_observer_text(std::string path, std::string text);

/// "V=el", "du.V=el"; none, and what is wrong with it, if it is nothing of the kind.
[[nodiscard]] std::optional<observer::Binding> parse_binding(const std::string& text,
                                                             std::string& problem);

/// Does the observer have the parameter that is bound?
[[nodiscard]] bool concerns(const observer::Binding& binding, const observer::Observer& observer);

/// Its diagnostics speak of the observer's file, not of the model's. Pre: there is an observer.
[[nodiscard]] std::unique_ptr<Criterion> make_observer(const ObserverFile& file,
                                                       std::vector<observer::Binding> bindings);

}  // namespace tw
