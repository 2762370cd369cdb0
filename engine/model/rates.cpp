#include "engine/model/rates.hpp"

namespace tw {

bool has_rates(const Network& network) {
  for (std::size_t i = 0; i < network.pool.size(); ++i)
    if (network.pool[ExprId(i)].kind == ExprKind::kRate)
      return true;
  return false;
}

}  // namespace tw
