"""Verification of archives: flipped bits, missing files, links and false contents."""

from __future__ import annotations

import lzma
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.archives import FILES, NAMES, create_archive, seal, verify_findings
from helpers.formulas import THOROUGH
from helpers.requirements import outside
from helpers.solver_runs import boardsat, require_solver

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage, verify
from boardsat.archive.instance_record import read_record, read_records
from boardsat.generators.spec import catalogue
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve import proofs


@pytest.mark.parametrize("name", FILES)
def test_flipped_bit_is_reported(name, archive):
    path = archive / name
    original = path.read_bytes()
    step = max(1, len(original) // (40 if THOROUGH else 8))
    for offset in [*range(0, len(original), step), len(original) - 1]:
        flipped = bytearray(original)
        flipped[offset] ^= 1 << offset % 8
        path.write_bytes(flipped)
        assert storage.differences(archive), (name, offset)
    path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]))
    assert verify_findings(archive)[name] == "changed"


def test_missing_and_added_files_are_reported(archive):
    (archive / "queens-4-squares.cnf.xz").unlink()
    (archive / "notes.txt").write_text("mine")
    (archive / "empty").mkdir()
    (archive / "link").symlink_to("/etc/passwd")
    assert verify_findings(archive) == {
        "empty": "added",
        "link": "added",
        "notes.txt": "added",
        "queens-4-squares.cnf.xz": "missing",
    }


def test_file_replaced_by_link_is_reported(archive):
    moved = archive.parent / "elsewhere"
    (archive / storage.TABLE).rename(moved)
    (archive / storage.TABLE).symlink_to(moved)
    assert verify_findings(archive) == {storage.TABLE: "changed"}


def _change_formula(folder: Path) -> str:
    """Remove the first literal of the first clause."""
    path = folder / "queens-4-squares.cnf.xz"
    text = lzma.decompress(path.read_bytes())
    path.write_bytes(lzma.compress(re.sub(rb"(p cnf .*\n)-?\d+ ", rb"\1", text)))
    return path.name


def _change_model(folder: Path) -> str:
    """Negate the second variable."""
    path = folder / "queens-4-squares.model.xz"
    text = lzma.decompress(path.read_bytes())
    flipped = re.sub(rb"(?<= )-?2(?= )", lambda match: b"%d" % -int(match[0]), text)
    path.write_bytes(lzma.compress(flipped))
    return path.name


def _replace(file: str, old: str, new: str, blamed: str = "") -> Callable[[Path], str]:
    def change(folder: Path) -> str:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))
        return blamed or file

    return change


def _change_database(folder: Path) -> str:
    path = folder / storage.DATABASE
    image = path.read_bytes()
    assert b"unsat" in image
    path.write_bytes(image.replace(b"unsat", b"truly", 1))
    return path.name


RECORD = "queens-4-squares.json"
FORGERIES = {
    "formula": _change_formula,
    "model": _change_model,
    "database": _change_database,
    "table": _replace(storage.TABLE, ",SATISFIABLE,2,", ",SATISFIABLE,3,"),
    "crate": _replace(storage.CRATE, "UNSATISFIABLE", "SATISFIABLE"),
    "citation": _replace(storage.CITATION, "Lovelace", "Byron"),
    "readme": _replace(storage.README, "This folder has 3 ", "This folder has 4 "),
    "license": _replace(storage.LICENSE, "CC0", "CC1"),
    "preview": _replace(storage.PREVIEW, "<td>UNSATISFIABLE</td>", "<td>SATISFIABLE</td>"),
    "setting": _replace(RECORD, '"n": "4"', '"n": "5"'),
    "spec": _replace(
        RECORD, "range(2 * n - 1)", "range(2 * n - 2)", blamed="queens-4-squares.cnf.xz"
    ),
    "title": _replace(RECORD, '"title": "Queens', '"title": "Kings'),
    "hash": _replace(RECORD, '"gbd_hash": "', '"gbd_hash": "0'),
    "status": _replace(RECORD, '"status": "SATISFIABLE"', '"status": "UNKNOWN"'),
    "no record": _replace(RECORD, '"identity"', '"identities"'),
    "name": _replace(RECORD, '"name": "queens-4-squares"', '"name": "../queens"'),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_content_with_consistent_manifest_is_reported(forgery, archive):
    file = FORGERIES[forgery](archive)
    seal(archive)
    assert storage.differences(archive) == {}
    assert verify_findings(archive)[file] == "wrong"


def test_formulas_are_rebuilt_from_archived_specs(shared_archive, tmp_path, monkeypatch):
    """Built-in specs may change or be removed."""
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    assert catalogue.problems() == []
    assert verify_findings(shared_archive) == {}


def test_verify_works_without_solvers(shared_archive, monkeypatch):
    monkeypatch.setattr(solvers, "names", lambda: ["drat-trim"])
    assert verify_findings(shared_archive) == {}


def test_cyclic_extends_is_reported(archive):
    name = NAMES[0] + storage.RECORD
    _replace(name, "title: Knight's tour\\n", "extends: hamilton/unary\\n")(archive)
    seal(archive)
    assert verify_findings(archive)[name] == "wrong"


@outside
def test_proof_is_archived_and_checked(tmp_path):
    require_solver(solvers.load("cadical"), "docker")
    require_solver(solvers.load("drat-trim"), "docker")
    text = "instances:\n  - {problem: pigeonhole, set: {n: 3}}\n"
    text += "solvers: [cadical]\ncounters: [ganak]\n"
    folder = create_archive(tmp_path, text)
    (record,) = read_records(folder)
    evidence = record.evidence
    assert (evidence.status, evidence.count, evidence.counted) == ("UNSATISFIABLE", 0, ())
    assert (solver := evidence.solved[0].identity).image.startswith("sha256:") and solver.version
    assert verify_findings(folder) == {}
    path = folder / str(evidence.proof)
    path.write_bytes(lzma.compress(b"0\n"))
    seal(folder)
    assert verify_findings(folder)[path.name] == "wrong"


def test_refuted_proof_leaves_no_temporary_copy(shared_archive, tmp_path, monkeypatch):
    """An LRAT proof whose first step has the number of a clause is refuted without a checker."""
    monkeypatch.setattr(verify, "can_check_proofs", lambda: True)
    monkeypatch.setattr(proofs, "select_runtime", lambda solver: "native")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    proof = tmp_path / "queens-3-squares.drat.xz"
    proof.write_bytes(lzma.compress(b"1 0 1 0\n" + b"c padding\n" * 100_000))
    record = read_record(shared_archive / "queens-3-squares.json")
    proved = replace(record, evidence=replace(record.evidence, proof=proof.name))
    problem = open_formula(str(shared_archive / record.formula))
    (finding,) = verify._verify_proof(tmp_path, proved, problem, Limits())
    assert finding.status == "wrong" and finding.reason.startswith("REFUTED PROOF")
    assert str(temporary) not in finding.reason
    assert list(temporary.iterdir()) == []
    answer = tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    output = boardsat("check", shared_archive / record.formula, answer, proof)
    assert output.code == 1 and output.one_line().startswith(f"boardsat: {proof}: REFUTED PROOF")
    assert list(temporary.iterdir()) == []


def test_proof_without_checker_is_reported_as_not_checked(shared_archive, monkeypatch):
    monkeypatch.setattr(verify, "can_check_proofs", lambda: False)
    record = read_record(shared_archive / RECORD)
    proved = replace(record, evidence=replace(record.evidence, proof="x.drat.xz"))
    (finding,) = verify._verify_proof(shared_archive, proved, None, Limits())
    assert finding.status == "not checked" and not finding.is_error
