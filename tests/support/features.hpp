// Which features of the language a network uses, and how often two of them were met in networks
// that were compared with a second judge. What random tests never combine, they never find.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/network.hpp"

namespace tw::test {

enum class Feature {
  kStopwatch,
  kDifference,
  kCopy,
  kClockArray,
  kStrict,
  kLowerInvariant,
  kUrgentChannel,
  kUrgentLocation,
  kCommitted,
  kBroadcast,
  kReceiverGuard,
  kChannelPriorities,
  kProcessPriorities,
  kBranchpoint,
  kSelect,
  kStruct,
  kArray,
  kFunction,
  kReference,
  kMeta,
  kHook,
  kInstances,
};

inline constexpr std::array kFeatureNames = {"stopwatch",
                                             "clock difference",
                                             "clock copy",
                                             "clock array",
                                             "strict bound",
                                             "lower-bound invariant",
                                             "urgent channel",
                                             "urgent location",
                                             "committed location",
                                             "broadcast",
                                             "receiver with clock guard",
                                             "channel priorities",
                                             "process priorities",
                                             "branchpoint",
                                             "select",
                                             "struct",
                                             "array",
                                             "function",
                                             "reference parameter",
                                             "meta variable",
                                             "update hook",
                                             "several instances"};
inline constexpr std::size_t kFeatures = kFeatureNames.size();

using Features = std::bitset<kFeatures>;

/// What stands in the processes, reachable or not.
[[nodiscard]] Features features_of(const Network& network);

/// Counts of pairs: of features, and of a feature, a family of criteria and the end of a run.
class PairTable {
 public:
  PairTable(std::vector<std::string> families, std::vector<std::string> ends);

  void add(const Features& features, std::size_t family, std::size_t end);

  /// The pairs met fewer times, in words; a family with a family and an end with an end are none.
  [[nodiscard]] std::vector<std::string> rarer_than(std::size_t least) const;

  /// One row and one column per trait, as text.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] bool is_pair(std::size_t a, std::size_t b) const;

  std::vector<std::string> names_;  // features, families, ends
  std::size_t first_end_;
  std::vector<std::vector<std::size_t>> counts_;  // [a][b]; on the diagonal, of one alone
};

}  // namespace tw::test
