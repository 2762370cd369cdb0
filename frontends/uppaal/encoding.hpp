// From the bytes of a model file to UTF-8 text. Editors save models as UTF-8 or UTF-16 with or
// without a byte-order mark, and old files declare iso-8859-1; everything after this step sees
// UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.hpp"

namespace tw::uppaal {

enum class ModelFormat : std::uint8_t {
  kXml,   // may declare its encoding in the XML declaration
  kText,  // XTA, TA
};

/// The text as UTF-8 without byte-order mark. Reports the first problem only, at its place in the
/// returned text, which is always valid UTF-8 so that the place can be shown: bytes that make no
/// character stand there as U+FFFD. With an error reported the text is of no other use.
[[nodiscard]] std::string decode_model(std::string_view bytes,
                                       ModelFormat format,
                                       Diagnostics& diagnostics);

/// Appends one Unicode scalar value. Precondition: at most 0x10FFFF and no surrogate.
void append_utf8(std::string& text, char32_t character);

}  // namespace tw::uppaal
