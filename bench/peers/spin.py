"""SPIN on a Promela twin: compiles the verifier that it writes, and runs it.

Without partial-order reduction and for safety only, as little work as SPIN can do for a complete
exploration. Depth first, it counts the states and transitions that we count, and the initial state
as one transition more. Breadth first it also stores the states within a handshake or an atomic
sequence that can stop half-way.
"""
import math
import re
import shutil
import subprocess
import sys

from measure import fastest, measure

FLAGS = ("-O2", "-DSAFETY", "-DNOREDUCE")
MEMORY_LIMIT_MB = 18_000
ENOUGH_GAIN = 0.97   # a size is better if it takes less than so much of the time
MOST_SIZES = 5


def require_programs():
    missing = [program for program in ("spin", "gcc") if shutil.which(program) is None]
    if missing:
        sys.exit(f"{' and '.join(missing)} not found: the comparison needs the Debian packages "
                 "spin and gcc")


class Spin:
    """The verifiers of one Promela model, built in a folder of their own."""

    def __init__(self, folder, source, flags=()):
        self.folder = folder
        (folder / "model.pml").write_text(source)
        self._call("spin", "-a", "model.pml")
        for name, order in (("breadth", ["-DBFS"]), ("depth", [])):
            self._call("gcc", "-w", *FLAGS, *order, *flags, f"-DMEMLIM={MEMORY_LIMIT_MB}", "-o",
                       name, "pan.c")
        self.bits = None

    def _call(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}"
                     f"{done.stderr}")

    def _run(self, program, bits, *options):
        options = [f"-w{bits}", "-n", "-E", *options]
        run = measure([f"./{program}", *options], cwd=self.folder)
        if "errors: 0" not in run.output or "Search not completed" in run.output:
            sys.exit(f"SPIN did not complete its search:\n{run.output}{run.errors}")
        run.states = int(re.search(r"(\d+) states, stored", run.output).group(1))
        run.transitions = int(re.search(r"(\d+) transitions", run.output).group(1))
        run.options = options
        return run

    def count(self, expected_states):
        """A run depth first, for its counts."""
        return self._run("depth", max(8, math.ceil(math.log2(expected_states)) + 1),
                         f"-m{2 * expected_states + 10_000}")

    def tune(self, expected_states):
        """Goes breadth first with larger or smaller hash tables until that is no better.

        The best size is used from now on. Returns all runs."""
        bits = max(8, math.ceil(math.log2(expected_states)))
        tried = {size: self._run("breadth", size) for size in (bits, bits + 1)}
        step = 1 if fastest(tried.values()) is tried[bits + 1] else -1
        edge = bits + 1 if step > 0 else bits
        # Below that it is the noise of the machine that decides, and a run may take a minute.
        while tried[edge].cpu < ENOUGH_GAIN * tried[edge - step].cpu and len(tried) < MOST_SIZES:
            edge += step
            tried[edge] = self._run("breadth", edge)
        self.bits = min(tried, key=lambda size: tried[size].cpu)
        return list(tried.values())

    def explore(self):
        """A run breadth first."""
        return self._run("breadth", self.bits)

    def idle_peak(self):
        """Peak memory of a run that explores nothing."""
        return measure(["./breadth", "-V"], cwd=self.folder).peak
