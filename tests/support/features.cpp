#include "tests/support/features.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>

#include "engine/model/facts.hpp"

namespace tw::test {
namespace {

class Reader {
 public:
  explicit Reader(const Network& network) : network_(network) {}

  Features read() {
    for (const Edge& edge : network_.edges)
      this->edge(edge);
    for (const Location& location : network_.locations)
      if (location.invariant.valid())
        invariant(location.invariant);
    std::set<TemplateId> templates;
    for (const Process& process : network_.processes) {
      for (std::size_t i = 0; i < process.location_count; ++i)
        kind(network_.decl(LocationId(process.first_location.index() + i)).kind);
      note(Feature::kProcessPriorities, process.priority != 0);
      note(Feature::kInstances, !templates.insert(process.of_template).second);
    }
    note(Feature::kChannelPriorities, !network_.channel_priorities.empty());
    for (const std::vector<ExprId>* hook : {&network_.before_update, &network_.after_update}) {
      note(Feature::kHook, !hook->empty());
      for (const ExprId update : *hook)
        walk(update);
    }
    return out_;
  }

 private:
  void note(Feature feature, bool met = true) {
    if (met)
      out_.set(static_cast<std::size_t>(feature));
  }

  void kind(LocationKind kind) {
    note(Feature::kUrgentLocation, kind == LocationKind::kUrgent);
    note(Feature::kCommitted, kind == LocationKind::kCommitted);
    note(Feature::kBranchpoint, kind == LocationKind::kBranchpoint);
  }

  void edge(const Edge& edge) {
    const EdgeLabels& labels = edge.labels;
    note(Feature::kSelect, !labels.selects.empty());
    if (labels.guard.valid()) {
      tests(labels.guard);
      walk(labels.guard);
    }
    if (labels.channel.valid()) {
      const Type& channel = network_.types[network_.pool[labels.channel].type];
      note(Feature::kUrgentChannel, channel.urgent);
      note(Feature::kBroadcast, channel.broadcast);
      note(Feature::kReceiverGuard, channel.broadcast && labels.direction == Direction::kReceive &&
                                        labels.guard.valid() && network_.pool[labels.guard].timed);
      walk(labels.channel);
    }
    for (const ExprId update : labels.updates)
      walk(update);
  }

  void tests(ExprId constraint) {
    for (const ClockTest& test : clock_tests_of(network_, constraint)) {
      note(Feature::kDifference, test.minus.count != 0);
      note(Feature::kStrict,
           test.relation == ExprKind::kLess || test.relation == ExprKind::kGreater);
    }
  }

  void invariant(ExprId constraint) {
    tests(constraint);
    for (const ClockTest& test : clock_tests_of(network_, constraint))
      note(Feature::kLowerInvariant,
           test.minus.count == 0 &&
               (test.relation == ExprKind::kGreater || test.relation == ExprKind::kGreaterEqual));
    walk(constraint);
  }

  void walk(ExprId id) {
    const Expression& e = network_.pool[id];
    const bool timed = has_clocks(e.type);
    const TypeKind kind = network_.types[e.type].kind;
    if (e.kind == ExprKind::kVariable && !timed) {
      const Variable& variable = network_.variables[e.variable()];
      note(Feature::kStruct, kind == TypeKind::kStruct);
      note(Feature::kArray, kind == TypeKind::kArray && !holds(e.type, TypeKind::kChannel));
      note(Feature::kMeta, variable.storage == Storage::kMeta);
    }
    note(Feature::kStopwatch, e.kind == ExprKind::kRate);
    note(Feature::kClockArray, timed && e.kind == ExprKind::kIndex);
    note(Feature::kCopy,
         e.kind == ExprKind::kAssign && timed && network_.pool[network_.pool.operand(id, 1)].timed);
    if (e.kind == ExprKind::kCall)
      call(e.function());
    for (const ExprId part : network_.pool.operands(id))
      walk(part);
  }

  void call(FunctionId id) {
    note(Feature::kFunction);
    if (!called_.insert(id).second)
      return;
    const Function& function = network_.functions[id];
    for (const VariableId parameter : function.parameters)
      note(Feature::kReference, network_.variables[parameter].is_alias());
    if (function.body.valid())
      walk(function.body);
  }

  void walk(StmtId id) {
    const Statement& statement = network_.pool[id];
    for (const ExprId e : statement.exprs)
      walk(e);
    for (const StmtId child : statement.children)
      walk(child);
  }

  [[nodiscard]] bool holds(TypeId type, TypeKind kind) const {
    return network_.types.contains(type, kind);
  }
  [[nodiscard]] bool has_clocks(TypeId type) const { return holds(type, TypeKind::kClock); }

  const Network& network_;
  Features out_;
  std::set<FunctionId> called_;
};

}  // namespace

Features features_of(const Network& network) { return Reader(network).read(); }

PairTable::PairTable(std::vector<std::string> families, std::vector<std::string> ends)
    : names_(kFeatureNames.begin(), kFeatureNames.end()),
      first_end_(kFeatures + families.size()) {
  names_.insert(names_.end(), families.begin(), families.end());
  names_.insert(names_.end(), ends.begin(), ends.end());
  counts_.assign(names_.size(), std::vector<std::size_t>(names_.size()));
}

void PairTable::add(const Features& features, std::size_t family, std::size_t end) {
  std::vector<std::size_t> met;
  for (std::size_t i = 0; i < kFeatures; ++i)
    if (features.test(i))
      met.push_back(i);
  met.push_back(kFeatures + family);
  met.push_back(first_end_ + end);
  for (const std::size_t a : met)
    for (const std::size_t b : met)
      ++counts_[a][b];
}

bool PairTable::is_pair(std::size_t a, std::size_t b) const {
  return a < b && (a < kFeatures || (a < first_end_ && b >= first_end_));
}

std::vector<std::string> PairTable::rarer_than(std::size_t least) const {
  std::vector<std::string> out;
  for (std::size_t a = 0; a < names_.size(); ++a)
    for (std::size_t b = 0; b < names_.size(); ++b)
      if (is_pair(a, b) && counts_[a][b] < least)
        out.push_back(fmt::format("{} and {}: {}", names_[a], names_[b], counts_[a][b]));
  return out;
}

std::string PairTable::text() const {
  std::string out = fmt::format("{:>28}", "");
  for (std::size_t b = 0; b < names_.size(); ++b)
    out += fmt::format("{:>5}", b + 1);
  for (std::size_t a = 0; a < names_.size(); ++a) {
    out += fmt::format("\n{:>2} {:<25}", a + 1, names_[a]);
    for (std::size_t b = 0; b < names_.size(); ++b)
      out += a == b || is_pair(std::min(a, b), std::max(a, b)) ? fmt::format("{:>5}", counts_[a][b])
                                                               : fmt::format("{:>5}", "-");
  }
  return out + "\n";
}

}  // namespace tw::test
