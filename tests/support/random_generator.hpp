// The generator of random networks (random_network.hpp), in three parts: data, clocks, and the
// network around them.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/model/build.hpp"
#include "tests/support/random_network.hpp"

namespace tw::test {

class Generator {
 public:
  Generator(std::uint32_t seed, RandomOptions options) : random_(seed), options_(options) {}
  Network make();

 private:
  // For guards: all relations. For invariants: upper bounds, or lower ones.
  enum class Sense {
    kAny,
    kUpper,
    kLower
  };
  struct May {
    bool select = true;
    bool synchronise = true;
    bool ask_clocks = true;
  };

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }
  bool chance(int one_in) { return between(1, one_in) == 1; }
  [[nodiscard]] bool timed() const { return options_.clocks.count > 0; }
  VariableId select(TemplateId of, int most);
  EdgeLabels labels(TemplateId of, bool plain);
  void process(int index);
  void edge(TemplateId of, LocationDeclId source, LocationDeclId target, EdgeLabels labels);
  void priorities();

  // Data.
  void globals();
  void functions();
  void value_functions();
  ExprId x() { return m_.v(numbers_[0]); }
  ExprId y() { return m_.v(numbers_[1]); }
  ExprId plus(ExprId e, int by) { return m_.binary(ExprKind::kAdd, e, m_.c(by)); }
  ExprId modulo(ExprId e, int by) { return m_.binary(ExprKind::kModulo, e, m_.c(by)); }
  ExprId at(VariableId array, ExprId position) { return m_.index(m_.v(array), position); }
  ExprId call(FunctionId function, ExprId argument);
  ExprId record(const std::vector<VariableId>& selects);
  ExprId number(const std::vector<VariableId>& selects, int depth);
  VariableId iterator();
  ExprId truth(const std::vector<VariableId>& selects, int depth);
  ExprId changing_number(const std::vector<VariableId>& selects);
  ExprId rich_update(const std::vector<VariableId>& selects);
  std::vector<ExprId> hook();
  ExprId small_number(const std::vector<VariableId>& selects);
  ExprId clause(const std::vector<VariableId>& selects);
  ExprId guard(const std::vector<VariableId>& selects);
  ExprId update(const std::vector<VariableId>& selects);
  ExprId own_update(const std::vector<VariableId>& selects);
  ExprId both(ExprId a, ExprId b) { return a.valid() ? m_.binary(ExprKind::kAnd, a, b) : b; }

  // Clocks.
  void few_globals();
  void clocks();
  ExprId clock(const std::vector<VariableId>& selects);
  ExprId bound(const std::vector<VariableId>& selects, int least);
  ExprKind relation(Sense sense);
  static ExprKind mirrored(ExprKind relation);
  ExprId constraint(const std::vector<VariableId>& selects, Sense sense);
  ExprId clock_clause(const std::vector<VariableId>& selects, Sense sense);
  ExprId plain_clause(const std::vector<VariableId>& selects);
  ExprId plain_update(const std::vector<VariableId>& selects);
  ExprId clock_update(const std::vector<VariableId>& selects);
  ExprId clock_invariant(bool initial);
  EdgeLabels timed_labels(TemplateId of, May may);
  bool synchronise(EdgeLabels& out);
  void timed_places(const std::vector<LocationDeclId>& places);

  std::mt19937 random_;
  RandomOptions options_;
  std::size_t edges_ = 0;
  int processes_ = 0;
  Model m_;
  std::vector<VariableId> numbers_;
  VariableId own_;  // of the template being made; invalid: none
  VariableId flag_;
  VariableId array_;
  VariableId other_array_;
  TypeId record_type_;
  VariableId record_;
  VariableId other_record_;
  VariableId scratch_;  // meta
  VariableId shake_;
  VariableId shout_;
  FunctionId bump_;
  FunctionId total_;
  FunctionId tick_;
  FunctionId make_;
  FunctionId first_;
  std::vector<VariableId> clocks_;
  VariableId clock_array_;  // invalid: none
  VariableId own_clock_;    // of the template being made; invalid: none
  VariableId hurry_;        // urgent channels; invalid: none
  VariableId alarm_;
  FunctionId put_;
};

}  // namespace tw::test
