#include "tests/fuzz/check_model.hpp"

#include <cstddef>
#include <utility>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"
#include "engine/model/print.hpp"
#include "exporters/info.hpp"
#include "frontends/load.hpp"

namespace tw::fuzz {
namespace {

std::string render_all(const LoadedModel& model) {
  std::string out;
  for (const Diagnostic& d : model.diagnostics.all())
    out += render(d, model.file);
  return out;
}

/// A place outside the text makes a message wrong even where rendering it happens to go well.
bool has_bad_place(const LoadedModel& model) {
  for (const Diagnostic& d : model.diagnostics.all())
    if (d.where.begin > d.where.end || d.where.end > model.file.text.size())
      return true;
  return false;
}

/// A line of input may stand for a million things; to write them all down shows nothing new.
bool is_large(const Network& network) {
  constexpr std::size_t kLarge = 50'000;
  return network.variables.size() + network.cells.size() + network.clocks.size() +
             network.channels.size() + network.locations.size() + network.edges.size() +
             network.pool.size() >
         kLarge;
}

std::optional<std::string> find_round_trip_fault(const Network& network) {
  const std::string printed = print_xta(network);
  const LoadedModel again = load_model_text("printed.xta", printed);
  if (!again.network || again.diagnostics.has_errors())
    return "the printed network has errors\n" + render_all(again) + "as printed:\n" + printed;
  if (const std::optional<std::string> difference = first_difference(network, *again.network))
    return "the printed network differs: " + *difference + "\nas printed:\n" + printed;
  if (const std::string twice = print_xta(*again.network); twice != printed)
    return "printed twice differs\nfirst:\n" + printed + "second:\n" + twice;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_fault(const std::string& path, std::string bytes) {
  const LoadedModel model = load_model_text(path, std::move(bytes));
  if (has_bad_place(model))
    return "a diagnostic points outside the text\n" + render_all(model);
  const std::string messages = render_all(model);
  if (model.network.has_value() == model.diagnostics.has_errors())
    return "expected either errors or a network\n" + messages;
  if (!model.network) {
    // JSON of hundreds of messages would take most of the time and show nothing new.
    constexpr std::size_t kEnough = 10;
    if (model.diagnostics.all().size() <= kEnough &&
        diagnostics_json(model.file, model.diagnostics).empty())
      return "no JSON came out";
    return std::nullopt;
  }
  if (is_large(*model.network))
    return std::nullopt;
  const InfoSource source{.network = *model.network,
                          .file = model.file,
                          .diagnostics = model.diagnostics,
                          .format = model.format};
  if (info_text(source).empty() || info_json(source).empty())
    return "no information came out";
  return find_round_trip_fault(*model.network);
}

}  // namespace tw::fuzz
