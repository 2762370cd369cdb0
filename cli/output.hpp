// Results go to standard output or to a file; either way a result that was not written is an error.
#pragma once

#include <string>

#include "cli/exit_code.hpp"

namespace tw {

/// Says why on stderr if it fails: a full disk or a closed pipe must not pass for success.
[[nodiscard]] ExitCode write_stdout(const std::string& text);

/// The same to a file, which is written beside and renamed: a full disk or a kill leaves the old
/// file, not half a new one. Devices and pipes are written to directly. Empty or "-": stdout.
[[nodiscard]] ExitCode write_result(const std::string& path, const std::string& text);

/// Whether write_result has a chance, to be asked before the work; says why not on stderr.
[[nodiscard]] bool can_write(const std::string& path);

}  // namespace tw
