"""Solvers in containers, as programs and embedded: answers, limits, and bad manners."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import workers
from docker.errors import NotFound
from outside import NOWHERE, outside
from running import (
    DECIDING,
    HERE_OR_THERE,
    PLACES,
    RUNTIMES,
    SOLVERS,
    boardsat,
    children,
    containers,
    finish,
    instance,
    is_alive,
    is_running,
    misbehaving,
    need,
    nothing_left,
    script,
    start,
    until,
)

from boardsat.adapters import runtimes, solvers
from boardsat.adapters.answer import Answer, End, Status
from boardsat.adapters.calling import solve
from boardsat.adapters.dimacs.check import first_false_clause
from boardsat.adapters.errors import AdapterError, WrongAnswerError
from boardsat.adapters.runtimes import Limits, Outcome, Task, choose, container, native, runtime
from boardsat.adapters.solvers import Solver
from boardsat.problem import open_problem
from boardsat.solving.asking import SolveRequest
from boardsat.solving.checking import examine

FORMULAS = Path(__file__).parent / "recorded"
SAT, UNSAT, HARD = (str(FORMULAS / f"{name}.cnf") for name in ("sat", "unsat", "limit"))

# Every engine run takes most of a second, so by default one solver stands for all of them.
LIMITED = [
    pytest.param(*place.values, id=place.id, marks=[*place.marks, *([pytest.mark.slow] * slow)])
    for place in PLACES
    for slow in [place.values[1] == "docker" and place.values[0] is not DECIDING[0]]
]


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    with nothing_left():
        yield


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A formula that does not fit into little memory."""
    return instance(tmp_path_factory.mktemp("large"), "tour/unary", n=11)


def answer(solver: Solver, where: str, file: str, limits: Limits | None = None) -> Answer:
    return solve(solver, where, Task(file, limits or Limits()), open_problem(file).variables)


# The same cases everywhere.


@pytest.mark.parametrize(("solver", "where"), PLACES)
def test_sat_and_unsat(solver: Solver, where: str) -> None:
    need(solver, where)
    found = answer(solver, where, SAT)
    assert (found.status, found.end, found.exit_code) == (Status.SATISFIABLE, End.FINISHED, 10)
    assert found.model is not None and first_false_clause(SAT, found.model) is None
    assert found.usage.wall > 0 and found.usage.cpu is not None
    assert (found.solver, found.runtime, found.reason) == (solver.name, where, "")
    found = answer(solver, where, UNSAT)
    assert (found.status, found.end, found.exit_code) == (Status.UNSATISFIABLE, End.FINISHED, 20)
    assert found.model is None


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_wall_limit(solver: Solver, where: str) -> None:
    need(solver, where)
    found = answer(solver, where, HARD, Limits(wall=0.5))
    assert (found.status, found.end, found.reason) == (Status.UNKNOWN, End.TIME, "time limit")
    assert found.usage.wall >= 0.5
    assert found.model is None


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_cpu_limit(solver: Solver, where: str) -> None:
    need(solver, where)
    found = answer(solver, where, HARD, Limits(wall=100, cpu=0.4))
    assert (found.status, found.end, found.reason) == (Status.UNKNOWN, End.CPU, "CPU limit")
    assert found.usage.cpu is not None and found.usage.cpu > 0.2
    assert found.usage.memory is not None and found.usage.memory > 2**20


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_memory_limit(solver: Solver, where: str, large: str) -> None:
    need(solver, where)
    found = answer(solver, where, large, Limits(wall=100, memory=20 * 2**20))
    assert (found.status, found.end, found.reason) == (Status.UNKNOWN, End.MEMORY, "memory limit")


@pytest.mark.parametrize(("solver", "where"), PLACES)
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("p cnf 0 0\n", Status.SATISFIABLE),
        ("p cnf 3 0\n", Status.SATISFIABLE),
        ("p cnf 0 1\n0\n", Status.UNSATISFIABLE),
        ("p cnf 9 1\n-2 0\n", Status.SATISFIABLE),
    ],
    ids=["empty", "free", "false", "unmentioned"],
)
@pytest.mark.slow
def test_formulas_of_nearly_nothing(
    solver: Solver, where: str, text: str, status: Status, tmp_path: Path
) -> None:
    need(solver, where)
    file = tmp_path / "tiny.cnf"
    file.write_text(text)
    found = answer(solver, where, str(file))
    assert found.status is status
    if status is Status.SATISFIABLE:
        assert found.model is not None and first_false_clause(str(file), found.model) is None


@pytest.mark.parametrize(("solver", "where"), PLACES)
@pytest.mark.slow
def test_seeds_are_accepted(solver: Solver, where: str) -> None:
    need(solver, where)
    for seed in (0, 1, 10**9):
        found = solve(solver, where, Task(SAT, seed=seed), open_problem(SAT).variables)
        assert found.status is Status.SATISFIABLE
        assert found.model is not None and first_false_clause(SAT, found.model) is None


@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_a_seed_changes_the_search_and_the_same_seed_repeats_it(where: str, tmp_path: Path) -> None:
    solver = solvers.load("minisat")
    need(solver, where)
    file = instance(tmp_path, "queens", n=12)

    def model(seed: int) -> bytes:
        found = solve(solver, where, Task(file, seed=seed), open_problem(file).variables)
        assert found.model is not None and first_false_clause(file, found.model) is None
        return found.model.tobytes()

    models = {seed: model(seed) for seed in range(6)}
    assert len(set(models.values())) > 1
    assert model(3) == models[3]


@pytest.mark.parametrize("where", RUNTIMES)
def test_a_solver_with_a_fault_in_its_file_name(where: str, tmp_path: Path) -> None:
    solver = solvers.load("cadical")
    need(solver, where)
    file = tmp_path / "-q; $(rm) '\" {{ x }}.cnf"
    shutil.copy(SAT, file)
    assert answer(solver, where, str(file)).status is Status.SATISFIABLE


@pytest.mark.parametrize("where", RUNTIMES)
def test_every_solver_tells_its_version_or_why_it_cannot_run(where: str) -> None:
    for solver in SOLVERS:
        reason = runtime(where).available(solver)
        assert reason or runtime(where).version(solver)


# Bad manners: in the image that has them all, and the same as scripts.

SCRIPTS = {
    "sleeps": "trap '' TERM; while :; do sleep 0.1; done",
    "eats": f"exec {shlex.quote(sys.executable)} -c 'x = [1]\nwhile x: x = x + x'",
    "segfaults": "kill -SEGV $$",
    "aborts": "kill -ABRT $$",
    "fails": "echo c begun; echo oh no >&2; exit 3",
    "babbles": "head -c 4096 /dev/urandom; printf '\\ns MAYBE\\nv one two 0\\n'; exit 10",
    "floods": "exec yes 'c nothing to see here'",
    "lies": "echo s SATISFIABLE; echo v 0; exit 10",
    "contradicts": "echo s UNSATISFIABLE; exit 10",
    "wavers": "printf 's SATISFIABLE\\nv 1 0\\ns UNSATISFIABLE\\n'; exit 20",
    "stops": "printf 's SATISFIABLE\\nv 1 2 '; exit 10",
    "idles": "exit 0",
}


@pytest.fixture(params=[pytest.param("docker", marks=outside), "native"])
def where(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "docker":
        need(misbehaving("idles"), name)
    return name


def bad(how: str, where: str, limits: Limits | None = None) -> Answer:
    solver = misbehaving(how) if where == "docker" else script(SCRIPTS[how])
    return answer(solver, where, SAT, limits)


def test_one_that_ignores_term_is_killed(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, container):
        monkeypatch.setattr(module, "GRACE", 0.3)
    found = bad("sleeps", where, Limits(wall=1))
    assert (found.status, found.end, found.exit_code) == (Status.UNKNOWN, End.TIME, -9)


def test_one_that_eats_memory_is_stopped(where: str) -> None:
    found = bad("eats", where, Limits(wall=100, memory=100 * 2**20))
    assert (found.status, found.end) == (Status.UNKNOWN, End.MEMORY)


def test_one_that_floods_is_stopped(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "OUTPUT_BYTES", 2**20)
    found = bad("floods", where, Limits(wall=100))
    assert (found.status, found.end, found.reason) == (Status.UNKNOWN, End.OUTPUT, "output limit")


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("babbles", "states 'MAYBE'"),
        ("contradicts", "contradicts itself: it says UNSATISFIABLE with exit code 10"),
        ("wavers", "states two different answers"),
        ("stops", "ends without its 0: s SATISFIABLE | v 1 2"),
    ],
)
def test_nonsense_is_one_line(how: str, complaint: str, where: str) -> None:
    with pytest.raises(AdapterError) as error:
        bad(how, where)
    assert complaint in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("how", "end", "code", "reason"),
    [
        ("segfaults", End.SIGNAL, -11, "killed by a signal, 11 Segmentation fault: "),
        ("aborts", End.SIGNAL, -6, "killed by a signal, 6 Aborted: "),
        ("fails", End.CRASH, 3, "crash, exit code 3: oh no"),
    ],
)
def test_a_crash_is_unknown_with_its_reason(
    how: str, end: End, code: int, reason: str, where: str
) -> None:
    found = bad(how, where)
    assert (found.status, found.end, found.exit_code) == (Status.UNKNOWN, end, code)
    assert found.reason.startswith(reason) and found.reason.isprintable()
    assert found.usage.wall > 0


def test_a_wrong_model_is_found_out(where: str) -> None:
    found = bad("lies", where)
    assert found.status is Status.SATISFIABLE
    with pytest.raises(WrongAnswerError, match="WRONG MODEL from"):
        examine(open_problem(SAT), found, SolveRequest("liar"))


def test_silence_is_no_answer(where: str) -> None:
    found = bad("idles", where)
    assert (found.status, found.end) == (Status.UNKNOWN, End.FINISHED)
    assert found.reason == "the solver gave up"


@outside
def test_a_fork_bomb_is_stopped() -> None:
    bomb = misbehaving("forks")
    need(bomb, "docker")
    found = answer(bomb, "docker", SAT, Limits(wall=1))
    assert (found.status, found.end) == (Status.UNKNOWN, End.TIME)


@outside
def test_a_container_has_only_so_many_processes() -> None:
    outcome = inside("for i in $(seq 100); do sleep 1000 & done", Task(SAT, Limits(wall=60)))
    assert outcome.end is End.FINISHED and outcome.exit_code != 0
    assert "Cannot fork" in outcome.errors.tail()


def test_children_of_a_program_end_with_it() -> None:
    many = script("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & echo c $!; done; exit 0")
    outcome = native.run(many, Task(SAT))
    pids = [int(pid) for pid in re.findall(rb"c (\d+)", b"".join(outcome.output.pieces()))]
    assert len(pids) == 9
    until(lambda: not any(map(is_alive, pids)))


@outside
def test_a_huge_file_in_a_container_is_refused() -> None:
    filler = misbehaving("fills")
    need(filler, "docker")
    found = answer(filler, "docker", SAT, Limits(wall=60))
    assert found.end is End.CRASH and "No space left" in found.reason


def test_a_huge_file_of_a_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "LARGEST_FILE", 2**20)
    filler = script(f"exec cat /dev/zero > {shlex.quote(str(tmp_path / 'filled'))}")
    found = answer(filler, "native", SAT, Limits(wall=60))
    assert (found.end, found.exit_code) == (End.SIGNAL, -signal.SIGXFSZ)
    assert (tmp_path / "filled").stat().st_size == 2**20


def test_a_program_that_is_not_there_is_one_line() -> None:
    missing = replace(script(""), program="no-such-program", command="{{ program }} {{ file }}")
    with pytest.raises(AdapterError, match=r"not on PATH\); install the program no-such-program"):
        choose(missing, "native")
    with pytest.raises(AdapterError, match="no-such-program does not start: No such file"):
        native.run(missing, Task(SAT))


# Confinement.


def inside(words: str, task: Task) -> Outcome:
    """A command in the container of a solver."""
    solver = solvers.load("cadical")
    need(solver, "docker")
    shell = replace(solver, program="sh", command=f"{{{{ program }}}} -c {shlex.quote(words)}")
    return container.run(shell, task)


@outside
def test_a_container_is_confined() -> None:
    """As the engine was told, for a run that is under way."""
    need(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--memory", 100, "--timeout", 60)
    try:
        until(lambda: [c for c in containers(run.pid) if is_running(c)])
        (identifier,) = containers(run.pid)
        about = container._client().api.inspect_container(identifier)
    finally:
        run.send_signal(signal.SIGINT)
        finish(run)
    host = about["HostConfig"]
    limits = {u["Name"]: (u["Soft"], u["Hard"]) for u in host["Ulimits"]}
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert re.search(r"size=\d+m", host["Tmpfs"]["/tmp"])
    assert host["CapDrop"] == ["ALL"] and not host["CapAdd"] and not host["Privileged"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["Memory"] == host["MemorySwap"] == 100 * 2**20
    assert host["PidsLimit"] == container.PROCESSES
    assert re.fullmatch(r"\d+", host["CpusetCpus"])
    assert limits == {"core": (0, 0), "fsize": (runtimes.LARGEST_FILE,) * 2}
    assert host["LogConfig"]["Type"] == "none"
    assert host["Init"] is True and host["AutoRemove"] is False
    assert host["Binds"] == [container.WORK] and not host["Devices"]
    assert about["Config"]["User"] == f"{container.USER}:{container.USER}"
    assert container.LABEL in about["Config"]["Labels"]
    (volume,) = about["Mounts"]
    with pytest.raises(NotFound):
        container._client().api.inspect_volume(volume["Name"])


@outside
def test_a_container_feels_confined() -> None:
    """The same from within."""
    outcome = inside(
        "id -u; id -g; grep -E '^(CapEff|CapBnd|NoNewPrivs):' /proc/self/status; nproc;"
        "ls /sys/class/net; for f in / /usr/bin /job /job/formula.cnf; do"
        " test -w $f && echo writes $f; done; df -m /tmp | tail -1; ulimit -f; exit 0",
        Task(SAT),
    )
    lines = b"".join(outcome.output.pieces()).decode().split("\n")
    assert lines[:2] == [str(container.USER)] * 2
    status = dict(line.split(":\t") for line in lines[2:5])
    assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert lines[5] == "1"
    assert lines[6] == "lo"
    assert lines[7].startswith("tmpfs") and lines[7].split()[1] == "64"
    assert lines[8].isdigit()


@outside
def test_a_solver_is_asked_to_stop_and_its_usage_is_kept() -> None:
    """TERM reaches the solver itself, which may then end in its own way."""
    outcome = inside(
        "trap 'echo c asked; exit 3' TERM; while :; do :; done", Task(SAT, Limits(wall=1))
    )
    assert (outcome.end, outcome.exit_code) == (End.TIME, 3)
    assert b"".join(outcome.output.pieces()) == b"c asked\n"
    assert outcome.errors.size == 0
    assert outcome.usage.cpu is not None and outcome.usage.cpu > 0
    assert outcome.usage.memory is not None


@outside
def test_standard_error_is_kept_apart() -> None:
    outcome = inside("echo s UNKNOWN; echo oh >&2", Task(SAT))
    assert b"".join(outcome.output.pieces()) == b"s UNKNOWN\n"
    assert b"".join(outcome.errors.pieces()) == b"oh\n"


# Ends that nobody planned.


@outside
@pytest.mark.slow
def test_after_two_hundred_runs_nothing_is_left() -> None:
    """All solvers in turn, and every way to end."""
    ways = ("idles", "segfaults", "fails", "babbles", "lies", "stops")
    runs = [*DECIDING, *(misbehaving(how) for how in ways)]
    before = set(everything_in_the_engine())
    for k in range(200):
        solver = runs[k % len(runs)]
        need(solver, "docker")
        with suppress(AdapterError):
            answer(solver, "docker", (SAT, UNSAT)[k // len(runs) % 2])
    assert set(everything_in_the_engine()) <= before


def everything_in_the_engine() -> Iterator[str]:
    """Its containers and volumes."""
    api = container._client().api
    yield from (each["Id"] for each in api.containers(all=True))
    yield from (each["Name"] for each in api.volumes()["Volumes"] or ())


def under_way(where: str) -> tuple[subprocess.Popen[str], list[int], list[str]]:
    """A run of the tool, its children and its containers, once the solver works."""
    need(solvers.load("cadical"), where)
    run = start("solve", HARD, "--runtime", where, "--timeout", 100)
    if where == "docker":
        until(lambda: [c for c in containers(run.pid) if is_running(c)])
        return run, [], containers(run.pid)
    until(lambda: children(run.pid))
    return run, children(run.pid), []


def folders_of(pid: int) -> list[Path]:
    """The temporary folders of a run."""
    return list(Path(tempfile.gettempdir()).glob(f"boardsat.*.{pid}.*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda s: s.name)
@pytest.mark.parametrize("where", RUNTIMES)
def test_an_interrupt_leaves_nothing(where: str, number: signal.Signals) -> None:
    run, pids, _ = under_way(where)
    run.send_signal(number)
    said = finish(run)
    assert said.code == 130
    assert said.one_line().startswith("boardsat: interrupted; ")
    assert not any(map(is_alive, pids)) and not folders_of(run.pid)
    if where == "docker":
        assert containers(run.pid) == []


@outside
@pytest.mark.slow
@pytest.mark.parametrize("tenths", range(2, 20))
def test_an_interrupt_at_any_time_leaves_no_container(tenths: int) -> None:
    need(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--timeout", 5)
    time.sleep(tenths / 10)
    run.send_signal(signal.SIGINT)
    assert finish(run).code in (130, -signal.SIGINT)
    assert containers(run.pid) == []


@pytest.fixture
def only_cleaner() -> Iterator[None]:
    """No other test removes what killed runs left while this one looks at it."""
    with workers.alone("clean"):
        yield


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_what_a_killed_run_leaves_is_cleaned_and_no_more() -> None:
    killed, _, left = under_way("docker")
    alive, _, kept = under_way("docker")
    volume = container._client().api.inspect_container(left[0])["Mounts"][0]["Name"]
    killed.kill()
    finish(killed)
    assert containers(killed.pid) == left and folders_of(killed.pid)
    said = finish(start("clean"))
    assert said.code == 0
    assert re.fullmatch(r"removed: containers [1-9]\d*, folders [1-9]\d*\n", said.out)
    assert not folders_of(killed.pid)
    assert folders_of(alive.pid)
    assert containers(killed.pid) == []
    assert is_running(kept[0])
    with pytest.raises(NotFound):
        container._client().api.inspect_volume(volume)
    alive.send_signal(signal.SIGINT)
    finish(alive)
    assert containers(alive.pid) == []


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_cleaners_side_by_side_do_not_mind_each_other() -> None:
    killed, _, _ = under_way("docker")
    killed.kill()
    finish(killed)
    cleaners = [start("clean") for _ in range(4)]
    assert [finish(each).code for each in cleaners] == [0] * 4
    assert containers(killed.pid) == []


@pytest.mark.usefixtures("only_cleaner")
@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_a_killed_run_takes_its_solver_with_it(where: str) -> None:
    run, pids, _ = under_way(where)
    run.kill()
    finish(run)
    until(lambda: not any(map(is_alive, pids)))
    assert folders_of(run.pid)
    boardsat("clean")
    assert not folders_of(run.pid)


DEAD = {"DOCKER_HOST": NOWHERE}


def test_a_dead_engine_is_one_line() -> None:
    said = finish(start("solve", SAT, "--runtime", "docker", **DEAD))
    assert said.code == 2
    assert "cadical cannot run here (docker: no engine)" in said.one_line()


def test_without_an_engine_another_runtime_is_chosen() -> None:
    said = finish(start("solve", SAT, **DEAD))
    assert said.code == 10
    assert re.search(r"native|embedded", said.out)


@outside
def test_an_image_that_is_not_there_is_one_line() -> None:
    solver = solvers.load("cadical")
    need(solver, "docker")
    missing = replace(solver, image="no-such-image")
    with pytest.raises(AdapterError, match=r"docker: image not built\); build or pull "):
        choose(missing, "docker")
    with pytest.raises(AdapterError, match="engine refuses: No such image"):
        container.run(missing, Task(SAT))


@outside
def test_a_program_that_is_not_in_the_image_is_a_crash() -> None:
    solver = solvers.load("cadical")
    need(solver, "docker")
    found = answer(replace(solver, program="no-such-program"), "docker", SAT)
    assert found.end is End.CRASH
    assert re.search(r"exit code 127: .*no-such-program: not found", found.reason)


class Relay:
    """A way to the engine that can be cut."""

    def __init__(self, path: str, engine: str) -> None:
        self.engine, self.ends = engine, [socket.socket(socket.AF_UNIX)]
        self.ends[0].bind(path)
        self.ends[0].listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near = self.ends[0].accept()[0]
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.engine)
            self.ends += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(a, b), daemon=True).start()

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while piece := source.recv(2**16):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def cut(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_an_engine_that_goes_away_is_one_line(tmp_path: Path) -> None:
    need(solvers.load("cadical"), "docker")
    engine = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not engine.startswith("unix://"):
        pytest.skip("the engine is not on a socket of this machine")
    path = str(tmp_path / "relay")
    relay = Relay(path, engine.removeprefix("unix://"))
    run = start("solve", HARD, "--runtime", "docker", DOCKER_HOST=f"unix://{path}")
    until(lambda: [c for c in containers(run.pid) if is_running(c)])
    relay.cut()
    said = finish(run)
    assert said.code == 2
    assert re.search(r"the engine does not answer any more: .*`boardsat clean`", said.one_line())
    # Nobody could remove it, so that is for the next command.
    assert len(containers(run.pid)) == 1
    assert boardsat("clean").code == 0
    assert containers(run.pid) == []
