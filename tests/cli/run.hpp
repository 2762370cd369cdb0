// The program as scripts see it: runs the binary in a folder of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <system_error>

#include <catch2/catch.hpp>

namespace tw::test {

namespace fs = std::filesystem;

inline std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A directory of its own, gone when the test ends.
class Workspace {
 public:
  Workspace() {
    std::string name = (fs::temp_directory_path() / "tracewright-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Workspace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Workspace(Workspace&&) = delete;
  Workspace& operator=(Workspace&&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    return contents_of(path_ / name);
  }

 private:
  fs::path path_;
};

struct Outcome {
  int code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// Arguments are shell words of the test itself; the program runs inside the workspace, so that no
// path of this machine is in its output.
inline Outcome run(const Workspace& workspace,
                   const std::string& arguments,
                   const std::string& out = "out.txt") {
  const std::string command = "cd '" + workspace.path().string() + "' && '" TW_BINARY "' " +
                              arguments + " >" + out + " 2>err.txt </dev/null";
  const int status = std::system(command.c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = out == "out.txt" ? contents_of(workspace.path() / out) : "",
          .err = contents_of(workspace.path() / "err.txt")};
}

inline void check_full_disk(const Workspace& workspace, const std::string& arguments) {
  if (!fs::exists("/dev/full")) {
    WARN("skipped: there is no /dev/full");
    return;
  }
  const Outcome outcome = run(workspace, arguments, "/dev/full");
  CAPTURE(arguments);
  CHECK(outcome.code == 5);
  CHECK_THAT(outcome.err, Catch::Matchers::Contains("cannot write"));
}

}  // namespace tw::test
