// tracewright info MODEL: what was loaded.
#pragma once

#include <string>

#include "cli/exit_code.hpp"
#include "cli/explore.hpp"

namespace tw {

enum class InfoFormat {
  kText,
  kJson,
  kXta,
};

struct InfoOptions {
  std::string model;
  InfoFormat format = InfoFormat::kText;
  bool quiet = false;  // no warnings on stderr
  bool states = false;
  ExploreOptions explore;
};

[[nodiscard]] ExitCode run_info(const InfoOptions& options);

}  // namespace tw
