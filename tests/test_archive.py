"""Archives: made the same everywhere, whatever interrupts them, and no change goes unseen."""

from __future__ import annotations

import csv
import hashlib
import importlib
import json
import lzma
import os
import re
import resource
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import processes
import pytest
from outside import outside
from running import Said, boardsat, finish, need, start, until
from support import TINY, catalogue

from boardsat.adapters import solvers
from boardsat.adapters.dimacs import text as dimacs_text
from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.archive import answers, verify
from boardsat.archive import create as creating
from boardsat.archive.campaign import INSTANCE_KEYS, KEYS, LIMIT_KEYS, read_campaign
from boardsat.archive.contents import files, manifest
from boardsat.archive.contents.recipe import Recipe
from boardsat.archive.contents.record import read_record, read_records
from boardsat.archive.create import create
from boardsat.archive.metadata import gbd_database
from boardsat.archive.names import names
from boardsat.archive.submitting import description, formats, gates, submission
from boardsat.counting import runs as counting
from boardsat.generators import build, find, write
from boardsat.generators import catalogue as shelf

ROOT = Path(__file__).parent.parent
GRAPHS = Path(__file__).parent / "graphs"
DOCS = (ROOT / "docs/archives.md").read_text()

SMALL = """\
title: Tiny boards
authors:
  - {given-names: Ada, family-names: Lovelace, orcid: 0000-0001-2345-6789}
date: 2026-11-16
license: CC0-1.0
instances:
  - problem: queens
    set: {n: [3, 4]}
  - problem: hamilton
    encoding: unary
    set: {graph: triangle.txt}
    three_cnf: true
    shuffle: 7
solvers: [cadical]
counters: [enumeration]
runtime: embedded
limits: {timeout: 60}
"""
NAMES = [
    "hamilton-triangle-cycle-unary-three-auto-shuffle7",
    "queens-3-squares",
    "queens-4-squares",
]
FILES = sorted(
    [
        *files.DESCRIBING,
        *(name + ending for name in NAMES for ending in (files.FORMULA, files.RECORD)),
        *(name + files.MODEL for name in NAMES if name != "queens-3-squares"),
    ]
)

PLAIN = """\
instances:
  - problem: queens
    set: {n: [4, 5, 30, 31, 32]}
"""


def campaign(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copy(GRAPHS / "triangle.txt", folder)
    path = folder / "list.yaml"
    path.write_text(text)
    return path


def make(folder: Path, text: str) -> Path:
    """An archive of the campaign."""
    target = folder / "archive"
    said = boardsat("archive", "create", target, campaign(folder, text))
    assert said.code == 0, said.err
    return target


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made"), SMALL)


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def verified(folder: Path) -> dict[str, str]:
    """What `archive verify` finds, by file."""
    said = boardsat("archive", "verify", folder, "--json")
    told = json.loads(said.out)
    assert (said.code == 0) == told["intact"] and said.code in (0, 1)
    return {each["file"]: each["what"] for each in told["findings"]}


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files.present(folder)}


def package(name: str) -> Any:
    """A package of the field that knows our formats."""
    return importlib.import_module(name)


# What is in it


def test_an_archive_is_intact_and_complete(made):
    assert verified(made) == {}
    assert files.present(made) == FILES
    sums = processes.run(["sha256sum", "--strict", "--quiet", "-c", files.MANIFEST], cwd=made)
    assert sums.returncode == 0


def test_records_hold_what_brute_force_and_other_tools_say(made):
    records = {record.name: record for record in read_records(made)}
    for name, status, count in zip(
        NAMES, ("SATISFIABLE", "UNSATISFIABLE", "SATISFIABLE"), (1, 0, 2), strict=True
    ):
        known = records[name].evidence
        assert (known.status, known.count) == (status, count)
        plain = lzma.decompress((made / records[name].formula).read_bytes())
        tokens = [
            token
            for line in plain.decode().splitlines()
            if line[0] not in "cp"
            for token in line.split()
        ]
        identity = records[name].identity
        assert identity.sha256 == hashlib.sha256(plain).hexdigest()
        assert identity.gbd_hash == hashlib.md5(" ".join(tokens).encode()).hexdigest()
        assert (identity.bytes, identity.clauses) == (len(plain), tokens.count("0"))
    texts = records[NAMES[0]].recipe.spec.texts
    shared = ("hamilton/problem", "tour/unary", "tour/_moves", "tour/problem")
    needed = [f"specs/{name}.yaml" for name in shared]
    assert texts == {file: (ROOT / file).read_text() for file in needed}
    assert records[NAMES[0]].recipe.graphs == {"graph": (GRAPHS / "triangle.txt").read_text()}


def test_nothing_tells_where_or_when_it_was_made(made):
    here = [str(made.parent), str(ROOT), os.uname().nodename]
    for name, data in content(made).items():
        text = lzma.decompress(data) if name.endswith(".xz") else data
        assert not any(word.encode() in text for word in here), name


def test_the_model_is_one_that_any_tool_reads(made):
    answer = made.parent / "answer"
    files.unpack(made / "queens-4-squares.model.xz", answer)
    assert boardsat("check", made / "queens-4-squares.cnf.xz", answer).code == 0


@pytest.mark.parametrize("spec", catalogue())
def test_the_gbd_hash_is_that_of_gbdc(spec, tmp_path):
    gbdc = package("gbdc")
    target = str(tmp_path / "x.cnf.xz")
    write(build(find(spec), TINY[spec.split("/")[0]]), target)
    assert gbd_hash(target) == gbdc.gbdhash(target)


def test_the_gbd_hash_of_a_known_formula(tmp_path):
    for text, tokens in (
        ("c x\np cnf 3 2\n1 -2 0\n2 3 0\n", b"1 -2 0 2 3 0"),
        ("p cnf 3 0\n", b""),
        ("c t pmc\np cnf 2 2\nc p show 1 2 0\n0\n1 0\n", b"0 1 0"),
    ):
        path = tmp_path / "x.cnf"
        path.write_text(text)
        assert gbd_hash(str(path)) == hashlib.md5(tokens).hexdigest()


def test_the_isomorphism_hash_is_that_of_gbdc(made):
    gbdc = package("gbdc")
    for record in read_records(made):
        assert record.identity.iso_hash == gbdc.isohash(str(made / record.formula))


def test_gbd_opens_the_database(archive):
    package("gbd_core")
    from gbd_core.api import GBD

    with GBD([str(archive / files.DATABASE)]) as gbd:
        found = gbd.query("result = sat", resolve=["filename", "family", "variables", "models"])
    shown = {tuple(map(str, row)) for row in found.rows()}
    keys = {record.name: record.identity for record in read_records(archive)}
    queens = keys["queens-4-squares"]
    assert (queens.gbd_hash, "queens-4-squares.cnf.xz", "queens", "16", "2") in shown
    assert len(shown) == 2
    assert verified(archive) == {}, "reading must not change it"


def test_rocrate_loads_the_crate(made):
    package("rocrate")
    from rocrate.rocrate import ROCrate

    crate = ROCrate(made)
    listed = {entity.id for entity in crate.data_entities}
    assert listed == {*FILES} - {files.CRATE, files.MANIFEST}
    assert crate.name == "Tiny boards" and str(crate.datePublished).startswith("2026-11-16")
    properties = crate.dereference("queens-4-squares.cnf.xz")["additionalProperty"]
    values = {entity["name"]: entity["value"] for entity in properties}
    assert values["status"] == "SATISFIABLE" and values["count"] == "2"


def test_every_link_of_the_crate_leads_somewhere(made):
    graph = json.loads((made / files.CRATE).read_text())["@graph"]
    known = [entity["@id"] for entity in graph]
    assert len(known) == len(set(known))

    def links(value: Any) -> list[str]:
        if isinstance(value, list):
            return [link for each in value for link in links(each)]
        return [value["@id"]] if isinstance(value, dict) else []

    wanted = {link for entity in graph for value in entity.values() for link in links(value)}
    assert {link for link in wanted if not link.startswith("https://w3id.org/")} <= set(known)


def test_the_table_and_the_citation(made):
    with (made / files.TABLE).open() as file:
        rows = {row["filename"]: row for row in csv.DictReader(file)}
    assert rows["queens-4-squares.cnf.xz"]["count"] == "2"
    assert rows["queens-3-squares.cnf.xz"]["status"] == "UNSATISFIABLE"
    cited = (made / files.CITATION).read_text()
    assert "family-names: Lovelace" in cited and "https://orcid.org/0000-0001-2345-6789" in cited


def test_duplicates_are_reported(tmp_path):
    package("gbdc")
    text = "instances:\n  - {problem: queens, set: {n: 4, amo: pairwise}}\n"
    text += "  - {problem: queens, set: {n: 4}}\n  - {problem: queens, set: {n: 4}, shuffle: 3}\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert "queens-4-squares-amo_pairwise has the clauses of queens-4-squares\n" in said.out
    assert "queens-4-squares-shuffle3 may be isomorphic to queens-4-squares\n" in said.out
    assert verified(tmp_path / "a") == {}


# What verify finds


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_anywhere_is_found(name, archive):
    path = archive / name
    data = path.read_bytes()
    step = max(1, len(data) // 40)
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
    (archive / files.TABLE).rename(moved)
    (archive / files.TABLE).symlink_to(moved)
    assert verified(archive) == {files.TABLE: "changed"}


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


def _replace(file: str, old: str, new: str) -> Callable[[Path], str]:
    def change(folder: Path) -> str:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))
        return file

    return change


def _database(folder: Path) -> str:
    path = folder / files.DATABASE
    data = path.read_bytes()
    assert b"unsat" in data
    path.write_bytes(data.replace(b"unsat", b"truly", 1))
    return path.name


RECORD = "queens-4-squares.json"
LIES = {
    "formula": _formula,
    "model": _model,
    "database": _database,
    "table": _replace(files.TABLE, ",SATISFIABLE,2,", ",SATISFIABLE,3,"),
    "crate": _replace(files.CRATE, "UNSATISFIABLE", "SATISFIABLE"),
    "citation": _replace(files.CITATION, "Lovelace", "Byron"),
    "setting": _replace(RECORD, '"n": "4"', '"n": "5"'),
    "spec": _replace(RECORD, "range(2 * n - 1)", "range(2 * n - 2)"),
    "title": _replace(RECORD, '"title": "Queens', '"title": "Kings'),
    "hash": _replace(RECORD, '"gbd_hash": "', '"gbd_hash": "0'),
    "status": _replace(RECORD, '"status": "SATISFIABLE"', '"status": "UNKNOWN"'),
    "no record": _replace(RECORD, '"identity"', '"identities"'),
    "name": _replace(RECORD, '"name": "queens-4-squares"', '"name": "../queens"'),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_even_if_the_manifest_agrees(lie, archive):
    file = LIES[lie](archive)
    (archive / files.MANIFEST).write_bytes(manifest.manifest(archive))
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
    name = NAMES[0] + files.RECORD
    _replace(name, "title: Knight's tour\\n", "like: hamilton/unary\\n")(archive)
    (archive / files.MANIFEST).write_bytes(manifest.manifest(archive))
    assert verified(archive)[name] == "wrong"


@outside
def test_a_proof_is_kept_and_checked_again(tmp_path):
    need(solvers.load("cadical"), "docker")
    need(solvers.load("drat-trim"), "docker")
    text = "instances:\n  - {problem: pigeonhole, set: {n: 3}}\n"
    text += "solvers: [cadical]\ncounters: [ganak]\n"
    folder = make(tmp_path, text)
    (record,) = read_records(folder)
    known = record.evidence
    assert (known.status, known.count, known.counted) == ("UNSATISFIABLE", 0, ())
    assert known.solved[0].image.startswith("sha256:") and known.solved[0].version
    assert verified(folder) == {}
    path = folder / str(known.proof)
    path.write_bytes(lzma.compress(b"0\n"))
    (folder / files.MANIFEST).write_bytes(manifest.manifest(folder))
    assert verified(folder)[path.name] == "wrong"


def test_a_proof_that_cannot_be_checked_is_said_to_be_unchecked(made, monkeypatch):
    monkeypatch.setattr(verify, "can_check_proofs", lambda: False)
    record = read_record(made / RECORD)
    proved = replace(record, evidence=replace(record.evidence, proof="x.drat.xz"))
    (finding,) = verify._proof(made, proved, None)
    assert finding.word == "not checked" and not finding.bad


# Made the same, whatever happens


def checkout(folder: Path) -> Path:
    """The program and its specs at another place."""
    for package in ("adapters", "boardsat", "generators", "specs"):
        shutil.copytree(
            ROOT / package,
            folder / package,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    return folder


def made_at(place: Path, target: Path, path: Path) -> dict[str, bytes]:
    """What the program of a checkout makes, run in its own process."""
    program = (
        "import sys, boardsat; from boardsat.cli import main;"
        "assert boardsat.__file__.startswith(sys.argv[1]), boardsat.__file__;"
        "sys.exit(main(sys.argv[2:]))"
    )
    words = ["archive", "create", str(target), str(path)]
    done = processes.run(
        [sys.executable, "-c", program, str(place), *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return content(target)


@pytest.mark.slow
def test_two_checkouts_make_the_same_bytes(made, tmp_path):
    other = checkout(tmp_path / "checkout")
    path = campaign(tmp_path / "elsewhere", SMALL)
    assert made_at(other, tmp_path / "b", path) == content(made)


@pytest.mark.slow
def test_sixty_instances_made_twice_are_the_same(tmp_path):
    text = """\
title: Sixty instances
instances:
  - problem: tour
    encoding: [direct, unary, binary]
    set: {n: 6, one_direction: [false, true]}
    three_cnf: [false, true]
    shuffle: [1, 2]
  - problem: queens
    set: {n: [4, 5, 6], amo: [ladder, pairwise, product]}
    propagate: [false, true]
  - {problem: latin, encoding: [direct, minimal], set: {n: [2, 3, 4, 5]}}
  - {problem: pigeonhole, set: {n: [2, 3, 4], functional: [false, true]}}
  - {problem: sudoku, encoding: [direct, minimal], set: {n: 2}}
  - {problem: colouring, encoding: [direct, binary], set: {graph: triangle.txt}}
solvers: [cadical]
runtime: embedded
"""
    path = campaign(tmp_path / "here", text)
    first = made_at(ROOT, tmp_path / "a", path)
    assert sum(name.endswith(files.FORMULA) for name in first) == 60
    other = campaign(tmp_path / "there", text)
    assert made_at(checkout(tmp_path / "checkout"), tmp_path / "b", other) == first
    assert verified(tmp_path / "b") == {}


def finished(folder: Path) -> dict[str, int]:
    """The records on disk, by the place of each: a file that is written again has another."""
    return {
        path.name: path.stat().st_ino
        for path in folder.glob(f"*{files.RECORD}")
        if path.name != files.CRATE
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_what_was_interrupted_goes_on(number, tmp_path):
    path, target = campaign(tmp_path, PLAIN), tmp_path / "archive"
    process = start("archive", "create", target, path)
    until(lambda: len(finished(target)) >= 2)
    process.send_signal(number)
    said = finish(process)
    assert said.code == (130 if number == signal.SIGINT else -number)
    assert number == signal.SIGKILL or re.search(r"finished instances? stays?", said.err)
    before = finished(target)
    assert 2 <= len(before) < 5
    assert verified(target) == {files.MANIFEST: "missing"}
    (target / ".queens.1.part").write_text("what a killed run may leave")
    again = boardsat("archive", "create", target, path)
    assert again.code == 0 and again.out.count("already there") == len(before)
    assert before.items() <= finished(target).items()
    assert verified(target) == {}
    assert content(target) == content(make(tmp_path / "whole", PLAIN))


@pytest.mark.slow
def test_a_full_disk_loses_no_finished_instance(tmp_path):
    """The largest file that may be written stands in for a disk that ends."""
    text = "instances:\n  - {problem: queens, set: {n: [4, 5, 30]}}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    whole = content(make(tmp_path / "whole", text))
    room = len(whole["queens-30-squares.cnf.xz"]) - 1
    process = processes.run(
        [sys.executable, "-m", "boardsat", "archive", "create", target, path],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert process.returncode == 2
    assert "no space to write the file" in process.stderr and process.stderr.count("\n") == 1
    assert sorted(finished(target)) == ["queens-4-squares.json", "queens-5-squares.json"]
    assert not list(target.glob("*queens-30*")) and not list(target.glob(".*"))
    before = finished(target)
    assert boardsat("archive", "create", target, path).code == 0
    assert before.items() <= finished(target).items()
    assert content(target) == whole


def test_a_formula_is_built_once_and_read_back_once(tmp_path, monkeypatch):
    text = "instances:\n  - {problem: queens, set: {n: [4, 5]}, shuffle: [1, 2]}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    built, unpacked = [], Counter()

    def building(recipe, formula=Recipe.formula):
        built.append(recipe)
        return formula(recipe)

    def unpacking(path, *more, unpack=dimacs_text._unpacked):
        unpacked[Path(path).name] += 1
        return unpack(path, *more)

    monkeypatch.setattr(Recipe, "formula", building)
    monkeypatch.setattr(dimacs_text, "_unpacked", unpacking)
    records = [step.record for step in create(target, path)]
    assert len(built) == len(records) == 4
    assert unpacked == {record.formula: 1 for record in records}
    assert not any(step.made for step in create(target, path)) and len(built) == 4
    # What memory has no room for is built again.
    monkeypatch.setattr(creating, "KEPT_BYTES", 0)
    assert [step.record for step in create(tmp_path / "again", path)] == records
    assert len(built) == 4 + 8
    assert content(tmp_path / "again") == content(target)


def test_a_damaged_instance_is_made_again(archive, made):
    (archive / "queens-4-squares.cnf.xz").write_bytes(b"rubbish")
    (archive / "queens-3-squares.json").write_bytes(b"{")
    path = campaign(archive.parent / "again", SMALL)
    said = boardsat("archive", "create", archive, path)
    assert said.code == 0 and said.out.count("already there") == 1
    assert content(archive) == content(made)


def test_a_folder_of_something_else_is_left_alone(archive, tmp_path):
    other = campaign(tmp_path / "other", PLAIN)
    assert "another campaign" in boardsat("archive", "create", archive, other).one_line()
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.tex").write_text("mine")
    assert "neither empty" in boardsat("archive", "create", full, other).one_line()
    assert "not a folder" in boardsat("archive", "create", other, other).one_line()
    assert "no archive" in boardsat("archive", "verify", full).one_line()
    assert files.present(full) == ["thesis.tex"]


def test_a_file_that_does_not_belong_is_not_taken_in(archive):
    (archive / "notes.txt").write_text("mine")
    said = boardsat("archive", "create", archive, campaign(archive.parent / "again", SMALL))
    assert said.code == 2 and "notes.txt: not part of the archive" in said.err


# Campaigns


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "an empty spec"),
        ("title: x\n", "`instances` is missing"),
        ("instances: []\n", "`instances` is missing"),
        ("instances:\n  - {encoding: unary}\n", "list.yaml:2: an instance needs `problem`"),
        ("instances:\n  - {problem: tour, n: 6}\n", "list.yaml:2: unknown key 'n'"),
        ("instances:\n  - {problem: tuor}\n", "list.yaml:2: no problem 'tuor'; did you mean"),
        ("instances:\n  - {problem: tour, encoding: x}\n", "no encoding 'x'"),
        ("instances:\n  - {problem: queens, set: {n: []}}\n", "an empty list for 'n'"),
        ("instances:\n  - {problem: queens, set: {n: [4, x]}}\n", "n=x: not a whole number"),
        ("instances:\n  - {problem: queens, set: {m: 4}}\n", "no parameter 'm'"),
        ("instances:\n  - {problem: queens, shuffle: -1}\n", "'-1' is not a seed"),
        ("instances:\n  - {problem: queens, three_cnf: maybe}\n", "no choice 'maybe'"),
        ("instances:\n  - {problem: queens, propagate: 1}\n", "'1' is not a truth value"),
        ("instances:\n  - problem: queens\n  - problem: queens\n", "list.yaml:3: the instance"),
        ("instances:\n  - problem: queens\nsolvers: [cadicl]\n", "did you mean 'cadical'?"),
        ("instances:\n  - problem: queens\ncounters: [cadical]\n", "no choice 'cadical'"),
        ("instances:\n  - problem: queens\nruntime: moon\n", "list.yaml:3: no choice 'moon'"),
        ("instances:\n  - problem: queens\nlimits: {timeout: 0}\n", "'0' is not a limit"),
        ("instances:\n  - problem: queens\ndate: today\n", "list.yaml:3: no date 'today'"),
        ("instances:\n  - problem: queens\nlicense: do as you like\n", "no license"),
        ("instances:\n  - {problem: queens, set: {n: &x 4, amo: *x}}\n", "an alias"),
        ("instances: [\n", "not YAML"),
        ("instances:\n  - problem: queens\n  - {problem: tour, encoding: cuts}\n", "cuts is lazy"),
        ("instances:\n  - {problem: hamilton, encoding: unary, set: {graph: no.txt}}\n", "no.txt"),
        ("instances:\n  - {problem: mine.yaml}\n", "cannot read the spec"),
        (
            "instances:\n  - {problem: queens, shuffle: ["
            + ", ".join(map(str, range(101)))
            + "], set: {n: ["
            + ", ".join(map(str, range(100)))
            + "]}}\n",
            "more than 10,000 instances",
        ),
    ],
)
def test_a_bad_campaign_gets_one_line_and_no_folder(text, fault, tmp_path):
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert said.code == 2 and fault in said.one_line()
    assert not (tmp_path / "a").exists()


def test_a_grid_is_every_combination(tmp_path):
    text = "instances:\n  - {problem: latin, encoding: [direct, minimal], set: {n: [2, 3]}}\n"
    folder = make(tmp_path, text)
    found = [record.name for record in read_records(folder)]
    assert found == ["latin-2-direct", "latin-2-minimal", "latin-3-direct", "latin-3-minimal"]
    expected = tmp_path / "x.cnf"
    write(build(find("latin/minimal"), {"n": 3}), str(expected))
    written = lzma.decompress((folder / "latin-3-minimal.cnf.xz").read_bytes())
    assert written == expected.read_bytes()


def test_a_spec_from_elsewhere_is_taken_in(tmp_path):
    mine = "title: t\nlike: queens/squares\nparams: {n: 5}\n"
    campaign(tmp_path, "")
    (tmp_path / "mine.yaml").write_text(mine)
    folder = make(tmp_path, "instances:\n  - {problem: mine.yaml, set: {n: 4}}\n")
    (tmp_path / "mine.yaml").unlink()
    (record,) = read_records(folder)
    assert record.recipe.spec.texts["mine.yaml"] == mine
    assert verified(folder) == {}


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", DOCS, re.S))
def test_the_campaigns_of_the_documentation_are_read(text, tmp_path):
    path = tmp_path / "campaign.yaml"
    path.write_text(text)
    (tmp_path / "my-spec.yaml").write_text((ROOT / "specs/queens/squares.yaml").read_text())
    assert len(read_campaign(path).instances(tmp_path)) == 1 + 2 * 2 * 3 + 2


def test_every_key_and_file_is_documented():
    words = {*KEYS, *INSTANCE_KEYS, *LIMIT_KEYS, *files.DESCRIBING}
    words |= {f"NAME{ending}" for ending in (files.FORMULA, files.RECORD, files.MODEL, files.PROOF)}
    assert [word for word in sorted(words) if f"`{word}`" not in DOCS] == []


def test_the_campaign_that_ships_can_be_read():
    path = ROOT / "docs/campaigns/small.yaml"
    assert len(names(read_campaign(path).instances(path.parent))) == 6


# Evidence


def test_a_contradiction_stops_and_leaves_no_record(tmp_path, monkeypatch):
    def lying(problem: object, request: counting.CountRequest) -> counting.Count:
        found = counted(problem, request)
        return counting.Count(3, 3, True, None, found.answer)

    counted = counting.count
    monkeypatch.setattr(answers.counting, "count", lying)
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, SMALL))
    assert said.code == 1 and "they disagree: cadical UNSATISFIABLE, enumeration 3" in said.err
    assert finished(tmp_path / "a") == {}


def test_a_count_is_compared_with_the_published_one(tmp_path, monkeypatch):
    """Of 8 queens 92 placements are published."""
    said = ("enumeration", "1", "embedded", None, 1, {}, "finished", True)
    wrong = answers.CountRecord(*said, 91, 91, None, None, None)
    monkeypatch.setattr(answers, "_count", lambda *_: wrong)
    text = "instances:\n  - {problem: queens, set: {n: 8}}\ncounters: [enumeration]\n"
    told = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert told.code == 1 and "the counts disagree: enumeration 91" in told.err
    assert finished(tmp_path / "a") == {}


# Submissions


def submit(folder: Path, *words: object) -> Said:
    return boardsat("archive", "submit", folder, *words)


def test_easy_instances_do_not_pass_the_gates(archive):
    said = submit(archive, "--ours", "cadical", "--plain-time", 30)
    assert said.code == 1
    assert "NO  20 different instances: 3" in said.out
    assert "NO  10 not solved by minisat in 30 s and solved by cadical in 3600 s: 0" in said.out
    assert said.out.count("too easy") == 3


def test_a_submission_that_has_all_that_is_asked(archive, monkeypatch):
    asked: list[tuple[str, str, float]] = []

    def run(path: Path, gate: gates.Gate) -> float | None:
        asked.append((path.name, gate.solver, gate.seconds))
        return None if gate.solver == "minisat" else 12.5

    monkeypatch.setattr(gates, "_run", run)
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
        assert description.tex(spec.title) in text
        for constraint in spec.constraints:
            assert description.tex(constraint.name) in text
            for part in chain.from_iterable(constraint.texts.values()):
                assert description.code(part.text) in text
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
variables: {E: {for: "(i, j) in edges", means: an edge}}
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
    assert "one connected graph of the edges" in text


def test_the_counting_competition_gets_its_own_lines(archive):
    submit(archive, "--to", "mc", "--interesting", 0)
    for path in sorted((archive.parent / "copy-mc" / "instances").iterdir()):
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
        header = next(k for k, line in enumerate(lines) if line.startswith("p cnf "))
        assert lines[0] == "c t pmc" and lines[header + 1].startswith("c p show ")
        assert not any(line.startswith("c ind") for line in lines)
        assert list(formats.mc_faults(path)) == []


@pytest.mark.parametrize(
    "text, fault",
    [
        ("p cnf 2 1\n1 2 0\n", ""),
        ("p cnf 3 1\n1 2 0\n", "1 variable stands in no clause, first 3"),
        ("p cnf 2 2\n1 2 0\n1 2 1 0\n", "the same variable twice"),
        ("p cnf 2 1\n1 2 -1 0\n", "the same variable twice"),
        ("p cnf 2 2\n1 2 0\n", "clause"),
    ],
)
def test_faults_of_a_file_for_the_sat_competition(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    found = list(formats.sat_faults(path))
    assert fault in found[0] if fault else found == []


@pytest.mark.parametrize(
    "text, fault",
    [
        ("c t mc\np cnf 2 1\n1 2 0\n", ""),
        ("c t pmc\np cnf 2 1\nc p show 1 2 0\n1 2 0\n", ""),
        ("p cnf 2 1\n1 2 0\n", "does not say once"),
        ("c t pmc\np cnf 2 1\n1 2 0\n", "one line `c p show`"),
        ("c t mc\np cnf 2 1\nc p show 1 0\n1 2 0\n", "one line `c p show`"),
        ("c t pmc\np cnf 2 1\nc p show 1 3 0\n1 2 0\n", "that the header has not"),
        ("c t pmc\np cnf 2 1\nc p show 1 1 0\n1 2 0\n", "not a list of different variables"),
        ("c t pmc\np cnf 2 1\nc p show 1 2\n1 2 0\n", "not a list of different variables"),
        ("c t pmc\nc ind 1 0\np cnf 2 1\nc p show 1 2 0\n1 2 0\n", "`c ind`"),
    ],
)
def test_faults_of_a_file_for_the_counting_competition(text, fault, tmp_path):
    path = tmp_path / "x.cnf.xz"
    path.write_bytes(lzma.compress(text.encode()))
    found = list(formats.mc_faults(path))
    assert fault in found[0] if fault else found == []


def test_a_name_that_scripts_stumble_over(tmp_path):
    assert list(formats.name_faults(tmp_path / "a b.cnf.xz"))
    assert list(formats.name_faults(tmp_path / "-rf.cnf.xz"))
    assert not list(formats.name_faults(tmp_path / "tour-6x6.cnf.xz"))


def test_an_unfinished_archive_is_not_submitted(archive):
    (archive / files.MANIFEST).unlink()
    assert "no finished archive" in submit(archive).one_line()


def test_the_database_has_the_same_bytes_with_every_version_of_sqlite(made):
    data = (made / files.DATABASE).read_bytes()
    assert data[:16] == b"SQLite format 3\0" and data[96:100] == bytes(4)
    assert gbd_database.read_rows(data) == gbd_database.rows(read_records(made))
    assert gbd_database.read_rows(b"rubbish" * 100) is None
