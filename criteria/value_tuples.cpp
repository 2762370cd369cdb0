#include "criteria/value_tuples.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

#include "criteria/cell_names.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostItems = 2'000'000;
// A variable with more values is a number, not a mode; its combinations would drown the others.
constexpr std::int64_t kMostValues = 32;
// So many names in a warning.
constexpr std::size_t kMostNames = 3;

class Declaration {
 public:
  Declaration(std::string_view criterion,
              std::uint32_t strength,
              const Network& network,
              CoverageRules& rules)
      : criterion_(criterion),
        network_(network),
        rules_(rules) {
    tuples_.strength = strength;
  }

  void run(const CriterionOptions& options, Diagnostics& diagnostics) {
    rules_.begin_criterion(
        {.name = std::string(criterion_),
         .options = options.variables.empty()
                        ? std::string()
                        : fmt::format("--vars {}", fmt::join(options.variables, ","))});
    const std::size_t errors = diagnostics.errors();
    const std::vector<bool> chosen = chosen_cells(network_, options.variables, diagnostics);
    if (diagnostics.errors() != errors)
      return;
    add_factors(chosen, diagnostics);
    if (items() > kMostItems) {
      std::string problem = fmt::format("{} has more than {} items here", criterion_, kMostItems);
      if (options.one_of_all)
        diagnostics.warning({}, std::move(problem), "it is left out; --vars chooses variables");
      else
        diagnostics.error({}, std::move(problem),
                          "choose variables with --vars, or a smaller strength");
      return;
    }
    family_ = rules_.add_item_family("values");
    std::vector<std::size_t> factors;
    choose(0, factors);
    rules_.add_value_tuples(std::move(tuples_));
  }

 private:
  void add_factors(const std::vector<bool>& chosen, Diagnostics& diagnostics) {
    for (std::size_t p = 0; p < network_.processes.size(); ++p)
      tuples_.factors.push_back(
          {.process = ProcessId(p), .count = network_.processes[ProcessId(p)].location_count});
    std::vector<std::string> left_out;
    for (std::size_t i = 0; i < network_.memory.state; ++i) {
      const Cell& cell = network_.cells[CellId(i)];
      const std::int64_t values = std::int64_t{cell.high} - cell.low + 1;
      if (!chosen[i])
        continue;
      if (values > kMostValues)
        left_out.push_back(network_.cell_name(CellId(i)));
      else
        tuples_.factors.push_back(
            {.cell = CellId(i), .low = cell.low, .count = static_cast<std::uint32_t>(values)});
    }
    if (left_out.empty())
      return;
    const std::size_t shown = std::min(left_out.size(), kMostNames);
    diagnostics.warning(
        {},
        fmt::format("{} leaves out {}{}: more than {} values", criterion_,
                    fmt::join(std::span(left_out).first(shown), ", "),
                    shown < left_out.size() ? fmt::format(" and {} more", left_out.size() - shown)
                                            : std::string(),
                    kMostValues),
        "give them smaller ranges in the model if their values are worth combining");
  }

  // Without overflow: sums stop once they are too many.
  [[nodiscard]] std::size_t items() const {
    const std::vector<ValueTuples::Factor>& f = tuples_.factors;
    std::size_t sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (tuples_.strength == 1)
        sum += f[i].count;
      for (std::size_t j = i + 1; tuples_.strength > 1 && j < f.size(); ++j) {
        const std::size_t pairs = std::size_t{f[i].count} * f[j].count;
        if (tuples_.strength == 2)
          sum += pairs;
        for (std::size_t k = j + 1; tuples_.strength > 2 && k < f.size(); ++k)
          sum += pairs * f[k].count;
        if (sum > kMostItems)
          return sum;
      }
    }
    return sum;
  }

  void choose(std::size_t first, std::vector<std::size_t>& chosen) {
    if (chosen.size() == tuples_.strength) {
      std::vector<std::uint32_t> values;
      add_items(chosen, values);
      return;
    }
    for (std::size_t i = first; i < tuples_.factors.size(); ++i) {
      chosen.push_back(i);
      choose(i + 1, chosen);
      chosen.pop_back();
    }
  }

  // The last value fastest, as the table wants it.
  void add_items(const std::vector<std::size_t>& chosen, std::vector<std::uint32_t>& values) {
    if (values.size() == chosen.size()) {
      tuples_.items.push_back(add_item(chosen, values));
      return;
    }
    for (std::uint32_t v = 0; v < tuples_.factors[chosen[values.size()]].count; ++v) {
      values.push_back(v);
      add_items(chosen, values);
      values.pop_back();
    }
  }

  ItemId add_item(const std::vector<std::size_t>& chosen,
                  const std::vector<std::uint32_t>& values) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const ValueTuples::Factor& factor = tuples_.factors[chosen[i]];
      if (factor.cell.valid()) {
        parts.push_back(fmt::format("{}={}", network_.cell_name(factor.cell),
                                    factor.low + static_cast<std::int64_t>(values[i])));
        continue;
      }
      const Process& process = network_.processes[factor.process];
      const LocationDecl& place =
          network_.decl(LocationId(process.first_location.index() + values[i]));
      if (place.kind == LocationKind::kBranchpoint)
        return {};
      parts.push_back(fmt::format("{}={}", process.name, place.name));
    }
    return rules_.add_item(family_, {number_++},
                           {.id = fmt::format("{}:{}", criterion_, fmt::join(parts, ",")),
                            .label = fmt::format("{} at once", fmt::join(parts, ", "))});
  }

  std::string_view criterion_;
  const Network& network_;
  CoverageRules& rules_;
  ValueTuples tuples_;
  ItemFamilyId family_;
  std::uint32_t number_ = 0;
};

}  // namespace

void declare_value_tuples(std::string_view criterion,
                          std::uint32_t strength,
                          const Network& network,
                          const CriterionOptions& options,
                          CoverageRules& rules,
                          Diagnostics& diagnostics) {
  Declaration(criterion, strength, network, rules).run(options, diagnostics);
}

}  // namespace tw
