#!/usr/bin/env python3
"""The timed families beside TChecker: timed_families.py [options] [FAMILY:N ...].

Explores each family completely (`generate --full -c edge --reduce none --keep-dead`), with the default
`--subsumption forward`, which keeps lengths shortest, and with `both`; the best CPU time of several
runs counts, that of the whole process. Prints a Markdown table beside earlier figures of TChecker,
and whether at a small size the reachable discrete states are as many as an exploration without
extrapolation finds. Needs a release build in build/release, or --tool.

With `--tchecker PATH`, the path of a `tck-reach` program, TChecker runs in turn with ours on twin
models (peers/tchecker_models.py), and the table has the ratios of that run: expanded states per
second, and bytes per stored state by peak resident memory above that of an idle run. *Tables* are
the bytes per state that our search reports. *Expected* are the counts of TChecker where it compares
zones by simulation, as we do. Where TChecker's counts are not those of the earlier figures, or the
two reach different numbers of discrete states, the exit code is 1.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from measure import (COVER_EDGES, TOOL, Tracewright, bytes_per_state, fastest,  # noqa: E402
                     geometric_mean, heading, measure, number, require, row, write_model)
from tchecker import Counts, TChecker  # noqa: E402

# TChecker (Herbreteau and Point), `tck-reach -a covreach -s bfs`, extrapolation with lower and
# upper bounds, best of several runs on 2 cores with Debian 12 that did other work besides: symbolic
# states visited and stored, transitions, CPU seconds, bytes per stored state (None: not known).
PUBLISHED = {
    "fischer:8": (40_536, 25_080, 132_592, 2.27, 956),
    "fischer:9": (135_485, 81_035, 487_458, 9.36, 638),
    "csmacd:9": (55_554, 55_554, 127_437, 3.30, 699),
    "csmacd:10": (144_898, 144_898, 328_381, 10.8, 525),
    "fddi:10": (10_219, 525, 14_052, 2.45, None),
    "critical_region:4": (76_130, 53_697, 436_444, 2.76, 609),
    "train_gate_ring:5": (215_375, 215_375, 608_275, 4.19, 318),
    "corsso:3": (64_378, 61_948, 242_418, 2.04, 493),
    "phil_timed:7": (38_179, 38_179, 245_161, 9.22, 1_035),
}

# Size, and the discrete states that an independent program reached there with exact zones, without
# extrapolation. For critical_region these zones go on for ever; it was stopped after 400,000, which
# is no loss: what exact zones reach is reachable.
EXACT = {
    "fischer": (5, 727),
    "csmacd": (5, 535),
    "fddi": (4, 32),
    "critical_region": (3, 1_823),
    "train_gate_ring": (4, 12_000),
    "corsso": (2, 144),
    "phil_timed": (5, 277),
}

WAYS = ("forward", "both")


def discrete_states(tool, model):
    command = [tool.path, "info", model, "--states", "--format", "json", "-q"]
    return json.loads(require(measure(command), command).output)["states"]["discrete_states"]


def explore(tool, model, way):
    return tool.explore(model, [*COVER_EDGES, "--subsumption", way])


def earlier_table(arguments, tool, folder):
    """Ours beside figures of another occasion."""
    heading("family", "subsumption", "stored TChecker / ours", "expanded", "transitions",
            "CPU seconds", "µs per expanded", "ratio", "bytes per stored", "discrete",
            "small size: ours = exact")
    for spec in arguments.families:
        family, size = spec.split(":")
        visited, stored, transitions, seconds, size_in_bytes = PUBLISHED[spec]
        published = seconds / visited * 1e6
        model = write_model(folder, spec)
        small, exact = EXACT[family]
        reached = discrete_states(tool, write_model(folder, f"{family}:{small}"))
        same = f"{small}: {reached:,} {'=' if reached == exact else '≠'} {exact:,}"
        discrete = number(discrete_states(tool, model))
        found = {way: [] for way in WAYS}
        for _ in range(arguments.runs):
            for way in WAYS:
                found[way].append(explore(tool, model, way))
        for way, results in found.items():
            run, search = min(results, key=lambda result: result[0].cpu)
            own = run.cpu / search["expansions"] * 1e6
            row(f"{family} {size}", way,
                f"{number(stored)} / {number(search['states'])}",
                f"{number(visited)} / {number(search['expansions'])}",
                f"{number(transitions)} / {number(search['transitions'])}",
                f"{seconds:.2f} / {run.cpu:.2f}", f"{published:.1f} / {own:.1f}",
                f"{published / own:.1f}",
                f"{number(size_in_bytes)} / {number(search['bytes_per_state'])}",
                discrete, same)


def run_both(arguments, tool, peer, spec, folder):
    """TChecker and each of our ways in turn; their runs, and what TChecker and we count."""
    family, size = spec.split(":")
    own_model, peer_model = write_model(folder, spec), peer.write(family, size)
    peer_runs, own_runs, searches = [], {way: [] for way in WAYS}, {}
    for _ in range(arguments.runs):
        run, counts = peer.explore(peer_model)
        peer_runs.append(run)
        for way in WAYS:
            run, searches[way] = explore(tool, own_model, way)
            own_runs[way].append(run)
    expected, peer_discrete = peer.by_simulation(peer_model)
    return {"peer": peer_runs, "own": own_runs, "searches": searches, "counts": counts,
            "expected": expected, "peer_discrete": peer_discrete,
            "discrete": discrete_states(tool, own_model), "idle": tool.idle_peak(own_model)}


def differences(spec, result):
    """What must be equal and is not."""
    known = Counts(*PUBLISHED[spec][:3])
    if result["counts"] != known:
        yield f"{spec}: TChecker has {result['counts']}, its earlier figures were {known}"
    if result["peer_discrete"] != result["discrete"]:
        yield (f"{spec}: TChecker reaches {result['peer_discrete']:,} discrete states, we "
               f"{result['discrete']:,}")


def same_run_table(arguments, tool, peer, folder):
    """TChecker and ours in turn; differences that must not be."""
    heading("family", "subsumption", "stored TChecker / ours (expected)",
            "expanded TChecker / ours (expected)", "transitions TChecker / ours (expected)",
            "CPU seconds", "expanded/s", "ratio", "bytes per stored", "ratio of bytes", "tables",
            "discrete TChecker / ours")
    peer_idle = peer.idle_peak()
    found, speed, memory = [], {way: [] for way in WAYS}, {way: [] for way in WAYS}
    for spec in arguments.families:
        result = run_both(arguments, tool, peer, spec, folder)
        found += differences(spec, result)
        counts, expected = result["counts"], result["expected"]
        peer_best = fastest(result["peer"])
        peer_rate = counts.visited / peer_best.cpu
        peer_bytes = bytes_per_state(result["peer"], peer_idle)
        for way in WAYS:
            search, best = result["searches"][way], fastest(result["own"][way])
            own_rate = search["expansions"] / best.cpu
            own_bytes = bytes_per_state(result["own"][way], result["idle"])
            speed[way].append(own_rate / peer_rate)
            memory[way].append(peer_bytes / own_bytes)
            row(spec.replace(":", " "), way,
                f"{counts.stored:,} / {search['states']:,} ({expected.stored:,})",
                f"{counts.visited:,} / {search['expansions']:,} ({expected.visited:,})",
                f"{counts.transitions:,} / {search['transitions']:,} ({expected.transitions:,})",
                f"{peer_best.cpu:.2f} / {best.cpu:.2f}", f"{peer_rate:,.0f} / {own_rate:,.0f}",
                f"{speed[way][-1]:.1f}", f"{peer_bytes:,.0f} / {own_bytes:,.0f}",
                f"{memory[way][-1]:.1f}", number(search["bytes_per_state"]),
                f"{result['peer_discrete']:,} / {result['discrete']:,}")
    print()
    for way in WAYS:
        print(f"{way}: geometric mean of the ratios {geometric_mean(speed[way]):.1f}, lowest "
              f"{min(speed[way]):.1f}; of bytes {geometric_mean(memory[way]):.1f}, lowest "
              f"{min(memory[way]):.1f}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", default=list(PUBLISHED), metavar="FAMILY:N",
                        help="of those with earlier figures: " + ", ".join(PUBLISHED))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tool", type=pathlib.Path, default=TOOL)
    parser.add_argument("--tchecker", metavar="PATH",
                        help="a tck-reach program to measure beside ours")
    arguments = parser.parse_args()
    if unknown := [spec for spec in arguments.families if spec not in PUBLISHED]:
        parser.error(f"no earlier figures for {', '.join(unknown)}")
    tool = Tracewright(arguments.tool)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.tchecker is None:
            earlier_table(arguments, tool, folder)
        elif found := same_run_table(arguments, tool, TChecker(arguments.tchecker, folder), folder):
            sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
