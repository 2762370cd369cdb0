"""What the comparisons with other tools share: runs of programs, our own runs, tables.

A run's peak memory is that of the program alone. Linux counts the parent's memory for a child as
well until it starts its program, and Python's would hide that of small runs; so a shell starts each
program, and its process is handed on to us when the shell ends; only then does it begin.
"""
import ctypes
import dataclasses
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "release" / "cli" / "tracewright"
COVER_EDGES = ("-c", "edge")
KEEP_DEAD = "--keep-dead"
USAGE_ERROR = 2   # exit code of tracewright for options it does not know
LIMIT_REACHED = 4   # exit code of a search that a limit ended
PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass
class Run:
    """One run of a program; the last three are filled in by who starts it and reads its output."""
    code: int
    cpu: float    # seconds, of all threads
    wall: float   # seconds
    peak: int     # resident bytes
    output: str
    errors: str
    states: int = 0
    transitions: int = 0
    options: tuple = ()

    def rate(self):
        return self.transitions / self.cpu


# Writes the number of a process that waits for a line and then becomes the command.
LAUNCHER = """
output=$1 errors=$2
shift 2
exec 3<&0
(read go <&3; exec "$@" 3<&- </dev/null) >"$output" 2>"$errors" &
echo $!
"""


def start(command, cwd, output, errors):
    """A child process that runs the command once a line is written to the returned end."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    gate, key = os.pipe()
    launcher = ["sh", "-c", LAUNCHER, "sh", output, errors, *command]
    process = subprocess.run([str(word) for word in launcher], cwd=cwd, check=True, stdin=gate,
                             stdout=subprocess.PIPE, text=True).stdout
    os.close(gate)
    return int(process), key


def measure(command, cwd=None):
    """Runs a command to its end."""
    with tempfile.TemporaryDirectory() as folder:
        output, errors = (pathlib.Path(folder) / name for name in ("output", "errors"))
        process, key = start(command, cwd, output, errors)
        begin = time.monotonic()
        os.write(key, b"go\n")
        os.close(key)
        try:
            _, status, usage = os.wait4(process, 0)
        except KeyboardInterrupt:
            os.kill(process, signal.SIGKILL)   # the shell makes it ignore Ctrl-C
            raise
        wall = time.monotonic() - begin
        return Run(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, wall,
                   usage.ru_maxrss * 1024, output.read_text(), errors.read_text())


def require(run, command):
    """Ends the program unless the run ended well."""
    if run.code != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {run.code}\n{run.errors}")
    return run


def write_model(folder, spec):
    """The UPPAAL model of FAMILY:N[:K], generated into the folder."""
    path = pathlib.Path(folder) / (spec.replace(":", "_") + ".xml")
    command = [sys.executable, str(ROOT / "models" / "generate.py"), *spec.split(":")]
    generated = subprocess.run(command, capture_output=True, text=True)
    if generated.returncode != 0:
        sys.exit(generated.stderr.strip())
    path.write_text(generated.stdout)
    return path


class Tracewright:
    """One build of ours. It forgets dead values, as it does for everybody, if not told to explore
    all states of a model, as other tools do."""

    def __init__(self, path, forget=False):
        self.path = pathlib.Path(path)
        if not self.path.is_file():
            sys.exit(f"{path} does not exist; build preset release, or use --tool PATH")
        self.keeping = []
        # Builds that do not know the option keep all values.
        if not forget and KEEP_DEAD in measure([self.path, "generate", "--help"]).output:
            self.keeping = [KEEP_DEAD]

    def command(self, model, options):
        return [self.path, "generate", model, "--full", "--reduce", "none", "--format", "json",
                "-q", *self.keeping, *options]

    def accepts(self, model, options):
        """Whether this build knows the options."""
        command = self.command(model, [*COVER_EDGES, "--max-states", "1", *options])
        return measure(command).code != USAGE_ERROR

    def idle_peak(self, model, options=()):
        """Peak memory of a run that loads the model and explores nothing."""
        command = self.command(model, [*COVER_EDGES, "--max-states", "1", *options])
        run = measure(command)
        if run.code not in (0, LIMIT_REACHED):
            require(run, command)
        return run.peak

    def explore(self, model, options=()):
        """A run that explores everything, and what its search says."""
        command = self.command(model, options)
        run = require(measure(command), command)
        suite = json.loads(run.output)
        search = suite["search"] | suite["run"]
        if not search["exhaustive"]:
            sys.exit(f"{' '.join(map(str, command))}: the search was not exhaustive")
        run.states, run.transitions = search["states"], search["transitions"]
        run.options = options
        return run, search


def fastest(runs):
    return min(runs, key=lambda run: run.cpu)


def shortest(runs):
    """The least wall time of several runs."""
    return min(run.wall for run in runs)


def bytes_per_state(runs, idle_peak):
    """Peak memory of the fastest run above that of an idle one, for each state."""
    best = fastest(runs)
    return (best.peak - idle_peak) / best.states


def geometric_mean(values):
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def number(value):
    return "–" if value is None else f"{value:,}"


def row(*cells):
    """One line of a Markdown table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def heading(*cells):
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)
