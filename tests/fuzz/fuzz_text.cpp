// libFuzzer target for the text language (.xta). Besides the crashes that the sanitizers see, a
// network that changes when it is printed and loaded again is a find.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/check_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fault = tw::fuzz::find_fault("fuzz.xta", std::string(data, data + size));
  if (fault) {
    std::fprintf(stderr, "%s\n", fault->c_str());
    std::abort();
  }
  return 0;
}
