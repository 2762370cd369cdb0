#include "engine/base/memory_use.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <malloc.h>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

namespace tw {

// Asked often, and when memory is short: nothing is allocated here.
std::uint64_t resident_bytes() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  std::array<char, 128> text{};
  const ssize_t size = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (size <= 0)
    return 0;
  char* next = nullptr;
  static_cast<void>(std::strtoull(text.data(), &next, 10));
  return std::strtoull(next, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  constexpr std::uint64_t kKilo = 1024;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKilo
                                             : 0;
}

void return_freed_memory() { malloc_trim(0); }

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): there is one memory.
std::atomic<void*> reserve = nullptr;
std::atomic<bool> ran_out = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void on_no_memory() {
  ran_out = true;
  void* const kept = reserve.exchange(nullptr);
  if (kept == nullptr)
    throw std::bad_alloc();
  std::free(kept);  // and it is tried again
}

}  // namespace

void keep_memory_reserve() {
  constexpr std::size_t kReserve = std::size_t{24} << 20;
  std::free(reserve.exchange(std::malloc(kReserve)));
  std::set_new_handler(on_no_memory);
}

bool memory_ran_out() { return ran_out.load(std::memory_order_relaxed); }

}  // namespace tw
