"""Timed families for generate.py: well-known systems of timed automata, with N components.

The automata, constants and atomic steps are those of the benchmarks that come with TChecker
(Herbreteau, Point and others), so that the numbers of symbolic states can be compared; the
exception is `train_gate_functions`. Synchronisation vectors became handshakes, and locations or
edges that exist there once for each component became a variable, an array of channels or a
`select`. models/README.md has the numbers.
"""

from uppaal_file import Template, model


def one_at_a_time(template, location):
    """Query: two processes of the template are never in the location at once"""
    return (
        f"A[] forall (i : id_t) forall (j : id_t) "
        f"{template}(i).{location} && {template}(j).{location} imply i == j"
    )


def fischer(n):
    """Mutual exclusion by timing (Lamport 1987; Abadi and Lamport 1994)"""
    process = Template("Process", "const id_t id", "clock x;\n")
    process.location("Idle", 0, 0)
    process.location("Request", 20, 0, invariant="x <= K")
    process.location("Wait", 20, 12, label="below")
    process.location("Critical", 0, 12, label="below")
    process.edge("Idle", "Request", guard="turn == 0", update="x = 0")
    process.edge(
        "Request", "Wait", guard="x <= K", update="turn = id, x = 0", nails=[(26, 6)], at=(26.5, 4)
    )
    process.edge(
        "Wait", "Request", guard="turn == 0", update="x = 0", nails=[(14, 6)], at=(8.5, 4)
    )
    process.edge("Wait", "Critical", guard="x > K && turn == id")
    process.edge("Critical", "Idle", update="turn = 0", at=(-5, 5.5))
    return model(
        "// Fischer's protocol: write your number, wait longer than anybody needs to write, and\n"
        "// enter if it is still your number. After Abadi and Lamport (1994), An Old-Fashioned\n"
        "// Recipe for Real Time.\n"
        f"const int N = {n};\n"
        "const int K = 10;   // longest time to write; who waits waits longer\n"
        "typedef int[1,N] id_t;\n\n"
        "int[0,N] turn;      // 0: nobody\n",
        [process],
        "system Process;\n",
        [
            (one_at_a_time("Process", "Critical"), "At most one process is inside."),
            ("E<> Process(1).Critical", "The first process gets in."),
            ("A[] not deadlock", "Some process can always go on."),
        ],
    )


def csmacd(n):
    """Carrier sense with collision detection (Tripakis and Yovine 2001)"""
    bus = Template("Bus", "", "clock y;\nint[0,N] told;   // stations that know of the collision\n")
    bus.location("Idle", 0, 0, label="left")
    bus.location("Active", 24, 0, label=(8, -34))
    bus.location("Collision", 24, 12, label="right", invariant="y < SIGMA")
    bus.location("Jam", 0, 12, "committed", label="below")
    bus.edge("Idle", "Active", sync="begin?", update="y = 0")
    bus.edge(
        "Active", "Collision", guard="y < SIGMA", sync="begin?", update="y = 0", at=(24.5, 5)
    )
    bus.edge("Active", "Active", guard="y >= SIGMA", sync="busy!", nails=[(34, -2), (34, 2)])
    bus.edge("Active", "Idle", sync="end?", update="y = 0", nails=[(24, -7), (0, -7)])
    bus.edge("Collision", "Jam", guard="y < SIGMA", update="told = 0")
    bus.edge(
        "Jam",
        "Jam",
        guard="told < N",
        sync="cd[told]!",
        update="told++",
        nails=[(-4, 18), (4, 18)],
        at=(-4, 18.5),
    )
    bus.edge(
        "Jam",
        "Idle",
        guard="told == N && y < SIGMA",
        update="y = 0, told = 0",
        at=(-16, 5),
    )
    station = Template("Station", "const id_t id", "clock x;\n")
    station.location("Wait", 0, 0, label="left")
    station.location("Send", 26, 0, label="right", invariant="x <= LAMBDA")
    station.location("Retry", 13, 16, label="right", invariant="x < 2 * SIGMA")
    station.edge("Wait", "Send", sync="begin!", update="x = 0")
    station.edge("Wait", "Retry", sync="busy?", update="x = 0", at=(7.5, 6))
    station.edge("Wait", "Wait", sync="cd[id]?", update="x = 0", nails=[(-4, -6), (4, -6)])
    station.edge("Wait", "Retry", sync="cd[id]?", update="x = 0", nails=[(0, 12)], at=(-5, 8))
    station.edge(
        "Send", "Wait", guard="x == LAMBDA", sync="end!", update="x = 0", nails=[(26, -9), (0, -9)]
    )
    station.edge(
        "Send",
        "Retry",
        guard="x < SIGMA",
        sync="cd[id]?",
        update="x = 0",
        nails=[(26, 12)],
        at=(26.5, 8),
    )
    station.edge(
        "Retry", "Send", guard="x < 2 * SIGMA", sync="begin!", update="x = 0", at=(19.5, 6)
    )
    station.edge(
        "Retry",
        "Retry",
        guard="x < 2 * SIGMA",
        sync="busy?",
        update="x = 0",
        nails=[(2, 17), (2, 21)],
        at=(-7, 17.5),
    )
    station.edge(
        "Retry",
        "Retry",
        guard="x < 2 * SIGMA",
        sync="cd[id]?",
        update="x = 0",
        nails=[(15, 23), (20, 21)],
        at=(20.5, 20),
    )
    return model(
        "// Stations share a bus; two that begin at nearly the same time collide, are told so and\n"
        "// try again. After Tripakis and Yovine (2001), Analysis of Timed Systems Using\n"
        "// Time-Abstracting Bisimulations.\n"
        f"const int N = {n};\n"
        "const int LAMBDA = 808;   // time to send a message\n"
        "const int SIGMA = 26;     // time a signal takes from one end to the other\n"
        "typedef int[0,N-1] id_t;\n\n"
        "chan begin, end, busy;\n"
        "chan cd[N];               // collision detected\n",
        [bus, station],
        "system Bus, Station;\n",
        [
            ("E<> Bus.Collision", "Messages can collide."),
            (
                "A[] forall (i : id_t) forall (j : id_t) Station(i).Send && "
                "Station(j).Send && Station(i).x >= 2 * SIGMA imply i == j",
                "A station that has sent for twice the signal time is alone.",
            ),
        ],
    )


def fddi(n):
    """Token ring with a rotation timer, FDDI (Daws, Olivero, Tripakis and Yovine 1996)"""
    station = Template(
        "Station",
        "const id_t id",
        "clock trt;    // since the token last came\n"
        "clock even;   // since the token came in an even round\n"
        "clock odd;    // and in an odd one\n",
    )
    # name, place, clock of the round before, clock of this one
    rounds = (("0", 0, "odd", "even"), ("1", 34, "even", "odd"))
    for number, x, *_ in rounds:
        station.location("Wait" + number, x, 0, label="left" if x == 0 else "above")
    for number, x, other, _ in rounds:
        station.location("Late" + number, x + 18, 0, label="below", invariant="trt <= SA")
        station.location("Early" + number, x, 12, label="left", invariant="trt <= SA")
        limit = f"{other} <= TTRT + SA"
        station.location("Extra" + number, x + 18, 12, label="below", invariant=limit)
    for number, x, _, own in rounds:
        following = "Wait1" if number == "0" else "Wait0"
        reset = f"trt = 0, {own} = 0"
        station.edge("Wait" + number, "Late" + number, "trt >= TTRT", "take[id]?", reset)
        station.edge("Wait" + number, "Early" + number, "trt < TTRT", "take[id]?", reset)
        station.edge("Early" + number, "Extra" + number, guard="trt == SA")
        back = [(52, -9), (0, -9)] if number == "1" else []
        station.edge("Late" + number, following, "trt == SA", "give[id]!", nails=back)
        back = [(58, 12), (58, -12), (-4, -12)] if number == "1" else []
        station.edge("Extra" + number, following, sync="give[id]!", nails=back)
    ring = Template("Ring", "", "clock t;\nid_t at;   // who has the token, or gets it next\n")
    ring.location("Pass", 0, 0, invariant="t <= TD")
    ring.location("Held", 20, 0)
    ring.edge("Pass", "Held", guard="t == TD", sync="take[at]!")
    ring.edge(
        "Held", "Pass", sync="give[at]?", update="t = 0, at = (at + 1) % N", nails=[(20, 7), (0, 7)]
    )
    return model(
        "// A token goes round. Who has it sends urgent messages for a fixed time, and others as\n"
        "// well if the token came early. After Daws, Olivero, Tripakis and Yovine (1996), The\n"
        "// Tool KRONOS.\n"
        f"const int N = {n};\n"
        "const int TTRT = 50 * N;   // time the token should take for a round\n"
        "const int SA = 20;         // time for urgent messages\n"
        "const int TD = 0;          // time to pass the token on\n"
        "typedef int[0,N-1] id_t;\n\n"
        "chan take[N], give[N];\n",
        [station, ring],
        "system Station, Ring;\n",
        [
            ("E<> Station(0).Extra1", "There can be time for less urgent messages."),
            (
                "A[] Station(0).Wait0 imply Station(0).trt <= 2 * TTRT",
                "The token comes back within twice the time it should take.",
            ),
        ],
    )


def critical_region(n):
    """Cells that ask arbiters for a critical region (Morbe, Pigorsch and Scholl 2011)"""
    counter = Template("Counter")
    counter.location("Start", 0, 0)
    counter.location("Count", 18, 0)
    counter.edge("Start", "Count", guard="turn == 0", update="turn = 1")
    counter.edge("Count", "Count", "turn < N", "", "turn++", nails=[(14, 6), (22, 6)], at=(14, 6.5))
    counter.edge("Count", "Count", "turn == N", update="turn = 1", nails=[(28, -2), (28, 2)])
    arbiter = Template("Arbiter", "const id_t id")
    arbiter.location("Ask", 0, 0)
    arbiter.location("Grant", 20, 0)
    arbiter.edge("Ask", "Grant", guard="turn == id", sync="enter[id]!", update="turn = 0")
    arbiter.edge("Grant", "Ask", sync="leave[id]?", update="turn = id", nails=[(20, 7), (0, 7)])
    cell = Template("Cell", "const id_t id", "clock x;\n")
    cell.location("Not_ready", 0, 0)
    cell.location("Test", 22, 0, invariant="x <= T")
    cell.location("Ask", 44, 0)
    cell.location("Critical", 44, 12, label="right", invariant="x <= 2 * T")
    cell.location("Test_again", 22, 12, label="below", invariant="x <= T")
    cell.location("Safe", 0, 12, label="below")
    cell.location("Error", 44, 22, label="right")
    cell.edge("Not_ready", "Test", guard="x <= 2 * T", update="x = 0")
    cell.edge("Test", "Not_ready", guard="x >= T", update="x = 0", nails=[(22, 6), (0, 6)])
    cell.edge("Test", "Ask", guard="x <= T - 1")
    cell.edge("Ask", "Critical", sync="enter[id]?", update="x = 0", at=(44.5, 5))
    cell.edge("Critical", "Error", guard="x >= 2 * T")
    cell.edge("Critical", "Test_again", guard="x <= T - 1", sync="leave[id]!", update="x = 0")
    cell.edge("Test_again", "Error", guard="x >= T", nails=[(22, 22)], at=(28, 20.5))
    cell.edge("Test_again", "Safe", guard="x <= T - 1")
    return model(
        "// Production cells enter a critical region when it is their turn, must leave it early\n"
        "// and test once more. Too long a wait is an error, which can happen. After Morbe,\n"
        "// Pigorsch and Scholl (2011), Fully Symbolic Model Checking for Timed Automata.\n"
        f"const int N = {n};\n"
        "const int T = 10;\n"
        "typedef int[1,N] id_t;\n\n"
        "int[0,N] turn;   // who may enter; 0: somebody is inside, or nothing has begun\n"
        "chan enter[id_t], leave[id_t];\n",
        [counter, arbiter, cell],
        "system Counter, Arbiter, Cell;\n",
        [
            ("E<> Cell(1).Safe", "A cell can get through."),
            ("E<> Cell(1).Error", "A cell can be too slow."),
        ],
    )


def timed_train():
    train = Template("Train", "const id_t id", "clock x;\n")
    train.location("Safe", 0, 0)
    train.location("Appr", 0, 10, label="left", invariant="x <= 20")
    train.location("Stop", 18, 10, label="right")
    train.location("Start", 18, 20, label="right", invariant="x <= 15")
    train.location("Cross", 0, 20, label="below", invariant="x <= 5")
    train.edge("Safe", "Appr", sync="appr[id]!", update="x = 0", at=(0.5, 4))
    train.edge("Appr", "Cross", guard="x >= 10", update="x = 0", at=(0.5, 14))
    train.edge("Appr", "Stop", guard="x <= 10", sync="stop[id]?")
    train.edge("Stop", "Start", sync="go[id]?", update="x = 0")
    train.edge("Start", "Cross", guard="x >= 7", update="x = 0")
    train.edge(
        "Cross",
        "Safe",
        guard="x >= 3",
        sync="leave[id]!",
        nails=[(-10, 20), (-10, 0)],
        at=(-15, 9),
    )
    return train


def timed_gate(declaration):
    gate = Template("Gate", "", declaration)
    gate.location("Free", 0, 0)
    gate.location("Occ", 0, 12, label="left")
    gate.location("Stopping", 0, 20, "committed", label="below")
    gate.edge("Free", "Occ", guard="len > 0", sync="go[front()]!", nails=[(-6, 6)], at=(-13, 4))
    gate.edge(
        "Free",
        "Occ",
        select="e : id_t",
        guard="len == 0",
        sync="appr[e]?",
        update="enqueue(e)",
        at=(0.5, 4),
    )
    gate.edge(
        "Occ", "Stopping", select="e : id_t", sync="appr[e]?", update="enqueue(e)", at=(0.5, 14)
    )
    gate.edge("Stopping", "Occ", sync="stop[tail()]!", nails=[(-6, 16)], at=(-13, 15.5))
    gate.edge(
        "Occ",
        "Free",
        select="e : id_t",
        guard="e == front()",
        sync="leave[e]?",
        update="dequeue()",
        nails=[(20, 12), (20, 0)],
        at=(20.5, 4),
    )
    return gate


def timed_train_gate(n, go, queue):
    return model(
        "// Trains share one track over a bridge. The gate stops a train in time if the track is\n"
        "// taken, and lets the waiting ones go in order. After Yi, Pettersson and Daniels\n"
        "// (1994), Automatic Verification of Real-Time Communicating Systems by\n"
        "// Constraint-Solving.\n"
        f"const int N = {n};\n"
        "typedef int[0,N-1] id_t;\n\n"
        f"chan appr[id_t], stop[id_t], leave[id_t];\n{go}chan go[id_t];\n",
        [timed_train(), timed_gate(queue)],
        "system Train, Gate;\n",
        [
            (one_at_a_time("Train", "Cross"), "At most one train is on the bridge."),
            (
                "E<> Train(0).Cross && (forall (i : id_t) i != 0 imply Train(i).Stop)",
                "One train crosses while all others wait.",
            ),
            ("A[] not deadlock", "The system never gets stuck."),
        ],
    )


def train_gate_ring(n):
    """Timed train gate, queue in a ring buffer that keeps old entries, no urgent channel"""
    return timed_train_gate(
        n,
        "",
        "// A ring: what has left the queue stays in its place until that is written again.\n"
        "id_t ring[N];\n"
        "id_t head;\n"
        "int[0,N] len;\n\n"
        "void enqueue(const id_t train)\n"
        "{\n"
        "    ring[(head + len) % N] = train;\n"
        "    len++;\n"
        "}\n\n"
        "void dequeue()\n"
        "{\n"
        "    head = (head + 1) % N;\n"
        "    len--;\n"
        "}\n\n"
        "id_t front()\n"
        "{\n"
        "    return ring[head];\n"
        "}\n\n"
        "id_t tail()\n"
        "{\n"
        "    return ring[(head + len - 1) % N];\n"
        "}\n",
    )


def train_gate_functions(n):
    """Timed train gate, queue in functions, urgent go: models/train_gate_functions"""
    return timed_train_gate(
        n,
        "urgent ",
        "// Trains on the track or waiting for it, in order of arrival; unused places hold 0.\n"
        "id_t list[N];\n"
        "int[0,N] len;\n\n"
        "void enqueue(const id_t train)\n"
        "{\n"
        "    list[len] = train;\n"
        "    len++;\n"
        "}\n\n"
        "void dequeue()\n"
        "{\n"
        "    int i;\n"
        "    for (i = 1; i < len; i++)\n"
        "        list[i - 1] = list[i];\n"
        "    len--;\n"
        "    list[len] = 0;\n"
        "}\n\n"
        "id_t front()\n"
        "{\n"
        "    return list[0];\n"
        "}\n\n"
        "id_t tail()\n"
        "{\n"
        "    return list[len - 1];\n"
        "}\n",
    )


def phil_timed(n):
    """Dining philosophers who give up after a time (Lugiez, Niebert and Zennou 2005)"""
    phil = Template(
        "Phil",
        "const id_t id",
        "const int left = (id + N - 1) % N;\nconst int right = id;\nclock x;\n",
    )
    phil.location("Think", 0, 0, label="left")
    phil.location("Have_one", 24, 0, label="right", invariant="x <= PATIENCE")
    phil.location("Eat", 24, 12, label="below", invariant="x <= MEAL")
    phil.location("Put_down", 0, 12, label="below", invariant="x <= PAUSE")
    phil.edge("Think", "Have_one", sync="take[left]!", update="x = 0")
    phil.edge(
        "Have_one", "Think", guard="x >= PATIENCE", sync="put[left]!", nails=[(24, -7), (0, -7)]
    )
    phil.edge("Have_one", "Eat", "x <= PATIENCE", "take[right]!", "x = 0", at=(24.5, 4.5))
    phil.edge("Eat", "Put_down", guard="x >= MEAL", sync="put[right]!", update="x = 0")
    phil.edge("Put_down", "Think", sync="put[left]!", at=(-6, 5.5))
    fork = Template("Fork", "const id_t id")
    fork.location("Free", 0, 0)
    fork.location("Taken", 14, 0)
    fork.edge("Free", "Taken", sync="take[id]?")
    fork.edge("Taken", "Free", sync="put[id]?", nails=[(14, 6), (0, 6)])
    return model(
        "// A philosopher who does not get the second fork in time puts the first one back. After\n"
        "// Lugiez, Niebert and Zennou (2005), A Partial Order Semantics Approach to the Clock\n"
        "// Explosion Problem of Timed Automata.\n"
        f"const int N = {n};\n"
        "const int PATIENCE = 3;\n"
        "const int MEAL = 10;\n"
        "const int PAUSE = 0;   // between putting down one fork and the other\n"
        "typedef int[0,N-1] id_t;\n\n"
        "chan take[N], put[N];\n",
        [phil, fork],
        "system Phil, Fork;\n",
        [
            ("E<> Phil(0).Eat", "The first philosopher eats."),
            ("A[] !(Phil(0).Eat && Phil(1).Eat)", "Neighbours never eat at the same time."),
            ("A[] not deadlock", "They do not starve together."),
        ],
    )


def corsso(n):
    """Single sign-on with certificates that expire, CorSSO (Yu and Wang 2006)"""
    user = Template(
        "User",
        "const id_t id",
        "clock x;                   // since the last certificate\n"
        "clock y;                   // since the policy was chosen\n"
        "int[0,MOST] certificates;\n"
        "int[0,POLICIES] policy;    // 0: none chosen\n",
    )
    user.location("Sign_on", 0, 0, label="left")
    user.location("Access", 34, 0)
    user.edge(
        "Sign_on",
        "Sign_on",
        guard="policy > 0 && x > TA && certificates < MOST",
        update="certificates++, x = 0",
        nails=[(-6, -7), (6, -7)],
        at=(-6, -9.5),
    )
    user.edge(
        "Sign_on",
        "Sign_on",
        select="p : int[1,POLICIES]",
        guard="policy == 0",
        update="policy = p, certificates = 0, x = 0, y = 0",
        nails=[(-6, 7), (6, 7)],
        at=(-6, 7.5),
    )
    user.edge(
        "Sign_on",
        "Access",
        guard="policy > 0 && y < TE && certificates >= need[policy]",
    )
    user.edge("Access", "Sign_on", update="policy = 0", nails=[(34, 4), (4, 4)])
    return model(
        "// To get access, a user chooses a policy and collects as many certificates as it asks\n"
        "// for, one by one, before the time is over. After Yu and Wang (2006), SAT-Based Model\n"
        "// Checking for Region Automata.\n"
        f"const int N = {n};\n"
        "const int TA = 2;          // a certificate takes longer than this\n"
        "const int TE = 10;         // access must come before this\n"
        "const int POLICIES = 2;\n"
        "const int need[POLICIES + 1] = {0, 1, 2};\n"
        "const int MOST = 2;        // the greatest need\n"
        "typedef int[1,N] id_t;\n",
        [user],
        "system User;\n",
        [
            ("E<> forall (i : id_t) User(i).Access", "All users can have access at once."),
            ("A[] User(1).Access imply User(1).certificates > 0", "Nobody gets in without."),
        ],
    )
