// Everything an exporter may tell about a run, and the seam for exporters: each writes one format.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/base/sink.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite.hpp"
#include "exporters/text_style.hpp"

namespace tw {

/// The options of the run, by the names the command line has for their values. Exporters only
/// repeat them, so they need not know what they mean.
struct ReportOptions {
  std::string per = "template";
  std::vector<std::string> only;      // globs of item ids; empty: all
  std::vector<std::string> vars;      // globs of variables; empty: all
  std::vector<std::string> observer;  // values of parameters: V=el
  std::string def_use = "sequential";
  std::string invariants = "none";
  std::string edge_init = "locations";  // or an expression
  std::string properties_file;          // empty: none
  std::string properties;               // the text of that file
  std::string pairing = "test";
  bool observe = false;
  bool best_effort = false;
  std::string reduce = "chain";
  std::string optimise = "steps";
  std::string delays = "robust";  // matters only with clocks
  std::string algorithm = "global";
  std::string order = "bfs";
  std::string subsumption = "forward";
  std::string on_error = "stop";
  bool reset = false;
  bool full = false;
  bool keep_dead = false;
  bool old_syntax = false;  // the model is in the language of UPPAAL 3
  std::uint64_t stop = 0;   // 0: none, here and below
  std::uint64_t seed = 1;
  std::uint64_t max_states = 0;
  std::uint64_t max_memory_bytes = 0;
  double time_limit_seconds = 0;
};

/// The program that wrote a file.
struct Tool {
  std::string_view name = "tracewright";
  std::string_view version;
};

/// What to write; references are borrowed for the call.
struct Report {
  Tool tool;
  const Network& network;
  std::string_view file;     // as the user named it
  const SourceFile& source;  // what it held
  std::string_view sha256;   // of the model file
  const CoverageRules& rules;
  ReportOptions options;
  SearchSummary search;
  const std::vector<Verdict>& verdicts;  // by item
  const Suite& suite;
  const Budget* budget = nullptr;  // of the run, if it has one: how its phases went
  bool stable = false;             // leave out what differs between two runs: seconds and memory
  TextStyle style = {};            // of text for people
};

class Exporter {
 public:
  Exporter() = default;
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;
  virtual ~Exporter();

  /// How many of the tests were written: writing may end early, and what is written is whole and
  /// true all the same.
  virtual std::size_t write(const Report& report, Sink& sink) const = 0;
};

struct ExporterInfo {
  std::string_view name;
  std::string_view summary;
};

/// All there are, as listed in exporters.def.
[[nodiscard]] std::span<const ExporterInfo> exporters();

/// None: there is no format of this name.
[[nodiscard]] std::unique_ptr<Exporter> make_exporter(std::string_view name);

// Counts per criterion, for all formats alike.
struct CriterionCounts {
  std::uint64_t total = 0;
  std::uint64_t covered = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t undecided = 0;
  std::uint64_t missed = 0;  // only where suites are measured
  std::uint64_t tokens = 0;

  /// Of the items that are not infeasible, in tenths of a percent, rounded down: 1000 means all.
  /// 1000, too, if there are none.
  [[nodiscard]] std::uint64_t permille() const {
    const std::uint64_t feasible = total - infeasible;
    return feasible == 0 ? 1000 : covered * 1000 / feasible;
  }
};

/// By criterion.
[[nodiscard]] std::vector<CriterionCounts> count_items(const CoverageRules& rules,
                                                       const std::vector<Verdict>& verdicts);

/// What can be said of the first tests of a suite: what the others cover is undecided.
class WrittenSuite {
 public:
  /// The report is borrowed and outlives this.
  WrittenSuite(const Report& report, std::size_t tests);

  [[nodiscard]] std::size_t tests() const { return tests_; }
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }
  /// The numbers of the tests that cover an item, ascending.
  [[nodiscard]] const std::vector<std::size_t>& tests_of(ItemId item) const {
    return tests_by_item_[item.index()];
  }
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] Rational duration() const;
  /// Of a suite that covers as much as these tests do.
  [[nodiscard]] std::uint64_t lower_bound() const;

 private:
  const Report& report_;
  std::size_t tests_;
  std::vector<std::vector<std::size_t>> tests_by_item_;
  std::vector<Verdict> verdicts_;
};

/// What a test covers and a report speaks of: counted items, and halves of pairs.
[[nodiscard]] std::vector<ItemId> covered_by(const Report& report, const Test& test);

[[nodiscard]] std::string_view name_of(ItemStatus status);

}  // namespace tw
