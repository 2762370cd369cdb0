#!/usr/bin/env python3
"""Suites of models of others, as a Markdown table: corpus.py TRACEWRIGHT FOLDER... [options].

Takes every .xml, .xta and .ta below each FOLDER; folders directly below it may be named OWNER+REPOSITORY.
Each model that loads gets `generate` with the criteria and limits asked for, and the suite goes through `check`.
What needs a look is said on standard error, and the exit code is then 1: signals, exit codes other than 0, 1, 3
and 4, runs that do not end, runs that go beyond a limit (a tenth and 2 s more than the time, a tenth and 50 MB
more than the memory), suites that `check` does not accept, and items left undecided without a limit.
"""
import argparse
import fractions
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HEAD = ("repository", "file", "clocks", "symbolic states", "covered", "infeasible", "undecided", "tests", "steps",
        "model time", "seconds", "MB", "exit", "check")
MEGABYTE = 1 << 20


class Done:
    """How a command ended: exit code (negative: a signal; None: it had to be ended), streams, seconds, peak."""

    def __init__(self, command, patience):
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            # What this script has in memory when it starts a program counts for that: it must stay small.
            process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err)
            self.code, usage = self.wait(process, start + patience)
            self.seconds = time.monotonic() - start
            self.peak = usage.ru_maxrss * 1024
            out.seek(0)
            err.seek(0)
            self.out = out.read().decode(errors="replace")
            self.err = err.read().decode(errors="replace")

    @staticmethod
    def wait(process, deadline):
        ended = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                process.returncode = os.waitstatus_to_exitcode(status)
                return (None if ended else process.returncode), usage
            if not ended and time.monotonic() > deadline:
                ended = True
                process.kill()
            time.sleep(0.005)


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or [""]
    return lines[0].split("error: ")[-1]


def when(text):
    return "–" if text is None else f"{float(fractions.Fraction(text)):,.1f}"


def beyond_limits(done, options, seconds):
    """What a run took more than it was allowed to."""
    problems = []
    if done.seconds > seconds * 1.1 + 2:
        problems.append(f"{done.seconds:.1f} s")
    if done.peak > options.max_memory * MEGABYTE * 1.1 + 50 * MEGABYTE:
        problems.append(f"{done.peak / MEGABYTE:.0f} MB")
    return "beyond a limit: " + ", ".join(problems) if problems else None


def read_numbers(suite):
    data = json.loads(suite.read_text())
    counts = {word: sum(criterion[word] for criterion in data["criteria"])
              for word in ("covered", "infeasible", "undecided")}
    return data["search"]["states"], counts, data["suite"]


def measure(options, model, suite):
    """The cells of one row after the names, and what is wrong with it."""
    tool, patience = options.tracewright, options.time_limit * 3 + 120
    done = Done([tool, "info", model, "--format", "json", "-q"], patience)
    if done.code != 0:
        bad = None if done.code == 3 else f"info: {done.code}, {first_error(done.err)}"
        return ["does not load: " + first_error(done.err)] + [""] * 9 + [done.code, ""], bad
    clocks = json.loads(done.out)["totals"]["clocks"]
    suite.unlink(missing_ok=True)
    done = Done([tool, "generate", model, "-c", options.criteria, "--time-limit", f"{options.time_limit}s",
                 "--max-memory", f"{options.max_memory}M", "--format", "json", "-q", "-o", suite], patience)
    bad = beyond_limits(done, options, options.time_limit)
    took = [f"{done.seconds:.1f}", f"{done.peak / MEGABYTE:.0f}"]
    if done.code not in (0, 1, 4) or not suite.exists():
        return [clocks, first_error(done.err)] + [""] * 6 + took + [done.code, ""], \
            bad if done.code == 3 else f"generate: {done.code}, {first_error(done.err)}"
    with multiprocessing.Pool(1) as other:  # suites may be large, see Done
        states, counts, total = other.apply(read_numbers, [suite])
    check = Done([tool, "check", model, suite, "--time-limit", f"{options.check_time}s",
                  "--max-memory", f"{options.max_memory}M", "-q"], options.check_time * 3 + 120)
    problems = [bad] if bad else []
    if beyond := beyond_limits(check, options, options.check_time):
        problems.append("check: " + beyond)
    if check.code != 0:
        problems.append(f"check: {check.code}, {first_error(check.err or check.out)}")
    elif counts["undecided"] > 0 and done.code != 4:
        problems.append(f"exit {done.code} with {counts['undecided']} items undecided")
    bad = "; ".join(problems)
    return [clocks, f"{states:,}", *counts.values(), total["tests"], f"{total['steps']:,}",
            when(total.get("duration")), *took, done.code, "ok" if check.code == 0 else check.code], bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tracewright")
    parser.add_argument("folder", nargs="+", type=pathlib.Path)
    parser.add_argument("-c", "--criteria", default="edge")
    parser.add_argument("--time-limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--max-memory", type=int, default=3072, metavar="MEGABYTES")
    parser.add_argument("--check-time", type=float, default=60, metavar="SECONDS", help="limit of `check`")
    options = parser.parse_args()
    wrong = 0
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for root in options.folder:
            for model in sorted(path for path in root.rglob("*") if path.suffix in (".xml", ".xta", ".ta")):
                place = model.relative_to(root)
                cells, bad = measure(options, model, pathlib.Path(folder) / "suite.json")
                repository = place.parts[0].replace("+", "/", 1)
                print(f"| {repository} | `{model.name}` | " + " | ".join(str(cell) for cell in cells) + " |",
                      flush=True)
                if bad:
                    wrong += 1
                    print(f"{place}: {bad}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
