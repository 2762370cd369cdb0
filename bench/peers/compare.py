#!/usr/bin/env python3
"""Measures Tracewright beside SPIN on twin models: compare.py [--runs N] [FAMILY:N[:K] ...].

Both explore the same system completely, breadth first, on one thread: Tracewright with edge
coverage on (`generate -c edge --full`), SPIN as compiled C without partial-order reduction (`-O2
-DSAFETY -DNOREDUCE -DBFS`). They run in turn, several times; the best CPU time of each counts.
Bytes per state are the peak resident memory above that of a run that explores nothing, divided by
the states stored. Needs the Debian packages spin and gcc, and a release build in build/release.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "release" / "cli" / "tracewright"
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from promela import promela  # noqa: E402

DEFAULT = ["peterson:4", "phil:13", "bbuf:2:4", "train:8", "counters:6:10"]


def measure(command, **options):
    """CPU seconds, peak resident bytes, output."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output


def compile_spin(source, folder):
    (folder / "m.pml").write_text(source)
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    subprocess.run(["spin", "-a", "m.pml"], **quiet)
    subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DBFS", "-DMEMLIM=18000",
                    "-o", "pan", "pan.c"], **quiet)


def spin_run(folder):
    seconds, peak, output = measure(["./pan", "-w24", "-n", "-E"], cwd=folder)
    states = int(re.search(r"(\d+) states, stored", output).group(1))
    transitions = int(re.search(r"(\d+) transitions", output).group(1))
    return seconds, peak, states, transitions


def own_run(model, options):
    seconds, peak, output = measure([str(TOOL), "generate", str(model), "-c", "edge", "--full",
                                     "--reduce", "none", "--format", "json", "-q"] + options)
    search = json.loads(output)["search"]
    return seconds, peak, search["states"], search["transitions"]


def compare(spec, runs, options):
    family, *numbers = spec.split(":")
    numbers = [int(n) for n in numbers]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "m.xml"
        model.write_text(subprocess.run(
            [sys.executable, str(ROOT / "models" / "generate.py"), family, *map(str, numbers)],
            check=True, capture_output=True, text=True).stdout)
        compile_spin(promela(family, *numbers), folder)
        spin_base = measure(["./pan", "-V"], cwd=folder)[1]
        own_base = measure([str(TOOL), "info", "-q", str(model)])[1]
        spin, own = [], []
        for _ in range(runs):
            spin.append(spin_run(folder))
            own.append(own_run(model, options))
    s, o = min(spin), min(own)
    spin_rate, own_rate = s[3] / s[0], o[3] / o[0]
    return {"family": spec, "spin_states": s[2], "spin_transitions": s[3], "own_states": o[2],
            "own_transitions": o[3], "spin_seconds": s[0], "own_seconds": o[0],
            "spin_rate": spin_rate, "own_rate": own_rate, "ratio": own_rate / spin_rate,
            "spin_bytes": (s[1] - spin_base) / s[2], "own_bytes": (o[1] - own_base) / o[2]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", default=DEFAULT, metavar="FAMILY:N[:K]")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--option", action="append", default=[],
                        help="a further option for tracewright generate, e.g. --option=-q")
    arguments = parser.parse_args()
    print("| family | states SPIN / ours | transitions SPIN / ours | million transitions/s SPIN / ours"
          " | ratio | bytes per state SPIN / ours |")
    print("|---|---|---|---|---|---|")
    product, count = 1.0, 0
    for spec in arguments.families:
        r = compare(spec, arguments.runs, arguments.option)
        product, count = product * r["ratio"], count + 1
        print("| {family} | {spin_states:,} / {own_states:,} | {spin_transitions:,} / "
              "{own_transitions:,} | {0:.2f} / {1:.2f} | {ratio:.2f} | {spin_bytes:.0f} / "
              "{own_bytes:.0f} |".format(r["spin_rate"] / 1e6, r["own_rate"] / 1e6, **r), flush=True)
    print(f"geometric mean of the ratios: {product ** (1 / count):.2f}")


if __name__ == "__main__":
    main()
