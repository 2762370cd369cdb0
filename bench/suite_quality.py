#!/usr/bin/env python3
"""How short are suites, and how far from the bound: suite_quality.py [OPTIONS] MODEL... as a Markdown table.

Each model, or each model below a folder, is run with each criterion and each goal. With --old PROGRAM the same is
done with another program, and the table shows both; the summary counts gaps to the better of the two bounds. Suites
that one goal makes although another goal's suite is better by the first one's measure are listed on standard error,
and the exit code is then 1.
"""
import argparse
import fractions
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def generate(program, model, criterion, goal, options):
    command = [program, "generate", model, "-c", criterion, "--optimise", goal, "-q", "--format", "json"]
    command += ["--time-limit", options.time_limit, "--max-memory", "2G"]
    started = time.monotonic()
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False,
                              timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return None
    if not done.stdout.startswith("{"):
        return None
    suite = json.loads(done.stdout)
    shape = suite["suite"]
    covered = sum(entry["covered"] for entry in suite["criteria"])
    duration = sum((fractions.Fraction(test.get("duration") or 0) for test in suite["tests"]), fractions.Fraction(0))
    return {
        "tests": shape["tests"],
        "steps": shape["steps"],
        "bound": shape.get("lower_bound") or 0,
        "time": duration,
        "covered": covered,
        "limit": suite["search"]["limit"],
        "seconds": time.monotonic() - started,
    }


def key(run, goal):
    if goal == "tests":
        return run["tests"], run["steps"]
    if goal == "time":
        return run["time"], run["steps"], run["tests"]
    return run["steps"], run["tests"]


def cells(run):
    if run is None:
        return ["–", "–", "–", "–"]
    return [str(run["steps"]), str(run["tests"]), str(run["bound"]), f"{run['seconds']:.2f}"]


def models_of(paths):
    for path in map(pathlib.Path, paths):
        if path.is_file():
            yield path
        else:
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".xml", ".xta", ".ta"))


class Totals:
    """Of the runs of one program, beside the best bound known."""

    def __init__(self):
        self.runs = self.optimal = 0
        self.gap = self.ratios = self.bounds = self.seconds = 0.0

    def add(self, run, bound):
        self.runs += 1
        self.optimal += run["steps"] <= run["bound"]
        self.gap += run["steps"] - bound
        self.ratios += run["steps"] / bound if bound else 1
        self.bounds += run["bound"] / bound if bound else 1
        self.seconds += run["seconds"]

    def line(self, name):
        count = max(self.runs, 1)
        return (f"| {name} | {self.runs} | {self.optimal} | {self.gap:.0f} | {self.ratios / count:.3f} | "
                f"{self.bounds / count:.3f} | {self.seconds:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default=ROOT / "build/release/cli/tracewright")
    parser.add_argument("--old")
    parser.add_argument("--criteria", default="edge,def-use,edge-pair,racc")
    parser.add_argument("--goals", default="steps")
    parser.add_argument("--time-limit", default="20s")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("models", nargs="*", default=[ROOT / "models"])
    options = parser.parse_args()
    names = (["old"] if options.old else []) + ["new"]
    programs = {"old": options.old, "new": options.program}
    print("| model | criterion | goal |" + "".join(f" {n} steps | tests | bound | s |" for n in names))
    print("|---|---|---|" + "---|" * 4 * len(names))
    totals = {name: Totals() for name in names}
    dominated = 0
    for model in models_of(options.models):
        for criterion in options.criteria.split(","):
            found = {}
            for goal in options.goals.split(","):
                runs = [generate(programs[name], model, criterion, goal, options) for name in names]
                if any(run is None or run["steps"] == 0 for run in runs):
                    if runs[0] is not None and any(run is None for run in runs[1:]):
                        print(f"{model} {criterion} {goal}: no suite", file=sys.stderr)
                    continue
                found[goal] = runs[-1]
                print("| " + " | ".join([model.stem, criterion, goal] + sum(map(cells, runs), [])) + " |", flush=True)
                if goal == "steps" and len({run["covered"] for run in runs}) == 1:
                    bound = max(run["bound"] for run in runs)
                    for name, run in zip(names, runs):
                        totals[name].add(run, bound)
            for goal, run in found.items():
                for other, rival in found.items():
                    if rival["covered"] == run["covered"] and key(rival, goal) < key(run, goal):
                        dominated += 1
                        print(f"{model} {criterion}: {goal} is dominated by {other}", file=sys.stderr)
    print("\n| | suites | optimal | steps above the bounds | mean ratio to them | mean bound to the best | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        print(totals[name].line(name))
    return 1 if dominated else 0


if __name__ == "__main__":
    sys.exit(main())
