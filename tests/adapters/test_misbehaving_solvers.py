"""Misbehaving solvers in containers and as programs, and the confinement of containers."""

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

# Faults of the image `misbehave`, and the same faults as scripts.

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
def runtime(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "docker":
        require_solver(misbehaving_solver("idles"), name)
    return name


def misbehave(fault: str, runtime: str, limits: Limits | None = None) -> Answer:
    """Return the answer of a solver with a fault."""
    solver = misbehaving_solver(fault) if runtime == "docker" else shell_solver(SCRIPTS[fault])
    return answer(solver, runtime, SAT, limits)


def test_solver_that_ignores_term_is_killed(runtime: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, container_run):
        monkeypatch.setattr(module, "TERM_GRACE_SECONDS", 0.3)
    reply = misbehave("sleeps", runtime, Limits(wall=1))
    assert (reply.status, reply.run.termination, reply.run.exit_code) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        -9,
    )


def test_solver_above_the_memory_limit_is_stopped(runtime: str) -> None:
    reply = misbehave("eats", runtime, Limits(wall=100, memory=100 * 2**20))
    assert (reply.status, reply.run.termination) == (Status.UNKNOWN, TerminationReason.MEMORY)


def test_solver_above_the_output_limit_is_stopped(
    runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_output, "MAX_OUTPUT_BYTES", 2**20)
    reply = misbehave("floods", runtime, Limits(wall=100))
    assert (reply.status, reply.run.termination, reply.reason) == (
        Status.UNKNOWN,
        TerminationReason.OUTPUT,
        "output limit",
    )


def test_output_that_cannot_be_stored_is_reported_in_one_line(
    runtime: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    full = lambda **_: Path("/dev/full").open("r+b", buffering=0)  # noqa: E731, SIM115
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(BoardsatError, match=r"cannot be stored: No space left.*set TMPDIR"):
        misbehave("lies", runtime)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("babbles", "states 'MAYBE'"),
        ("contradicts", "contradicts itself: it says UNSATISFIABLE with exit code 10"),
        ("wavers", "states two different answers"),
        ("stops", "ends without its 0: s SATISFIABLE | v 1 2"),
    ],
)
def test_malformed_output_is_reported_in_one_line(fault: str, message: str, runtime: str) -> None:
    with pytest.raises(BoardsatError) as error:
        misbehave(fault, runtime)
    assert message in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("fault", "end", "code", "reason"),
    [
        ("segfaults", TerminationReason.SIGNAL, -11, "killed by a signal, 11 Segmentation fault: "),
        ("aborts", TerminationReason.SIGNAL, -6, "killed by a signal, 6 Aborted: "),
        ("fails", TerminationReason.CRASH, 3, "crash, exit code 3: oh no"),
    ],
)
def test_crash_gives_status_unknown_with_its_reason(
    fault: str, end: TerminationReason, code: int, reason: str, runtime: str
) -> None:
    reply = misbehave(fault, runtime)
    assert (reply.status, reply.run.termination, reply.run.exit_code) == (Status.UNKNOWN, end, code)
    assert reply.reason.startswith(reason) and reply.reason.isprintable()
    assert reply.run.usage.wall > 0


def test_wrong_model_raises_wrong_answer(runtime: str) -> None:
    reply = misbehave("lies", runtime)
    assert reply.status is Status.SATISFIABLE
    with pytest.raises(WrongAnswerError, match="WRONG MODEL from"):
        check_answer(open_formula(SAT), reply, SolveRequest("liar"))


def test_empty_output_gives_status_unknown(runtime: str) -> None:
    reply = misbehave("idles", runtime)
    assert (reply.status, reply.run.termination) == (Status.UNKNOWN, TerminationReason.FINISHED)
    assert reply.reason == "the solver gave up"


def test_expired_limit_starts_no_solver(runtime: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, container):
        monkeypatch.setattr(module, "run", lambda *_: pytest.fail("the solver was started"))
    reply = misbehave("idles", runtime, Limits(wall=runtimes.MIN_TIME_LIMIT))
    assert (reply.status, reply.run.termination, reply.reason) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        "time limit",
    )


@outside
def test_fork_bomb_is_stopped() -> None:
    bomb = misbehaving_solver("forks")
    require_solver(bomb, "docker")
    reply = answer(bomb, "docker", SAT, Limits(wall=1))
    assert (reply.status, reply.run.termination) == (Status.UNKNOWN, TerminationReason.TIME)


@outside
def test_container_limits_the_number_of_processes() -> None:
    outcome = run_inside("for i in $(seq 100); do sleep 1000 & done", Task(SAT, Limits(wall=60)))
    assert outcome.termination is TerminationReason.FINISHED and outcome.exit_code != 0
    assert "Cannot fork" in outcome.errors.tail()


def test_children_of_a_program_end_with_it() -> None:
    solver = shell_solver("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & echo c $!; done; exit 0")
    outcome = native.run(solver, Task(SAT))
    pids = [int(pid) for pid in re.findall(rb"c (\d+)", b"".join(outcome.output.pieces()))]
    assert len(pids) == 9
    wait_until(lambda: not any(map(is_alive, pids)))


@outside
def test_container_limits_the_size_of_tmp() -> None:
    filler = misbehaving_solver("fills")
    require_solver(filler, "docker")
    reply = answer(filler, "docker", SAT, Limits(wall=60))
    assert reply.run.termination is TerminationReason.CRASH and "No space left" in reply.reason


def test_program_above_the_file_size_limit_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "MAX_FILE_BYTES", 2**20)
    filler = shell_solver(f"exec cat /dev/zero > {shlex.quote(str(tmp_path / 'filled'))}")
    reply = answer(filler, "native", SAT, Limits(wall=60))
    assert (reply.run.termination, reply.run.exit_code) == (
        TerminationReason.SIGNAL,
        -signal.SIGXFSZ,
    )
    assert (tmp_path / "filled").stat().st_size == 2**20


def test_missing_program_is_reported_in_one_line() -> None:
    command = "{{ program }} {{ file }}"
    missing = with_program(shell_solver(""), name="no-such-program", command=command)
    with pytest.raises(
        BoardsatError, match=r"no no-such-program on PATH\); install the program no-such-program"
    ):
        select_runtime(missing, "native")
    with pytest.raises(BoardsatError, match="no-such-program does not start: No such file"):
        native.run(missing, Task(SAT))


# Confinement.


def run_inside(commands: str, task: Task) -> Outcome:
    """Run shell commands in the container of a solver."""
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    shell = with_program(solver, name="sh", command=f"{{{{ program }}}} -c {shlex.quote(commands)}")
    return container.run(shell, task)


@outside
def test_container_options_confine_the_solver() -> None:
    """The options are those that the engine reports for a running container."""
    require_solver(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--memory", 100, "--timeout", 60)
    try:
        wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
        (identifier,) = containers(run.pid)
        description = engine.client().api.inspect_container(identifier)
    finally:
        run.send_signal(signal.SIGINT)
        finish(run)
    host = description["HostConfig"]
    limits = {u["Name"]: (u["Soft"], u["Hard"]) for u in host["Ulimits"]}
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert re.search(r"size=\d+m", host["Tmpfs"]["/tmp"])
    assert host["CapDrop"] == ["ALL"] and not host["CapAdd"] and not host["Privileged"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["Memory"] == host["MemorySwap"] == 100 * 2**20
    assert host["PidsLimit"] == container_run.MAX_PROCESSES
    assert re.fullmatch(r"\d+", host["CpusetCpus"])
    # Without these limits Podman requests more files and processes than some hosts allow.
    assert limits == {
        "core": (0, 0),
        "fsize": (runtimes.MAX_FILE_BYTES,) * 2,
        "nofile": (container_run.MAX_OPEN_FILES,) * 2,
        "nproc": (container_run.MAX_USER_PROCESSES,) * 2,
    }
    assert host["LogConfig"]["Type"] == "none"
    assert host["Init"] is True and host["AutoRemove"] is False
    assert host["Binds"] == [container_run.WORK_FOLDER] and not host["Devices"]
    assert description["Config"]["User"] == f"{container_run.USER}:{container_run.USER}"
    assert container_run.CONTAINER_LABEL in description["Config"]["Labels"]
    (volume,) = description["Mounts"]
    with pytest.raises(NotFound):
        engine.client().api.inspect_volume(volume["Name"])


@outside
def test_container_is_confined_as_seen_from_inside() -> None:
    outcome = run_inside(
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


def test_archive_for_a_container_has_one_writable_file_for_the_proof(tmp_path: Path) -> None:
    formula = tmp_path / "f.cnf"
    formula.write_text("p cnf 0 0\n")
    data = b"".join(container_run._archive({"formula.cnf": str(formula)}, "proof"))
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = archive.getmembers()
    assert all(member.isfile() for member in members)
    assert [member.name for member in members if member.uid or member.mode & 0o222] == ["proof"]


@outside
def test_container_limits_the_size_of_a_proof_and_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container_run, "MAX_FILE_BYTES", 2**20)
    task = Task(SAT, Limits(wall=60), proof=ProofFile(str(tmp_path / "proof")))
    outcome = run_inside(
        "for f in $(find / -xdev -type d) /job /job/results; do"
        " touch $f/more 2>/dev/null && echo $f; done; exec cat /dev/zero > /tmp/proof",
        task,
    )
    # Other writable folders have limited sizes, or are in memory.
    writable_folders = b"".join(outcome.output.pieces()).split()
    assert {*writable_folders} <= {b"/tmp", b"/dev/shm", b"/dev/mqueue"}
    assert outcome.exit_code == -signal.SIGXFSZ


@outside
def test_proof_that_was_not_written_is_not_fetched(tmp_path: Path) -> None:
    task = Task(SAT, Limits(wall=60), proof=ProofFile(str(tmp_path / "proof")))
    outcome = run_inside("echo s UNSATISFIABLE; exit 20", task)
    assert (outcome.exit_code, outcome.proof_error) == (20, None)
    assert [*tmp_path.iterdir()] == []
    written = run_inside("printf '0\\n' > /tmp/proof; exit 20", task)
    assert written.exit_code == 20 and (tmp_path / "proof").read_text() == "0\n"


@outside
def test_container_at_a_limit_receives_term_and_reports_its_usage() -> None:
    """The solver itself receives TERM, and may choose its exit code."""
    outcome = run_inside(
        "trap 'echo c asked; exit 3' TERM; while :; do :; done", Task(SAT, Limits(wall=1))
    )
    assert (outcome.termination, outcome.exit_code) == (TerminationReason.TIME, 3)
    assert b"".join(outcome.output.pieces()) == b"c asked\n"
    assert outcome.errors.size == 0
    assert outcome.usage.cpu is not None and outcome.usage.cpu > 0
    assert outcome.usage.memory is not None


@outside
def test_container_separates_standard_error() -> None:
    outcome = run_inside("echo s UNKNOWN; echo oh >&2", Task(SAT))
    assert b"".join(outcome.output.pieces()) == b"s UNKNOWN\n"
    assert b"".join(outcome.errors.pieces()) == b"oh\n"
