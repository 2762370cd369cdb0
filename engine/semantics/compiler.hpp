// From typed expressions to byte code. Functions are compiled once each, callees first; guards and
// updates are compiled in place and share one region of temporaries.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/model/network.hpp"
#include "engine/semantics/code.hpp"

namespace tw {

class Compiler {
 public:
  /// The network is borrowed and outlives the compiler.
  explicit Compiler(const Network& network);

  /// Code that stops with 1 or 0: does the condition hold?
  [[nodiscard]] std::uint32_t condition(ExprId expression);

  /// Code that leaves the number of the channel an expression denotes in result.
  [[nodiscard]] CodeBlock channel_block(ExprId expression);

  /// Code that performs updates left to right; CodeBlock::kNone if there are none.
  [[nodiscard]] std::uint32_t updates(std::span<const ExprId> expressions);

  /// All code; the compiler is spent afterwards.
  [[nodiscard]] Code take() { return std::move(code_); }

 private:
  using Cell = std::uint32_t;
  using Label = std::uint32_t;

  // A place is a cell known now, or a cell that holds the address.
  struct Place {
    bool dynamic = false;
    Cell cell = 0;
  };

  struct CompiledFunction {
    std::uint32_t entry = 0;
    Cell result = 0;
  };

  // Emission
  std::uint32_t emit(Opcode op, Cell c = 0, Cell a = 0, Cell b = 0);
  Cell literal(std::int32_t value);
  Cell temporary();
  Label new_label();
  void bind(Label label);
  void jump_to(Label label, Opcode op, Cell a = 0, Cell b = 0);
  std::uint32_t range(TypeId type);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }

  // Expressions
  Cell value(ExprId id);
  Cell protect(Cell cell, ExprId other);
  Cell arithmetic(ExprId id);
  Cell comparison(ExprId id);
  Cell logical(ExprId id);
  Cell conditional(ExprId id);
  Cell quantifier(ExprId id);
  Cell modify(ExprId id);
  Cell call(ExprId id);
  void jump(ExprId id, bool sense, Label label);
  bool jump_comparison(ExprId id, bool sense, Label label);
  Place place(ExprId id);
  Place element(ExprId id);
  Cell channel(ExprId id);
  Place add_offset(Place at, std::uint64_t offset);
  Cell address(Place at);
  Cell load(Place at);
  void store(Place at, Cell from, TypeId type);
  void copy(ExprId from, Place to, TypeId type);
  void copy_list(ExprId list, Place to, TypeId type);
  void iterate_start(VariableId variable, Label done);

  // Functions
  void compile_function(FunctionId id);
  void statement(StmtId id);
  void declare(const Statement& s);
  void loop(const Statement& s);
  void iterate(const Statement& s);
  void return_statement(const Statement& s);

  [[nodiscard]] const Expression& node(ExprId id) const { return network_.pool[id]; }
  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const {
    return network_.pool.operand(id, i);
  }
  [[nodiscard]] bool discrete(TypeId type) const { return network_.types.is_discrete(type); }
  [[nodiscard]] bool has_effects(ExprId id) const;
  [[nodiscard]] std::uint32_t cells_of(TypeId type) const {
    return static_cast<std::uint32_t>(network_.types.shape(type).cells);
  }

  const Network& network_;
  Code code_;
  std::unordered_map<std::int32_t, Cell> literals_;
  std::unordered_map<FunctionId, CompiledFunction> functions_;
  const Function* function_ = nullptr;  // whose body is being compiled
  CompiledFunction current_;
  ExprId origin_;
  Cell next_temporary_ = 0;

  static constexpr std::uint32_t kUnbound = 0xFFFFFFFF;
  struct Patch {
    std::uint32_t instruction;
    Label label;
  };
  std::vector<std::uint32_t> labels_;
  std::vector<Patch> patches_;
};

}  // namespace tw
