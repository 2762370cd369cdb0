#include "engine/base/pages.hpp"

#include <new>
#include <sys/mman.h>

namespace tw {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

Pages::Pages(std::size_t bytes, Use use) : bytes_(bytes) {
  if (bytes == 0)
    return;
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) {  // NOLINT(performance-no-int-to-ptr): the system's own constant
    data_ = nullptr;
    throw std::bad_alloc();
  }
  // Advice: nothing is lost where it is not taken.
  const std::size_t least = (use == Use::kAll ? 2 : 16) * kLargePage;
  if (bytes >= least)
    static_cast<void>(madvise(data_, bytes, MADV_HUGEPAGE));
}

void Pages::release() noexcept {
  if (data_ != nullptr)
    static_cast<void>(munmap(data_, bytes_));
  data_ = nullptr;
}

}  // namespace tw
