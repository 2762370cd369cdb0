// The words of the command line and of suite files for the values of options: one table per type.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/coverage/criterion.hpp"
#include "engine/suite/generate.hpp"

namespace tw {

template <class E>
struct Choice {
  std::string_view name;
  E value;
};

inline constexpr Choice<Level> kLevels[] = {{"template", Level::kTemplate},
                                            {"instance", Level::kInstance}};
inline constexpr Choice<DefUseReading> kDefUseReadings[] = {
    {"sequential", DefUseReading::kSequential}, {"atomic", DefUseReading::kAtomic}};
inline constexpr Choice<InvariantUses> kInvariantUses[] = {{"none", InvariantUses::kNone},
                                                           {"leave", InvariantUses::kLeave},
                                                           {"enter", InvariantUses::kEnter}};
inline constexpr Choice<InitialSimilarity> kSimilarities[] = {
    {"locations", InitialSimilarity::kLocations}, {"variables", InitialSimilarity::kVariables}};
inline constexpr Choice<HalfPlaces> kPairings[] = {{"test", HalfPlaces::kTest},
                                                   {"suite", HalfPlaces::kSuite}};
inline constexpr Choice<Algorithm> kAlgorithms[] = {
    {"global", Algorithm::kGlobal}, {"fig3", Algorithm::kFig3}, {"local", Algorithm::kLocal}};
inline constexpr Choice<Order> kOrders[] = {
    {"bfs", Order::kBfs}, {"dfs", Order::kDfs}, {"random", Order::kRandom}};
inline constexpr Choice<Subsumption> kSubsumptions[] = {{"equality", Subsumption::kEquality},
                                                        {"forward", Subsumption::kForward},
                                                        {"both", Subsumption::kBothWays}};
inline constexpr Choice<Reduction> kReductions[] = {{"none", Reduction::kNone},
                                                    {"redundant", Reduction::kRedundant},
                                                    {"cover", Reduction::kCover},
                                                    {"chain", Reduction::kChain}};
inline constexpr Choice<Optimise> kOptimisations[] = {
    {"steps", Optimise::kSteps}, {"tests", Optimise::kTests}, {"time", Optimise::kTime}};
inline constexpr Choice<Delays> kDelays[] = {
    {"earliest", Delays::kEarliest}, {"robust", Delays::kRobust}, {"latest", Delays::kLatest}};
inline constexpr Choice<StoreKind> kStores[] = {{"flat", StoreKind::kFlat},
                                                {"tree", StoreKind::kTree}};
inline constexpr Choice<OnError> kOnError[] = {{"stop", OnError::kStop}, {"skip", OnError::kSkip}};

template <class E>
[[nodiscard]] std::string_view name_in(std::span<const Choice<E>> table, E value) {
  for (const Choice<E>& choice : table)
    if (choice.value == value)
      return choice.name;
  return "";
}

template <class E, std::size_t N>
[[nodiscard]] std::string_view name_in(const Choice<E> (&table)[N], E value) {
  return name_in(std::span<const Choice<E>>(table), value);
}

template <class E, std::size_t N>
[[nodiscard]] std::optional<E> value_in(const Choice<E> (&table)[N], std::string_view name) {
  for (const Choice<E>& choice : table)
    if (choice.name == name)
      return choice.value;
  return std::nullopt;
}

}  // namespace tw
