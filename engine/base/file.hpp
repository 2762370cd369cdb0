// Reading a whole file that a user named, with an answer for everything that can be wrong with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tw {

/// Larger files are refused: byte offsets are 32 bits wide, and a model of this size is a mistake.
inline constexpr std::size_t kMaxFileBytes = std::size_t{256} * 1024 * 1024;

struct FileContents {
  std::optional<std::string> bytes;  // none: see error
  std::string error;                 // names the path; empty if bytes is present
};

/// Why a file that will be read piece by piece cannot be read, naming the path; empty: it is a
/// regular file that can be opened, of any size.
[[nodiscard]] std::string unreadable(const std::string& path);

/// Reads regular files only, so that a device or a pipe can neither block nor fill the memory.
[[nodiscard]] FileContents read_file(const std::string& path);

}  // namespace tw
