"""Archives are made by many runs side by side: their order changes nothing, a fault stops it."""

from __future__ import annotations

import lzma
import signal
from itertools import permutations
from pathlib import Path

import pytest
from helpers.archives import CORES, SMALL, campaign, content, make
from helpers.campaigns import ONE
from helpers.formulas import THOROUGH
from helpers.solver_runs import boardsat, finish, start, wait_until

from boardsat.archive import storage
from boardsat.archive.instance_record import read_records

HONEST = "echo UNSATISFIABLE; exit 20"
FOUR = """\
instances:
  - {problem: queens, set: {n: 4}}
runtime: native
limits: {timeout: 60}
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Programs of ours under the names of solvers, and no others."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def add(name: str, script: str) -> None:
        path = folder / name
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {name} 1.0 && exit\n{script}\n')
        path.chmod(0o755)

    return add


def placements() -> list[str]:
    """The four queens as models, by brute force: the cells row by row."""
    found = []
    for columns in permutations(range(4)):
        if (
            len({r + c for r, c in enumerate(columns)})
            == 4
            == len({r - c for r, c in enumerate(columns)})
        ):
            cells = {4 * r + c for r, c in enumerate(columns)}
            found.append(" ".join(str(i + 1 if i in cells else -i - 1) for i in range(16)))
    return found


def records(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(f"*{storage.RECORD}") if path.name != storage.CRATE]


@pytest.mark.skipif(CORES < 2, reason="one core")
def test_the_number_of_jobs_changes_no_byte(made, tmp_path):
    """That one was made on all cores."""
    path = campaign(tmp_path, SMALL)
    for jobs in (1, 2) if THOROUGH else (1,):
        target = tmp_path / f"by-{jobs}"
        assert boardsat("archive", "create", target, path, "--jobs", jobs).code == 0
        assert content(target) == content(made)


def test_the_first_solver_of_the_campaign_gives_the_model_not_the_quickest(programs, tmp_path):
    first, second = placements()
    programs("cryptominisat5", f"echo 's SATISFIABLE'; echo 'v {second} 0'; exit 10")
    wait = f"while [ ! -e {tmp_path / 'other'} ]; do /bin/sleep 0.05; done; " if CORES > 1 else ""
    programs("minisat", f"{wait}echo SATISFIABLE; echo SAT; echo '{first} 0'; exit 10")
    programs("clasp", f": > {tmp_path / 'other'}; echo 's UNKNOWN'; exit 0")
    folder = make(tmp_path, FOUR + "solvers: [minisat, cryptominisat, clasp]\n", "--jobs", CORES)
    text = lzma.decompress((folder / "queens-4-squares.model.xz").read_bytes()).decode()
    assert " ".join(text.replace("v ", "").split()[2:-1]) == first
    (record,) = read_records(folder)
    assert record.evidence.solver_names == ["minisat", "cryptominisat", "clasp"]


def test_what_has_ended_is_not_run_again_after_a_kill(programs, tmp_path):
    log, go = tmp_path / "log", tmp_path / "go"
    model = placements()[0]
    programs(
        "cryptominisat5", f"echo x >> {log}; echo 's SATISFIABLE'; echo 'v {model} 0'; exit 10"
    )
    wait = f"while [ ! -e {go} ]; do /bin/sleep 0.05; done"
    programs("minisat", f"{wait}; echo INDETERMINATE; exit 0")
    text = FOUR + "solvers: [cryptominisat, minisat]\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    process = start("archive", "create", target, path, "--jobs", "1")
    results = target / storage.RESULTS
    wait_until(lambda: results.is_file() and b"SATISFIABLE" in results.read_bytes())
    process.send_signal(signal.SIGKILL)
    assert finish(process).code == -signal.SIGKILL
    go.touch()
    said = boardsat("archive", "create", target, path, *ONE)
    assert said.code == 0 and log.read_text() == "x\n", said
    assert not list(target.glob(".*"))
    whole = tmp_path / "whole"
    whole.mkdir()
    assert content(target) == content(make(whole, text))


def test_a_contradiction_stops_and_leaves_no_record(programs, tmp_path):
    programs("minisat", HONEST)
    programs("clasp", "echo 's SATISFIABLE'; echo 'c Models : 3'; exit 30")
    text = FOUR.replace("n: 4", "n: 3") + "solvers: [minisat]\ncounters: [clasp]\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert (
        said.code == 1 and "the answers disagree: minisat UNSATISFIABLE, clasp 3" in said.one_line()
    )
    assert "queens-3-squares.cnf.xz: the answers disagree" in said.err
    assert records(tmp_path / "a") == []


def test_a_count_is_compared_with_the_published_one(programs, tmp_path):
    """Of 8 queens 92 placements are published."""
    programs("clasp", "echo 's SATISFIABLE'; echo 'c Models : 91'; exit 30")
    text = FOUR.replace("n: 4", "n: 8") + "counters: [clasp]\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert said.code == 1 and "the counts disagree: clasp 91" in said.one_line()
    assert records(tmp_path / "a") == []


def test_a_model_that_is_none_stops_it(programs, tmp_path):
    zeros = " ".join(str(-v) for v in range(1, 17))
    programs("cryptominisat5", f"echo 's SATISFIABLE'; echo 'v {zeros} 0'; exit 10")
    text = FOUR + "solvers: [cryptominisat]\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert said.code == 1 and "WRONG MODEL from cryptominisat" in said.one_line()
    assert records(tmp_path / "a") == [] and (tmp_path / "a/queens-4-squares.cnf.xz").is_file()


def test_a_solver_that_is_nowhere_is_told_before_any_work(programs, tmp_path):
    text = FOUR + "solvers: [minisat]\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert said.code == 2 and "minisat cannot run here (native: not on PATH)" in said.one_line()
    assert not (tmp_path / "a").exists() or storage.file_names(tmp_path / "a") == []
