#include "engine/base/file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace tw {
namespace {

namespace fs = std::filesystem;

// A directory of its own that goes away with the test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "tw_file_test_XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (directory_ / name).string();
  }

  [[nodiscard]] std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  fs::path directory_;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a file is read byte for byte", "[base][file]") {
  const Scratch scratch;
  const std::string bytes("a\r\n\0\xff z", 7);
  const FileContents read = read_file(scratch.write("any.bin", bytes));
  REQUIRE(read.bytes.has_value());
  CHECK(*read.bytes == bytes);
  CHECK(read.error.empty());
}

TEST_CASE("an empty file has no bytes and is no error", "[base][file]") {
  const Scratch scratch;
  const FileContents read = read_file(scratch.write("empty", ""));
  REQUIRE(read.bytes.has_value());
  CHECK(read.bytes->empty());
}

TEST_CASE("a file that announces no size is read to its end", "[base][file]") {
  const FileContents read = read_file("/proc/self/status");
  REQUIRE(read.bytes.has_value());
  CHECK(contains(*read.bytes, "Name:"));
}

TEST_CASE("a missing file is refused in the words of the system", "[base][file]") {
  const Scratch scratch;
  const FileContents read = read_file(scratch.path("none.xml"));
  CHECK_FALSE(read.bytes.has_value());
  CHECK(read.error == "cannot read '" + scratch.path("none.xml") + "': no such file or directory");
  CHECK_FALSE(read_file("").bytes.has_value());
}

TEST_CASE("a path with a NUL character names no file", "[base][file]") {
  const Scratch scratch;
  const std::string path = scratch.write("a", "text") + std::string("\0.xml", 5);
  CHECK(contains(read_file(path).error, "NUL"));
}

TEST_CASE("a directory is refused", "[base][file]") {
  const FileContents read = read_file(fs::temp_directory_path().string());
  CHECK_FALSE(read.bytes.has_value());
  CHECK(contains(read.error, "it is a directory, expected a file"));
}

TEST_CASE("a device or pipe is refused at once", "[base][file]") {
  CHECK(contains(read_file("/dev/zero").error, "expected a regular file"));
  const Scratch scratch;
  REQUIRE(::mkfifo(scratch.path("pipe").c_str(), 0600) == 0);
  CHECK(contains(read_file(scratch.path("pipe")).error, "expected a regular file"));
}

TEST_CASE("a file above the size limit is refused with the limit named", "[base][file]") {
  const Scratch scratch;
  const std::string path = scratch.write("huge", "x");
  fs::resize_file(path, kMaxFileBytes + 1);  // sparse: takes no space
  const FileContents read = read_file(path);
  CHECK_FALSE(read.bytes.has_value());
  CHECK(contains(read.error, "larger than 256 MiB"));
}

TEST_CASE("a file without read permission is refused", "[base][file]") {
  if (::geteuid() == 0)
    return;  // the superuser may read everything
  const Scratch scratch;
  const std::string path = scratch.write("secret", "x");
  REQUIRE(::chmod(path.c_str(), 0) == 0);
  CHECK(contains(read_file(path).error, "permission denied"));
}

}  // namespace
}  // namespace tw
