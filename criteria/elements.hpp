// What items speak of, at both levels: an element of a template, whichever process moves, or of one
// process. The *key* of an element is its argument in items: the index of the declaration, or of
// the process's own element.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct EdgeElement {
  std::uint32_t key = 0;
  EdgeDeclId decl;
  std::string_view owner;  // name of the template or process; borrowed from the network
};

struct LocationElement {
  std::uint32_t key = 0;
  LocationDeclId decl;
  std::string_view owner;
};

/// In document order, of templates that have processes; at instance level process by process.
[[nodiscard]] std::vector<EdgeElement> edge_elements(const Network& network, Level level);

/// The same for locations; branchpoints are none.
[[nodiscard]] std::vector<LocationElement> location_elements(const Network& network, Level level);

/// By edge: the key of the element it is. One entry more, for update hooks, says kNothing.
[[nodiscard]] std::vector<std::uint32_t> edge_keys(const Network& network, Level level);

[[nodiscard]] std::uint32_t key_of(const Network& network, LocationId location, Level level);

}  // namespace tw
