// What is said beside the result, on standard error. That nobody can read it is no reason to lose
// the result: what goes wrong is ignored, unlike in fmt::print, which throws.
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace tw {

template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tw
