// What bounds promise, tried out: if one point simulates another as far as bounds and diagonals can
// tell, then it can follow every delay and every step of the other, and the results are in the
// same relation. Random networks are written as text for the analysis and run here on concrete
// clock values; a bound that is too small lets points be confused that behave differently.

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/semantics/clock_bounds.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

constexpr int kProcesses = 3;
constexpr int kLocations = 3;
constexpr int kClocks = 4;
constexpr int kUnit = 4;  // clock values are quarters

using Clocks = std::array<int, kClocks>;

const char* const kNames[kClocks] = {"x", "y", "z", "w"};
const char* const kRelations[] = {"<", "<=", ">=", ">", "=="};

// clock [- minus] ~ constant + factor * i
struct Test {
  int clock = 0;
  int minus = -1;
  int relation = 0;
  int constant = 0;
  int factor = 0;
};

// target = [source +] constant + factor * i, or only `if (i > 0)`; of a negative target: i =
// constant
struct Update {
  int target = 0;
  int source = -1;
  int constant = 0;
  int factor = 0;
  bool conditional = false;
};

enum class Sync {
  kNone,
  kSend,
  kReceive,
  kBroadcast,
  kListen,
};

struct RandomEdge {
  int source = 0;
  int target = 0;
  std::vector<Test> guard;
  Sync sync = Sync::kNone;
  std::vector<Update> updates;
};

struct RandomModel {
  std::array<std::array<std::vector<Test>, kLocations>, kProcesses> invariants;
  std::array<std::vector<RandomEdge>, kProcesses> edges;
  std::vector<Update> before;
  std::vector<Update> after;
  bool priorities = false;
};

struct State {
  std::array<int, kProcesses> at = {};
  int i = 0;
  Clocks clocks = {};
  bool failed = false;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  int operator()(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
  }
  bool chance(int percent) { return (*this)(1, 100) <= percent; }

 private:
  std::mt19937 engine_;
};

struct Features {
  int diagonals = 0;  // percent
  int copies = 0;
  bool hooks = false;
  bool priorities = false;
};

class Generator {
 public:
  Generator(Dice& dice, Features features) : dice_(dice), features_(features) {}

  RandomModel model() {
    RandomModel out;
    out.priorities = features_.priorities;
    for (int p = 0; p < kProcesses; ++p) {
      for (std::vector<Test>& invariant : out.invariants[static_cast<std::size_t>(p)])
        if (dice_.chance(30))
          invariant = tests(4);
      const int edges = dice_(2, 5);
      for (int e = 0; e < edges; ++e)
        out.edges[static_cast<std::size_t>(p)].push_back(edge());
    }
    if (features_.hooks) {
      out.before = updates(1);
      out.after = updates(1);
    }
    return out;
  }

 private:
  RandomEdge edge() {
    RandomEdge out{.source = dice_(0, kLocations - 1), .target = dice_(0, kLocations - 1)};
    if (dice_.chance(60))
      out.guard = tests(5);
    out.sync = static_cast<Sync>(dice_.chance(50) ? 0 : dice_(1, 4));
    out.updates = updates(3);
    return out;
  }

  // Below this number of relations.
  std::vector<Test> tests(int relations) {
    std::vector<Test> out;
    const int count = dice_(1, 2);
    for (int k = 0; k < count; ++k) {
      Test test{.clock = dice_(0, kClocks - 1),
                .relation = dice_(0, relations - 1),
                .constant = dice_(0, 5),
                .factor = dice_.chance(20) ? dice_(-2, 3) : 0};
      if (dice_.chance(features_.diagonals)) {
        test.minus = (test.clock + dice_(1, kClocks - 1)) % kClocks;
        test.constant = dice_(-3, 3);
      }
      out.push_back(test);
    }
    return out;
  }

  std::vector<Update> updates(int most) {
    std::vector<Update> out;
    const int count = dice_(0, most);
    for (int k = 0; k < count; ++k) {
      Update update{.target = dice_.chance(20) ? -1 : dice_(0, kClocks - 1)};
      if (update.target < 0) {
        update.constant = dice_(0, 1);
      } else if (dice_.chance(features_.copies)) {
        update.source = dice_(0, kClocks - 1);
        update.constant = dice_(-1, 2);
        update.factor = dice_.chance(20) ? dice_(-1, 1) : 0;
      } else {
        update.constant = dice_.chance(60) ? 0 : dice_(0, 4);
        update.factor = dice_.chance(20) ? dice_(0, 2) : 0;
      }
      update.conditional = update.target >= 0 && dice_.chance(25);
      out.push_back(update);
    }
    return out;
  }

  Dice& dice_;
  Features features_;
};

// --- As text

std::string number(int constant, int factor) {
  return std::to_string(constant) + " + " + std::to_string(factor) + " * i";
}

std::string text(const std::vector<Test>& tests) {
  std::string out;
  for (const Test& test : tests) {
    out += (out.empty() ? "" : " && ") + std::string(kNames[test.clock]);
    if (test.minus >= 0)
      out += std::string(" - ") + kNames[test.minus];
    out += std::string(" ") + kRelations[test.relation] + " " + number(test.constant, test.factor);
  }
  return out;
}

std::string set(int target, int source, const std::string& value) {
  return std::string(kNames[target]) + " = " +
         (source >= 0 ? std::string(kNames[source]) + " + " : "") + value;
}

std::string function(int target, int source) {
  return std::string("set_") + kNames[target] + (source >= 0 ? kNames[source] : "");
}

std::string text(const std::vector<Update>& updates) {
  std::string out;
  for (const Update& update : updates) {
    out += out.empty() ? "" : ", ";
    if (update.target < 0) {
      out += "i = " + std::to_string(update.constant);
      continue;
    }
    const std::string value = number(update.constant, update.factor);
    if (update.conditional)
      out += "i > 0 && " + function(update.target, update.source) + "(" + value + ")";
    else
      out += set(update.target, update.source, "(" + value + ")");
  }
  return out;
}

// An assignment cannot stand behind `&&`, but a call can.
std::string functions() {
  std::string out;
  for (int target = 0; target < kClocks; ++target)
    for (int source = -1; source < kClocks; ++source)
      out += "bool " + function(target, source) + "(int[-4,8] k) { " + set(target, source, "k") +
             "; return true; }\n";
  return out;
}

std::string text(const RandomModel& model) {
  std::string out = "clock x, y, z, w; int[0,1] i; chan c; broadcast chan d;\n" + functions();
  if (!model.before.empty())
    out += "before_update { " + text(model.before) + " }\n";
  if (!model.after.empty())
    out += "after_update { " + text(model.after) + " }\n";
  static const char* const kSyncs[] = {"", "c!", "c?", "d!", "d?"};
  for (std::size_t p = 0; p < kProcesses; ++p) {
    out += "process P" + std::to_string(p) + "() { state ";
    for (std::size_t l = 0; l < kLocations; ++l) {
      const std::string invariant = text(model.invariants[p][l]);
      out += (l == 0 ? "l" : ", l") + std::to_string(l) +
             (invariant.empty() ? "" : " { " + invariant + " }");
    }
    out += "; init l0; trans\n";
    for (std::size_t e = 0; e < model.edges[p].size(); ++e) {
      const RandomEdge& edge = model.edges[p][e];
      out += (e == 0 ? "  l" : ",\n  l") + std::to_string(edge.source) + " -> l" +
             std::to_string(edge.target) + " { ";
      if (!edge.guard.empty())
        out += "guard " + text(edge.guard) + "; ";
      if (edge.sync != Sync::kNone)
        out += "sync " + std::string(kSyncs[static_cast<int>(edge.sync)]) + "; ";
      if (!edge.updates.empty())
        out += "assign " + text(edge.updates) + "; ";
      out += "}";
    }
    out += "; }\n";
  }
  return out + (model.priorities ? "system P0 < P1 < P2;" : "system P0, P1, P2;");
}

// --- As it runs

bool holds(const Test& test, const State& state) {
  const int left = state.clocks[static_cast<std::size_t>(test.clock)] -
                   (test.minus >= 0 ? state.clocks[static_cast<std::size_t>(test.minus)] : 0);
  const int right = kUnit * (test.constant + test.factor * state.i);
  switch (test.relation) {
    case 0:
      return left < right;
    case 1:
      return left <= right;
    case 2:
      return left >= right;
    case 3:
      return left > right;
    default:
      return left == right;
  }
}

bool holds(const std::vector<Test>& tests, const State& state) {
  return std::ranges::all_of(tests, [&](const Test& test) { return holds(test, state); });
}

bool invariants_hold(const RandomModel& model, const State& state) {
  for (std::size_t p = 0; p < kProcesses; ++p)
    if (!holds(model.invariants[p][static_cast<std::size_t>(state.at[p])], state))
      return false;
  return true;
}

void run(const std::vector<Update>& updates, State& state) {
  for (const Update& update : updates) {
    if (state.failed || (update.conditional && state.i == 0))
      continue;
    if (update.target < 0) {
      state.i = update.constant;
      continue;
    }
    int value = kUnit * (update.constant + update.factor * state.i);
    if (update.source >= 0)
      value += state.clocks[static_cast<std::size_t>(update.source)];
    state.failed = value < 0;
    state.clocks[static_cast<std::size_t>(update.target)] = value;
  }
}

// By process: its edge, or -1.
using Who = std::array<int, kProcesses>;

using Steps = std::vector<std::pair<Who, std::optional<State>>>;

struct Moved {
  Who who;
  std::size_t first = 0;  // whose updates come first
};

class Runner {
 public:
  explicit Runner(const RandomModel& model) : model_(model) {}

  /// All steps whose guards hold, with the result; none if invariants forbid it.
  [[nodiscard]] Steps steps(const State& state) const {
    Steps out;
    for (const Moved& moved : moves(state))
      out.emplace_back(moved.who, after(moved, state));
    return out;
  }

 private:
  [[nodiscard]] std::vector<int> enabled(std::size_t p, Sync sync, const State& state) const {
    std::vector<int> out;
    for (std::size_t e = 0; e < model_.edges[p].size(); ++e) {
      const RandomEdge& edge = model_.edges[p][e];
      if (edge.source == state.at[p] && edge.sync == sync && holds(edge.guard, state))
        out.push_back(static_cast<int>(e));
    }
    return out;
  }

  [[nodiscard]] std::vector<Moved> moves(const State& state) const {
    std::vector<Moved> out;
    Who nobody;
    nobody.fill(-1);
    for (std::size_t p = 0; p < kProcesses; ++p) {
      Moved moved{.who = nobody, .first = p};
      for (const int e : enabled(p, Sync::kNone, state)) {
        moved.who[p] = e;
        out.push_back(moved);
      }
      for (const int e : enabled(p, Sync::kSend, state)) {
        for (std::size_t q = 0; q < kProcesses; ++q) {
          for (const int other : enabled(q, Sync::kReceive, state)) {
            moved.who = nobody;
            moved.who[p] = e;
            if (q != p)
              moved.who[q] = other, out.push_back(moved);
          }
        }
      }
      for (const int e : enabled(p, Sync::kBroadcast, state)) {
        moved.who = nobody;
        moved.who[p] = e;
        broadcast(moved, 0, state, out);
      }
    }
    return out;
  }

  void broadcast(Moved& moved, std::size_t q, const State& state, std::vector<Moved>& out) const {
    if (q == kProcesses) {
      out.push_back(moved);
      return;
    }
    const std::vector<int> receivers = enabled(q, Sync::kListen, state);
    if (q == moved.first || receivers.empty())
      return broadcast(moved, q + 1, state, out);
    for (const int e : receivers) {
      moved.who[q] = e;
      broadcast(moved, q + 1, state, out);
    }
    moved.who[q] = -1;
  }

  [[nodiscard]] std::optional<State> after(const Moved& moved, State state) const {
    run(model_.before, state);
    move(moved, moved.first, state);
    for (std::size_t q = 0; q < kProcesses; ++q)
      if (q != moved.first)
        move(moved, q, state);
    run(model_.after, state);
    if (!state.failed && !invariants_hold(model_, state))
      return std::nullopt;
    return state;
  }

  void move(const Moved& moved, std::size_t p, State& state) const {
    if (moved.who[p] < 0)
      return;
    const RandomEdge& edge = model_.edges[p][static_cast<std::size_t>(moved.who[p])];
    run(edge.updates, state);
    state.at[p] = edge.target;
  }

  const RandomModel& model_;
};

// --- The relation

class Relation {
 public:
  explicit Relation(const Network& network) : network_(network), bounds_(network) {}

  [[nodiscard]] bool useful() const { return !bounds_.unbounded().valid(); }

  [[nodiscard]] LuBounds at(const State& state) const {
    LuBounds out;
    for (std::size_t p = 0; p < kProcesses; ++p) {
      const LocationId location(network_.processes[ProcessId(p)].first_location.index() +
                                static_cast<std::size_t>(state.at[p]));
      const LuBounds& local = bounds_.at(location);
      out.lower.resize(local.lower.size(), LuBounds::kNoBound);
      out.upper.resize(local.upper.size(), LuBounds::kNoBound);
      for (std::size_t c = 0; c < local.lower.size(); ++c) {
        out.lower[c] = std::max(out.lower[c], local.lower[c]);
        out.upper[c] = std::max(out.upper[c], local.upper[c]);
      }
    }
    return out;
  }

  /// Can `b` do all that `a` can? Both have the same locations and variables.
  [[nodiscard]] bool simulates(const State& a, const State& b) const {
    if (a.failed || b.failed)
      return a.failed == b.failed;
    const LuBounds bounds = at(a);
    for (std::size_t c = 0; c < kClocks; ++c) {
      const int v = a.clocks[c];
      const int w = b.clocks[c];
      if ((w < v && w <= kUnit * bounds.lower[c + 1]) ||
          (w > v && v <= kUnit * bounds.upper[c + 1]))
        return false;
    }
    return std::ranges::all_of(
        bounds_.diagonals(), [&](const ClockConstraint& d) { return holds(d, a) == holds(d, b); });
  }

 private:
  static bool holds(const ClockConstraint& c, const State& state) {
    const int difference = state.clocks[c.i - 1] - state.clocks[c.j - 1];
    const int most = kUnit * c.bound.constant();
    return c.bound.is_strict() ? difference < most : difference <= most;
  }

  const Network& network_;
  ClockBounds bounds_;
};

// Some point that simulates, if luck finds one; often by moving a single clock.
std::optional<State> simulating(const Relation& relation, const State& a, Dice& dice) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    State b = a;
    const int shift = dice.chance(30) ? dice(-2 * kUnit, 8 * kUnit) : 0;
    for (int& clock : b.clocks) {
      if (shift != 0 && dice.chance(60))
        clock += shift;
      else if (dice.chance(50))
        clock = dice.chance(50) ? dice(0, 12 * kUnit) : clock + dice(-kUnit, kUnit);
      clock = std::max(clock, 0);
    }
    if (b.clocks != a.clocks && relation.simulates(a, b))
      return b;
  }
  return std::nullopt;
}

std::string words(const State& state) {
  std::string out = "at";
  for (const int l : state.at)
    out += " l" + std::to_string(l);
  out += ", i = " + std::to_string(state.i) + ", in quarters";
  for (const int clock : state.clocks)
    out += " " + std::to_string(clock);
  return out;
}

void check_follows(const RandomModel& model, const Relation& relation, State a, State b) {
  const Runner runner(model);
  INFO(words(a));
  INFO(words(b));
  const auto a_steps = runner.steps(a);
  const auto b_steps = runner.steps(b);
  const auto result = [](const Steps& steps, const Who& who) {
    const auto at = std::ranges::find(steps, who, [](const auto& step) { return step.first; });
    return at != steps.end() ? at->second : std::optional<State>();
  };
  for (const auto& [who, state] : a_steps) {
    if (!state)
      continue;
    const std::optional<State> other = result(b_steps, who);
    CHECK(other);
    if (other)
      CHECK(relation.simulates(*state, *other));
  }
  // Who comes first depends on what others cannot do.
  for (const auto& [who, state] : b_steps)
    CHECK((!model.priorities || !state || result(a_steps, who)));
  for (int delay = 1; delay <= 3 * kUnit; ++delay) {
    for (std::size_t c = 0; c < kClocks; ++c) {
      ++a.clocks[c];
      ++b.clocks[c];
    }
    if (!invariants_hold(model, a))
      break;
    CHECK(invariants_hold(model, b));
    CHECK(relation.simulates(a, b));
  }
}

// Returns how many pairs were tried.
int check_model(const RandomModel& model, Dice& dice) {
  const LoadedModel loaded = load_model_text("model.xta", text(model));
  for (const Diagnostic& diagnostic : loaded.diagnostics.all())
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(loaded.network);
  const Relation relation(*loaded.network);
  if (!relation.useful())
    return 0;
  int tried = 0;
  for (int k = 0; k < 60; ++k) {
    State a;
    for (int& location : a.at)
      location = dice(0, kLocations - 1);
    a.i = dice(0, 1);
    for (int& clock : a.clocks)
      clock = dice.chance(50) ? kUnit * dice(0, 6) : dice(0, 10 * kUnit);
    const std::optional<State> b = simulating(relation, a, dice);
    if (!b || !invariants_hold(model, a))
      continue;
    CHECK(invariants_hold(model, *b));
    check_follows(model, relation, a, *b);
    ++tried;
  }
  return tried;
}

TEST_CASE("clock bounds: points that they confuse behave alike", "[clock-bounds][oracle]") {
  const Features features =
      GENERATE(Features{}, Features{.copies = 30}, Features{.diagonals = 30},
               Features{.diagonals = 20, .copies = 15}, Features{.copies = 20, .hooks = true},
               Features{.diagonals = 10, .copies = 10, .priorities = true});
  int tried = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const RandomModel model = Generator(dice, features).model();
    INFO("seed " << seed << '\n' << text(model));
    tried += check_model(model, dice);
  }
  CHECK(tried > 1000);
}

}  // namespace
}  // namespace tw
