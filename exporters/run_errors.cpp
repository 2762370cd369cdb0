#include "exporters/run_errors.hpp"

#include <fmt/format.h>

namespace tw {

SourcePosition place_of(const Network& network, const SourceFile& source, const RunError& error) {
  return position_of(source, error.at.valid() ? network.pool[error.at].where.begin : 0);
}

std::string describe_errors(const Network& network,
                            const SourceFile& source,
                            const std::vector<RunError>& errors) {
  constexpr std::size_t kMost = 20;
  std::string out;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (i == kMost) {
      out += fmt::format("  … and at {} more\n", errors.size() - i);
      break;
    }
    const SourcePosition at = place_of(network, source, errors[i]);
    out += fmt::format("  {}:{}  {}\n", at.line, at.column, describe(network, errors[i]));
  }
  return out;
}

}  // namespace tw
