"""Campaigns on the workers of a Dask scheduler: records are equal whatever process dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.campaigns import UNSAT, lasting, quick, records
from helpers.dask_cluster import DaskCluster, need_dask, scheduler
from helpers.requirements import outside
from helpers.solver_runs import boardsat, finish, start, wait_until

from boardsat.campaign.runner import dispatch, remote_worker
from boardsat.campaign.runner.job_queue import MAX_TRIES
from boardsat.campaign.runner.solver_selection import select_solvers

DASK = 'grand=$(cut -d " " -f 4 /proc/$PPID/stat); '
"""In the script of a solver: the Dask worker, whose child is ours, whose child is the script."""


@pytest.fixture
def dask_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "dask").mkdir()
    with scheduler(tmp_path / "dask") as started:
        yield started


@outside
def test_a_scheduler_gives_the_same_records_as_this_machine(
    dask_cluster: DaskCluster, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    dask_cluster.worker("--no-nanny")
    dask_cluster.worker("--no-nanny")
    # Only those that are told to take runs get some.
    dask_cluster.worker("--no-nanny", resources="")
    # The file of the solver is named from the folder of the command.
    path = quick(tmp_path).relative_to(tmp_path)
    outcome = boardsat("run", path, "-o", "there", "--on", dask_cluster.address)
    assert outcome.code == 0 and "6 runs, 0 from before, 6 answered" in outcome.out, outcome
    assert boardsat("run", path, "-o", "here").code == 0
    remote, local = (
        sorted(map(lasting, records(Path(name))), key=str) for name in ("there", "here")
    )
    assert remote == local
    completed = boardsat("run", path, "-o", "there", "--on", dask_cluster.address)
    assert "6 runs, 6 from before" in completed.out


@outside
def test_run_of_a_dead_worker_is_retried_until_its_maximum_of_tries(
    dask_cluster: DaskCluster, tmp_path
):
    """$2 is the seed."""
    kill = f"{DASK} kill -9 $grand; sleep 60"
    once = f"[ $2 = 1 ] && [ ! -e {tmp_path}/died ] && {{ touch {tmp_path}/died; {kill}; }}; "
    always = f"[ $2 = 2 ] && {{ {kill}; }}; "
    path = quick(tmp_path, once + always + UNSAT)
    path.write_text(path.read_text().replace("[2, 3]", "3"))
    for _ in range(2):
        # With its nanny it comes back.
        dask_cluster.worker()
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert outcome.code == 0 and "3 runs, 0 from before, 2 answered" in outcome.out, outcome
    record_of = {record.attempt.seed: record for record in records(tmp_path / "out")}
    assert record_of[0].answered and record_of[1].answered and record_of[1].attempt.tries > 1
    assert record_of[2].attempt.tries == MAX_TRIES and record_of[2].outcome.reason.startswith(
        "lost: its worker died 3 times"
    )


@outside
def test_killed_scheduler_is_reported_and_finished_runs_are_stored(
    dask_cluster: DaskCluster, tmp_path
):
    path = quick(tmp_path, f"[ $2 = 0 ] || sleep 60; {UNSAT}", seeds=2)
    dask_cluster.worker("--no-nanny")
    process = start("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    wait_until(lambda: any(".sh" in line for line in _commands()) and _finished(tmp_path / "out"))
    dask_cluster.started[0].kill()
    outcome = finish(process)
    assert outcome.code == 2 and outcome.out == "" and "Traceback" not in outcome.err, outcome
    assert "lost the scheduler" in outcome.err.splitlines()[-1]
    assert len(records(tmp_path / "out")) == 1


@outside
def test_killed_command_stops_its_run_on_the_worker(dask_cluster: DaskCluster, tmp_path):
    path = quick(tmp_path, f"sleep 61.5; {UNSAT}", seeds=1)
    dask_cluster.worker("--no-nanny")
    process = start("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    wait_until(lambda: "sleep 61.5" in _commands())
    process.send_signal(signal.SIGKILL)
    finish(process)
    wait_until(lambda: "sleep 61.5" not in _commands())


@outside
def test_a_worker_without_the_solver_is_refused_by_name(
    dask_cluster: DaskCluster, tmp_path, monkeypatch
):
    tool = tmp_path / "bin/ownsolver"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{UNSAT}\n")
    tool.chmod(0o755)
    usual = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{tool.parent}:{usual}")
    path = quick(tmp_path, seeds=1)
    solver = tmp_path / "quick.yaml"
    solver.write_text(solver.read_text().replace("program: sh", "program: ownsolver"))
    monkeypatch.setattr(dispatch, "MAX_WAIT_SECONDS", 1)
    dask_cluster.worker("--no-nanny", PATH=usual)
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert outcome.code == 2 and "no worker can be used" in outcome.err.splitlines()[-1], outcome
    dask_cluster.worker("--no-nanny")
    dask_cluster.settle()
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert outcome.code == 0 and "2 runs, 0 from before, 2 answered" in outcome.out, outcome
    assert f"the worker on {os.uname().nodename} cannot be used: " in outcome.err
    assert "ownsolver" in outcome.err


@outside
def test_command_ends_if_workers_take_no_runs_or_close_early(
    dask_cluster: DaskCluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(dispatch, "MAX_WAIT_SECONDS", 2)
    path = quick(tmp_path, seeds=1)
    nobody = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert nobody.code == 2 and "the scheduler has no workers; start them with" in nobody.err, (
        nobody
    )
    worker = dask_cluster.worker("--no-nanny", resources="")
    dask_cluster.settle()
    useless = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert useless.code == 2 and "has no resource `run`" in useless.err, useless
    worker.kill()
    dask_cluster.worker("--no-nanny", "--lifetime", "30")
    dask_cluster.settle()
    short = boardsat("run", path, "-o", tmp_path / "out", "--on", dask_cluster.address)
    assert short.code == 2 and "closes before a run of at most 35 s" in short.err, short


@outside
def test_missing_scheduler_is_one_line(tmp_path, monkeypatch):
    need_dask()
    monkeypatch.setattr(dispatch, "CONNECT_SECONDS", 1)
    path = quick(tmp_path)
    for address in (
        "tcp://127.0.0.1:9",
        "tcp://nowhere.invalid:8786",
        "tls://127.0.0.1:9",
        "tcp://x y:8786",
    ):
        begun = time.monotonic()
        outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", address)
        assert outcome.code == 2 and "cannot reach the scheduler" in outcome.one_line(), outcome
        assert time.monotonic() - begun < 10


def test_missing_package_or_malformed_address_is_one_line(tmp_path, monkeypatch):
    path = quick(tmp_path)
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "moon")
    assert (
        outcome.code == 2
        and "--on must name an engine (got 'moon'); choose from: local, tcp" in outcome.one_line()
    )
    for address in ("tcp://127.0.0.1", "tcp://:8786", "tcp://127.0.0.1:port", "tcp://[::1"):
        outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", address)
        assert outcome.code == 2 and "; write tcp://HOST:8786" in outcome.one_line()
    monkeypatch.setitem(sys.modules, "distributed", None)
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "tcp://127.0.0.1:9")
    assert outcome.code == 2 and "pip install 'boardsat[cluster]'" in outcome.one_line()


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("boardsat", "not 9.9; install the same version there"),
        ("python", "not 9.9; use the same version there"),
        ("solvers", "minisat"),
    ],
)
def test_incompatible_worker_reports_the_difference(key, message):
    chosen = select_solvers("minisat", "embedded")[0]
    document = json.loads(remote_worker.handshake_request(chosen, proof=False))
    assert remote_worker.incompatibility(document) == ""
    document[key] = [["minisat", "embedded", "9.9", ""]] if key == "solvers" else "9.9"
    assert message in remote_worker.incompatibility(document)


def test_independent_workers_claim_different_cores():
    code = (
        "from boardsat.campaign.runner.remote_worker import claim_core;"
        "print(claim_core(), flush=True); input()"
    )
    cores = []
    started = []
    try:
        for _ in range(2):
            process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(process)
            assert process.stdout
            cores.append(process.stdout.readline().strip())
    finally:
        for process in started:
            process.communicate("\n", timeout=60)
    assert "None" in cores or len(set(cores)) == 2
    assert len(os.sched_getaffinity(0)) < 2 or cores[0] != cores[1]


def _commands() -> list[str]:
    """The command lines of all processes."""
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            commands.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip())
        except OSError:
            continue
    return commands


def _finished(folder: Path) -> bool:
    store = folder / "results.jsonl"
    return store.exists() and store.read_text().endswith("\n")
