"""Campaigns of thousands of runs: on this machine while it is killed at, and on clusters.

Whoever dies, wherever it runs: the same records, none lost, none twice, and nothing left behind.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from helpers.campaigns import lasting, records, written
from helpers.dask_cluster import need_dask, scheduler
from helpers.requirements import MissingRequirement, outside
from helpers.slurm_cluster import asked, slurm
from helpers.solver_runs import boardsat, children, is_alive, require_solver, wait_until

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import engine
from boardsat.campaign.runner.records import RunRecord
from boardsat.campaign.runner.store import NAME

SOLVERS = ("minisat", "cadical", "cryptominisat", "clasp")
TEXT = """\
encodings: [crt, relative, ve, hve, undirected]
instances: [{{problem: tour, set: {{n: 6}}}}]
solvers: [{solvers}]
runtime: {runtime}
seeds: [{seeds}]
limits: {{timeout: 60}}
"""
MAX_WAIT_SECONDS = 1800.0
"""Seconds for all of a campaign, on a machine that has other work to do."""


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set folders for temporary files and the cache, so that leftovers are found."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def campaign(
    folder: Path, runs: int, runtime: str = "native", names: Sequence[str] = SOLVERS
) -> Path:
    """Write a campaign of small boards in five encodings, with the installed solvers."""
    installed = [
        name
        for name in names
        if runtime != "native" or shutil.which(solvers.load(name).program.name)
    ]
    if not installed:
        raise MissingRequirement("no solver on PATH")
    seeds = ", ".join(map(str, range(runs // 5 // len(installed))))
    return written(folder, TEXT.format(solvers=", ".join(installed), runtime=runtime, seeds=seeds))


def comparable_records(folder: Path) -> list[RunRecord]:
    return sorted(map(lasting, records(folder)), key=lambda record: record.key)


def lines(folder: Path) -> int:
    store = folder / NAME
    return store.read_bytes().count(b"\n") if store.exists() else 0


def disturbed(path: Path, out: Path, runs: int, commands: int, workers: int) -> Counter[str]:
    """Run it while the command and its workers are killed, at chosen numbers of records."""
    chance = random.Random(15)
    places = sorted(chance.sample(range(1, runs * 9 // 10), commands + workers))
    victims = ["command"] * commands + ["worker"] * workers
    chance.shuffle(victims)
    process = _begun(path, out)
    for num_lines, victim in zip(places, victims, strict=True):
        _await(process, out, num_lines)
        if victim == "command":
            descendants = _descendants(process.pid)
            process.kill()
            process.wait()
            wait_until(partial(_are_gone, descendants), MAX_WAIT_SECONDS)
            process = _begun(path, out)
        else:
            os.kill(chance.choice(children(process.pid)), signal.SIGKILL)
    assert process.wait(MAX_WAIT_SECONDS) == 0
    return Counter(victims)


def _begun(path: Path, out: Path) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-m", "boardsat", "run", str(path), "-o", str(out)]
    return subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _await(process: subprocess.Popen[bytes], out: Path, number: int) -> None:
    """Wait until there are this many records and a worker process."""

    def come() -> bool:
        assert process.poll() is None, "it should not have ended"
        return lines(out) >= number and bool(children(process.pid))

    wait_until(come, MAX_WAIT_SECONDS)


def _are_gone(pids: Sequence[int]) -> bool:
    return not any(map(is_alive, pids))


def _descendants(pid: int) -> list[int]:
    direct = children(pid)
    return [*direct, *(descendant for child in direct for descendant in _descendants(child))]


def refuse_leftovers(folder: Path) -> None:
    assert [path.name for path in (folder / "tmp").iterdir()] == []
    assert list((folder / "cache").rglob("*.part.cnf")) == []
    assert [path for path in Path("/proc").glob("[0-9]*/environ") if _knows(path, folder)] == []


def _knows(environ: Path, folder: Path) -> bool:
    """Return whether a process was started by this test."""
    try:
        return f"TMPDIR={folder}/tmp".encode() in environ.read_bytes()
    except OSError:
        return False


KILLED = [
    pytest.param("native", SOLVERS, (2000, 5, 20), marks=pytest.mark.slow),
    ("native", ("minisat", "cadical"), (100, 2, 4)),
    ("docker", ("cadical",), (30, 2, 4)),
]


@pytest.mark.timeout(3600)
@outside
@pytest.mark.parametrize(("runtime", "names", "size"), KILLED)
def test_records_are_equal_whichever_process_is_killed(runtime, names, size, tmp_path):
    runs, *kills = size
    path = campaign(tmp_path, runs, runtime, names)
    if runtime == "docker":
        require_solver(solvers.load(*names), runtime)
    killed = disturbed(path, tmp_path / "killed", runs, *kills)
    assert [killed["command"], killed["worker"]] == kills
    outcome = boardsat("run", path, "-o", tmp_path / "whole")
    assert (
        outcome.code == 0 and f"{runs:,} runs, 0 from before, {runs:,} answered" in outcome.out
    ), outcome
    assert comparable_records(tmp_path / "killed") == comparable_records(tmp_path / "whole")
    assert len(records(tmp_path / "killed")) == runs
    # A line may have been cut by a kill, and none is there twice.
    keys = Counter(_keys(tmp_path / "killed" / NAME))
    assert len(keys) == runs and set(keys.values()) == {1}
    refuse_leftovers(tmp_path)
    assert runtime != "docker" or engine.query_engine(engine._stale_containers) == []


def _keys(store: Path) -> list[str]:
    keys = []
    for line in store.read_text().splitlines():
        try:
            keys.append(json.loads(line)["key"])
        except ValueError:
            continue
    return keys


@pytest.mark.timeout(3600)
@outside
@pytest.mark.slow
def test_a_scheduler_in_another_process_gives_the_same_records(tmp_path):
    need_dask()
    path = campaign(tmp_path, 2000)
    (tmp_path / "dask").mkdir()
    with scheduler(tmp_path / "dask") as dask_cluster:
        for _ in range(2):
            dask_cluster.worker()
        dask_cluster.settle()
        outcome = boardsat("run", path, "-o", tmp_path / "there", "--on", dask_cluster.address)
    assert outcome.code == 0 and "2,000 runs, 0 from before, 2,000 answered" in outcome.out, outcome
    assert boardsat("run", path, "-o", tmp_path / "here").code == 0
    assert comparable_records(tmp_path / "there") == comparable_records(tmp_path / "here")


@pytest.mark.timeout(3600)
@outside
@pytest.mark.slow
def test_slurm_renews_workers_during_a_campaign(tmp_path, monkeypatch):
    """A worker begins runs in the first seconds of its walltime."""
    need_dask()
    path = campaign(tmp_path, 2000)
    limited = path.read_text().replace("timeout: 60", "timeout: 10").replace("n: 6", "n: 8")
    options = "jobs: 2, partition: main, walltime: '00:00:30', memory: 900, interface: lo"
    path.write_text(f"{limited}cluster: {{{options}}}\n")
    with slurm() as conf:
        monkeypatch.setenv("SLURM_CONF", str(conf))
        outcome = boardsat("run", path, "-o", tmp_path / "there", "--on", "slurm")
        wait_until(lambda: asked(conf, "squeue", "-h") == "")
    assert outcome.code == 0 and "2,000 runs, 0 from before, 2,000 answered" in outcome.out, outcome
    jobs = list((tmp_path / "there/workers").glob("*.out"))
    assert len(jobs) >= 2 * 3, f"{len(jobs)} jobs: each of the two was to be renewed twice"
    assert boardsat("run", path, "-o", tmp_path / "here").code == 0
    assert comparable_records(tmp_path / "there") == comparable_records(tmp_path / "here")
    assert {record.outcome.parsed_status for record in records(tmp_path / "there")} == {
        Status.SATISFIABLE
    }
