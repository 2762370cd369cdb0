// libFuzzer target for suites: bytes are read as a suite and checked on a small model. Besides the
// crashes that the sanitizers see, neither errors nor a result is a find.
//
// Starting from nothing it would never get past the format: `fuzz_suite --seed > seed.json` writes
// a good suite to start from.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/check_suite_file.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && std::strcmp((*argv)[1], "--seed") == 0) {
    std::fputs(tw::fuzz::good_suite().c_str(), stdout);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fault = tw::fuzz::find_suite_fault(std::string(data, data + size));
  if (fault) {
    std::fprintf(stderr, "%s\n", fault->c_str());
    std::abort();
  }
  return 0;
}
