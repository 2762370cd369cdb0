#!/usr/bin/env python3
"""Promela twins of the families in models/generate.py: promela.py FAMILY N [K].

Each has the same reachable states and transitions as its UPPAAL twin, as far as SPIN's step
granularity allows; bench/compare_peers checks the counts.
"""
import sys

PETERSON = """#define N {n}
byte flag[N]; byte turn[N]; byte ncrit;
active [N] proctype user() {{
  byte l, k;
again:
  l = 1;
  do
  :: l < N ->
     flag[_pid] = l; turn[l-1] = _pid; k = 0;
     do
     :: k < N -> if :: k == _pid || flag[k] < l || turn[l-1] != _pid -> k++ fi
     :: else -> break
     od;
     l++
  :: else -> break
  od;
  ncrit++; assert(ncrit == 1); ncrit--; flag[_pid] = 0; goto again
}}
"""

PHIL = """#define N {n}
bit fork[N];
active [N] proctype phil() {{
  byte r = (_pid + 1) % N; byte cnt = 0;
think: atomic {{ fork[_pid] == 0 -> fork[_pid] = 1 }};
have1: atomic {{ fork[r] == 0 -> fork[r] = 1 }};
eat:   fork[_pid] = 0;
rel:   fork[r] = 0; goto think
}}
"""

BBUF = """#define N {n}
#define K {k}
chan b = [K] of {{byte}}; byte produced[N];
active [N] proctype prod() {{ byte v = 0; do :: v = (v + 1) % 3; b!(_pid * 3 + v) od }}
active [N] proctype cons() {{ byte x; byte s = 0; do :: b?x; s = (s + x) % 5 od }}
"""

TRAIN = """#define N {n}
mtype = {{appr, stop, go, leave}};
chan toC = [0] of {{mtype, byte}}; chan toT[N] = [0] of {{mtype}};
byte list[{n} + 1]; byte qlen = 0;
active [N] proctype train() {{
Safe:  toC!appr, _pid;
Appr:  if :: toT[_pid]?stop -> goto Stop :: goto Cross fi;
Stop:  toT[_pid]?go;
Start: skip;
Cross: toC!leave, _pid; goto Safe
}}
active proctype gate() {{
  byte e; byte i;
Free:
  if
  :: atomic {{ qlen > 0 -> toT[list[0]]!go }}; goto Occ
  :: atomic {{ qlen == 0 -> toC?appr, e; list[qlen] = e; qlen++; e = 0 }}; goto Occ
  fi;
Occ:
  if
  :: atomic {{ toC?appr, e -> list[qlen] = e; qlen++; toT[e]!stop; e = 0; goto Occ }}
  :: atomic {{ toC?leave, eval(list[0]) -> i = 0;
       do :: i + 1 < qlen -> list[i] = list[i+1]; i++ :: else -> break od;
       qlen--; list[qlen] = 0; i = 0 }}; goto Free
  fi
}}
"""

COUNTERS = """#define N {n}
byte c[N];
active [N] proctype p() {{ do :: c[_pid] = (c[_pid] + 1) % {k} od }}
"""

FAMILIES = {"peterson": (PETERSON, 0), "phil": (PHIL, 0), "bbuf": (BBUF, 4),
            "train": (TRAIN, 0), "counters": (COUNTERS, 10)}


def promela(family, n, k=None):
    text, default = FAMILIES[family]
    return text.format(n=n, k=default if k is None else k)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in FAMILIES:
        sys.exit(__doc__ + "\nfamilies: " + " ".join(FAMILIES))
    print(promela(sys.argv[1], *map(int, sys.argv[2:])), end="")
