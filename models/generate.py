#!/usr/bin/env python3
"""Writes UPPAAL models of any size, one family each, to standard output.

    python3 models/generate.py peterson 4 > peterson_4.xml

The same arguments give the same bytes. Here are the untimed families. Except `train_gate` and
`vars`, each is the twin of a Promela model of the same name: the same atomic steps, the same
reachable states. The timed families are in timed_families.py. What all that means in detail, and
the numbers, are in models/README.md.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True  # leaves no trace beside the models

import timed_families as timed  # noqa: E402
from uppaal_file import Template, model  # noqa: E402


def peterson(n):
    """Filter lock for N processes (Peterson 1981), one step for each statement"""
    user = Template(
        "User",
        "const id_t id",
        "int[0,N] level;   // what this process tries to pass, from 1 to N - 1\n"
        "int[0,N] other;   // the process it looks at\n",
    )
    user.location("Again", 0, 0)
    user.location("Test_level", 16, 0)
    user.location("Raise_flag", 32, 0)
    user.location("Give_turn", 48, 0)
    user.location("Start_scan", 48, 10, label="right")
    user.location("Test_other", 48, 20, label="right")
    user.location("Wait", 48, 32, label="below")
    user.location("Next_other", 32, 32, label="below")
    user.location("Next_level", 32, 10)
    user.location("Enter", 16, 10, label="right")
    user.location("Check", 16, 20, label="right")
    user.location("Leave", 0, 20, label="left")
    user.location("Release", 0, 10, label="left")
    user.edge("Again", "Test_level", update="level = 1")
    user.edge("Test_level", "Raise_flag", guard="level < N")
    user.edge("Test_level", "Enter", guard="level >= N", at=(11.5, 4.5))
    user.edge("Raise_flag", "Give_turn", update="flag[id] = level")
    user.edge("Give_turn", "Start_scan", update="turn[level - 1] = id")
    user.edge("Start_scan", "Test_other", update="other = 0")
    user.edge("Test_other", "Wait", guard="other < N")
    user.edge("Test_other", "Next_level", guard="other >= N", nails=[(40, 20)], at=(36, 14))
    user.edge(
        "Wait",
        "Next_other",
        guard="other == id || flag[other] < level ||\nturn[level - 1] != id",
        at=(32, 34),
    )
    user.edge("Next_other", "Test_other", update="other++", at=(35, 25))
    user.edge("Next_level", "Test_level", update="level++", nails=[(24, 10)], at=(25, 8.5))
    user.edge("Enter", "Check", update="ncrit++")
    # An assertion in the Promela twin; as a guard it would show up as a deadlock if it could fail.
    user.edge("Check", "Leave", guard="ncrit == 1")
    user.edge("Leave", "Release", update="ncrit--")
    user.edge("Release", "Again", update="flag[id] = 0")
    return model(
        "// Filter lock: a process passes N - 1 levels; at each of them the last to come waits.\n"
        f"const int N = {n};\n"
        "typedef int[0,N-1] id_t;\n\n"
        "int[0,N-1] flag[N];   // the level at which a process waits, 0 if it does not\n"
        "id_t turn[N];         // who came last to a level\n"
        "int[0,N] ncrit;       // how many are in the critical section\n",
        [user],
        "system User;\n",
        [
            ("A[] ncrit <= 1", "At most one process is in the critical section."),
            ("E<> User(0).Check", "The first process gets in."),
            ("E<> User(0).Wait && User(1).Wait", "Two processes wait at once."),
            ("A[] not deadlock", "Some process can always go on."),
        ],
    )


def phil(n):
    """Dining philosophers around a table of N (Dijkstra 1971), who deadlock"""
    body = Template("Phil", "const id_t id")
    body.location("Think", 0, 0)
    body.location("Have_one", 18, 0)
    body.location("Eat", 18, 12, label="below")
    body.location("Put_down", 0, 12, label="below")
    body.edge("Think", "Have_one", guard="!fork[id]", update="fork[id] = true")
    body.edge("Have_one", "Eat", guard="!fork[(id + 1) % N]", update="fork[(id + 1) % N] = true")
    body.edge("Eat", "Put_down", update="fork[id] = false")
    body.edge("Put_down", "Think", update="fork[(id + 1) % N] = false", at=(-14, 5.5))
    return model(
        "// Every philosopher takes the fork with his own number first.\n"
        f"const int N = {n};\n"
        "typedef int[0,N-1] id_t;\n\n"
        "bool fork[N];   // taken\n",
        [body],
        "system Phil;\n",
        [
            ("E<> Phil(0).Eat", "The first philosopher eats."),
            ("A[] !(Phil(0).Eat && Phil(1).Eat)", "Neighbours never eat at the same time."),
            ("E<> deadlock", "All have one fork and wait for the other."),
        ],
    )


def bbuf(producers, capacity):
    """Bounded buffer of capacity C with P producers and P consumers"""
    producer = Template(
        "Producer", "const id_t id", "int[0,2] v;   // number of the item, modulo 3\n"
    )
    producer.location("Produce", 0, 0)
    producer.location("Put", 22, 0)
    producer.edge("Produce", "Put", update="v = (v + 1) % 3")
    producer.edge(
        "Put",
        "Produce",
        guard="length < C",
        update="put(3 * id + v)",
        nails=[(22, 7), (0, 7)],
    )
    consumer = Template("Consumer", "const id_t id")
    consumer.location("Get", 0, 0)
    consumer.location("Consume", 22, 0)
    consumer.edge("Get", "Consume", guard="length > 0", update="taken[id] = get()")
    consumer.edge(
        "Consume",
        "Get",
        update="total[id] = (total[id] + taken[id]) % 5",
        nails=[(22, 7), (0, 7)],
    )
    return model(
        "// Producers and consumers share a first-in-first-out buffer.\n"
        f"const int P = {producers};\n"
        f"const int C = {capacity};\n"
        "typedef int[0,P-1] id_t;\n"
        "typedef int[0,3*P-1] item_t;\n\n"
        "item_t buffer[C];   // unused places hold 0\n"
        "int[0,C] length;\n"
        "item_t taken[P];    // the last item of each consumer\n"
        "int[0,4] total[P];  // sum of all its items, modulo 5\n\n"
        "void put(const item_t item)\n"
        "{\n"
        "    buffer[length] = item;\n"
        "    length++;\n"
        "}\n\n"
        "item_t get()\n"
        "{\n"
        "    item_t item = buffer[0];\n"
        "    int i;\n"
        "    length--;\n"
        "    for (i = 0; i < length; i++)\n"
        "        buffer[i] = buffer[i + 1];\n"
        "    buffer[length] = 0;\n"
        "    return item;\n"
        "}\n",
        [producer, consumer],
        "system Producer, Consumer;\n",
        [
            ("E<> length == C", "The buffer gets full."),
            ("E<> length == C && (forall (i : id_t) Producer(i).Put)", "All producers wait."),
            ("A[] not deadlock", "Somebody can always go on."),
        ],
    )


GATE_DECLARATION = """\
// Who is on the track or waits for it, in order of arrival; unused places hold 0.
id_t queue[N];
int[0,N] length;

void add(const id_t train)
{
    queue[length] = train;
    length++;
}

void remove_first()
{
    int i;
    length--;
    for (i = 0; i < length; i++)
        queue[i] = queue[i + 1];
    queue[length] = 0;
}

id_t first()
{
    return queue[0];
}
"""


def train_model(n, channels, train_body, gate):
    return model(
        "// Trains share one track over a bridge; the gate lets one of them pass at a time.\n"
        f"const int N = {n};\n"
        "typedef int[0,N-1] id_t;\n\n"
        f"chan {', '.join(f'{channel}[N]' for channel in channels)};\n",
        [train_body, gate],
        "system Train, Gate;\n",
        [
            (
                "A[] forall (i : id_t) forall (j : id_t) "
                "Train(i).Cross && Train(j).Cross imply i == j",
                "At most one train is on the bridge.",
            ),
            (
                "E<> Train(0).Cross && (forall (i : id_t) i != 0 imply Train(i).Stop)",
                "One train crosses while all others wait.",
            ),
            ("A[] not deadlock", "The system never gets stuck."),
        ],
    )


def train_template():
    """The part of a train that both families share"""
    body = Template("Train", "const id_t id")
    body.location("Safe", 0, 0)
    body.location("Appr", 0, 8, label="left")
    body.location("Stop", 11, 8, label="right")
    body.location("Start", 11, 16, label="right")
    body.location("Cross", 0, 16, label="below")
    body.edge("Safe", "Appr", sync="appr[id]!", at=(0.5, 4))
    body.edge("Appr", "Cross")
    body.edge("Stop", "Start", sync="go[id]?")
    body.edge("Start", "Cross")
    body.edge("Cross", "Safe", sync="leave[id]!", nails=[(-7, 16), (-7, 0)], at=(-12, 7.5))
    return body


def add_leave_edges(gate):
    """The edges of the gate that both families share"""
    gate.edge("Free", "Occ", guard="length > 0", sync="go[first()]!", nails=[(-6, 6)], at=(-13, 4))
    gate.edge(
        "Occ",
        "Free",
        select="train : id_t",
        guard="train == first()",
        sync="leave[train]?",
        update="remove_first()",
        nails=[(20, 12), (20, 0)],
        at=(20.5, 4),
    )


def add_arrival(gate, source, target, channel, at, guard=""):
    gate.edge(
        source,
        target,
        select="train : id_t",
        guard=guard,
        sync=f"{channel}[train]?",
        update="add(train)",
        at=at,
    )


def train(n):
    """Train gate with N trains, step by step as the Promela twin runs"""
    body = train_template()
    # Approaching an occupied bridge and being stopped is one atomic step of the twin.
    body.edge("Safe", "Stop", sync="halt[id]!", nails=[(11, 0)], at=(5, -1.5))
    gate = Template("Gate", "", GATE_DECLARATION)
    gate.location("Free", 0, 0)
    gate.location("Idle", 9, 6, label="right")
    gate.location("Occ", 0, 12, label="left")
    gate.location("Stopped", 0, 20, label="below")
    add_leave_edges(gate)
    gate.edge("Free", "Idle", guard="length == 0", at=(5, 2))
    add_arrival(gate, "Idle", "Occ", "appr", (6, 8))
    add_arrival(gate, "Occ", "Stopped", "halt", (0.5, 14))
    # The handshake that stops a train ends the atomic sequence before its last statement.
    gate.edge("Stopped", "Occ", nails=[(-6, 16)])
    return train_model(n, ("appr", "halt", "go", "leave"), body, gate)


def train_gate(n):
    """Train gate as models/train_gate has it, with N trains"""
    body = train_template()
    body.edge("Appr", "Stop", sync="stop[id]?")
    gate = Template(
        "Gate",
        "",
        GATE_DECLARATION + "\nid_t last()\n{\n    return queue[length - 1];\n}\n",
    )
    gate.location("Free", 0, 0)
    gate.location("Occ", 0, 12, label="left")
    gate.location("Stopping", 0, 20, "committed", label="below")
    add_leave_edges(gate)
    add_arrival(gate, "Free", "Occ", "appr", (0.5, 4), guard="length == 0")
    add_arrival(gate, "Occ", "Stopping", "appr", (0.5, 14))
    gate.edge("Stopping", "Occ", sync="stop[last()]!", nails=[(-6, 16)], at=(-13, 15.5))
    return train_model(n, ("appr", "stop", "go", "leave"), body, gate)


def counters(n, k):
    """N independent counters modulo K: the full product, no guard"""
    counter = Template("Counter", "const id_t id")
    counter.location("Count", 0, 0)
    counter.edge(
        "Count",
        "Count",
        update="c[id] = (c[id] + 1) % K",
        nails=[(-5, 6), (5, 6)],
        at=(-5, 6.5),
    )
    return model(
        "// Nothing is shared and nothing waits: K to the power of N states.\n"
        f"const int N = {n};\n"
        f"const int K = {k};\n"
        "typedef int[0,N-1] id_t;\n\n"
        "int[0,K-1] c[N];\n",
        [counter],
        "system Counter;\n",
        [
            ("E<> forall (i : id_t) c[i] == K - 1", "All counters are at their last value."),
            ("A[] not deadlock", "Every counter can always go on."),
        ],
    )


def variables(k):
    """K independent variables with two definitions and one use each, for definition-use tokens"""
    body = Template("Process")
    body.location("Hub", 0, 0, label="right")

    def loop(left, y, text_y, **label):
        body.edge("Hub", "Hub", nails=[(left, y), (left + 6, y)], at=(left, text_y), **label)

    for i in range(k):
        # Both definitions write the value that is there already; they stand above, the use below.
        x = 24 * i - 12 * k
        loop(x, -14, -15.5, update=f"x{i} = 0")
        loop(x + 12, -14, -15.5, update=f"x{i} = 0")
        loop(x + 6, 14, 14.5, guard=f"x{i} == 0")
    names = ", ".join(f"x{i}" for i in range(k))
    return model(
        "// Each variable is defined by two edges and used by a third, and every edge can be taken\n"
        "// at any time: one state, and 3 to the power of K sets of definitions alive there.\n"
        f"int[0,1] {names};\n",
        [body],
        "system Process;\n",
        [
            ("A[] Process.Hub && x0 == 0", "There is one state only."),
            ("A[] not deadlock", "Every edge is enabled in it."),
        ],
    )


# name: (function, names of the sizes, least values)
FAMILIES = {
    "peterson": (peterson, ("N",), (2,)),
    "phil": (phil, ("N",), (2,)),
    "bbuf": (bbuf, ("P", "C"), (1, 1)),
    "train": (train, ("N",), (1,)),
    "counters": (counters, ("N", "K"), (1, 2)),
    "train_gate": (train_gate, ("N",), (1,)),
    "vars": (variables, ("K",), (1,)),
    "fischer": (timed.fischer, ("N",), (1,)),
    "csmacd": (timed.csmacd, ("N",), (1,)),
    "fddi": (timed.fddi, ("N",), (1,)),
    "critical_region": (timed.critical_region, ("N",), (1,)),
    "train_gate_ring": (timed.train_gate_ring, ("N",), (1,)),
    "train_gate_functions": (timed.train_gate_functions, ("N",), (1,)),
    "phil_timed": (timed.phil_timed, ("N",), (2,)),
    "corsso": (timed.corsso, ("N",), (1,)),
}


def main():
    listing = "\n".join(
        f"  {name + ' ' + ' '.join(sizes):22} {function.__doc__}"
        for name, (function, sizes, _) in FAMILIES.items()
    )
    parser = argparse.ArgumentParser(
        description="Write an UPPAAL model of a chosen size to standard output.",
        epilog=f"families:\n{listing}\n\n"
        "example:\n  python3 models/generate.py bbuf 2 4 > bbuf_2_4.xml",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("family", metavar="FAMILY", choices=FAMILIES, help=", ".join(FAMILIES))
    parser.add_argument("sizes", metavar="SIZE", type=int, nargs="+", help="see the families below")
    arguments = parser.parse_args()
    function, names, least = FAMILIES[arguments.family]
    usage = " ".join((arguments.family, *names))
    if len(arguments.sizes) != len(names):
        parser.error(f"wrong number of sizes, expected: {usage}")
    for name, low, value in zip(names, least, arguments.sizes):
        if value < low:
            parser.error(f"{name} must be at least {low} in {usage}")
    try:
        sys.stdout.write(function(*arguments.sizes))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
