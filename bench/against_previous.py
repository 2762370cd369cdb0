#!/usr/bin/env python3
"""Two versions of the program in turn: against_previous.py OLD NEW [--runs N] [--only WORD].

Whole runs on the families of models/generate.py and shipped models: exploring, tokens, guards, clocks, loading,
chaining. Each round runs OLD, NEW and OLD again; the best CPU time of all rounds counts. The two series of OLD
show what is noise: a row counts as slower if NEW takes more than 3 % plus that difference longer than OLD. Exit
code 1 if a row does.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPLORE = ["--full", "--reduce", "none"]
GUARDS = "pc,cc,gacc,cacc,racc,gicc,ricc"

# Family (or shipped model), words of generate.
ROWS = [
    ("peterson:4", ["-c", "edge", *EXPLORE, "--keep-dead"]),
    ("phil:13", ["-c", "edge", *EXPLORE, "--keep-dead"]),
    ("bbuf:2:4", ["-c", "edge", *EXPLORE, "--keep-dead"]),
    ("train:8", ["-c", "edge", *EXPLORE, "--keep-dead"]),
    ("counters:6:10", ["-c", "edge", *EXPLORE, "--keep-dead"]),
    ("counters:6:10", ["-c", "edge", *EXPLORE, "--no-jit"]),
    ("phil:12", ["-c", "edge", *EXPLORE, "--store", "tree"]),
    ("peterson:3", ["-c", "def-use", *EXPLORE]),
    ("bbuf:2:2", ["-c", "def-use", *EXPLORE]),
    ("train:7", ["-c", "def-use", *EXPLORE]),
    ("peterson:3", ["-c", GUARDS, *EXPLORE]),
    ("train_gate:6", ["-c", GUARDS, *EXPLORE]),
    ("fischer:8", ["-c", "edge", *EXPLORE]),
    ("csmacd:9", ["-c", "edge", *EXPLORE]),
    ("fddi:10", ["-c", "edge", *EXPLORE]),
    ("critical_region:4", ["-c", "edge", *EXPLORE]),
    ("train_gate_ring:5", ["-c", "edge", *EXPLORE]),
    ("corsso:3", ["-c", "edge", *EXPLORE]),
    ("phil_timed:6", ["-c", "edge", *EXPLORE]),
    ("vending_machine", ["-c", "edge,edge-pair"]),
    ("train_gate", ["-c", "edge,def-use"]),
    ("bounded_retransmission", ["-c", "edge"]),
    ("cruise_control", ["-c", "edge,racc"]),
]


def cpu_seconds(command):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def write_model(folder, name):
    shipped = sorted((ROOT / "models" / name).glob("*.xml"))
    if shipped:
        return shipped[0]
    path = folder / f"{name.replace(':', '_')}.xml"
    if not path.exists():
        made = subprocess.run([sys.executable, ROOT / "models" / "generate.py", *name.split(":")],
                              check=True, capture_output=True)
        path.write_bytes(made.stdout)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="", metavar="WORD", help="rows whose model has this word")
    options = parser.parse_args()
    slower, ratios = 0, []
    print("| model | generate | old, s | new, s | new / old | old / old | |\n" + "|---" * 7 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in ROWS:
            if options.only not in name:
                continue
            model = str(write_model(pathlib.Path(folder), name))
            series = {"first": [], "new": [], "second": []}
            for _ in range(options.runs):
                for which, program in (("first", options.old), ("new", options.new), ("second", options.old)):
                    series[which].append(cpu_seconds([program, "generate", model, *words, "-q"]))
            first, new, second = (min(series[which]) for which in ("first", "new", "second"))
            old = min(first, second)
            ratio, noise = new / old, max(first, second) / old
            ratios.append(ratio)
            is_slower = ratio > 1.03 + (noise - 1)
            slower += is_slower
            print(f"| {name} | {' '.join(words)} | {old:.3f} | {new:.3f} | {ratio:.2f} | {noise:.2f} | "
                  f"{'slower' if is_slower else ''} |", flush=True)
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}, {slower} rows slower")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
