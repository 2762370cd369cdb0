#include "cli/free_moves.hpp"

#include <utility>

#include "engine/semantics/machine.hpp"

namespace tw {

FreeMoves::FreeMoves(const System& system)
    : system_(&system),
      memory_(system.code().memory),
      locations_(system.processes()) {}

std::vector<replay::Move> FreeMoves::from(const std::uint64_t* state) {
  system_->layout().unpack(state, locations_, memory_.data());
  found_.clear();
  for (std::size_t p = 0; p < locations_.size(); ++p)
    for (const std::uint32_t edge : system_->location(p, locations_[p]).edges)
      take(edge, 0, {.process = ProcessId(p)});
  return std::move(found_);
}

void FreeMoves::take(std::uint32_t index, std::size_t selects_set, const replay::Move& so_far) {
  const CompiledEdge& edge = system_->edge(index);
  if (selects_set == edge.selects.size()) {
    go_on(index, so_far);
    return;
  }
  const CompiledSelect& select = edge.selects[selects_set];
  for (std::int64_t value = select.low; value <= select.high; ++value) {
    memory_[select.cell] = static_cast<std::int32_t>(value);
    take(index, selects_set + 1, so_far);
  }
}

void FreeMoves::go_on(std::uint32_t index, replay::Move move) {
  const CompiledEdge& edge = system_->edge(index);
  // Code hands over what it demands of clocks; here nobody takes it.
  if (edge.guard != CodeBlock::kNone) {
    const RunResult guard = run(system_->code(), edge.guard, memory_.data());
    if (guard.status != RunStatus::kOk || !guard.holds)
      return;
  }
  FiredEdge fired{.edge = edge.id};
  for (const CompiledSelect& select : edge.selects)
    fired.selects.push_back(memory_[select.cell]);
  move.edges.push_back(std::move(fired));
  if (edge.channel.present()) {
    if (edge.channel.entry != CodeBlock::kNone &&
        run(system_->code(), edge.channel.entry, memory_.data()).status != RunStatus::kOk)
      return;
    move.direction = edge.direction;
    move.channel = ChannelId(static_cast<std::size_t>(memory_[edge.channel.result]));
  }
  if (!edge.enters_branchpoint) {
    found_.push_back(std::move(move));
    return;
  }
  for (const std::uint32_t branch : edge.branches)
    take(branch, 0, move);
}

}  // namespace tw
