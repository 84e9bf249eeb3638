"""Submissions to competitions: gates, formats and descriptions."""

from __future__ import annotations

import lzma
import re
from itertools import chain
from pathlib import Path

import pytest
from helpers.archives import campaign, make, verified
from helpers.solver_runs import CommandOutput, boardsat

from boardsat.archive import competitions, storage, submission
from boardsat.archive.instance_record import read_records
from boardsat.archive.metadata import tables
from boardsat.generators import find

# Submissions


def submit(folder: Path, *words: object) -> CommandOutput:
    return boardsat("archive", "submit", folder, *words)


def test_easy_instances_do_not_pass_the_gates(archive):
    said = submit(archive, "--ours", "cadical", "--plain-time", 30)
    assert said.code == 1
    assert "NO  20 different instances: 3" in said.out
    assert "NO  10 not solved by minisat in 30 s and solved by cadical in 3600 s: 0" in said.out
    assert said.out.count("too easy") == 3


def test_a_submission_that_has_all_that_is_asked(archive, monkeypatch):
    asked: list[tuple[str, str, float]] = []

    def run(path: Path, gate: competitions.TimedSolver) -> float | None:
        asked.append((path.name, gate.solver, gate.seconds))
        return None if gate.solver == "minisat" else 12.5

    monkeypatch.setattr(competitions, "solve_time", run)
    words = ["--instances", 2, "--interesting", 1, "--ours-time", 99, "-o", archive.parent / "s"]
    said = submit(archive, *words)
    assert said.code == 0, said.out
    assert len(asked) == 2, "once enough are found, the rest is not run"
    assert {gate[1:] for gate in asked} == {("minisat", 60.0), ("kissat", 99.0)}
    assert len(list((archive.parent / "s" / "instances").iterdir())) == 2
    assert submit(archive, *words).code == 0 and len(asked) == 2, "no run is made twice"
    assert verified(archive) == {}, "a submission leaves the archive as it is"


def test_the_description_tells_the_mathematics_and_the_sizes(archive):
    submit(archive, "--interesting", 0)
    text = (archive.parent / "copy-sat" / submission.DESCRIPTION).read_text()
    assert "Ada Lovelace" in text and r"\documentclass[conference]{IEEEtran}" in text
    for spec in (find("queens/squares"), find("hamilton/unary")):
        assert submission.tex(spec.description.title) in text
        for constraint in spec.constraints:
            assert submission.tex(constraint.name) in text
            for part in chain.from_iterable(constraint.texts.values()):
                assert submission.code(part.text) in text
    for record in read_records(archive):
        row = next(line for line in text.splitlines() if line.startswith(record.name))
        assert f"& {record.identity.variables:,} & {record.identity.clauses:,} &" in row
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    begun, ended = (re.findall(rf"\\{word}{{(\w+)\*?}}", text) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)


def test_a_constraint_that_is_switched_off_is_described_too(tmp_path):
    """A lazy one makes no clauses, and where it is off the formula says all."""
    mine = """\
title: edges
params: {circle: false}
board: {shape: grid, rows: 2, cols: 2, moves: wazir}
variables: {E: {for: "(i, j) in edges", description: an edge}}
constraints:
  - {name: some edge, at_least_one: "E[i, j] for (i, j) in edges"}
  - name: one circle
    if: circle
    connected: [{edges: "E[i, j]", from: i, to: j}]
    lazy: true
    rounds: 9
"""
    campaign(tmp_path, "")
    (tmp_path / "mine.yaml").write_text(mine)
    folder = make(tmp_path, "instances:\n  - {problem: mine.yaml}\n")
    said = submit(folder, "--interesting", 0, "--instances", 1, "-o", tmp_path / "s")
    assert said.code == 0, said.err
    text = (tmp_path / "s" / submission.DESCRIPTION).read_text()
    assert "one connected component of" in text


def test_the_counting_competition_gets_its_own_lines(archive):
    said = submit(archive, "--to", "mc", "--interesting", 0)
    # The same counter, with two limits.
    assert "ganak in 10 s  ganak in 3600 s" in said.out and "1 different instance: 1" in said.out
    text = (archive.parent / "copy-mc" / submission.DESCRIPTION).read_text()
    assert "The 1 instance for" in text and "ganak in 10 s & ganak in 3600 s" in text
    for path in sorted((archive.parent / "copy-mc" / "instances").iterdir()):
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
        header = next(k for k, line in enumerate(lines) if line.startswith("p cnf "))
        assert lines[0] == "c t pmc" and lines[header + 1].startswith("c p show ")
        assert not any(line.startswith("c ind") for line in lines)
        assert list(competitions.mc_faults(path)) == []


@pytest.mark.parametrize(
    "text, fault",
    [
        ("p cnf 2 1\n1 2 0\n", ""),
        ("p cnf 3 1\n1 2 0\n", "1 variable occurs in no clause, first 3"),
        ("p cnf 2 2\n1 2 0\n1 2 1 0\n", "the same variable twice"),
        ("p cnf 2 1\n1 2 -1 0\n", "the same variable twice"),
        ("p cnf 2 2\n1 2 0\n", "clause"),
    ],
)
def test_faults_of_a_file_for_the_sat_competition(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    found = list(competitions.sat_faults(path))
    assert fault in found[0] if fault else found == []


@pytest.mark.parametrize(
    "text, fault",
    [
        ("c t mc\np cnf 2 1\n1 2 0\n", ""),
        ("c t pmc\np cnf 2 1\nc p show 1 2 0\n1 2 0\n", ""),
        ("p cnf 2 1\n1 2 0\n", "must have one line `c t mc`"),
        ("c t pmc\np cnf 2 1\n1 2 0\n", "one line `c p show` is required"),
        ("c t mc\np cnf 2 1\nc p show 1 0\n1 2 0\n", "one line `c p show` is required"),
        ("c t pmc\np cnf 2 1\nc p show 1 3 0\n1 2 0\n", "outside 1 to 2"),
        ("c t pmc\np cnf 2 1\nc p show 1 1 0\n1 2 0\n", "not a list of different variables"),
        ("c t pmc\np cnf 2 1\nc p show 1 2\n1 2 0\n", "not a list of different variables"),
        ("c t pmc\nc ind 1 0\np cnf 2 1\nc p show 1 2 0\n1 2 0\n", "`c ind`"),
    ],
)
def test_faults_of_a_file_for_the_counting_competition(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    found = list(competitions.mc_faults(path))
    assert fault in found[0] if fault else found == []


def test_a_name_that_scripts_stumble_over(tmp_path):
    assert list(competitions.name_faults(tmp_path / "a b.cnf.xz"))
    assert list(competitions.name_faults(tmp_path / "-rf.cnf.xz"))
    assert not list(competitions.name_faults(tmp_path / "tour-6x6.cnf.xz"))


def test_an_unfinished_archive_is_not_submitted(archive):
    (archive / storage.MANIFEST).unlink()
    assert "not a finished archive" in submit(archive).one_line()


def test_the_database_has_the_same_bytes_with_every_version_of_sqlite(made):
    data = (made / storage.DATABASE).read_bytes()
    assert data[:16] == b"SQLite format 3\0" and data[96:100] == bytes(4)
    assert tables.is_database_of(data, read_records(made))
    assert not tables.is_database_of(b"rubbish" * 100, read_records(made))
