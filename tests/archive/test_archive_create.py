"""Archives are made the same everywhere, whatever interrupts them; campaigns and evidence."""

from __future__ import annotations

import lzma
import os
import re
import resource
import shutil
import signal
import sys
from pathlib import Path

import pytest
from helpers import processes
from helpers.archives import ROOT, SMALL, campaign, content, make, verified
from helpers.campaigns import ONE
from helpers.solver_runs import boardsat, finish, start, wait_until

from boardsat.archive import storage
from boardsat.archive.create import create
from boardsat.archive.instance_record import read_records
from boardsat.campaign.grids import INSTANCE_KEYS, names
from boardsat.campaign.parser import KEYS, LIMIT_KEYS, read_campaign
from boardsat.campaign.runner.recipe import Recipe, RecipeGatherer
from boardsat.generators import build, find, write

DOCS = (ROOT / "docs/archives.md").read_text()

PLAIN = """\
instances:
  - problem: queens
    set: {n: [4, 5, 30, 31, 32]}
"""


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
    assert sum(name.endswith(storage.FORMULA) for name in first) == 60
    other = campaign(tmp_path / "there", text)
    assert made_at(checkout(tmp_path / "checkout"), tmp_path / "b", other) == first
    assert verified(tmp_path / "b") == {}


def finished(folder: Path) -> dict[str, int]:
    """The records on disk, by the place of each: a file that is written again has another."""
    return {
        path.name: path.stat().st_ino
        for path in folder.glob(f"*{storage.RECORD}")
        if path.name != storage.CRATE
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_what_was_interrupted_goes_on(number, tmp_path):
    path, target = campaign(tmp_path, PLAIN), tmp_path / "archive"
    process = start("archive", "create", target, path)
    wait_until(lambda: len(finished(target)) >= 2)
    process.send_signal(number)
    said = finish(process)
    assert said.code == (130 if number == signal.SIGINT else -number)
    assert number == signal.SIGKILL or re.search(r"finished instances? (is|are) stored", said.err)
    before = finished(target)
    assert 2 <= len(before) < 5
    assert verified(target) == {storage.MANIFEST: "missing"}
    (target / ".queens.1.part").write_text("what a killed run may leave")
    again = boardsat("archive", "create", target, path)
    assert again.code == 0 and again.out.count("already there") == len(before)
    assert before.items() <= finished(target).items()
    assert verified(target) == {}
    assert content(target) == content(make(tmp_path / "whole", PLAIN))


@pytest.mark.slow
def test_a_full_disk_loses_no_finished_instance(tmp_path):
    """The largest file that may be written stands in for a disk that ends.

    One worker makes the instances in the order of the campaign: of two, that of the large one may
    fail before the other has finished the small ones.
    """
    text = "instances:\n  - {problem: queens, set: {n: [4, 5, 30]}}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    whole = content(make(tmp_path / "whole", text))
    room = len(whole["queens-30-squares.cnf.xz"]) - 1
    process = processes.run(
        [sys.executable, "-m", "boardsat", "archive", "create", target, path, *map(str, ONE)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert process.returncode == 2
    fault = "queens-30-squares.cnf.xz: no space to write the file"
    assert fault in process.stderr and process.stderr.count("\n") == 1
    assert sorted(finished(target)) == ["queens-4-squares.json", "queens-5-squares.json"]
    assert not list(target.glob("*queens-30*"))
    assert [path.name for path in target.glob(".*")] == [storage.RESULTS]
    before = finished(target)
    assert boardsat("archive", "create", target, path).code == 0
    assert before.items() <= finished(target).items()
    assert content(target) == whole


def test_what_is_finished_is_not_built_again(tmp_path, monkeypatch):
    text = "instances:\n  - {problem: queens, set: {n: [4, 5]}, shuffle: [1, 2]}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    built, steps = [], []

    def building(recipe, formula=Recipe.formula):
        built.append(recipe)
        return formula(recipe)

    monkeypatch.setattr(Recipe, "formula", building)
    records = create(target, path, report_step=steps.append)
    assert len(built) == len(records) == 4 and all(step.is_new for step in steps)
    steps.clear()
    assert {record.name for record in create(target, path, report_step=steps.append)} == {
        record.name for record in records
    }
    assert len(built) == 4 and not any(step.is_new for step in steps)


def test_a_damaged_instance_is_made_again(archive, made):
    (archive / "queens-4-squares.cnf.xz").write_bytes(b"rubbish")
    (archive / "queens-3-squares.json").write_bytes(b"{")
    path = campaign(archive.parent / "again", SMALL)
    said = boardsat("archive", "create", archive, path, *ONE)
    assert said.code == 0 and said.out.count("already there") == 1
    assert content(archive) == content(made)


def test_a_folder_of_something_else_is_left_alone(archive, tmp_path):
    other = campaign(tmp_path / "other", PLAIN)
    assert "another campaign" in boardsat("archive", "create", archive, other).one_line()
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.tex").write_text("mine")
    assert "neither empty" in boardsat("archive", "create", full, other).one_line()
    assert "must be a folder" in boardsat("archive", "create", other, other).one_line()
    assert "not an archive" in boardsat("archive", "verify", full).one_line()
    assert storage.file_names(full) == ["thesis.tex"]


def test_a_file_that_does_not_belong_is_not_taken_in(archive):
    (archive / "notes.txt").write_text("mine")
    said = boardsat("archive", "create", archive, campaign(archive.parent / "again", SMALL))
    assert said.code == 2 and "notes.txt: the file is not part of the archive" in said.err


# Campaigns


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "the file is empty"),
        ("title: x\n", "`instances` is missing"),
        ("instances: []\n", "list.yaml:1: the list of instances is empty; add an instance"),
        ("instances:\n  - {encoding: unary}\n", "list.yaml:2: the key `problem` is missing"),
        ("instances:\n  - {problem: tour, n: 6}\n", "list.yaml:2: unknown key 'n'"),
        ("instances:\n  - {problem: tuor}\n", "list.yaml:2: no problem 'tuor'; did you mean"),
        ("instances:\n  - {problem: tour, encoding: x}\n", "no encoding 'x'"),
        ("instances:\n  - {problem: queens, set: {n: []}}\n", "the list of `n` is empty"),
        ("instances:\n  - {problem: queens, set: {n: [4, x]}}\n", "n=x: n must be a whole number"),
        ("instances:\n  - {problem: queens, set: {m: 4}}\n", "no parameter 'm'"),
        (
            "instances:\n  - {problem: queens, shuffle: -1}\n",
            "from 0 to 2**64 - 1 (got '-1')",
        ),
        ("instances:\n  - {problem: queens, three_cnf: maybe}\n", "'maybe' is not a valid choice"),
        ("instances:\n  - {problem: queens, propagate: 1}\n", "'1' is not a truth value"),
        ("instances:\n  - problem: queens\n  - problem: queens\n", "list.yaml:3: the instance"),
        ("instances:\n  - problem: queens\nsolvers: [cadicl]\n", "did you mean 'cadical'?"),
        (
            "instances:\n  - problem: queens\ncounters: [cadical]\n",
            "'cadical' is not a valid",
        ),
        (
            "instances:\n  - problem: queens\nruntime: moon\n",
            "list.yaml:3: 'moon' is not a valid",
        ),
        (
            "instances:\n  - problem: queens\nlimits: {timeout: 0}\n",
            "from 0.001 to 1,000,000,000 (got '0')",
        ),
        (
            "instances:\n  - problem: queens\ndate: today\n",
            "3: date is invalid (got 'today')",
        ),
        (
            "instances:\n  - problem: queens\nlicense: do as you like\n",
            "license is invalid (got 'do as you like')",
        ),
        (
            "instances:\n  - {problem: queens, set: {n: &x 4, amo: *x}}\n",
            "aliases are not supported",
        ),
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
            "must be at most 10,000 (got 10,100)",
        ),
    ],
)
def test_a_bad_campaign_gets_one_line_and_no_folder(text, fault, tmp_path):
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert said.code == 2 and fault in said.one_line()
    assert not (tmp_path / "a").exists()


def test_millions_of_instances_are_counted_and_not_made(tmp_path, monkeypatch):
    """Each grid is small enough; nothing is made before all are known."""
    numbers = ", ".join(map(str, range(100)))
    entry = f"  - {{problem: queens, shuffle: [{numbers}], set: {{n: [{numbers}]}}}}\n"
    monkeypatch.setattr(RecipeGatherer, "gather", lambda *_: pytest.fail("it is made"))
    path = campaign(tmp_path, "instances:\n" + entry * 100)
    assert path.stat().st_size < 100_000
    said = boardsat("archive", "create", tmp_path / "a", path)
    assert "must be at most 10,000 (got 1,000,000); make several campaigns" in said.one_line()


def test_a_campaign_of_repetitions_is_refused_before_it_is_taken_apart(tmp_path):
    path = campaign(tmp_path, f"instances:\n  - {{problem: queens, shuffle: [{'1,' * 400_000}]}}\n")
    said = boardsat("archive", "create", tmp_path / "a", path)
    assert "at most 160,000 texts, lists and mappings" in said.one_line()


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
    mine = "title: t\nextends: queens/squares\nparams: {n: 5}\n"
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
    words = {*KEYS, *INSTANCE_KEYS, *LIMIT_KEYS, *storage.SHARED_FILES}
    words |= {
        f"NAME{ending}"
        for ending in (storage.FORMULA, storage.RECORD, storage.MODEL, storage.PROOF)
    }
    told = DOCS + (ROOT / "docs/campaigns.md").read_text()
    assert [word for word in sorted(words) if f"`{word}`" not in told] == []


def test_the_campaign_that_ships_can_be_read():
    path = ROOT / "docs/campaigns/small.yaml"
    assert len(names(read_campaign(path).instances(path.parent))) == 6
