// Byte code translated to x86-64, one instruction after the other.
//
// Cells stay where they are: an instruction becomes a few of the processor's that work on `[memory
// + 4 * cell]`. What is gained is the loop of the machine, which costs more than most instructions
// do; literals and constants become immediate operands, indices and ranges are checked in place,
// and a value that was just computed is still in a register for the next instruction. What takes
// long anyway (perform) is left to the machine's own functions, so there is one implementation of
// it.
//
// A piece of code is a function of memory and RunContext; the result comes in a register. It needs
// no frame: rdi and rsi hold the arguments all the time, and a call of the byte code is a call of
// the processor. Code is read-only and keeps nothing of its own, so threads share it.
//
// There may be none: on other processors, without asmjit, or where the operating system refuses
// executable memory. Then the byte code is interpreted.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/semantics/code.hpp"

namespace tw {

class NativeCode {
 public:
  /// The byte code may go afterwards.
  explicit NativeCode(const Code& code);
  ~NativeCode();
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  /// For Code::native: by instruction; null where no run begins. No table: this cannot be had here.
  [[nodiscard]] const NativeFunction* functions() const {
    return functions_.empty() ? nullptr : functions_.data();
  }

  /// Of the machine code.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* pages_ = nullptr;  // owned
  std::size_t bytes_ = 0;
  std::vector<NativeFunction> functions_;
};

}  // namespace tw
