#include "engine/base/memory_use.hpp"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace tw {

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(statm >> size >> resident))
    return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  constexpr std::uint64_t kKilo = 1024;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKilo
                                             : 0;
}

}  // namespace tw
