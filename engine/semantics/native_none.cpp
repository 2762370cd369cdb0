// Where there is no code generator for this processor: byte code only.

#include "engine/semantics/native.hpp"

namespace tw {

NativeCode::NativeCode(const Code& /*code*/) {}

NativeCode::~NativeCode() = default;

}  // namespace tw
