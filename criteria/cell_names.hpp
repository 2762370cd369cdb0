// The cells of a state, clocks among them, as users see them: names, cells that are one at template
// level, and which of them `--vars` means.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// By cell: whether it is of the state, or a clock, and a glob matches it. A local x of template
/// Train is called "x", "Train.x" and "Train(1).x"; "list", and every longer form, means all cells
/// of `list`, "list[2]" one. Without globs all are chosen. A glob that matches nothing is an error.
[[nodiscard]] std::vector<bool> chosen_cells(const Network& network,
                                             std::span<const std::string> globs,
                                             Diagnostics& diagnostics);

/// What items call a cell. At template level the same local cell of all processes is one.
class CellKeys {
 public:
  CellKeys(const Network& network, Level level);

  /// By cell.
  [[nodiscard]] const std::vector<std::uint32_t>& keys() const { return keys_; }
  /// "Train.list[2]", "Train(1).list[2]", "el"
  [[nodiscard]] std::string name(CellId cell) const;
  /// Of a process: its edges need no owner in a name.
  [[nodiscard]] bool is_local(CellId cell) const;

 private:
  const Network* network_;  // borrowed: outlives this
  Level level_;
  std::vector<std::uint32_t> keys_;
};

}  // namespace tw
