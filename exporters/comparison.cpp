#include "exporters/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace tw {
namespace {

// A running mean that may stay empty.
struct Mean {
  double sum = 0;
  std::size_t count = 0;

  void add(std::optional<double> value) {
    if (!value)
      return;
    sum += *value;
    ++count;
  }

  [[nodiscard]] std::optional<double> value() const {
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  }
};

}  // namespace

std::optional<double> ComparedSuite::mean_percent() const {
  Mean mean;
  for (const CoverageShare& share : coverage)
    mean.add(share.percent());
  return mean.value();
}

std::uint64_t ComparedModel::count_mutants(std::string_view status) const {
  return static_cast<std::uint64_t>(std::ranges::count(mutants, status, &ComparedMutant::status));
}

std::uint64_t ComparedModel::single_expansions() const {
  std::uint64_t sum = 0;
  for (const ComparedCriterion& criterion : criteria)
    sum += criterion.suite.expansions;
  return sum;
}

const ComparedCriterion* ComparedModel::dearest() const {
  const auto at = std::ranges::max_element(
      criteria, {}, [](const ComparedCriterion& c) { return c.suite.expansions; });
  return at == criteria.end() ? nullptr : &*at;
}

std::vector<std::vector<std::optional<double>>> Comparison::mean_matrix() const {
  std::vector<std::vector<Mean>> means(criteria.size(), std::vector<Mean>(criteria.size()));
  for (const ComparedModel& model : models) {
    if (!model.problem.empty())
      continue;
    for (std::size_t row = 0; row < criteria.size(); ++row)
      // A criterion that has nothing to cover has no suite that could be good or bad.
      if (model.criteria[row].suite.tests != 0)
        for (std::size_t column = 0; column < criteria.size(); ++column)
          means[row][column].add(model.criteria[row].suite.coverage[column].percent());
  }
  std::vector<std::vector<std::optional<double>>> out;
  for (const std::vector<Mean>& row : means) {
    out.emplace_back();
    for (const Mean& mean : row)
      out.back().push_back(mean.value());
  }
  return out;
}

std::optional<Comparison::Ratios> Comparison::ratios() const {
  double to_sum = 0;
  double to_dearest = 0;
  std::size_t count = 0;
  for (const ComparedModel& model : models) {
    const ComparedCriterion* dearest = model.problem.empty() ? model.dearest() : nullptr;
    if (dearest == nullptr || dearest->suite.expansions == 0 || model.all_at_once.expansions == 0)
      continue;
    const auto own = static_cast<double>(model.all_at_once.expansions);
    to_sum += std::log(own / static_cast<double>(model.single_expansions()));
    to_dearest += std::log(own / static_cast<double>(dearest->suite.expansions));
    ++count;
  }
  if (count == 0)
    return std::nullopt;
  return Ratios{.to_sum = std::exp(to_sum / static_cast<double>(count)),
                .to_dearest = std::exp(to_dearest / static_cast<double>(count))};
}

}  // namespace tw
