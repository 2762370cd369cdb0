#include "cli/explore.hpp"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/search/search.hpp"

namespace tw {
namespace {

// Set by the signal handler, read by the search now and then.
volatile std::sig_atomic_t interrupt_seen =
    0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void on_interrupt(int /*signal*/) { interrupt_seen = 1; }

std::string describe_step(const Network& network, const Step& step) {
  std::string out;
  for (const FiredEdge& fired : step.edges) {
    const Edge& edge = network.edges[fired.edge];
    out +=
        fmt::format("{}{}: {} -> {}", out.empty() ? "" : ", ", network.processes[edge.process].name,
                    network.decl(edge.source).name, network.decl(edge.target).name);
    for (std::size_t i = 0; i < fired.selects.size(); ++i)
      out +=
          fmt::format(" {}={}", network.variables[edge.labels.selects[i]].name, fired.selects[i]);
  }
  return out;
}

// A run-time error is a finding about the model: the expression, and how to get there.
void report(const LoadedModel& model, Search& search) {
  const Network& network = *model.network;
  const ModelError& error = search.error();
  const SourceRange where = error.at.valid() ? network.pool[error.at].where : SourceRange{};
  fmt::print(stderr, "{}",
             render({.severity = Severity::kError,
                     .where = where,
                     .message = fmt::format("run-time error: {}", describe(error.status)),
                     .hint = "--on-error skip treats such a step as absent"},
                    model.file));
  if (!search.failed_entry().valid()) {
    fmt::print(stderr, "  in the initial state\n");
    return;
  }
  const std::vector<Step> trace = search.traces(search.failed_entry()).front();
  fmt::print(stderr, "  after {} step{}{}\n", trace.size(), trace.size() == 1 ? "" : "s",
             trace.empty() ? ", in the initial state" : ":");
  for (std::size_t i = 0; i < trace.size(); ++i)
    fmt::print(stderr, "  {:>4}  {}\n", i + 1, describe_step(network, trace[i]));
  if (error.edge.valid()) {
    const Edge& edge = network.edges[error.edge];
    fmt::print(stderr, "  then on {}: {} -> {}\n", network.processes[edge.process].name,
               network.decl(edge.source).name, network.decl(edge.target).name);
  }
}

std::string_view limit_name(StopReason reason) {
  switch (reason) {
    case StopReason::kExhausted:
    case StopReason::kDecided:
      return "";
    case StopReason::kStop:
      return "stop";
    case StopReason::kStates:
      return "states";
    case StopReason::kMemory:
      return "memory";
    case StopReason::kTime:
      return "time";
    case StopReason::kModelError:
      return "model-error";
    case StopReason::kInterrupted:
      return "interrupt";
  }
  return "";
}

ExitCode code_of(StopReason reason) {
  switch (reason) {
    case StopReason::kExhausted:
    case StopReason::kDecided:
    case StopReason::kStop:
      return ExitCode::kOk;
    case StopReason::kModelError:
      return ExitCode::kBadInput;
    case StopReason::kInterrupted:
      return ExitCode::kInterrupted;
    case StopReason::kStates:
    case StopReason::kMemory:
    case StopReason::kTime:
      return ExitCode::kLimit;
  }
  return ExitCode::kInternal;
}

// Asked by the search about a thousand times a second; writes at most four lines a second.
class Watch {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (terminal_ && now - shown_ > std::chrono::milliseconds(250)) {
      shown_ = now;
      static constexpr std::string_view kWheel = "|/-\\";
      fmt::print(stderr, "\rexploring {} {:.1f} s", kWheel[turn_++ % kWheel.size()],
                 std::chrono::duration<double>(now - started_).count());
      std::fflush(stderr);
      written_ = true;
    }
    return interrupt_seen != 0;
  }

  ~Watch() {
    if (written_)
      fmt::print(stderr, "\r\033[K");
  }

  Watch() = default;
  Watch(const Watch&) = default;
  Watch& operator=(const Watch&) = delete;

 private:
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
  std::size_t turn_ = 0;
  bool written_ = false;
};

}  // namespace

Exploration explore(const LoadedModel& model, const ExploreOptions& options) {
  const Network& network = *model.network;
  if (network.is_timed()) {
    fmt::print(stderr, "{}: error: timed models cannot be explored yet ({} clock{})\n",
               model.file.path, network.clocks.size(), network.clocks.size() == 1 ? "" : "s");
    return {.code = ExitCode::kBadInput};
  }
  interrupt_seen = 0;
  auto* const before = std::signal(SIGINT, on_interrupt);
  const auto started = std::chrono::steady_clock::now();
  const System system(network);
  Watch watch;
  CoverageRules nothing;
  Effects effects(network, nothing);
  Search search(system, effects, Ledger(nothing),
                {.on_error = options.skip_errors ? OnError::kSkip : OnError::kStop,
                 .max_states = options.max_states,
                 .max_bytes = options.max_megabytes * 1024 * 1024,
                 .time_limit = std::chrono::milliseconds(
                     static_cast<std::int64_t>(options.time_limit_seconds * 1000)),
                 .interrupted = [&watch](const SearchProgress&) { return watch(); }});
  const StopReason reason = search.run();
  std::signal(SIGINT, before);
  if (reason == StopReason::kModelError)
    report(model, search);
  else if (!search.has_initial_state())
    fmt::print(stderr, "{}: error: an invariant does not hold initially, so there is no state\n",
               model.file.path);
  const SearchStatistics& s = search.statistics();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return {.code = search.has_initial_state() ? code_of(reason) : ExitCode::kBadInput,
          .counts = StateCounts{.states = s.states,
                                .transitions = s.transitions,
                                .deadlocks = s.deadlocks,
                                .depth = s.depth,
                                .bytes_per_state = s.states == 0 ? 0 : s.bytes / s.states,
                                .seconds = seconds.count(),
                                .exhaustive = reason == StopReason::kExhausted,
                                .limit = std::string(limit_name(reason))}};
}

}  // namespace tw
