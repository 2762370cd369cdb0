// Results go to standard output or to a file; either way a result that was not written is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/signals.hpp"
#include "engine/base/sink.hpp"

namespace tw {

/// What a command writes. A file is written beside its target and takes its name at the end: a full
/// disk, a kill or an error leaves the old file, and nothing else. Devices and pipes are written to
/// directly. What goes wrong is told on stderr.
class OutputFile final : public Sink {
 public:
  OutputFile() = default;
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Before the work: whatever can be known to go wrong does so now. Empty or "-": standard output.
  /// A file that is also among the inputs is refused.
  [[nodiscard]] ExitCode open(const std::string& path, const std::vector<std::string>& inputs = {});

  void write(std::string_view text) override;
  [[nodiscard]] bool good() const override { return error_ == 0; }

  /// All is written. Without it a file is as it was.
  [[nodiscard]] ExitCode commit();

 private:
  [[nodiscard]] ExitCode begin_beside();
  [[nodiscard]] ExitCode replace();
  void keep_rights() const;
  void flush();
  void drop();

  std::string path_;    // as the user named it
  std::string target_;  // a regular file, links followed; empty: a stream
  std::string beside_;  // the unfinished file; empty: it has no name yet, or there is none
  UnfinishedFile unfinished_;
  int file_ = -1;
  int error_ = 0;
  std::string buffer_;
};

/// All at once, to standard output.
[[nodiscard]] ExitCode write_stdout(std::string_view text);

/// Ends the program at once if it holds much memory: giving that back piece by piece takes seconds
/// that limits do not allow. Pre: what it has to write is written.
void end_if_large(ExitCode code);

}  // namespace tw
