// How long loading takes as models grow: bytes to frozen network, for one large template and for
// many small ones. Cost must grow linearly with the number of edges.

#include <fmt/format.h>
#include <string>

#include <benchmark/benchmark.h>

#include "engine/model/print.hpp"
#include "frontends/load.hpp"

namespace {

std::string edge(int from, int to, int i) {
  return fmt::format(
      "<transition><source ref=\"id{}\"/><target ref=\"id{}\"/>"
      "<label kind=\"select\">k : int[0,3]</label>"
      "<label kind=\"guard\">x &gt;= {} &amp;&amp; n[k] &lt; {} &amp;&amp; free(k)</label>"
      "<label kind=\"synchronisation\">c[k]{}</label>"
      "<label kind=\"assignment\">n[k] = n[k] + 1, x = 0, last = k</label>"
      "<nail x=\"{}\" y=\"7\"/></transition>\n",
      from, to, i % 17, i % 50 + 1, i % 2 == 0 ? "!" : "?", i);
}

std::string locations(int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += fmt::format(
        "<location id=\"id{}\" x=\"{}\" y=\"3\"><name>L{}</name>"
        "<label kind=\"invariant\">x &lt;= {}</label></location>\n",
        i, 10 * i, i, 100 + i);
  return out + "<init ref=\"id0\"/>\n";
}

std::string model(int templates, int edges_each) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta><declaration>"
      "int[0,100] n[4]; int[0,3] last; clock x; broadcast chan c[4];\n"
      "bool free(int[0,3] k) { int i; for (i = 0; i &lt; 4; i++) if (n[i] &gt; 50) return false; "
      "return n[k] &lt; 99; }</declaration>\n";
  const int places = std::max(2, edges_each / 3);
  std::string system = "system ";
  for (int t = 0; t < templates; ++t) {
    out += fmt::format("<template><name>T{}</name>\n{}", t, locations(places));
    for (int i = 0; i < edges_each; ++i)
      out += edge(i % places, (i * 7 + 1) % places, i);
    out += "</template>\n";
    system += fmt::format("{}T{}", t == 0 ? "" : ", ", t);
  }
  return out + "<system>" + system + ";</system></nta>\n";
}

void load(benchmark::State& state, const std::string& text, double edges) {
  for (auto _ : state) {
    const tw::LoadedModel loaded = tw::load_model_text("bench.xml", text);
    if (!loaded.network) {
      state.SkipWithError("the generated model does not load");
      break;
    }
    benchmark::DoNotOptimize(loaded.network->edges.size());
  }
  state.counters["edges/s"] =
      benchmark::Counter(edges, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes"] = static_cast<double>(text.size());
  state.SetComplexityN(state.range(0));
}

void one_template(benchmark::State& state) {
  load(state, model(1, static_cast<int>(state.range(0))), static_cast<double>(state.range(0)));
}

void many_templates(benchmark::State& state) {
  const int edges = 20;
  load(state, model(static_cast<int>(state.range(0)) / edges, edges),
       static_cast<double>(state.range(0)));
}

// Free parameters: one template, many processes.
void many_processes(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0)) / 20;
  std::string text = model(1, 20);
  text.replace(text.find("<name>T0</name>"), 15,
               fmt::format("<name>T0</name><parameter>const int[1,{}] id</parameter>", count));
  load(state, text, static_cast<double>(state.range(0)));
}

void print(benchmark::State& state) {
  const tw::LoadedModel loaded =
      tw::load_model_text("bench.xml", model(1, static_cast<int>(state.range(0))));
  for (auto _ : state)
    benchmark::DoNotOptimize(tw::print_xta(*loaded.network).size());
  state.SetComplexityN(state.range(0));
}

BENCHMARK(one_template)
    ->Name("frontends/load/one_template")
    ->RangeMultiplier(2)
    ->Range(1024, 16384)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(many_templates)
    ->Name("frontends/load/many_templates")
    ->RangeMultiplier(2)
    ->Range(1024, 16384)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(many_processes)
    ->Name("frontends/load/many_processes")
    ->RangeMultiplier(2)
    ->Range(1024, 16384)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(print)->Name("model/print_xta/one_template")->Arg(4000)->Unit(benchmark::kMillisecond);

}  // namespace
