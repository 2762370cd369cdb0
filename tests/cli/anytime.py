#!/usr/bin/env python3
"""A run that is stopped at any moment leaves a valid suite: anytime.py TRACEWRIGHT SOURCES [RUNS [SEED]].

Stops `generate` on models of some size by signals at random moments, and by limits on states, time
and memory. Every run must end with the right exit code and leave a suite that `check` accepts; the
memory limit must hold within a tenth.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TOOL, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 24
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
MODELS = [("train_gate", 5), ("peterson", 4), ("phil", 12), ("bbuf", 2, 4)]
CRITERIA = ["edge", "location", "edge-init", "def-use", "edge,def-use"]
MEGABYTE = 1024 * 1024


def fail(run, message):
    sys.exit(f"run {run} of seed {SEED}: {message}")


def finish(process):
    """Exit code and peak resident bytes."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


def main():
    random.seed(SEED)
    counts = {}
    worst_memory = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = []
        for family in MODELS:
            model = folder / ("_".join(map(str, family)) + ".xml")
            model.write_text(subprocess.run(
                [sys.executable, str(SOURCES / "models" / "generate.py"), *map(str, family)],
                check=True, capture_output=True, text=True).stdout)
            models.append(model)
        for run in range(RUNS):
            model, criteria = random.choice(models), random.choice(CRITERIA)
            suite = folder / "suite.json"
            suite.unlink(missing_ok=True)
            command = [TOOL, "generate", str(model), "-c", criteria, "--full", "--format", "json",
                       "-o", str(suite), "-q"]
            kind = ["signal", "states", "time", "memory"][run % 4]
            limit = 0
            if kind == "states":
                command += ["--max-states", str(random.randint(1, 100_000))]
            elif kind == "time":
                command += ["--time-limit", f"{random.uniform(0.01, 0.4):.3f}"]
            elif kind == "memory":
                limit = random.randint(16, 60)
                command += ["--max-memory", f"{limit}M"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            if kind == "signal":
                time.sleep(random.uniform(0.0, 0.6))
                os.kill(process.pid, random.choice([signal.SIGINT, signal.SIGTERM]))
            code, peak = finish(process)
            if kind == "signal" and code in (-signal.SIGINT, -signal.SIGTERM):
                counts["before it listened"] = counts.get("before it listened", 0) + 1
                continue  # the program had not yet begun
            expected = {"signal": (130, 0), "states": (4, 0), "time": (4, 0), "memory": (4, 0)}[kind]
            if code not in expected:
                fail(run, f"{' '.join(command)} ended with {code}")
            if kind == "memory" and peak > 1.1 * limit * MEGABYTE:
                fail(run, f"{' '.join(command)} took {peak / MEGABYTE:.1f} MB")
            if kind == "memory":
                worst_memory = max(worst_memory, peak / (limit * MEGABYTE))
            written = json.loads(suite.read_text())
            # It may strike when the search is over.
            reasons = {written["search"]["limit"], *(phase["limit"] for phase in written["run"]["phases"])}
            wanted = {130: "interrupt", 4: kind, 0: None}[code]
            if wanted not in reasons or (code == 0 and reasons != {None}):
                fail(run, f"exit code {code}, but limits {reasons}")
            if subprocess.run([TOOL, "check", str(model), str(suite)], stdout=subprocess.DEVNULL,
                              check=False).returncode != 0:
                fail(run, f"check refuses what {' '.join(command)} left")
            counts[f"{kind}, exit {code}"] = counts.get(f"{kind}, exit {code}", 0) + 1
    print(f"{RUNS} runs: " + ", ".join(f"{n} {k}" for k, n in sorted(counts.items())) +
          f"; greatest peak memory {worst_memory:.2f} of the limit")


if __name__ == "__main__":
    main()
