#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tw {
namespace {

namespace fs = std::filesystem;

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

ExitCode refuse(const std::string& path, int error) {
  fmt::print(stderr, "error: cannot write '{}': {}\n", path,
             std::generic_category().message(error));
  return ExitCode::kInternal;
}

// 0 or an error number.
int write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

int write_and_close(int file, const std::string& text) {
  const int error = write_all(file, text);
  // Some file systems tell only now that the disk is full.
  if (::close(file) != 0 && error == 0)
    return errno;
  return error;
}

// A link is followed, so that it is its target that is replaced.
fs::path target_of(const std::string& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? fs::path(path) : real;
}

// The rights a new file would get, or those the old one has.
mode_t rights_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0)
    return status.st_mode & 0777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

int write_beside(const fs::path& target, const std::string& text) {
  std::string beside = target.string() + ".XXXXXX";
  const int file = ::mkstemp(beside.data());
  if (file < 0)
    return errno;
  int error = ::fchmod(file, rights_of(target)) == 0 ? 0 : errno;
  const int written = write_and_close(file, text);
  if (error == 0)
    error = written;
  if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0)
    error = errno;
  if (error != 0)
    ::unlink(beside.c_str());
  return error;
}

bool is_special(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

ExitCode write_stdout(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0)
    return ExitCode::kOk;
  fmt::print(stderr, "error: cannot write to standard output\n");
  return ExitCode::kInternal;
}

ExitCode write_result(const std::string& path, const std::string& text) {
  if (is_stdout(path))
    return write_stdout(text);
  const fs::path target = target_of(path);
  int error = 0;
  if (is_special(target)) {
    const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    error = file < 0 ? errno : write_and_close(file, text);
  } else {
    error = write_beside(target, text);
  }
  return error == 0 ? ExitCode::kOk : refuse(path, error);
}

bool can_write(const std::string& path) {
  if (is_stdout(path))
    return true;
  const fs::path target = target_of(path);
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  int error = 0;
  if (fs::is_directory(target))
    error = EISDIR;
  else if (::access(is_special(target) ? target.c_str() : folder.c_str(), W_OK) != 0)
    error = errno;
  if (error != 0)
    (void)refuse(path, error);
  return error == 0;
}

}  // namespace tw
