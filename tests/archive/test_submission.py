"""Submissions to competitions: requirements, formats and descriptions."""

from __future__ import annotations

import lzma
import re
from itertools import chain
from pathlib import Path

import pytest
from helpers.archives import campaign, create_archive, verify_findings
from helpers.solver_runs import CommandOutput, boardsat

from boardsat.archive import competitions, storage, submission, tables
from boardsat.archive.instance_record import read_records
from boardsat.generators import find


def submit(folder: Path, *arguments: object) -> CommandOutput:
    return boardsat("archive", "submit", folder, *arguments)


def test_easy_instances_do_not_meet_requirements(archive):
    output = submit(archive, "--ours", "cadical", "--plain-time", 30)
    assert output.code == 1
    assert "NO  20 different instances: 3" in output.out
    assert "NO  10 not solved by minisat in 30 s and solved by cadical in 3600 s: 0" in output.out
    assert output.out.count("too easy") == 3


def test_submission_that_meets_requirements_is_written(archive, monkeypatch):
    runs: list[tuple[str, str, float]] = []

    def run(path: Path, gate: competitions.TimedSolver) -> float | None:
        runs.append((path.name, gate.solver, gate.seconds))
        return None if gate.solver == "minisat" else 12.5

    monkeypatch.setattr(competitions, "solve_time", run)
    arguments = [
        "--instances",
        2,
        "--interesting",
        1,
        "--ours-time",
        99,
        "-o",
        archive.parent / "s",
    ]
    output = submit(archive, *arguments)
    assert output.code == 0, output.out
    assert len(runs) == 2, "once enough are found, the rest is not run"
    assert {gate[1:] for gate in runs} == {("minisat", 60.0), ("kissat", 99.0)}
    assert len(list((archive.parent / "s" / "instances").iterdir())) == 2
    assert submit(archive, *arguments).code == 0 and len(runs) == 2, "no run is made twice"
    assert verify_findings(archive) == {}, "a submission leaves the archive as it is"


def test_description_has_constraints_and_sizes(archive):
    submit(archive, "--interesting", 0)
    text = (archive.parent / "copy-sat" / submission.DESCRIPTION).read_text()
    assert "Ada Lovelace" in text and r"\documentclass[conference]{IEEEtran}" in text
    for spec in (find("queens/squares"), find("hamilton/unary")):
        assert submission.tex(spec.description.title) in text
        for constraint in spec.constraints:
            assert submission.tex(constraint.name) in text
            for expression in chain.from_iterable(constraint.texts.values()):
                assert submission.code(expression.text) in text
    for record in read_records(archive):
        row = next(line for line in text.splitlines() if line.startswith(record.name))
        assert f"& {record.identity.variables:,} & {record.identity.clauses:,} &" in row
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    begun, ended = (re.findall(rf"\\{command}{{(\w+)\*?}}", text) for command in ("begin", "end"))
    assert sorted(begun) == sorted(ended)


def test_inactive_constraint_is_described(tmp_path):
    """The constraint is lazy, so the formula is complete only because it is inactive."""
    spec_text = """\
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
    (tmp_path / "mine.yaml").write_text(spec_text)
    folder = create_archive(tmp_path, "instances:\n  - {problem: mine.yaml}\n")
    output = submit(folder, "--interesting", 0, "--instances", 1, "-o", tmp_path / "s")
    assert output.code == 0, output.err
    text = (tmp_path / "s" / submission.DESCRIPTION).read_text()
    assert "one connected component of" in text


def test_counting_submission_has_required_lines(archive):
    output = submit(archive, "--to", "mc", "--interesting", 0)
    # One counter with two limits.
    assert (
        "ganak in 10 s  ganak in 3600 s" in output.out and "1 different instance: 1" in output.out
    )
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
def test_sat_competition_file_faults_are_reported(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    faults = list(competitions.sat_faults(path))
    assert fault in faults[0] if fault else faults == []


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
def test_counting_competition_file_faults_are_reported(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    faults = list(competitions.mc_faults(path))
    assert fault in faults[0] if fault else faults == []


def test_unsafe_file_name_is_reported(tmp_path):
    assert list(competitions.name_faults(tmp_path / "a b.cnf.xz"))
    assert list(competitions.name_faults(tmp_path / "-rf.cnf.xz"))
    assert not list(competitions.name_faults(tmp_path / "tour-6x6.cnf.xz"))


def test_submit_of_unfinished_archive_is_rejected(archive):
    (archive / storage.MANIFEST).unlink()
    assert "not a finished archive" in submit(archive).one_line()


def test_database_is_independent_of_sqlite_version(shared_archive):
    image = (shared_archive / storage.DATABASE).read_bytes()
    assert image[:16] == b"SQLite format 3\0" and image[96:100] == bytes(4)
    assert tables.is_database_of(image, read_records(shared_archive))
    assert not tables.is_database_of(b"rubbish" * 100, read_records(shared_archive))
