#!/usr/bin/env python3
"""Twins of the timed families in TChecker's input language: tchecker_models.py FAMILY N.

Each has the locations, clocks, constants and atomic steps of its twin in models/timed_families.py,
so that the numbers of symbolic states can be compared. That language has no templates, channels or
functions: processes are written out one by one, an array of channels becomes one event for each
index, and a handshake a synchronisation of two processes.
"""
import sys


def attributes(**values):
    """`{key: value : key: value}`; None leaves a key out, an empty text writes it without value."""
    parts = [f"{key}: {value}" for key, value in values.items() if value is not None]
    return "{" + " : ".join(parts) + "}"


class Process:
    """Locations and edges of one process; the first location is the initial one."""

    def __init__(self, system, name):
        self.system = system
        self.name = name
        self.lines = [f"process:{name}"]
        self.is_empty = True

    def location(self, name, invariant=None, committed=False):
        text = attributes(initial="" if self.is_empty else None, invariant=invariant,
                          committed="" if committed else None)
        self.is_empty = False
        self.lines.append(f"location:{self.name}:{name}{text}")

    def edge(self, source, target, event="internal", guard=None, update=None):
        self.system.events.setdefault(event)
        text = attributes(provided=guard, do=update)
        self.lines.append(f"edge:{self.name}:{source}:{target}:{event}{text}")


class System:
    """A network under construction."""

    def __init__(self, name):
        self.name = name
        self.variables = []
        self.events = {}   # in the order of their first use
        self.processes = []
        self.synchronisations = []

    def clock(self, name):
        self.variables.append(f"clock:1:{name}")
        return name

    def integer(self, name, low, high, size=1):
        """A variable, or an array, that starts with its least value."""
        self.variables.append(f"int:{size}:{low}:{high}:{low}:{name}")
        return name

    def process(self, name):
        self.processes.append(Process(self, name))
        return self.processes[-1]

    def handshake(self, first, first_event, second, second_event=None):
        self.synchronisations.append(
            f"sync:{first.name}@{first_event}:{second.name}@{second_event or first_event}")

    def text(self):
        lines = [f"system:{self.name}", *(f"event:{name}" for name in self.events),
                 *self.variables]
        for process in self.processes:
            lines += process.lines
        return "\n".join(lines + self.synchronisations) + "\n"


def fischer(n):
    longest = 10
    system = System(f"fischer_{n}")
    turn = system.integer("turn", 0, n)
    for i in range(1, n + 1):
        x = system.clock(f"x{i}")
        process = system.process(f"Process{i}")
        process.location("Idle")
        process.location("Request", invariant=f"{x} <= {longest}")
        process.location("Wait")
        process.location("Critical")
        process.edge("Idle", "Request", guard=f"{turn} == 0", update=f"{x} = 0")
        process.edge("Request", "Wait", guard=f"{x} <= {longest}", update=f"{turn} = {i}; {x} = 0")
        process.edge("Wait", "Request", guard=f"{turn} == 0", update=f"{x} = 0")
        process.edge("Wait", "Critical", guard=f"{x} > {longest} && {turn} == {i}")
        process.edge("Critical", "Idle", update=f"{turn} = 0")
    return system


def csmacd(n):
    send, signal = 808, 26   # times of a message, and of a signal from end to end
    system = System(f"csmacd_{n}")
    y = system.clock("y")
    told = system.integer("told", 0, n)
    bus = system.process("Bus")
    bus.location("Idle")
    bus.location("Active")
    bus.location("Collision", invariant=f"{y} < {signal}")
    bus.location("Jam", committed=True)
    bus.edge("Idle", "Active", "begin", update=f"{y} = 0")
    bus.edge("Active", "Collision", "begin", f"{y} < {signal}", f"{y} = 0")
    bus.edge("Active", "Active", "busy", f"{y} >= {signal}")
    bus.edge("Active", "Idle", "end", update=f"{y} = 0")
    bus.edge("Collision", "Jam", guard=f"{y} < {signal}", update=f"{told} = 0")
    for i in range(n):
        bus.edge("Jam", "Jam", f"tell{i}", f"{told} == {i}", f"{told} = {told} + 1")
    bus.edge("Jam", "Idle", guard=f"{told} == {n} && {y} < {signal}",
             update=f"{y} = 0; {told} = 0")
    for i in range(n):
        add_station(system, bus, i, send, signal)
    return system


def add_station(system, bus, i, send, signal):
    x = system.clock(f"x{i}")
    reset = f"{x} = 0"
    soon, patient = f"{x} < {signal}", f"{x} < {2 * signal}"
    station = system.process(f"Station{i}")
    station.location("Wait")
    station.location("Send", invariant=f"{x} <= {send}")
    station.location("Retry", invariant=patient)
    station.edge("Wait", "Send", "begin", update=reset)
    station.edge("Wait", "Retry", "busy", update=reset)
    station.edge("Wait", "Wait", "collide", update=reset)
    station.edge("Wait", "Retry", "collide", update=reset)
    station.edge("Send", "Wait", "end", f"{x} == {send}", reset)
    station.edge("Send", "Retry", "collide", soon, reset)
    station.edge("Retry", "Send", "begin", patient, reset)
    station.edge("Retry", "Retry", "busy", patient, reset)
    station.edge("Retry", "Retry", "collide", patient, reset)
    for event in ("begin", "busy", "end"):
        system.handshake(bus, event, station)
    system.handshake(bus, f"tell{i}", station, "collide")


def fddi(n):
    rotation, urgent, delay = 50 * n, 20, 0
    system = System(f"fddi_{n}")
    stations = [add_ring_station(system, i, rotation, urgent) for i in range(n)]
    t = system.clock("t")
    ring = system.process("Ring")
    for i in range(n):
        ring.location(f"Pass{i}", invariant=f"{t} <= {delay}")
        ring.location(f"Held{i}")
    for i, station in enumerate(stations):
        ring.edge(f"Pass{i}", f"Held{i}", f"take{i}", f"{t} == {delay}")
        ring.edge(f"Held{i}", f"Pass{(i + 1) % n}", f"give{i}", update=f"{t} = 0")
        system.handshake(ring, f"take{i}", station)
        system.handshake(station, f"give{i}", ring)
    return system


def add_ring_station(system, i, rotation, urgent):
    timer = system.clock(f"trt{i}")
    rounds = (system.clock(f"even{i}"), system.clock(f"odd{i}"))
    station = system.process(f"Station{i}")
    for number in (0, 1):
        station.location(f"Wait{number}")
        station.location(f"Late{number}", invariant=f"{timer} <= {urgent}")
        station.location(f"Early{number}", invariant=f"{timer} <= {urgent}")
        station.location(f"Extra{number}", invariant=f"{rounds[1 - number]} <= {rotation + urgent}")
    for number, own in enumerate(rounds):
        following = f"Wait{1 - number}"
        reset = f"{timer} = 0; {own} = 0"
        done = f"{timer} == {urgent}"
        station.edge(f"Wait{number}", f"Late{number}", f"take{i}", f"{timer} >= {rotation}", reset)
        station.edge(f"Wait{number}", f"Early{number}", f"take{i}", f"{timer} < {rotation}", reset)
        station.edge(f"Early{number}", f"Extra{number}", guard=done)
        station.edge(f"Late{number}", following, f"give{i}", done)
        station.edge(f"Extra{number}", following, f"give{i}")
    return station


def critical_region(n):
    system = System(f"critical_region_{n}")
    turn = system.integer("turn", 0, n)
    counter = system.process("Counter")
    counter.location("Start")
    counter.location("Count")
    counter.edge("Start", "Count", guard=f"{turn} == 0", update=f"{turn} = 1")
    counter.edge("Count", "Count", guard=f"{turn} < {n}", update=f"{turn} = {turn} + 1")
    counter.edge("Count", "Count", guard=f"{turn} == {n}", update=f"{turn} = 1")
    for i in range(1, n + 1):
        arbiter = system.process(f"Arbiter{i}")
        arbiter.location("Ask")
        arbiter.location("Grant")
        arbiter.edge("Ask", "Grant", f"enter{i}", f"{turn} == {i}", f"{turn} = 0")
        arbiter.edge("Grant", "Ask", f"leave{i}", update=f"{turn} = {i}")
        cell = add_cell(system, i)
        system.handshake(arbiter, f"enter{i}", cell)
        system.handshake(cell, f"leave{i}", arbiter)
    return system


def add_cell(system, i):
    limit = 10
    x = system.clock(f"x{i}")
    early, late = f"{x} <= {limit - 1}", f"{x} >= {limit}"
    cell = system.process(f"Cell{i}")
    cell.location("Not_ready")
    cell.location("Test", invariant=f"{x} <= {limit}")
    cell.location("Ask")
    cell.location("Critical", invariant=f"{x} <= {2 * limit}")
    cell.location("Test_again", invariant=f"{x} <= {limit}")
    cell.location("Safe")
    cell.location("Error")
    cell.edge("Not_ready", "Test", guard=f"{x} <= {2 * limit}", update=f"{x} = 0")
    cell.edge("Test", "Not_ready", guard=late, update=f"{x} = 0")
    cell.edge("Test", "Ask", guard=early)
    cell.edge("Ask", "Critical", f"enter{i}", update=f"{x} = 0")
    cell.edge("Critical", "Error", guard=f"{x} >= {2 * limit}")
    cell.edge("Critical", "Test_again", f"leave{i}", early, f"{x} = 0")
    cell.edge("Test_again", "Error", guard=late)
    cell.edge("Test_again", "Safe", guard=early)
    return cell


def train_gate_ring(n):
    system = System(f"train_gate_ring_{n}")
    ring = system.integer("ring", 0, n - 1, size=n)
    head = system.integer("head", 0, n - 1)
    length = system.integer("len", 0, n)
    gate = system.process("Gate")
    gate.location("Free")
    gate.location("Occ")
    gate.location("Stopping", committed=True)
    for i in range(n):
        add = f"{ring}[({head} + {length}) % {n}] = {i}; {length} = {length} + 1"
        is_first = f"{ring}[{head}] == {i}"
        gate.edge("Free", "Occ", f"go{i}", f"{length} > 0 && {is_first}")
        gate.edge("Free", "Occ", f"appr{i}", f"{length} == 0", add)
        gate.edge("Occ", "Stopping", f"appr{i}", update=add)
        gate.edge("Stopping", "Occ", f"stop{i}", f"{ring}[({head} + {length} - 1) % {n}] == {i}")
        gate.edge("Occ", "Free", f"leave{i}", is_first,
                  f"{head} = ({head} + 1) % {n}; {length} = {length} - 1")
    for i in range(n):
        x = system.clock(f"x{i}")
        train = system.process(f"Train{i}")
        train.location("Safe")
        train.location("Appr", invariant=f"{x} <= 20")
        train.location("Stop")
        train.location("Start", invariant=f"{x} <= 15")
        train.location("Cross", invariant=f"{x} <= 5")
        train.edge("Safe", "Appr", f"appr{i}", update=f"{x} = 0")
        train.edge("Appr", "Cross", guard=f"{x} >= 10", update=f"{x} = 0")
        train.edge("Appr", "Stop", f"stop{i}", f"{x} <= 10")
        train.edge("Stop", "Start", f"go{i}", update=f"{x} = 0")
        train.edge("Start", "Cross", guard=f"{x} >= 7", update=f"{x} = 0")
        train.edge("Cross", "Safe", f"leave{i}", f"{x} >= 3")
        for event in ("appr", "stop", "go", "leave"):
            system.handshake(train, f"{event}{i}", gate)
    return system


def phil_timed(n):
    patience, meal, pause = 3, 10, 0
    system = System(f"phil_timed_{n}")
    forks = []
    for i in range(n):
        fork = system.process(f"Fork{i}")
        fork.location("Free")
        fork.location("Taken")
        fork.edge("Free", "Taken", f"take{i}")
        fork.edge("Taken", "Free", f"put{i}")
        forks.append(fork)
    for i in range(n):
        left, right = (i + n - 1) % n, i
        x = system.clock(f"x{i}")
        phil = system.process(f"Phil{i}")
        phil.location("Think")
        phil.location("Have_one", invariant=f"{x} <= {patience}")
        phil.location("Eat", invariant=f"{x} <= {meal}")
        phil.location("Put_down", invariant=f"{x} <= {pause}")
        phil.edge("Think", "Have_one", f"take{left}", update=f"{x} = 0")
        phil.edge("Have_one", "Think", f"put{left}", f"{x} >= {patience}")
        phil.edge("Have_one", "Eat", f"take{right}", f"{x} <= {patience}", f"{x} = 0")
        phil.edge("Eat", "Put_down", f"put{right}", f"{x} >= {meal}", f"{x} = 0")
        phil.edge("Put_down", "Think", f"put{left}")
        for side in (left, right):
            system.handshake(phil, f"take{side}", forks[side])
            system.handshake(phil, f"put{side}", forks[side])
    return system


def corsso(n):
    least, most, needs = 2, 10, (1, 2)   # times of a certificate and of access; policies 1 and 2
    system = System(f"corsso_{n}")
    for i in range(1, n + 1):
        x, y = system.clock(f"x{i}"), system.clock(f"y{i}")
        certificates = system.integer(f"certificates{i}", 0, max(needs))
        policy = system.integer(f"policy{i}", 0, len(needs))
        user = system.process(f"User{i}")
        user.location("Sign_on")
        user.location("Access")
        user.edge("Sign_on", "Sign_on",
                  guard=f"{policy} > 0 && {x} > {least} && {certificates} < {max(needs)}",
                  update=f"{certificates} = {certificates} + 1; {x} = 0")
        for number, need in enumerate(needs, start=1):
            user.edge("Sign_on", "Sign_on", guard=f"{policy} == 0",
                      update=f"{policy} = {number}; {certificates} = 0; {x} = 0; {y} = 0")
            user.edge("Sign_on", "Access",
                      guard=f"{policy} == {number} && {y} < {most} && {certificates} >= {need}")
        user.edge("Access", "Sign_on", update=f"{policy} = 0")
    return system


FAMILIES = {"fischer": fischer, "csmacd": csmacd, "fddi": fddi, "critical_region": critical_region,
            "train_gate_ring": train_gate_ring, "corsso": corsso, "phil_timed": phil_timed}


def tchecker_model(family, n):
    return FAMILIES[family](n).text()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
        sys.exit(__doc__ + "\nfamilies: " + " ".join(FAMILIES))
    print(tchecker_model(sys.argv[1], int(sys.argv[2])), end="")
