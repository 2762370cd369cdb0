"""TChecker on twin models: runs a `tck-reach` program that somebody has built.

`covreach` keeps the zones that no other one contains, after extrapolation with lower and upper
bounds for each location; `aLU-covreach` compares by the simulation that these bounds allow, as we
do, and so has the counts to expect of us. Both go breadth first through everything, as no label is
searched for. The sizes of tables and blocks are its defaults: larger ones change the time of the
families here by less than other work on the machine does, and take more memory.
"""
import dataclasses
import os
import pathlib
import re
import sys

from measure import measure, require
from tchecker_models import tchecker_model

IDLE = "system:idle\nprocess:Idle\nlocation:Idle:Stay{initial: }\n"


@dataclasses.dataclass
class Counts:
    """Symbolic states expanded and kept, and transitions."""
    visited: int
    stored: int
    transitions: int


class TChecker:
    def __init__(self, path, folder):
        self.path = pathlib.Path(path).resolve()
        self.folder = pathlib.Path(folder)
        if not os.access(self.path, os.X_OK):
            sys.exit(f"{path}: no such program")

    def write(self, family, size):
        model = self.folder / f"{family}_{size}.txt"
        model.write_text(tchecker_model(family, int(size)))
        return model

    def _run(self, algorithm, model, *options):
        command = [self.path, "-a", algorithm, "-s", "bfs", *options, model]
        run = require(measure(command), command)
        values = dict(line.split(" ", 1) for line in run.output.splitlines() if " " in line)
        counts = Counts(*(int(values[key]) for key in
                          ("VISITED_STATES", "STORED_STATES", "VISITED_TRANSITIONS")))
        run.states, run.transitions = counts.stored, counts.transitions
        return run, counts

    def explore(self, model):
        """A run to measure, and its counts."""
        return self._run("covreach", model)

    def by_simulation(self, model):
        """Counts where zones are compared by simulation, and the discrete states of the graph."""
        graph = self.folder / "graph.dot"
        _, counts = self._run("aLU-covreach", model, "-C", "graph", "-o", graph)
        node = re.compile(r'^\s*\d+ \[.*intval="([^"]*)".*vloc="([^"]*)"')
        with graph.open() as lines:
            discrete = {found.groups() for found in map(node.match, lines) if found}
        graph.unlink()
        return counts, len(discrete)

    def idle_peak(self):
        """Peak memory of a run on a system with one state."""
        model = self.folder / "idle.txt"
        model.write_text(IDLE)
        return self._run("covreach", model)[0].peak
