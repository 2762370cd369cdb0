#!/usr/bin/env python3
"""What criteria about guards cost: a full exploration with pc, cc, gacc, cacc, racc, gicc and ricc
together, against one with edge coverage, on the families of models/generate.py. Runs alternate and
the best of several counts, since machines are noisy.

Usage: criteria_cost.py [--runs N] [--criteria LIST] [TRACEWRIGHT]
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUARDS = "pc,cc,gacc,cacc,racc,gicc,ricc"
FAMILIES = [
    ("peterson", "3"),
    ("phil", "11"),
    ("bbuf", "2", "2"),
    ("train", "7"),
    ("counters", "5", "10"),
    ("train_gate", "6"),
]


def generate(program, model, criteria):
    """Seconds of the search and what it says of itself."""
    command = [program, "generate", model, "-c", criteria, "--full", "--reduce", "none", "-q"]
    run = subprocess.run(
        command + ["--format", "json"], capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--criteria", default=GUARDS)
    parser.add_argument("program", nargs="?", default=ROOT / "build/release/cli/tracewright")
    options = parser.parse_args()
    print(f"| family | states | items | edge, s | {options.criteria}, s | expansions | ratio |")
    print("|---|---|---|---|---|---|---|")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for family in FAMILIES:
            model = pathlib.Path(folder, "_".join(family) + ".xml")
            text = subprocess.run(
                [sys.executable, ROOT / "models/generate.py", *family],
                capture_output=True,
                check=True,
            ).stdout
            model.write_bytes(text)
            best = {}
            for _ in range(options.runs):
                for criteria in ("edge", options.criteria):
                    found = generate(options.program, model, criteria)
                    known = best.get(criteria)
                    if not known or found["run"]["seconds"] < known["run"]["seconds"]:
                        best[criteria] = found
            edge, guards = best["edge"], best[options.criteria]
            ratio = guards["run"]["seconds"] / edge["run"]["seconds"]
            ratios.append(ratio)
            items = sum(c["total"] for c in guards["criteria"])
            print(
                f"| {' '.join(family)} | {edge['search']['states']:,} | {items}"
                f" | {edge['run']['seconds']:.3f} | {guards['run']['seconds']:.3f}"
                f" | {guards['search']['expansions'] / edge['search']['expansions']:.2f}"
                f" | {ratio:.2f} |",
                flush=True,
            )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean: {mean:.2f}; greatest: {max(ratios):.2f}")


if __name__ == "__main__":
    main()
