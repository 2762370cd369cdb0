#include "exporters/options_json.hpp"

namespace tw {

Json or_null(std::uint64_t value) { return value == 0 ? Json(nullptr) : Json(value); }

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json options_json(const OptionsJson& source) {
  const ReportOptions& o = source.options;
  Json out = {{"criteria", source.criteria},
              {"per", o.per},
              {"only", o.only},
              {"vars", o.vars},
              {"def_use", o.def_use},
              {"invariants", o.invariants},
              {"edge_init", o.edge_init},
              {"pairing", o.pairing},
              {"observe", o.observe},
              {"best_effort", o.best_effort},
              {"reduce", o.reduce},
              {"optimise", o.optimise}};
  if (!o.observer.empty())
    out["observer"] = o.observer;
  // The text itself, so that a suite can be checked wherever the file is.
  if (!o.properties_file.empty())
    out["properties"] = {{"file", o.properties_file}, {"text", o.properties}};
  if (o.old_syntax)
    out["old_syntax"] = true;
  if (source.timed)
    out["delays"] = o.delays;
  const Json rest = {{"subsumption", o.subsumption},
                     {"reset", o.reset},
                     {"full", o.full},
                     {"keep_dead", o.keep_dead},
                     {"stop", or_null(o.stop)},
                     {"on_error", o.on_error},
                     {"seed", o.seed},
                     {"max_states", or_null(o.max_states)},
                     {"max_memory_bytes", or_null(o.max_memory_bytes)},
                     {"time_limit_seconds",
                      o.time_limit_seconds > 0 ? Json(o.time_limit_seconds) : Json(nullptr)}};
  out.update(rest);
  return out;
}

}  // namespace tw
