#include <cstdlib>
#include <string>

#include "tests/support/random_generator.hpp"

namespace tw::test {

Network Generator::make() {
  if (!timed() || options_.data) {
    globals();
    functions();
    value_functions();
  } else {
    few_globals();
  }
  if (timed())
    clocks();
  processes_ = between(1, 3);
  for (int i = 0; i < processes_; ++i)
    process(i);
  own_ = VariableId();  // hooks see globals only
  own_clock_ = VariableId();
  if (options_.priorities)
    priorities();
  if (options_.hooks && (!timed() || options_.data))
    m_.set_update_hooks(hook(), hook());
  else if (timed() && chance(options_.hooks ? 1 : 8))
    m_.set_update_hooks({}, {plain_update({})});
  else if (!timed() && chance(5))
    m_.set_update_hooks(hook(), hook());
  Diagnostics diagnostics;
  auto network = m_.freeze(diagnostics);
  if (!network)
    std::abort();  // the generator is wrong, not the code under test
  return std::move(*network);
}

VariableId Generator::select(TemplateId of, int most) {
  return m_.add_variable({.name = "k",
                          .type = m_.int_type(0, most),
                          .role = Role::kSelect,
                          .storage = Storage::kFrame,
                          .is_const = true,
                          .prototype = true,
                          .owner_template = of});
}

EdgeLabels Generator::labels(TemplateId of, bool plain) {
  // Behind a branchpoint the guard belongs to the channel in front of it.
  if (timed())
    return timed_labels(of, {.select = !plain,
                             .synchronise = !plain,
                             .ask_clocks = !plain || (options_.clocks.receivers &&
                                                      !options_.clocks.urgent_channels)});
  EdgeLabels out;
  if (!plain && chance(4))
    out.selects.push_back(select(of, between(1, 2)));
  if (chance(2))
    out.guard = guard(out.selects);
  // Processes that wait for each other hardly move; those with variables of their own should.
  const bool alone = options_.locals && !chance(3);
  if (!plain && !alone && !chance(3)) {
    out.direction = chance(2) ? Direction::kSend : Direction::kReceive;
    out.channel =
        chance(3) ? m_.v(shout_) : m_.index(m_.v(shake_), modulo(number(out.selects, 1), 2));
    if (chance(8))
      out.channel = m_.conditional(truth(out.selects, 0), out.channel, at(shake_, m_.c(1)));
  }
  for (int i = between(0, 2); i > 0; --i)
    out.updates.push_back(update(out.selects));
  return out;
}

void Generator::process(int index) {
  const TemplateId of = m_.add_template("P" + std::to_string(index));
  if (options_.locals) {
    own_ = m_.local(of, "own", m_.int_type(0, 3));
    if (chance(3))
      m_.parameter(of, "id", m_.int_type(0, 1));
    own_clock_ = timed() && chance(3) ? m_.local(of, "z", m_.clock_type()) : VariableId();
  }
  std::vector<LocationDeclId> places;
  for (int i = between(2, 4); i > 0; --i) {
    const LocationDeclId place = m_.location(of, "l" + std::to_string(places.size()));
    places.push_back(place);
  }
  if (!timed() && chance(3))
    m_.set_kind(places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))],
                LocationKind::kCommitted);
  if (timed())
    timed_places(places);
  else if (chance(4))
    m_.set_invariant(places.back(), guard({}));
  const auto pick = [&] {
    return places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))];
  };
  LocationDeclId branch;
  if (options_.branchpoints && chance(2)) {
    branch = m_.add_location(of, {.name = "q", .kind = LocationKind::kBranchpoint});
    edge(of, pick(), branch, labels(of, false));
    for (int i = between(1, 2); i > 0; --i)
      edge(of, branch, pick(), labels(of, true));
  }
  // A way round, so that not too much of a network with many constraints is dead.
  for (std::size_t i = 0; timed() && i < places.size(); ++i)
    edge(of, places[i], places[(i + 1) % places.size()],
         timed_labels(of, {.synchronise = chance(2)}));
  for (int i = timed() ? between(0, 3) : between(2, 6); i > 0; --i)
    edge(of, pick(), pick(), labels(of, false));
  const std::uint32_t priority =
      options_.priorities && chance(2) ? static_cast<std::uint32_t>(index) : 0U;
  m_.add_system_entry({.instance = m_.add_implicit_instance(of), .priority = priority});
}

// The random numbers are the same with and without it.
void Generator::edge(TemplateId of,
                     LocationDeclId source,
                     LocationDeclId target,
                     EdgeLabels labels) {
  if (!options_.without_edges.contains(edges_++))
    m_.edge(of, source, target, std::move(labels));
}

void Generator::priorities() {
  if (!chance(2))
    return;
  m_.set_channel_priorities({{.channels = {m_.index(m_.v(shake_), m_.c(0))}},
                             {.channels = {}, .has_default = true},
                             {.channels = {m_.v(shout_)}}});
}

Network random_network(std::uint32_t seed, RandomOptions options) {
  return Generator(seed, options).make();
}

}  // namespace tw::test
