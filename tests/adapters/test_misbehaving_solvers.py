"""Solvers with bad manners, and how containers confine them."""

from __future__ import annotations

import io
import re
import shlex
import signal
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest
from docker.errors import NotFound
from helpers.answers import (
    HARD,
    SAT,
    answer,
)
from helpers.requirements import outside
from helpers.solver_runs import (
    containers,
    finish,
    is_alive,
    is_running,
    leaves_nothing,  # noqa: F401
    misbehaving_solver,
    require_solver,
    shell_solver,
    start,
    wait_until,
    with_program,
)

from boardsat.adapters import runtimes, solvers
from boardsat.adapters.answer import Answer, Status, TerminationReason
from boardsat.adapters.proofs import ProofFile
from boardsat.adapters.runtimes import (
    Limits,
    Outcome,
    Task,
    container,
    container_run,
    engine,
    native,
    program_output,
    select_runtime,
)
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest

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
        require_solver(misbehaving_solver("idles"), name)
    return name


def bad(how: str, where: str, limits: Limits | None = None) -> Answer:
    solver = misbehaving_solver(how) if where == "docker" else shell_solver(SCRIPTS[how])
    return answer(solver, where, SAT, limits)


def test_one_that_ignores_term_is_killed(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, container_run):
        monkeypatch.setattr(module, "TERM_GRACE_SECONDS", 0.3)
    found = bad("sleeps", where, Limits(wall=1))
    assert (found.status, found.run.termination, found.run.exit_code) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        -9,
    )


def test_one_that_eats_memory_is_stopped(where: str) -> None:
    found = bad("eats", where, Limits(wall=100, memory=100 * 2**20))
    assert (found.status, found.run.termination) == (Status.UNKNOWN, TerminationReason.MEMORY)


def test_one_that_floods_is_stopped(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_output, "MAX_OUTPUT_BYTES", 2**20)
    found = bad("floods", where, Limits(wall=100))
    assert (found.status, found.run.termination, found.reason) == (
        Status.UNKNOWN,
        TerminationReason.OUTPUT,
        "output limit",
    )


def test_an_output_that_cannot_be_kept_is_one_line(
    where: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    full = lambda **_: Path("/dev/full").open("r+b", buffering=0)  # noqa: E731, SIM115
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(BoardsatError, match=r"cannot be stored: No space left.*set TMPDIR"):
        bad("lies", where)
    assert capfd.readouterr().err == ""


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
    with pytest.raises(BoardsatError) as error:
        bad(how, where)
    assert complaint in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("how", "end", "code", "reason"),
    [
        ("segfaults", TerminationReason.SIGNAL, -11, "killed by a signal, 11 Segmentation fault: "),
        ("aborts", TerminationReason.SIGNAL, -6, "killed by a signal, 6 Aborted: "),
        ("fails", TerminationReason.CRASH, 3, "crash, exit code 3: oh no"),
    ],
)
def test_a_crash_is_unknown_with_its_reason(
    how: str, end: TerminationReason, code: int, reason: str, where: str
) -> None:
    found = bad(how, where)
    assert (found.status, found.run.termination, found.run.exit_code) == (Status.UNKNOWN, end, code)
    assert found.reason.startswith(reason) and found.reason.isprintable()
    assert found.run.usage.wall > 0


def test_a_wrong_model_is_found_out(where: str) -> None:
    found = bad("lies", where)
    assert found.status is Status.SATISFIABLE
    with pytest.raises(WrongAnswerError, match="WRONG MODEL from"):
        check_answer(open_formula(SAT), found, SolveRequest("liar"))


def test_silence_is_no_answer(where: str) -> None:
    found = bad("idles", where)
    assert (found.status, found.run.termination) == (Status.UNKNOWN, TerminationReason.FINISHED)
    assert found.reason == "the solver gave up"


def test_without_time_nothing_is_started(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, container):
        monkeypatch.setattr(module, "run", lambda *_: pytest.fail("it was started"))
    found = bad("idles", where, Limits(wall=runtimes.MIN_TIME_LIMIT))
    assert (found.status, found.run.termination, found.reason) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        "time limit",
    )


@outside
def test_a_fork_bomb_is_stopped() -> None:
    bomb = misbehaving_solver("forks")
    require_solver(bomb, "docker")
    found = answer(bomb, "docker", SAT, Limits(wall=1))
    assert (found.status, found.run.termination) == (Status.UNKNOWN, TerminationReason.TIME)


@outside
def test_a_container_has_only_so_many_processes() -> None:
    outcome = inside("for i in $(seq 100); do sleep 1000 & done", Task(SAT, Limits(wall=60)))
    assert outcome.termination is TerminationReason.FINISHED and outcome.exit_code != 0
    assert "Cannot fork" in outcome.errors.tail()


def test_children_of_a_program_end_with_it() -> None:
    many = shell_solver("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & echo c $!; done; exit 0")
    outcome = native.run(many, Task(SAT))
    pids = [int(pid) for pid in re.findall(rb"c (\d+)", b"".join(outcome.output.pieces()))]
    assert len(pids) == 9
    wait_until(lambda: not any(map(is_alive, pids)))


@outside
def test_a_huge_file_in_a_container_is_refused() -> None:
    filler = misbehaving_solver("fills")
    require_solver(filler, "docker")
    found = answer(filler, "docker", SAT, Limits(wall=60))
    assert found.run.termination is TerminationReason.CRASH and "No space left" in found.reason


def test_a_huge_file_of_a_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "MAX_FILE_BYTES", 2**20)
    filler = shell_solver(f"exec cat /dev/zero > {shlex.quote(str(tmp_path / 'filled'))}")
    found = answer(filler, "native", SAT, Limits(wall=60))
    assert (found.run.termination, found.run.exit_code) == (
        TerminationReason.SIGNAL,
        -signal.SIGXFSZ,
    )
    assert (tmp_path / "filled").stat().st_size == 2**20


def test_a_program_that_is_not_there_is_one_line() -> None:
    command = "{{ program }} {{ file }}"
    missing = with_program(shell_solver(""), name="no-such-program", command=command)
    with pytest.raises(BoardsatError, match=r"not on PATH\); install the program no-such-program"):
        select_runtime(missing, "native")
    with pytest.raises(BoardsatError, match="no-such-program does not start: No such file"):
        native.run(missing, Task(SAT))


# Confinement.


def inside(words: str, task: Task) -> Outcome:
    """A command in the container of a solver."""
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    shell = with_program(solver, name="sh", command=f"{{{{ program }}}} -c {shlex.quote(words)}")
    return container.run(shell, task)


@outside
def test_a_container_is_confined() -> None:
    """As the engine was told, for a run that is under way."""
    require_solver(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--memory", 100, "--timeout", 60)
    try:
        wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
        (identifier,) = containers(run.pid)
        about = engine.client().api.inspect_container(identifier)
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
    assert host["PidsLimit"] == container_run.MAX_PROCESSES
    assert re.fullmatch(r"\d+", host["CpusetCpus"])
    # With none for files and processes Podman asks for more than some hosts allow.
    assert limits == {
        "core": (0, 0),
        "fsize": (runtimes.MAX_FILE_BYTES,) * 2,
        "nofile": (container_run.MAX_OPEN_FILES,) * 2,
        "nproc": (container_run.MAX_USER_PROCESSES,) * 2,
    }
    assert host["LogConfig"]["Type"] == "none"
    assert host["Init"] is True and host["AutoRemove"] is False
    assert host["Binds"] == [container_run.WORK_FOLDER] and not host["Devices"]
    assert about["Config"]["User"] == f"{container_run.USER}:{container_run.USER}"
    assert container_run.CONTAINER_LABEL in about["Config"]["Labels"]
    (volume,) = about["Mounts"]
    with pytest.raises(NotFound):
        engine.client().api.inspect_volume(volume["Name"])


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
    assert lines[:2] == [str(container_run.USER)] * 2
    status = dict(line.split(":\t") for line in lines[2:5])
    assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert lines[5] == "1"
    assert lines[6] == "lo"
    assert lines[7].startswith("tmpfs") and lines[7].split()[1] == "64"
    assert lines[8].isdigit()


def test_only_one_file_in_a_container_is_writable_for_a_proof(tmp_path: Path) -> None:
    formula = tmp_path / "f.cnf"
    formula.write_text("p cnf 0 0\n")
    data = b"".join(container_run._archive({"formula.cnf": str(formula)}, "proof"))
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = archive.getmembers()
    assert all(member.isfile() for member in members)
    assert [member.name for member in members if member.uid or member.mode & 0o222] == ["proof"]


@outside
def test_container_limits_the_total_of_what_a_proving_solver_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container_run, "MAX_FILE_BYTES", 2**20)
    task = Task(SAT, Limits(wall=60), proof=ProofFile(str(tmp_path / "proof")))
    outcome = inside(
        "for f in $(find / -xdev -type d) /job /job/results; do"
        " touch $f/more 2>/dev/null && echo $f; done; exec cat /dev/zero > /tmp/proof",
        task,
    )
    # The rest has the size of /tmp, or is kept in memory.
    places = b"".join(outcome.output.pieces()).split()
    assert {*places} <= {b"/tmp", b"/dev/shm", b"/dev/mqueue"}
    assert outcome.exit_code == -signal.SIGXFSZ


@outside
def test_proof_that_a_container_never_wrote_is_not_fetched(tmp_path: Path) -> None:
    task = Task(SAT, Limits(wall=60), proof=ProofFile(str(tmp_path / "proof")))
    outcome = inside("echo s UNSATISFIABLE; exit 20", task)
    assert (outcome.exit_code, outcome.proof_error) == (20, None)
    assert [*tmp_path.iterdir()] == []
    written = inside("printf '0\\n' > /tmp/proof; exit 20", task)
    assert written.exit_code == 20 and (tmp_path / "proof").read_text() == "0\n"


@outside
def test_a_solver_is_asked_to_stop_and_its_usage_is_kept() -> None:
    """TERM reaches the solver itself, which may then end in its own way."""
    outcome = inside(
        "trap 'echo c asked; exit 3' TERM; while :; do :; done", Task(SAT, Limits(wall=1))
    )
    assert (outcome.termination, outcome.exit_code) == (TerminationReason.TIME, 3)
    assert b"".join(outcome.output.pieces()) == b"c asked\n"
    assert outcome.errors.size == 0
    assert outcome.usage.cpu is not None and outcome.usage.cpu > 0
    assert outcome.usage.memory is not None


@outside
def test_standard_error_is_kept_apart() -> None:
    outcome = inside("echo s UNKNOWN; echo oh >&2", Task(SAT))
    assert b"".join(outcome.output.pieces()) == b"s UNKNOWN\n"
    assert b"".join(outcome.errors.pieces()) == b"oh\n"
