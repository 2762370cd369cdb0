// Run-time errors by their place in the model: what is said of steps that were left out.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/model/network.hpp"
#include "engine/semantics/successor_list.hpp"

namespace tw {

class ErrorPlaces {
 public:
  /// Of one place the error with the least number is kept: it does not depend on the order in which
  /// a model is searched.
  void add(const Network& network, const ModelError& error) {
    const SourceRange where = error.at.valid() ? network.pool[error.at].where : SourceRange();
    ModelError& known = errors_.try_emplace({where.begin, where.end}, error).first->second;
    if (error.misfit.value < known.misfit.value)
      known = error;
  }

  /// In the order of places.
  [[nodiscard]] std::vector<ModelError> all() const {
    std::vector<ModelError> out;
    for (const auto& [place, error] : errors_)
      out.push_back(error);
    return out;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, ModelError> errors_;
};

}  // namespace tw
