// From typed expressions to byte code. Functions are compiled once each, callees first; guards and
// updates are compiled in place and share one region of temporaries.
//
// With watched cells, code for updates and for the uses of guards notes what it touches. All
// occurrences in an evaluated expression count, also those behind a decided `&&` or in the branch
// not taken: for such parts there is code that *skims* them (compiler_notes.cpp), which notes their
// uses and changes nothing. Where nothing watched is in reach, noting code is plain code.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/model/network.hpp"
#include "engine/semantics/code.hpp"

namespace tw {

class Compiler {
 public:
  /// The network is borrowed and outlives the compiler. Watched: by state or meta cell; shorter
  /// means not watched.
  explicit Compiler(const Network& network, const std::vector<bool>& watched = {});

  /// Code that stops with 1 or 0: does the condition hold?
  [[nodiscard]] std::uint32_t condition(ExprId expression);

  /// The same for an expression of another pool about the network's variables. Its errors have no
  /// origin.
  [[nodiscard]] std::uint32_t foreign_condition(const ExpressionPool& pool, ExprId expression);

  /// Code that leaves the number of the channel an expression denotes in result.
  [[nodiscard]] CodeBlock channel_block(ExprId expression);

  /// Code that performs updates left to right, and notes; CodeBlock::kNone if there are none.
  [[nodiscard]] std::uint32_t updates(std::span<const ExprId> expressions);

  /// Code that evaluates a condition or channel again just to note its uses; CodeBlock::kNone if it
  /// has none that are watched, or there is no expression.
  [[nodiscard]] std::uint32_t condition_notes(ExprId expression);
  [[nodiscard]] std::uint32_t channel_notes(ExprId expression);

  /// All code; the compiler is spent afterwards.
  [[nodiscard]] Code take() { return std::move(code_); }

 private:
  using Cell = std::uint32_t;
  using Label = std::uint32_t;

  // Clocks have addresses of their own; arrays, structs and references may consist of both.
  enum class Space : std::uint8_t {
    kCells,
    kClocks
  };

  // A place is a cell (or clock) known now, or a cell that holds the address.
  struct Place {
    bool dynamic = false;
    Cell cell = 0;
  };

  // What an assignment changed, and the value it has as an expression.
  struct Change {
    Place to;
    Cell value = 0;
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
  void run(ExprId id);  // for its effect
  Cell protect(Cell cell, ExprId other);
  Cell arithmetic(ExprId id);
  Cell comparison(ExprId id);
  Cell logical(ExprId id);
  template <class Take, class Pass>
  Cell choose(ExprId id, Take take, Pass pass_by);
  Cell quantifier(ExprId id);
  Change modify(ExprId id);
  Cell call(ExprId id);
  void jump(ExprId id, bool sense, Label label);
  bool jump_comparison(ExprId id, bool sense, Label label);
  Place place(ExprId id, Space space = Space::kCells);
  Place source(ExprId id);
  Place part(ExprId id);
  Place element(ExprId id, Place array, Space space);
  Place field(ExprId id, Place structure, Space space);
  Cell channel(ExprId id);
  Place add_offset(Place at, std::uint64_t offset);
  Cell address(Place at);
  Cell load(Place at);
  Cell store(Place at, Cell from, TypeId type);
  void copy(ExprId from, Place to, TypeId type);
  void copy_cells(ExprId from, Place found, Place to, TypeId type);
  void copy_list(ExprId list, Place to, TypeId type);
  void iterate_start(VariableId variable, Label done);

  // Clocks (compiler_clocks.cpp). A sum of at most one clock, one more to be subtracted, and
  // numbers; all in cells.
  struct ClockSum {
    Cell plus = 0;
    Cell minus = 0;
    std::vector<TimeTerm> numbers;
  };
  void clock_constraint(ExprId id);
  void clock_rate(ExprId id);
  ClockSum clock_sum(ExprId id);
  void add_to_sum(ExprId id, bool negative, ClockSum& sum);
  Place set_clock(ExprId id);
  void copy_clocks(ExprId from, ExprId to);
  TimeSum time_sum(const std::vector<TimeTerm>& numbers);
  void emit_clock_change(Cell target, Cell source, TimeSum offset);

  // Notes
  void note_uses(ExprId id, Place at, Space space = Space::kCells);
  void note_definitions(ExprId id, Place at, Space space = Space::kCells);
  void note(ExprId id, Place at, Space space, bool definition);
  void skim(ExprId id);
  void skim_path(ExprId id);
  void skim_place(ExprId id);
  void skim_quantified(ExprId id);
  void skim_rest(VariableId iterator, ExprId body);
  void skim_iterations(VariableId iterator, ExprId body, Label done);
  void jump_and_skim(ExprId id, bool sense, Label label);
  void jump_past_clocks(ExprId plain, ExprId timed, Label label);
  bool touches(ExprId id);
  bool touches(StmtId id);
  bool is_watched(Cell first, std::size_t count) const;
  bool may_be_watched(VariableId id) const;
  bool may_be_watched(ExprId place) const;
  bool has_place(ExprId id) const;

  // Functions
  void compile_functions();
  void compile_function(FunctionId id);
  void statement(StmtId id);
  void declare(const Statement& s);
  void loop(const Statement& s);
  void iterate(const Statement& s);
  void return_statement(const Statement& s);

  [[nodiscard]] const Expression& node(ExprId id) const { return (*pool_)[id]; }
  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const { return pool_->operand(id, i); }
  [[nodiscard]] bool discrete(TypeId type) const { return network_.types.is_discrete(type); }
  [[nodiscard]] bool has_effects(ExprId id) const;
  [[nodiscard]] std::uint32_t size_of(TypeId type, Space space) const {
    const Shape& shape = network_.types.shape(type);
    return static_cast<std::uint32_t>(space == Space::kCells ? shape.cells : shape.clocks);
  }
  [[nodiscard]] std::uint32_t cells_of(TypeId type) const { return size_of(type, Space::kCells); }
  [[nodiscard]] bool is_clock(TypeId type) const {
    return network_.types[type].kind == TypeKind::kClock;
  }
  /// Where the value of an expression lives: clocks, or (also) cells.
  [[nodiscard]] Space space_of(ExprId id) const {
    return is_clock(node(id).type) ? Space::kClocks : Space::kCells;
  }

  Cell temporaries(std::uint32_t count);

  const Network& network_;
  const ExpressionPool* pool_;  // borrowed: the network's, or that of a foreign condition
  Code code_;
  std::unordered_map<std::int32_t, Cell> literals_;
  std::unordered_map<FunctionId, CompiledFunction> functions_;
  std::unordered_map<FunctionId, CompiledFunction> noting_functions_;
  const Function* function_ = nullptr;  // whose body is being compiled
  CompiledFunction current_;
  ExprId origin_;  // to be blamed for what is emitted

  // While it lives, this expression is.
  class Blame {
   public:
    Blame(Compiler& compiler, ExprId at)
        : compiler_(compiler),
          before_(std::exchange(compiler.origin_, at)) {}
    Blame(const Blame&) = delete;
    Blame& operator=(const Blame&) = delete;
    ~Blame() { compiler_.origin_ = before_; }

   private:
    Compiler& compiler_;
    ExprId before_;
  };

  bool noting_ = false;
  // Can something watched be in reach? By function of the network, and by expression of its pool.
  enum class Touch : std::uint8_t {
    kUnknown,
    kNo,
    kYes
  };
  std::vector<bool> touching_functions_;
  std::vector<Touch> touching_;

  static constexpr std::uint32_t kUnbound = 0xFFFFFFFF;
  struct Patch {
    std::uint32_t instruction;
    Label label;
  };
  std::vector<std::uint32_t> labels_;
  std::vector<Patch> patches_;
};

// Which branch of `?:` is taken is known only when running; the other one is skimmed before or
// after, as it is written. take yields the cell with the value.
template <class Take, class Pass>
Compiler::Cell Compiler::choose(ExprId id, Take take, Pass pass_by) {
  const Cell out = temporary();
  const Label no = new_label();
  const Label done = new_label();
  jump(operand(id, 0), false, no);
  emit(Opcode::kMove, out, take(operand(id, 1)));
  if (noting_)
    pass_by(operand(id, 2));
  jump_to(done, Opcode::kJump);
  bind(no);
  if (noting_)
    pass_by(operand(id, 1));
  emit(Opcode::kMove, out, take(operand(id, 2)));
  bind(done);
  return out;
}

}  // namespace tw
