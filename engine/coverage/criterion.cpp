#include "engine/coverage/criterion.hpp"

namespace tw {

Criterion::~Criterion() = default;

}  // namespace tw
