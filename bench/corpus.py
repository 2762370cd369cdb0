#!/usr/bin/env python3
"""Edge suites of models of others, as a Markdown table: corpus.py TRACEWRIGHT FOLDER.

Takes every .xml, .xta and .ta below FOLDER; the folders directly below it are named OWNER+REPOSITORY.
Each model that loads gets `generate -c edge` with the limits below, and the suite goes through `check`. What
needs a look is said on standard error, and the exit code is then 1: signals, exit codes other than 0, 3 and 4,
runs that do not end, suites that `check` does not accept, and edges left undecided without a limit.
"""
import fractions
import json
import pathlib
import subprocess
import sys
import tempfile
import time

LIMITS = ["--time-limit", "60s", "--max-memory", "3G"]
SECONDS = 150  # a run must end by then: chaining comes after the search
HEAD = ("repository", "file", "clocks", "symbolic states", "covered", "infeasible", "undecided", "tests", "steps",
        "model time", "seconds", "exit", "check")


def run(*command):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              errors="replace", timeout=SECONDS, check=False)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "hangs", "", f"no end after {SECONDS} s"


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or [""]
    return lines[0].split("error: ")[-1]


def when(text):
    return "–" if text is None else f"{float(fractions.Fraction(text)):,.1f}"


def measure(tool, model, suite):
    """The cells of one row after the names, and what is wrong with it."""
    code, out, err = run(tool, "info", model, "--format", "json", "-q")
    if code != 0:
        bad = None if code == 3 else f"info: {code}, {first_error(err)}"
        return ["does not load: " + first_error(err)] + [""] * 8 + [code, ""], bad
    clocks = json.loads(out)["totals"]["clocks"]
    suite.unlink(missing_ok=True)
    start = time.monotonic()
    code, _, err = run(tool, "generate", model, "-c", "edge", *LIMITS, "--format", "json", "-q", "-o", suite)
    seconds = time.monotonic() - start
    if code not in (0, 4) or not suite.exists():
        return [clocks, first_error(err)] + [""] * 6 + [f"{seconds:.1f}", code, ""], \
            None if code == 3 else f"generate: {code}, {first_error(err)}"
    data = json.loads(suite.read_text())
    search, edges, total = data["search"], data["criteria"][0], data["suite"]
    verdict, _, err = run(tool, "check", model, suite, "-q")
    bad = f"check: {verdict}, {first_error(err)}" if verdict != 0 else None
    if (edges["undecided"] > 0) != (code == 4):
        bad = f"exit {code} with {edges['undecided']} edges undecided"
    return [clocks, f"{search['states']:,}", edges["covered"], edges["infeasible"], edges["undecided"],
            total["tests"], f"{total['steps']:,}", when(total.get("duration")), f"{seconds:.1f}",
            code, "ok" if verdict == 0 else verdict], bad


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n", maxsplit=1)[0])
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    models = sorted(path for path in root.rglob("*") if path.suffix in (".xml", ".xta", ".ta"))
    wrong = 0
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            place = model.relative_to(root)
            cells, bad = measure(tool, model, pathlib.Path(folder) / "suite.json")
            repository = place.parts[0].replace("+", "/", 1)
            print(f"| {repository} | `{model.name}` | " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
            if bad:
                wrong += 1
                print(f"{place}: {bad}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
