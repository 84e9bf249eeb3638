"""What `archive verify` finds: flipped bits, missing files, links and lies."""

from __future__ import annotations

import lzma
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.archives import FILES, NAMES, make, seal, verified
from helpers.formulas import THOROUGH
from helpers.requirements import outside
from helpers.solver_runs import boardsat, require_solver

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import Limits
from boardsat.archive import manifest, storage, verify
from boardsat.archive.instance_record import read_record, read_records
from boardsat.generators.spec import catalogue as shelf
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve import proofs

# What verify finds


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_anywhere_is_found(name, archive):
    path = archive / name
    data = path.read_bytes()
    step = max(1, len(data) // (40 if THOROUGH else 8))
    for place in [*range(0, len(data), step), len(data) - 1]:
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        assert manifest.differences(archive), (name, place)
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert verified(archive)[name] == "changed"


def test_what_is_missing_or_added_is_found(archive):
    (archive / "queens-4-squares.cnf.xz").unlink()
    (archive / "notes.txt").write_text("mine")
    (archive / "empty").mkdir()
    (archive / "link").symlink_to("/etc/passwd")
    assert verified(archive) == {
        "empty": "added",
        "link": "added",
        "notes.txt": "added",
        "queens-4-squares.cnf.xz": "missing",
    }


def test_a_file_in_place_of_which_a_link_stands_is_found(archive):
    moved = archive.parent / "elsewhere"
    (archive / storage.TABLE).rename(moved)
    (archive / storage.TABLE).symlink_to(moved)
    assert verified(archive) == {storage.TABLE: "changed"}


def _formula(folder: Path) -> str:
    """The first clause loses its first literal."""
    path = folder / "queens-4-squares.cnf.xz"
    text = lzma.decompress(path.read_bytes())
    path.write_bytes(lzma.compress(re.sub(rb"(p cnf .*\n)-?\d+ ", rb"\1", text)))
    return path.name


def _model(folder: Path) -> str:
    """The second variable changes its sign."""
    path = folder / "queens-4-squares.model.xz"
    text = lzma.decompress(path.read_bytes())
    flipped = re.sub(rb"(?<= )-?2(?= )", lambda found: b"%d" % -int(found[0]), text)
    path.write_bytes(lzma.compress(flipped))
    return path.name


def _replace(file: str, old: str, new: str, blamed: str = "") -> Callable[[Path], str]:
    def change(folder: Path) -> str:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))
        return blamed or file

    return change


def _database(folder: Path) -> str:
    path = folder / storage.DATABASE
    data = path.read_bytes()
    assert b"unsat" in data
    path.write_bytes(data.replace(b"unsat", b"truly", 1))
    return path.name


RECORD = "queens-4-squares.json"
LIES = {
    "formula": _formula,
    "model": _model,
    "database": _database,
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


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_even_if_the_manifest_agrees(lie, archive):
    file = LIES[lie](archive)
    seal(archive)
    assert manifest.differences(archive) == {}
    assert verified(archive)[file] == "wrong"


def test_formulas_are_made_from_the_texts_in_the_archive(made, tmp_path, monkeypatch):
    """The specs that ship may change, or be gone."""
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    assert shelf.problems() == []
    assert verified(made) == {}


def test_solvers_that_are_no_more_do_not_matter(made, monkeypatch):
    monkeypatch.setattr(solvers, "names", lambda: ["drat-trim"])
    assert verified(made) == {}


def test_specs_that_are_like_each_other_come_to_an_end(archive):
    name = NAMES[0] + storage.RECORD
    _replace(name, "title: Knight's tour\\n", "extends: hamilton/unary\\n")(archive)
    seal(archive)
    assert verified(archive)[name] == "wrong"


@outside
def test_a_proof_is_kept_and_checked_again(tmp_path):
    require_solver(solvers.load("cadical"), "docker")
    require_solver(solvers.load("drat-trim"), "docker")
    text = "instances:\n  - {problem: pigeonhole, set: {n: 3}}\n"
    text += "solvers: [cadical]\ncounters: [ganak]\n"
    folder = make(tmp_path, text)
    (record,) = read_records(folder)
    known = record.evidence
    assert (known.status, known.count, known.counted) == ("UNSATISFIABLE", 0, ())
    assert (solver := known.solved[0].identity).image.startswith("sha256:") and solver.version
    assert verified(folder) == {}
    path = folder / str(known.proof)
    path.write_bytes(lzma.compress(b"0\n"))
    seal(folder)
    assert verified(folder)[path.name] == "wrong"


def test_refuted_proof_leaves_no_unpacked_copy(made, tmp_path, monkeypatch):
    """A proof in LRAT whose first step has the number of a clause is refuted without a checker."""
    monkeypatch.setattr(verify, "can_check_proofs", lambda: True)
    monkeypatch.setattr(proofs, "select_runtime", lambda solver: "native")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    proof = tmp_path / "queens-3-squares.drat.xz"
    proof.write_bytes(lzma.compress(b"1 0 1 0\n" + b"c padding\n" * 100_000))
    record = read_record(made / "queens-3-squares.json")
    proved = replace(record, evidence=replace(record.evidence, proof=proof.name))
    problem = open_formula(str(made / record.formula))
    (finding,) = verify._verify_proof(tmp_path, proved, problem, Limits())
    assert finding.status == "wrong" and finding.reason.startswith("REFUTED PROOF")
    assert str(temporary) not in finding.reason
    assert list(temporary.iterdir()) == []
    answer = tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    said = boardsat("check", made / record.formula, answer, proof)
    assert said.code == 1 and said.one_line().startswith(f"boardsat: {proof}: REFUTED PROOF")
    assert list(temporary.iterdir()) == []


def test_a_proof_that_cannot_be_checked_is_said_to_be_unchecked(made, monkeypatch):
    monkeypatch.setattr(verify, "can_check_proofs", lambda: False)
    record = read_record(made / RECORD)
    proved = replace(record, evidence=replace(record.evidence, proof="x.drat.xz"))
    (finding,) = verify._verify_proof(made, proved, None, Limits())
    assert finding.status == "not checked" and not finding.is_error
