#include "cli/output.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "cli/say.hpp"
#include "engine/base/memory_use.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

ExitCode refuse(const std::string& path, const std::string& reason, const std::string& hint = {}) {
  say("error: cannot write {}: {}\n", is_stdout(path) ? "to standard output" : "'" + path + "'",
      reason);
  if (!hint.empty())
    say("  hint: {}\n", hint);
  return ExitCode::kInternal;
}

std::string words_for(int error) { return std::generic_category().message(error); }

// What waits for a reader or for room is waited for. 0 or an error number.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EAGAIN) {
      struct pollfd wait {
        .fd = file, .events = POLLOUT, .revents = 0
      };
      (void)::poll(&wait, 1, -1);
    } else if (count < 0 && errno != EINTR) {
      return errno;
    } else if (count > 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  return 0;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Where a name leads in the end, also if there is nothing yet: a link is followed, so that it is
// its target that is replaced. None: in a circle.
std::optional<std::string> target_of(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the kernel
  fs::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path link = fs::read_symlink(at, error);
    if (error)
      return at.string();
    at = at.parent_path() / link;
  }
  return std::nullopt;
}

// Empty: a regular file that may be replaced, or none.
std::string unfit(const std::string& target, const struct stat& status) {
  if (S_ISDIR(status.st_mode))
    return "it is a directory";
  constexpr mode_t kAnyWrite = 0222;
  const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return words_for(errno);
  ::close(file);
  // Who may do everything should not do everything.
  if ((status.st_mode & kAnyWrite) == 0)
    return "it is read-only";
  struct stat folder {};
  const uid_t user = ::geteuid();
  if (::stat(folder_of(target).c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 &&
      user != 0 && user != folder.st_uid && user != status.st_uid)
    return "it belongs to somebody else, and the folder lets nobody else replace it";
  return "";
}

std::string link_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

// Can a file without a name get one later?
bool can_be_named(int file) {
  struct stat by_number {};
  struct stat by_name {};
  return ::fstat(file, &by_number) == 0 && ::stat(link_of(file).c_str(), &by_name) == 0 &&
         is_same(by_number, by_name);
}

// Short, so that it fits wherever the target's own name does.
std::string random_name(const std::string& folder) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string out = folder + "/.tracewright-";
  for (int i = 0; i < 8; ++i)
    out += kLetters[random() % kLetters.size()];
  return out;
}

constexpr int kMostTries = 100;

// Makes a file of a new name in the folder; `make` gives 0 or an error number.
template <class Make>
int with_new_name(const std::string& folder, std::string& name, const Make& make) {
  int error = EEXIST;
  for (int i = 0; i < kMostTries && error == EEXIST; ++i) {
    name = random_name(folder);
    error = make(name);
  }
  if (error != 0)
    name.clear();
  return error;
}

}  // namespace

OutputFile::~OutputFile() { drop(); }

ExitCode OutputFile::open(const std::string& path, const std::vector<std::string>& inputs) {
  path_ = path;
  if (is_stdout(path)) {
    file_ = STDOUT_FILENO;
    return ExitCode::kOk;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT)
    return refuse(path, words_for(errno));
  for (const std::string& input : inputs) {
    struct stat other {};
    if (exists && ::stat(input.c_str(), &other) == 0 && is_same(status, other)) {
      say("error: -o '{}' would replace {}\n  hint: name another file\n", path,
          path == input ? "a file that is read" : "'" + input + "', which is read");
      return ExitCode::kUsage;
    }
  }
  struct stat standard {};
  if (exists && ::fstat(STDOUT_FILENO, &standard) == 0 && is_same(status, standard)) {
    file_ = STDOUT_FILENO;  // /dev/stdout, which may stand in the middle of a file
    return ExitCode::kOk;
  }
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return file_ < 0 ? refuse(path, words_for(errno)) : ExitCode::kOk;
  }
  const std::optional<std::string> target = target_of(path);
  if (!target)
    return refuse(path, words_for(ELOOP));
  target_ = *target;
  if (exists)
    if (const std::string problem = unfit(target_, status); !problem.empty())
      return refuse(path, problem);
  if (!exists && (target_.ends_with('/') || target_.ends_with("/.") || target_.ends_with("/..")))
    return refuse(path, "there is no such folder");
  return begin_beside();
}

ExitCode OutputFile::begin_beside() {
  constexpr mode_t kRights = 0666;
  const std::string folder = folder_of(target_);
  const SignalPause pause;
  // A file without a name goes with the process, however that ends. Not every file system has them.
  file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kRights);
  if (file_ >= 0 && can_be_named(file_))
    return ExitCode::kOk;
  drop();
  const int error = with_new_name(folder, beside_, [this](const std::string& name) {
    file_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kRights);
    return file_ < 0 ? errno : 0;
  });
  std::error_code ignored;
  if (error == ENOENT && !fs::exists(folder, ignored))
    return refuse(path_, "there is no folder '" + folder + "'");
  if (error != 0)
    return refuse(path_, "folder '" + folder + "': " + words_for(error));
  unfinished_.remember(beside_);
  return ExitCode::kOk;
}

void OutputFile::write(std::string_view text) {
  if (error_ != 0)
    return;
  if (buffer_.size() + text.size() > kBufferBytes) {
    flush();
    if (text.size() > kBufferBytes) {
      error_ = error_ != 0 ? error_ : write_all(file_, text);
      return;
    }
  }
  buffer_ += text;
}

void OutputFile::flush() {
  if (error_ == 0)
    error_ = write_all(file_, buffer_);
  buffer_.clear();
}

ExitCode OutputFile::commit() {
  flush();
  if (!target_.empty() && error_ == 0)
    return replace();
  if (file_ != STDOUT_FILENO && ::close(std::exchange(file_, -1)) != 0 && error_ == 0)
    error_ = errno;
  // Who closes a pipe has read enough.
  if (error_ == EPIPE && file_ == STDOUT_FILENO)
    return ExitCode::kInternal;
  if (error_ == 0)
    return ExitCode::kOk;
  return refuse(
      path_, words_for(error_),
      target_.empty() ? "" : "make room or name another file; what was there is unchanged");
}

ExitCode OutputFile::replace() {
  const SignalPause pause;
  int error = 0;
  if (beside_.empty())
    error = with_new_name(folder_of(target_), beside_, [this](const std::string& name) {
      const std::string link = link_of(file_);
      return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0
                 ? 0
                 : errno;
    });
  keep_rights();
  // Some file systems tell only now that the disk is full.
  if (::close(std::exchange(file_, -1)) != 0 && error == 0)
    error = errno;
  if (error != 0)
    return refuse(path_, words_for(error), "name another file; what was there is unchanged");
  if (::rename(beside_.c_str(), target_.c_str()) != 0)
    error = errno;
  const std::string kept = std::exchange(beside_, "");
  unfinished_.forget();
  return error == 0 ? ExitCode::kOk
                    : refuse(path_, words_for(error), "the result is in '" + kept + "'");
}

// Those of the old file, if there is one; its owner, too, where we may.
void OutputFile::keep_rights() const {
  constexpr mode_t kRights = 0777;
  struct stat old {};
  if (::stat(target_.c_str(), &old) != 0)
    return;
  (void)(::fchown(file_, old.st_uid, old.st_gid) == 0);
  (void)::fchmod(file_, old.st_mode & kRights);
}

void OutputFile::drop() {
  if (file_ >= 0 && file_ != STDOUT_FILENO)
    ::close(file_);
  file_ = -1;
  if (!beside_.empty())
    ::unlink(beside_.c_str());
  beside_.clear();
  unfinished_.forget();
}

ExitCode write_stdout(std::string_view text) {
  OutputFile out;
  const ExitCode opened = out.open("");
  out.write(text);
  return worse(opened, out.commit());
}

void end_if_large(ExitCode code) {
  constexpr std::uint64_t kMuch = std::uint64_t{256} << 20;
  if (resident_bytes() < kMuch)
    return;
  (void)std::fflush(nullptr);
  ::_exit(static_cast<int>(code));
}

}  // namespace tw
