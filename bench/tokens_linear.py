#!/usr/bin/env python3
"""Expansions of token pruning and of subset pruning on k independent variables: tokens_linear.py.

`models/generate.py vars K` has K variables that are set and used independently. Prints a Markdown
table of the expansions of `--algorithm global` and `fig3` for edge-init and def-use; fig3 gets a
limit, since it grows exponentially: two million entries or ten seconds. Needs a release build in build/release.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "build" / "release" / "cli" / "tracewright"
LIMIT = 2_000_000
SECONDS = 10


def expansions(model, criterion, algorithm):
    done = subprocess.run([str(TOOL), "generate", str(model), "-c", criterion, "--algorithm",
                           algorithm, "--full", "--reduce", "none", "--format", "json", "-q",
                           "--max-states", str(LIMIT), "--time-limit", str(SECONDS)], capture_output=True, text=True, check=False)
    search = json.loads(done.stdout)["search"]
    return search["expansions"], search["limit"], search["tokens"], search["states"]


def main():
    sizes = [int(k) for k in sys.argv[1:]] or list(range(4, 25, 2))
    print("| k | states | criterion | tokens | global | fig3 |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for k in sizes:
            model = pathlib.Path(folder) / f"vars_{k}.xml"
            model.write_text(subprocess.run(
                [sys.executable, str(ROOT / "models" / "generate.py"), "vars", str(k)],
                check=True, capture_output=True, text=True).stdout)
            for criterion in ("edge-init", "def-use"):
                count, _, tokens, states = expansions(model, criterion, "global")
                other, limit, _, _ = expansions(model, criterion, "fig3")
                shown = f"{other:,}" if limit is None else f"more than {other:,}"
                print(f"| {k} | {states:,} | {criterion} | {tokens} | {count:,} | {shown} |",
                      flush=True)


if __name__ == "__main__":
    main()
