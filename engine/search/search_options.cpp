#include "engine/search/search_options.hpp"

namespace tw {

std::string_view limit_name(StopReason reason) {
  switch (reason) {
    case StopReason::kExhausted:
    case StopReason::kDecided:
      return "";
    case StopReason::kStop:
      return "stop";
    case StopReason::kStates:
      return "states";
    case StopReason::kMemory:
      return "memory";
    case StopReason::kTime:
      return "time";
    case StopReason::kModelError:
      return "model-error";
    case StopReason::kInterrupted:
      return "interrupt";
  }
  return "";
}

}  // namespace tw
