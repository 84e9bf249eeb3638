"""Parallel runs of an archive: reproducible bytes, resumption, and stopping at a wrong answer."""

from __future__ import annotations

import lzma
import signal
from itertools import permutations
from pathlib import Path

import pytest
from helpers.archives import CORES, SMALL, campaign, content, create_archive
from helpers.campaigns import ONE
from helpers.formulas import THOROUGH
from helpers.solver_runs import boardsat, finish, start, wait_until

from boardsat.archive import storage
from boardsat.archive.instance_record import read_records

UNSAT_SCRIPT = "echo UNSATISFIABLE; exit 20"
FOUR_QUEENS = """\
instances:
  - {problem: queens, set: {n: 4}}
runtime: native
limits: {timeout: 60}
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Function that adds a script under the name of a solver, the only programs on PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def add(name: str, script: str) -> None:
        path = folder / name
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {name} 1.0 && exit\n{script}\n')
        path.chmod(0o755)

    return add


def queens_models() -> list[str]:
    """Return the models of four queens, by brute force: the cells row by row."""
    models = []
    for columns in permutations(range(4)):
        if (
            len({r + c for r, c in enumerate(columns)})
            == 4
            == len({r - c for r, c in enumerate(columns)})
        ):
            cells = {4 * r + c for r, c in enumerate(columns)}
            models.append(" ".join(str(i + 1 if i in cells else -i - 1) for i in range(16)))
    return models


def records(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(f"*{storage.RECORD}") if path.name != storage.CRATE]


@pytest.mark.skipif(CORES < 2, reason="one core")
def test_number_of_jobs_does_not_change_bytes(shared_archive, tmp_path):
    """The shared archive was created on all cores."""
    path = campaign(tmp_path, SMALL)
    for jobs in (1, 2) if THOROUGH else (1,):
        target = tmp_path / f"by-{jobs}"
        assert boardsat("archive", "create", target, path, "--jobs", jobs).code == 0
        assert content(target) == content(shared_archive)


def test_model_is_of_first_solver_not_of_quickest(programs, tmp_path):
    first, second = queens_models()
    programs("cryptominisat5", f"echo 's SATISFIABLE'; echo 'v {second} 0'; exit 10")
    wait = f"while [ ! -e {tmp_path / 'other'} ]; do /bin/sleep 0.05; done; " if CORES > 1 else ""
    programs("minisat", f"{wait}echo SATISFIABLE; echo SAT; echo '{first} 0'; exit 10")
    programs("clasp", f": > {tmp_path / 'other'}; echo 's UNKNOWN'; exit 0")
    folder = create_archive(
        tmp_path, FOUR_QUEENS + "solvers: [minisat, cryptominisat, clasp]\n", "--jobs", CORES
    )
    text = lzma.decompress((folder / "queens-4-squares.model.xz").read_bytes()).decode()
    assert " ".join(text.replace("v ", "").split()[2:-1]) == first
    (record,) = read_records(folder)
    assert record.evidence.solver_names == ["minisat", "cryptominisat", "clasp"]


def test_finished_runs_are_not_repeated_after_kill(programs, tmp_path):
    log, go = tmp_path / "log", tmp_path / "go"
    model = queens_models()[0]
    programs(
        "cryptominisat5", f"echo x >> {log}; echo 's SATISFIABLE'; echo 'v {model} 0'; exit 10"
    )
    wait = f"while [ ! -e {go} ]; do /bin/sleep 0.05; done"
    programs("minisat", f"{wait}; echo INDETERMINATE; exit 0")
    text = FOUR_QUEENS + "solvers: [cryptominisat, minisat]\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    process = start("archive", "create", target, path, "--jobs", "1")
    results = target / storage.RESULTS
    wait_until(lambda: results.is_file() and b"SATISFIABLE" in results.read_bytes())
    process.send_signal(signal.SIGKILL)
    assert finish(process).code == -signal.SIGKILL
    go.touch()
    output = boardsat("archive", "create", target, path, *ONE)
    assert output.code == 0 and log.read_text() == "x\n", output
    assert not list(target.glob(".*"))
    uninterrupted = tmp_path / "whole"
    uninterrupted.mkdir()
    assert content(target) == content(create_archive(uninterrupted, text))


def test_contradiction_stops_without_record(programs, tmp_path):
    programs("minisat", UNSAT_SCRIPT)
    programs("clasp", "echo 's SATISFIABLE'; echo 'c Models : 3'; exit 30")
    text = FOUR_QUEENS.replace("n: 4", "n: 3") + "solvers: [minisat]\ncounters: [clasp]\n"
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert (
        output.code == 1
        and "the answers disagree: minisat UNSATISFIABLE, clasp 3" in output.one_line()
    )
    assert "queens-3-squares.cnf.xz: the answers disagree" in output.err
    assert records(tmp_path / "a") == []


def test_count_that_contradicts_published_stops_without_record(programs, tmp_path):
    """The published number of 8 queens is 92."""
    programs("clasp", "echo 's SATISFIABLE'; echo 'c Models : 91'; exit 30")
    text = FOUR_QUEENS.replace("n: 4", "n: 8") + "counters: [clasp]\n"
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert output.code == 1 and "the counts disagree: clasp 91" in output.one_line()
    assert records(tmp_path / "a") == []


def test_wrong_model_stops_without_record(programs, tmp_path):
    zeros = " ".join(str(-v) for v in range(1, 17))
    programs("cryptominisat5", f"echo 's SATISFIABLE'; echo 'v {zeros} 0'; exit 10")
    text = FOUR_QUEENS + "solvers: [cryptominisat]\n"
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert output.code == 1 and "WRONG MODEL from cryptominisat" in output.one_line()
    assert records(tmp_path / "a") == [] and (tmp_path / "a/queens-4-squares.cnf.xz").is_file()


def test_unavailable_solver_is_reported_before_work(programs, tmp_path):
    text = FOUR_QUEENS + "solvers: [minisat]\n"
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert (
        output.code == 2
        and "minisat cannot run here (native: no minisat on PATH)" in output.one_line()
    )
    assert not (tmp_path / "a").exists() or storage.file_names(tmp_path / "a") == []
