#include "engine/base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tw {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

FileContents refuse(const std::string& path, const std::string& reason) {
  return {.bytes = std::nullopt, .error = "cannot read '" + path + "': " + reason};
}

// The system's words, begun in lower case like all our messages.
std::string words_for(int error) {
  std::string words = std::generic_category().message(error);
  if (!words.empty() && words.front() >= 'A' && words.front() <= 'Z')
    words.front() = static_cast<char>(words.front() - 'A' + 'a');
  return words;
}

std::string too_large() {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  return "the file is larger than " + std::to_string(kMaxFileBytes / kMebibyte) +
         " MiB, the largest size that is read";
}

// Empty: fit to be read.
std::string unfit(const struct stat& status) {
  if (S_ISDIR(status.st_mode))
    return "it is a directory, expected a file";
  if (!S_ISREG(status.st_mode))
    return "it is a device, pipe or socket, expected a regular file";
  return {};
}

struct Opened {
  Descriptor file;
  struct stat status {};
  std::string error;  // names the path; empty: it is open
};

Opened open_regular(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    return {.file = Descriptor(-1),
            .error =
                refuse(path.substr(0, path.find('\0')), "the path contains a NUL character").error};
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  Opened out{.file = Descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))};
  if (out.file.number() < 0 || ::fstat(out.file.number(), &out.status) != 0)
    out.error = refuse(path, words_for(errno)).error;
  else if (const std::string reason = unfit(out.status); !reason.empty())
    out.error = refuse(path, reason).error;
  return out;
}

}  // namespace

std::string unreadable(const std::string& path) { return open_regular(path).error; }

FileContents read_file(const std::string& path) {
  const Opened opened = open_regular(path);
  if (!opened.error.empty())
    return {.bytes = std::nullopt, .error = opened.error};
  const Descriptor& file = opened.file;
  const struct stat& status = opened.status;
  if (status.st_size > 0 && static_cast<std::size_t>(status.st_size) > kMaxFileBytes)
    return refuse(path, too_large());

  // The announced size is a first guess only: files of /proc announce none, others may be growing.
  std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size())
      bytes.resize(bytes.size() + std::max(kChunkBytes, bytes.size() / 2));
    const ssize_t count = ::read(file.number(), bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return refuse(path, words_for(errno));
    if (count == 0)
      break;
    used += static_cast<std::size_t>(count);
    if (used > kMaxFileBytes)
      return refuse(path, too_large());
  }
  bytes.resize(used);
  return {.bytes = std::move(bytes), .error = {}};
}

}  // namespace tw
