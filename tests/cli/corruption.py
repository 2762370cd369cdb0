#!/usr/bin/env python3
"""corruption.py BINARY ROOT: suites that are damaged in many ways.

Whatever makes a statement of a suite untrue must be refused by `check`; whatever does not must be
accepted. Suites come from our own models with several criteria and options, in both versions of the
format. TW_CORRUPTION=N takes N suites and every kind of damage to each instead of a few.
"""
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

# Kinds of damage: name, whether it is harmless, what it does. It changes the suite in place, or
# returns text to be written instead, or returns False where there is nothing to damage.
KINDS = []


def damage(function):
    KINDS.append((function.__name__, False, function))
    return function


def harmless(function):
    KINDS.append((function.__name__, True, function))
    return function


# What is picked at random ------------------------------------------------------------------------


def steps_of(s):
    return [step for test in s["tests"] for step in test["steps"]]


def pick(r, things):
    things = list(things)
    return r.choice(things) if things else None


def pick_step(s, r, fits=lambda step: True):
    return pick(r, [step for step in steps_of(s) if fits(step)])


def pick_edge(s, r, fits=lambda edge: True):
    return pick(r, [e for step in steps_of(s) for e in step["edges"] if fits(e)])


def pick_item(s, r, fits=lambda item: True):
    return pick(r, [item for item in s["items"] if fits(item)])


def is_covered(item):
    return item["status"] == "covered"


def state_of(step):
    return step["changes"] if "changes" in step else step["state"]


def has_state(key):
    return lambda step: bool(state_of(step).get(key))


def bump(of, key, by=1):
    of[key] += by


def shift(of, key, by):
    of[key] = str(Fraction(of[key]) + by)


def bump_any(r, values):
    if not values:
        return False
    values[r.choice(list(values))] += 1
    return None


# Steps -------------------------------------------------------------------------------------------


@damage
def step_left_out(s, r):
    # A wait of no time may be left out.
    step = pick_step(s, r, lambda step: step["edges"])
    if step is None:
        return False
    for test in s["tests"]:
        test["steps"] = [other for other in test["steps"] if other is not step]


@damage
def step_twice(s, r):
    choices = [(t, i) for t in s["tests"] for i, step in enumerate(t["steps"]) if step["edges"]]
    if not choices:
        return False
    test, i = r.choice(choices)
    test["steps"].insert(i, copy.deepcopy(test["steps"][i]))


@damage
def process_unknown(s, r):
    edge = pick_edge(s, r)
    if edge is None:
        return False
    edge["process"] = "Nobody"


@damage
def process_of_another(s, r):
    edge = pick_edge(s, r)
    others = [p for p in s["model"]["processes"] if edge and p != edge["process"]]
    if not others:
        return False
    edge["process"] = r.choice(others)


@damage
def edge_unknown(s, r):
    edge = pick_edge(s, r)
    if edge is None:
        return False
    edge["edge"] += ".77"


@damage
def source_wrong(s, r):
    edge = pick_edge(s, r)
    if edge is None:
        return False
    edge["source"] += "x"


@damage
def target_wrong(s, r):
    edge = pick_edge(s, r)
    if edge is None:
        return False
    edge["target"] += "x"


@damage
def select_changed(s, r):
    edge = pick_edge(s, r, lambda e: e.get("select"))
    return bump_any(r, edge["select"]) if edge else False


@damage
def select_left_out(s, r):
    edge = pick_edge(s, r, lambda e: e.get("select"))
    if edge is None:
        return False
    edge["select"].popitem()


@damage
def select_made_up(s, r):
    edge = pick_edge(s, r)
    if edge is None:
        return False
    edge.setdefault("select", {})["nothing"] = 0


@damage
def edges_left_out(s, r):
    step = pick_step(s, r, lambda step: step["edges"])
    if step is None:
        return False
    step["edges"].pop()


@damage
def edge_twice(s, r):
    step = pick_step(s, r, lambda step: step["edges"])
    if step is None:
        return False
    step["edges"].append(copy.deepcopy(step["edges"][0]))


@damage
def edges_turned_round(s, r):
    step = pick_step(s, r, lambda step: len(step["edges"]) > 1)
    if step is None:
        return False
    step["edges"].reverse()


@damage
def channel_changed(s, r):
    step = pick_step(s, r, lambda step: "channel" in step)
    if step is None:
        return False
    step["channel"] += "x"


@damage
def channel_left_out(s, r):
    step = pick_step(s, r, lambda step: "channel" in step)
    if step is None:
        return False
    del step["channel"]


@damage
def channel_made_up(s, r):
    step = pick_step(s, r, lambda step: "channel" not in step)
    if step is None:
        return False
    step["channel"] = "nothing"


# States ------------------------------------------------------------------------------------------


@damage
def variable_changed(s, r):
    step = pick_step(s, r, has_state("variables"))
    return bump_any(r, state_of(step)["variables"]) if step else False


@damage
def variable_made_up(s, r):
    step = pick_step(s, r)
    if step is None:
        return False
    state_of(step).setdefault("variables", {})["nothing"] = 0


@damage
def change_of_variable_left_out(s, r):
    step = s["version"] == 2 and pick_step(s, r, has_state("variables"))
    if not step:
        return False
    state_of(step)["variables"].popitem()


@damage
def change_of_variable_that_stays(s, r):
    if s["version"] != 2 or not s["initial"]["variables"]:
        return False
    test = pick(r, [t for t in s["tests"] if t["steps"]])
    if test is None:
        return False
    first = state_of(test["steps"][0]).setdefault("variables", {})
    stays = [v for v in s["initial"]["variables"] if v not in first]
    if not stays:
        return False
    name = r.choice(stays)
    first[name] = s["initial"]["variables"][name]


@damage
def location_changed(s, r):
    step = pick_step(s, r, has_state("locations"))
    if step is None:
        return False
    locations = state_of(step)["locations"]
    locations[r.choice(list(locations))] += "x"


@damage
def location_of_nobody(s, r):
    step = pick_step(s, r)
    if step is None:
        return False
    state_of(step).setdefault("locations", {})["Nobody"] = "Nowhere"


@damage
def change_of_location_left_out(s, r):
    step = s["version"] == 2 and pick_step(s, r, has_state("locations"))
    if not step:
        return False
    state_of(step)["locations"].popitem()


@damage
def clock_changed(s, r):
    step = pick_step(s, r, has_state("clocks"))
    if step is None:
        return False
    clocks = state_of(step)["clocks"]
    shift(clocks, r.choice(list(clocks)), Fraction(1, 7))


@damage
def change_of_clock_left_out(s, r):
    step = s["version"] == 2 and pick_step(s, r, has_state("clocks"))
    if not step:
        return False
    state_of(step)["clocks"].popitem()


@damage
def changes_left_out(s, r):
    step = pick_step(s, r)
    if step is None:
        return False
    del step["changes" if s["version"] == 2 else "state"]


@damage
def initial_variable_changed(s, r):
    return bump_any(r, s["initial"]["variables"])


@damage
def initial_variable_left_out(s, r):
    if s["version"] == 1 or not s["initial"]["variables"]:
        return False
    s["initial"]["variables"].popitem()


@damage
def initial_variable_made_up(s, r):
    s["initial"]["variables"]["nothing"] = 0


@damage
def initial_location_changed(s, r):
    locations = s["initial"]["locations"]
    locations[r.choice(list(locations))] += "x"


@damage
def initial_location_left_out(s, r):
    if s["version"] == 1:
        return False
    s["initial"]["locations"].popitem()


@damage
def initial_clock_changed(s, r):
    clocks = s["initial"].get("clocks")
    if not clocks:
        return False
    shift(clocks, r.choice(list(clocks)), 1)


# Delays ------------------------------------------------------------------------------------------


def pick_delay(s, r, fits=lambda delay: True):
    step = pick_step(s, r, lambda step: "delay" in step and fits(step["delay"]))
    return step["delay"] if step else None


def pick_tight(s, r, fits=lambda delay: True):
    """One whose interval is as large as it can be."""
    return None if s["timed_observations"] else pick_delay(s, r, fits)


@damage
def delay_chosen_changed(s, r):
    delay = pick_delay(s, r)
    if delay is None:
        return False
    shift(delay, "chosen", Fraction(1, 97))


@damage
def delay_negative(s, r):
    delay = pick_delay(s, r)
    if delay is None:
        return False
    delay["chosen"] = "-1"


@damage
def delay_left_out(s, r):
    step = pick_step(s, r, lambda step: "delay" in step)
    if step is None:
        return False
    del step["delay"]


@damage
def delay_in_no_time(s, r):
    if "clocks" in s["initial"]:
        return False
    step = pick_step(s, r)
    if step is None:
        return False
    step["delay"] = {"chosen": "0"}


@damage
def min_lowered(s, r):
    delay = pick_tight(s, r, lambda d: Fraction(d["min"]) > 0)
    if delay is None:
        return False
    shift(delay, "min", -Fraction(delay["min"]) / 2)


@damage
def min_raised(s, r):
    delay = pick_tight(s, r, lambda d: Fraction(d["chosen"]) > Fraction(d["min"]))
    if delay is None:
        return False
    shift(delay, "min", (Fraction(delay["chosen"]) - Fraction(delay["min"])) / 2)


@damage
def min_above_chosen(s, r):
    delay = pick_delay(s, r)
    if delay is None:
        return False
    delay["min"] = str(Fraction(delay["chosen"]) + 1)


@damage
def min_strict_turned(s, r):
    delay = pick_tight(s, r, lambda d: Fraction(d["min"]) < Fraction(d["chosen"]))
    if delay is None:
        return False
    delay["min_strict"] = not delay["min_strict"]


@damage
def max_raised(s, r):
    delay = pick_tight(s, r, lambda d: d["max"] is not None)
    if delay is None:
        return False
    shift(delay, "max", Fraction(1, 3))


@damage
def max_lowered(s, r):
    delay = pick_tight(
        s, r, lambda d: d["max"] is not None and Fraction(d["chosen"]) < Fraction(d["max"])
    )
    if delay is None:
        return False
    shift(delay, "max", -(Fraction(delay["max"]) - Fraction(delay["chosen"])) / 2)


@damage
def max_strict_turned(s, r):
    delay = pick_tight(
        s, r, lambda d: d["max"] is not None and Fraction(d["chosen"]) < Fraction(d["max"])
    )
    if delay is None:
        return False
    delay["max_strict"] = not delay["max_strict"]


@damage
def max_forgotten(s, r):
    delay = pick_tight(s, r, lambda d: d["max"] is not None)
    if delay is None:
        return False
    delay["max"] = None
    delay["max_strict"] = False


@damage
def max_made_up(s, r):
    delay = pick_tight(s, r, lambda d: d["max"] is None)
    if delay is None:
        return False
    delay["max"] = str(Fraction(delay["chosen"]) + 1000)


@damage
def margin_too_large(s, r):
    delay = pick_delay(s, r)
    if delay is None:
        return False
    shift(delay, "margin", Fraction(delay["chosen"]) + 1)


@damage
def margin_beyond_interval(s, r):
    delay = pick_delay(s, r, lambda d: d["max"] is not None)
    if delay is None:
        return False
    room = min(
        Fraction(delay["max"]) - Fraction(delay["chosen"]),
        Fraction(delay["chosen"]) - Fraction(delay["min"]),
    )
    delay["margin"] = str(room + Fraction(1, 1000))


# Tests -------------------------------------------------------------------------------------------


@damage
def test_id_twice(s, r):
    if len(s["tests"]) < 2:
        return False
    a, b = r.sample(s["tests"], 2)
    a["id"] = b["id"]


@damage
def test_id_unknown_to_items(s, r):
    test = pick(r, [t for t in s["tests"] if any(t["id"] in i["tests"] for i in s["items"])])
    if test is None:
        return False
    test["id"] = "T777"


@damage
def test_length(s, r):
    test = pick(r, s["tests"])
    if test is None:
        return False
    bump(test, "length", r.choice([1, -1]) if test["length"] else 1)


@damage
def test_duration(s, r):
    test = pick(r, [t for t in s["tests"] if "duration" in t])
    if test is None:
        return False
    shift(test, "duration", 1)


@damage
def covers_left_out(s, r):
    test = pick(r, [t for t in s["tests"] if t["covers"]])
    if test is None or s["timed_observations"]:
        return False
    test["covers"].remove(r.choice(test["covers"]))


@damage
def covers_made_up(s, r):
    choices = [
        (t, i["id"])
        for t in s["tests"]
        for i in s["items"]
        if i["id"] not in t["covers"] and (i["status"] == "infeasible" or t["id"] not in i["tests"])
    ]
    if not choices or s["wholes"]:
        return False
    test, item = r.choice(choices)
    test["covers"].append(item)


@damage
def covers_unknown(s, r):
    test = pick(r, s["tests"])
    if test is None:
        return False
    test["covers"].append("edge:nothing")


@damage
def covers_twice(s, r):
    test = pick(r, [t for t in s["tests"] if t["covers"]])
    if test is None:
        return False
    test["covers"].append(test["covers"][0])


@damage
def test_left_out(s, r):
    if not s["tests"]:
        return False
    s["tests"].remove(r.choice(s["tests"]))


@damage
def test_twice(s, r):
    test = pick(r, s["tests"])
    if test is None:
        return False
    s["tests"].append(dict(copy.deepcopy(test), id="T777"))


@damage
def test_twice_and_counted(s, r):
    test = pick(r, [t for t in s["tests"] if t["covers"]])
    if test is None or s["wholes"]:
        return False
    test_twice(s, r)
    s["suite"]["tests"] = len(s["tests"])
    s["suite"]["steps"] = sum(t["length"] for t in s["tests"])
    if "duration" in s["suite"]:
        s["suite"]["duration"] = str(sum(Fraction(t["duration"]) for t in s["tests"]))
    if not any(i["tests"] for i in s["items"]):
        return False


# Items -------------------------------------------------------------------------------------------


@damage
def item_left_out(s, r):
    if not s["items"]:
        return False
    s["items"].remove(r.choice(s["items"]))


@damage
def item_left_out_and_not_counted(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    s["items"].remove(item)
    for counts in s["criteria"]:
        if counts["name"] == item["criterion"]:
            bump(counts, "total", -1)
            bump(counts, item["status"], -1)


@damage
def item_twice(s, r):
    if not s["items"]:
        return False
    s["items"].append(copy.deepcopy(r.choice(s["items"])))


@damage
def item_id(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    item["id"] += "x"


@damage
def item_label(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    item["label"] += "x"


@damage
def item_criterion(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    item["criterion"] += "x"


@damage
def item_status_unknown(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    item["status"] = "likely"


def turn(s, r, old, new, consistent):
    item = pick_item(s, r, lambda i: i["status"] == old)
    if item is None:
        return False
    item["status"] = new
    if not consistent:
        return None
    item["depth"] = 1 if new == "covered" else None
    item["tests"] = []
    for test in s["tests"]:
        if item["id"] in test["covers"]:
            test["covers"].remove(item["id"])
    for counts in s["criteria"]:
        if counts["name"] == item["criterion"]:
            bump(counts, old, -1)
            bump(counts, new)
    return None


@damage
def covered_is_infeasible(s, r):
    return turn(s, r, "covered", "infeasible", False)


@damage
def covered_is_infeasible_everywhere(s, r):
    return turn(s, r, "covered", "infeasible", True)


@damage
def covered_is_undecided(s, r):
    return turn(s, r, "covered", "undecided", False)


@damage
def covered_is_undecided_everywhere(s, r):
    return turn(s, r, "covered", "undecided", True)


@damage
def infeasible_is_covered(s, r):
    return turn(s, r, "infeasible", "covered", False)


@damage
def infeasible_is_covered_everywhere(s, r):
    return turn(s, r, "infeasible", "covered", True)


@damage
def infeasible_is_undecided(s, r):
    return turn(s, r, "infeasible", "undecided", False)


@damage
def infeasible_is_undecided_everywhere(s, r):
    return turn(s, r, "infeasible", "undecided", True)


@damage
def undecided_is_infeasible(s, r):
    return turn(s, r, "undecided", "infeasible", True)


@damage
def feasible_is_infeasible(s, r):
    """A test is taken out, and what it alone covered is said to be infeasible, all over."""
    alone = [t for t in s["tests"] if any(i["tests"] == [t["id"]] for i in s["items"])]
    if not alone or s["wholes"]:
        return False
    test = r.choice(alone)
    s["tests"].remove(test)
    for item in s["items"]:
        if test["id"] in item["tests"]:
            item["tests"].remove(test["id"])
            if not item["tests"]:
                item.update(status="infeasible", depth=None)
                for counts in s["criteria"]:
                    if counts["name"] == item["criterion"]:
                        bump(counts, "covered", -1)
                        bump(counts, "infeasible")
    s["suite"]["tests"] = len(s["tests"])
    s["suite"]["steps"] = sum(t["length"] for t in s["tests"])
    s["suite"]["lower_bound"] = 0
    if "duration" in s["suite"]:
        s["suite"]["duration"] = str(sum((Fraction(t["duration"]) for t in s["tests"]), Fraction()))
    s["search"]["exhaustive"] = True
    s["search"]["limit"] = None


@damage
def depth_greater(s, r):
    item = pick_item(s, r, is_covered)
    if item is None or s["search"]["order"] != "bfs" or s["search"]["limit"]:
        return False
    bump(item, "depth")


@damage
def depth_less(s, r):
    item = pick_item(s, r, lambda i: is_covered(i) and i["depth"])
    if item is None:
        return False
    bump(item, "depth", -1)


@damage
def depth_of_covered_left_out(s, r):
    item = pick_item(s, r, is_covered)
    if item is None:
        return False
    item["depth"] = None


@damage
def depth_of_infeasible(s, r):
    item = pick_item(s, r, lambda i: not is_covered(i))
    if item is None:
        return False
    item["depth"] = 1


@damage
def test_of_item_left_out(s, r):
    item = pick_item(s, r, lambda i: i["tests"])
    if item is None:
        return False
    item["tests"].pop()


@damage
def test_of_item_made_up(s, r):
    choices = [(i, t["id"]) for i in s["items"] for t in s["tests"] if t["id"] not in i["tests"]]
    if not choices or s["wholes"]:
        return False
    item, test = r.choice(choices)
    item["tests"].append(test)


@damage
def test_of_item_unknown(s, r):
    item = pick_item(s, r)
    if item is None:
        return False
    item["tests"].append("T777")


# Counts ------------------------------------------------------------------------------------------


def counts_damage(key):
    def function(s, r):
        counts = pick(r, s["criteria"])
        if counts is None:
            return False
        bump(counts, key)
        return None

    function.__name__ = "count_of_" + key
    damage(function)


for word in ["total", "covered", "infeasible", "undecided", "tokens"]:
    counts_damage(word)


@damage
def counts_of_another_criterion(s, r):
    counts = pick(r, s["criteria"])
    if counts is None:
        return False
    counts["name"] += "x"


@damage
def counts_left_out(s, r):
    if not s["criteria"]:
        return False
    s["criteria"].pop()


@damage
def summary_tests(s, r):
    bump(s["suite"], "tests")


@damage
def summary_steps(s, r):
    bump(s["suite"], "steps")


@damage
def summary_duration(s, r):
    if "duration" not in s["suite"]:
        return False
    shift(s["suite"], "duration", Fraction(1, 2))


@damage
def bound_above_suite(s, r):
    s["suite"]["lower_bound"] = s["suite"]["steps"] + 1


@damage
def bound_higher(s, r):
    if s["search"]["limit"]:
        return False
    bump(s["suite"], "lower_bound")


def search_damage(key):
    def function(s, r):
        if s["search"]["limit"]:
            return False
        bump(s["search"], key)
        return None

    function.__name__ = "search_" + key
    damage(function)


for word in ["states", "expansions", "transitions", "tokens", "depth"]:
    search_damage(word)


@damage
def search_exhaustive(s, r):
    if s["search"]["limit"]:
        return False
    s["search"]["exhaustive"] = not s["search"]["exhaustive"]


@damage
def search_limit(s, r):
    if s["search"]["limit"]:
        return False
    s["search"]["limit"] = r.choice(["states", "stop", "model-error"])


@damage
def search_limit_unknown(s, r):
    s["search"]["limit"] = "boredom"


@damage
def search_algorithm_unknown(s, r):
    s["search"]["algorithm"] = "luck"


@damage
def search_order_unknown(s, r):
    s["search"]["order"] = "any"


# Heads -------------------------------------------------------------------------------------------


@damage
def model_hash(s, r):
    s["model"]["sha256"] = s["model"]["sha256"][::-1][1:] + "0"


@damage
def process_renamed(s, r):
    s["model"]["processes"][0] += "x"


@damage
def process_left_out(s, r):
    s["model"]["processes"].pop()


@damage
def criterion_unknown(s, r):
    s["options"]["criteria"][0]["name"] = "luck"


@damage
def criterion_left_out(s, r):
    s["options"]["criteria"].pop()


@damage
def criterion_options(s, r):
    s["options"]["criteria"][0]["options"] += "x"


@damage
def only_others(s, r):
    if len(s["items"]) < 2:
        return False
    s["options"]["only"] = [s["items"][0]["id"]]


@damage
def level_unknown(s, r):
    s["options"]["per"] = "galaxy"


@damage
def reduction_unknown(s, r):
    s["options"]["reduce"] = "magic"


@damage
def version_unknown(s, r):
    s["version"] = 3


@damage
def version_of_the_other_kind(s, r):
    if not steps_of(s):
        return False
    s["version"] = 3 - s["version"]


@damage
def format_of_another(s, r):
    s["format"] = "tracewright-info"


@damage
def half_of_it(s, r):
    text = json.dumps(clean(s))
    return text[: r.randrange(len(text))]


@damage
def more_than_it(s, r):
    return json.dumps(clean(s)) + "}"


@damage
def key_twice(s, r):
    return '{"version": %d, %s' % (s["version"], json.dumps(clean(s))[1:])


# What changes nothing ----------------------------------------------------------------------------


@harmless
def white_space(s, r):
    return json.dumps(clean(s), indent=r.choice([None, 1, 4, "\t"])).replace(":", " :\r\n ", 3)


def shuffled(value, r):
    if isinstance(value, dict):
        keys = list(value)
        r.shuffle(keys)
        return {key: shuffled(value[key], r) for key in keys}
    return [shuffled(v, r) for v in value] if isinstance(value, list) else value


@harmless
def order_of_keys(s, r):
    return json.dumps(shuffled(clean(s), r))


@harmless
def order_of_items(s, r):
    r.shuffle(s["items"])


@harmless
def seconds_and_peaks(s, r):
    of = s["run"] if s["version"] == 2 else s["search"]
    of["seconds"] = 1e6
    of["peak_memory_bytes"] = 1


@harmless
def run_left_out(s, r):
    s.pop("run", None)


@harmless
def unknown_members(s, r):
    for part in [s, s["model"], s["search"], s["suite"], s["initial"], *s["items"], *s["tests"]]:
        part["later"] = [{"more": [1.5, None, True]}]
    for step in steps_of(s):
        step["later"] = {"a": {}}


@harmless
def escapes(s, r):
    text = json.dumps(clean(s))
    return text.replace('"edges"', '"\\u0065dges"').replace('"id"', '"i\\u0064"')


@harmless
def place_of_model(s, r):
    s["model"]["file"] = "elsewhere/" + s["model"]["file"]


@harmless
def bound_lower(s, r):
    if s["suite"]["lower_bound"] == 0:
        return False
    bump(s["suite"], "lower_bound", -1)


@harmless
def margin_smaller(s, r):
    delay = pick_delay(s, r, lambda d: Fraction(d["margin"]) > 0)
    if delay is None:
        return False
    delay["margin"] = str(Fraction(delay["margin"]) / 3)


@harmless
def times_not_in_lowest_terms(s, r):
    delay = pick_delay(s, r)
    if delay is None:
        return False
    chosen = Fraction(delay["chosen"])
    delay["chosen"] = f"{chosen.numerator * 6}/{chosen.denominator * 6}"


@harmless
def nothing_at_all(s, r):
    return None


# Suites ------------------------------------------------------------------------------------------


def clean(s):
    return {k: v for k, v in s.items() if k not in ("timed_observations", "wholes")}


def to_version_1(s):
    """The same suite as earlier versions of the program wrote it."""
    s = copy.deepcopy(s)
    s["version"] = 1
    del s["tool"]
    s["search"].update(s.pop("run", {}))
    for test in s["tests"]:
        state = copy.deepcopy(s["initial"])
        for step in test["steps"]:
            changes = step.pop("changes")
            if "clocks" in state:
                passed = Fraction(step["delay"]["chosen"])
                state["clocks"] = {k: str(Fraction(v) + passed) for k, v in state["clocks"].items()}
            for key, values in changes.items():
                state[key].update(values)
            step["state"] = copy.deepcopy(state)
    return s


MODELS = [
    ("tests/golden/small.xta", 0),
    ("tests/golden/timed.xta", 0),
    ("models/light_switch/light_switch.xml", 0),
    ("models/vending_machine/vending_machine.xml", 0),
    ("models/train_gate/train_gate.xml", 0),
    ("models/bridge_crossing/bridge_crossing.xml", 0),
    ("models/bounded_retransmission/bounded_retransmission.xml", 0),
    ("models/safety_injection/safety_injection.xml", 0),
]
CRITERIA = ["edge", "location,edge-pair", "edge,def-use", "all-defs,pc", "racc", "edge-init,cc"]
OPTIONS = [
    "",
    "--per instance",
    "--reduce none",
    "--optimise tests",
    "--reduce cover --full",
    "--delays earliest",
    "--delays latest",
    "--max-states 40",
    "--order dfs",
    "--only edge:*",
]


def main(binary, root):
    whole = int(os.environ.get("TW_CORRUPTION", "0"))
    seed = int(os.environ.get("TW_SEED", "1"))
    r = random.Random(seed)
    combinations = [(m, c, o, v) for m, _ in MODELS for c in CRITERIA for o in OPTIONS for v in (2, 1)]
    r.shuffle(combinations)
    counts = {name: [0, 0] for name, _, _ in KINDS}
    wrong = 0
    suites = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "suite.json")

        def run(*words):
            return subprocess.run(
                [binary, *words], cwd=root, capture_output=True, text=True, check=False, timeout=300
            )

        for model, criteria, options, version in combinations:
            if suites == (whole or 6):
                break
            if not os.path.exists(os.path.join(root, model)):
                continue
            made = run("generate", model, "-c", criteria, "--format", "json", "-q", *options.split())
            if made.returncode not in (0, 1, 4):
                continue
            good = json.loads(made.stdout)
            if len(steps_of(good)) > 60 or len(good["items"]) > 80 or not good["tests"]:
                continue
            suites += 1
            if version == 1:
                good = to_version_1(good)
            names = {c["name"] for c in good["options"]["criteria"]}
            # Where clocks are looked at, a test may show more than it promises.
            good["timed_observations"] = "clocks" in good["initial"] and not names <= {
                "edge", "location", "edge-pair", "def-use", "all-defs", "edge-init"}
            good["wholes"] = "racc" in names
            kinds = KINDS if whole else r.sample(KINDS, 40)
            for name, is_harmless, function in kinds:
                bad = copy.deepcopy(good)
                result = function(bad, r)
                if result is False:
                    continue
                with open(path, "w", encoding="utf-8") as file:
                    file.write(result if isinstance(result, str) else json.dumps(clean(bad)))
                out = run("check", model, path, "-q")
                counts[name][0] += 1
                if (out.returncode == 0) == is_harmless and out.returncode in (0, 1, 3):
                    continue
                wrong += 1
                counts[name][1] += 1
                print(f"seed {seed}: {name}: exit {out.returncode}; {model} -c {criteria} {options}, "
                      f"version {version}\n{out.stdout}{out.stderr}")
                keep = os.environ.get("TW_KEEP")
                if keep:
                    os.makedirs(keep, exist_ok=True)
                    os.replace(path, os.path.join(keep, f"{wrong}-{name}.json"))
    never = [name for name, (tried, _) in counts.items() if tried == 0]
    tried = sum(t for t, _ in counts.values())
    print(f"{suites} suites, {len(KINDS)} kinds of damage, {tried} damaged suites, {wrong} wrong "
          f"answers; never possible: {', '.join(never) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
