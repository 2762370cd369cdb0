// The way into the engine: a file on disk becomes a frozen Network, or diagnostics that say why
// not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Text beside the model that speaks of its names and becomes Network::properties.
struct PropertyText {
  SourceFile file;               // the text becomes UTF-8
  bool is_condition = false;     // one condition on states instead of a file of requirements
  Diagnostics diagnostics = {};  // an error means that the properties are not complete
};

struct LoadOptions {
  bool old_syntax = false;  // the language of UPPAAL 3; otherwise tried where today's has errors
};

struct LoadedModel {
  SourceFile file;
  Diagnostics diagnostics;               // sorted by place
  std::optional<Network> network;        // none if there was an error
  std::string format;                    // "UPPAAL XML"
  std::string sha256;                    // of the bytes of the file; empty if it could not be read
  std::vector<PropertyText> properties;  // as given
};

/// Reads the file and picks the front end. Never throws; a missing or unreadable file is a
/// diagnostic like any other.
[[nodiscard]] LoadedModel load_model(const std::string& path,
                                     std::vector<PropertyText> properties = {},
                                     const LoadOptions& options = {});

/// The same for text already in memory; the path picks the front end and names the file in
/// messages.
[[nodiscard]] LoadedModel load_model_text(const std::string& path,
                                          std::string bytes,
                                          std::vector<PropertyText> properties = {},
                                          const LoadOptions& options = {});

// The front ends. `file.text` holds the bytes of the file and becomes UTF-8.
[[nodiscard]] std::optional<Network> load_uppaal_xml(SourceFile& file,
                                                     Diagnostics& diagnostics,
                                                     const LoadOptions& options,
                                                     std::span<PropertyText> properties);
[[nodiscard]] std::optional<Network> load_uppaal_text(SourceFile& file,
                                                      Diagnostics& diagnostics,
                                                      const LoadOptions& options,
                                                      std::span<PropertyText> properties);

}  // namespace tw
