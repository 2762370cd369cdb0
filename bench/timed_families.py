#!/usr/bin/env python3
"""The timed families beside published figures: timed_families.py [--runs N] [FAMILY:N ...].

Explores each family completely (`generate --full -c edge --reduce none`), with the default
`--subsumption forward`, which keeps lengths shortest, and with `both`; the best CPU time of several
runs counts, that of the whole process. Prints a Markdown table beside the figures of TChecker, and
whether at a small size the reachable discrete states are as many as an exploration without
extrapolation finds. Needs a release build in build/release, or --tool.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "build" / "release" / "cli" / "tracewright"

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


def run(tool, command, *options):
    """What it writes, and CPU seconds."""
    process = subprocess.Popen([str(tool), command, *options, "--format", "json", "-q"],
                               stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(process.args)}: exit code {process.returncode}")
    return json.loads(output), usage.ru_utime + usage.ru_stime


def write_model(folder, family, size):
    path = pathlib.Path(folder) / f"{family}_{size}.xml"
    path.write_text(subprocess.run(
        [sys.executable, str(ROOT / "models" / "generate.py"), family, str(size)],
        check=True, capture_output=True, text=True).stdout)
    return str(path)


def discrete_states(tool, model):
    return run(tool, "info", model, "--states")[0]["states"]["discrete_states"]


def explore(tool, model, runs):
    """The fastest run of each way; the ways take turns."""
    found = {way: [] for way in WAYS}
    for _ in range(runs):
        for way in WAYS:
            suite, cpu = run(tool, "generate", model, "--full", "-c", "edge", "--reduce", "none",
                             "--subsumption", way)
            assert suite["search"]["exhaustive"]
            found[way].append((cpu, suite["search"]))
    return {way: min(results, key=lambda r: r[0]) for way, results in found.items()}


def number(value):
    return "–" if value is None else f"{value:,}"


def show(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", default=list(PUBLISHED), metavar="FAMILY:N",
                        help="of those with published figures: " + ", ".join(PUBLISHED))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tool", type=pathlib.Path, default=TOOL)
    arguments = parser.parse_args()
    if unknown := [spec for spec in arguments.families if spec not in PUBLISHED]:
        parser.error(f"no published figures for {', '.join(unknown)}")
    header = ("family", "subsumption", "stored TChecker / ours", "expanded", "transitions",
              "CPU seconds", "µs per expanded", "ratio", "bytes per stored", "discrete",
              "small size: ours = exact")
    show(*header)
    show(*["---"] * len(header))
    with tempfile.TemporaryDirectory() as folder:
        for spec in arguments.families:
            family, size = spec.split(":")
            visited, stored, transitions, seconds, size_in_bytes = PUBLISHED[spec]
            published = seconds / visited * 1e6
            model = write_model(folder, family, size)
            small, exact = EXACT[family]
            reached = discrete_states(arguments.tool, write_model(folder, family, small))
            same = f"{small}: {reached:,} {'=' if reached == exact else '≠'} {exact:,}"
            discrete = number(discrete_states(arguments.tool, model))
            for way, (cpu, search) in explore(arguments.tool, model, arguments.runs).items():
                own = cpu / search["expansions"] * 1e6
                show(f"{family} {size}", way,
                     f"{number(stored)} / {number(search['states'])}",
                     f"{number(visited)} / {number(search['expansions'])}",
                     f"{number(transitions)} / {number(search['transitions'])}",
                     f"{seconds:.2f} / {cpu:.2f}", f"{published:.1f} / {own:.1f}",
                     f"{published / own:.1f}",
                     f"{number(size_in_bytes)} / {number(search['bytes_per_state'])}",
                     discrete, same)


if __name__ == "__main__":
    main()
