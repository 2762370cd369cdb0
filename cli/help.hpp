// Help pages that fit the terminal they are read on.
#pragma once

#include <cstddef>
#include <memory>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class FormatterBase;
}  // namespace CLI

namespace tw {

/// Lines are no longer than this where words can be parted.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_formatter(std::size_t width);

}  // namespace tw
