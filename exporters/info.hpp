// What was loaded, for people (text) and for scripts (JSON with stable names).
#pragma once

#include <string>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// All are borrowed for the call.
struct InfoSource {
  const Network& network;
  const SourceFile& file;
  const Diagnostics& diagnostics;
  std::string_view format;
};

[[nodiscard]] std::string info_text(const InfoSource& source);
[[nodiscard]] std::string info_json(const InfoSource& source);

/// Only what is wrong, in the same JSON form, for a model that could not be loaded.
[[nodiscard]] std::string diagnostics_json(const SourceFile& file, const Diagnostics& diagnostics);

}  // namespace tw
