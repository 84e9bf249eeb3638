"""Creation of archives: reproducible bytes, interruptions, campaigns and their errors."""

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
from helpers.archives import ROOT, SMALL, campaign, content, create_archive, verify_findings
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


# Reproducibility and interruptions


def copy_checkout(folder: Path) -> Path:
    """Copy the program and its specs to another folder."""
    for package in ("adapters", "boardsat", "generators", "specs"):
        shutil.copytree(
            ROOT / package,
            folder / package,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    return folder


def create_in_checkout(checkout: Path, target: Path, path: Path) -> dict[str, bytes]:
    """Return the contents of the archive that a checkout creates in its own process."""
    program = (
        "import sys, boardsat; from boardsat.cli import main;"
        "assert boardsat.__file__.startswith(sys.argv[1]), boardsat.__file__;"
        "sys.exit(main(sys.argv[2:]))"
    )
    arguments = ["archive", "create", str(target), str(path)]
    process = processes.run(
        [sys.executable, "-c", program, str(checkout), *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return content(target)


@pytest.mark.slow
def test_two_checkouts_create_equal_archives(shared_archive, tmp_path):
    checkout = copy_checkout(tmp_path / "checkout")
    path = campaign(tmp_path / "elsewhere", SMALL)
    assert create_in_checkout(checkout, tmp_path / "b", path) == content(shared_archive)


@pytest.mark.slow
def test_sixty_instances_are_reproducible(tmp_path):
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
    expected = create_in_checkout(ROOT, tmp_path / "a", path)
    assert sum(name.endswith(storage.FORMULA) for name in expected) == 60
    other_campaign = campaign(tmp_path / "there", text)
    assert (
        create_in_checkout(copy_checkout(tmp_path / "checkout"), tmp_path / "b", other_campaign)
        == expected
    )
    assert verify_findings(tmp_path / "b") == {}


def record_inodes(folder: Path) -> dict[str, int]:
    """Return the inode of every record; a file that is written again has another."""
    return {
        path.name: path.stat().st_ino
        for path in folder.glob(f"*{storage.RECORD}")
        if path.name != storage.CRATE
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_interrupted_create_is_resumed(number, tmp_path):
    path, target = campaign(tmp_path, PLAIN), tmp_path / "archive"
    process = start("archive", "create", target, path)
    wait_until(lambda: len(record_inodes(target)) >= 2)
    process.send_signal(number)
    output = finish(process)
    assert output.code == (130 if number == signal.SIGINT else -number)
    assert number == signal.SIGKILL or re.search(r"finished instances? (is|are) stored", output.err)
    finished = record_inodes(target)
    assert 2 <= len(finished) < 5
    assert verify_findings(target) == {storage.MANIFEST: "missing"}
    (target / ".queens.1.part").write_text("what a killed run may leave")
    resumed = boardsat("archive", "create", target, path)
    assert resumed.code == 0 and resumed.out.count("already there") == len(finished)
    assert finished.items() <= record_inodes(target).items()
    assert verify_findings(target) == {}
    assert content(target) == content(create_archive(tmp_path / "whole", PLAIN))


@pytest.mark.slow
def test_full_disk_preserves_finished_instances(tmp_path):
    """A maximum file size stands for a full disk.

    One worker creates the instances in the order of the campaign: with two, the large one might
    fail before the small ones are finished.
    """
    text = "instances:\n  - {problem: queens, set: {n: [4, 5, 30]}}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    expected = content(create_archive(tmp_path / "whole", text))
    max_bytes = len(expected["queens-30-squares.cnf.xz"]) - 1
    process = processes.run(
        [sys.executable, "-m", "boardsat", "archive", "create", target, path, *map(str, ONE)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes)),
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert process.returncode == 2
    fault = "queens-30-squares.cnf.xz: no space to write the file"
    assert fault in process.stderr and process.stderr.count("\n") == 1
    assert sorted(record_inodes(target)) == ["queens-4-squares.json", "queens-5-squares.json"]
    assert not list(target.glob("*queens-30*"))
    assert [path.name for path in target.glob(".*")] == [storage.RESULTS]
    finished = record_inodes(target)
    assert boardsat("archive", "create", target, path).code == 0
    assert finished.items() <= record_inodes(target).items()
    assert content(target) == expected


def test_finished_instances_are_not_rebuilt(tmp_path, monkeypatch):
    text = "instances:\n  - {problem: queens, set: {n: [4, 5]}, shuffle: [1, 2]}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    recipes, steps = [], []

    def build_formula(recipe, formula=Recipe.formula):
        recipes.append(recipe)
        return formula(recipe)

    monkeypatch.setattr(Recipe, "formula", build_formula)
    records = create(target, path, report_step=steps.append)
    assert len(recipes) == len(records) == 4 and all(step.is_new for step in steps)
    steps.clear()
    assert {record.name for record in create(target, path, report_step=steps.append)} == {
        record.name for record in records
    }
    assert len(recipes) == 4 and not any(step.is_new for step in steps)


def test_damaged_instance_is_recreated(archive, shared_archive):
    (archive / "queens-4-squares.cnf.xz").write_bytes(b"rubbish")
    (archive / "queens-3-squares.json").write_bytes(b"{")
    path = campaign(archive.parent / "again", SMALL)
    output = boardsat("archive", "create", archive, path, *ONE)
    assert output.code == 0 and output.out.count("already there") == 1
    assert content(archive) == content(shared_archive)


def test_folder_that_is_not_this_archive_is_rejected(archive, tmp_path):
    other_campaign = campaign(tmp_path / "other", PLAIN)
    assert (
        "the campaign must be that of the archive in the folder (got another one)"
        in boardsat("archive", "create", archive, other_campaign).one_line()
    )
    foreign_folder = tmp_path / "full"
    foreign_folder.mkdir()
    (foreign_folder / "thesis.tex").write_text("mine")
    assert (
        "must be empty or an archive"
        in boardsat("archive", "create", foreign_folder, other_campaign).one_line()
    )
    assert (
        "must be a folder"
        in boardsat("archive", "create", other_campaign, other_campaign).one_line()
    )
    assert "not an archive" in boardsat("archive", "verify", foreign_folder).one_line()
    assert storage.file_names(foreign_folder) == ["thesis.tex"]


def test_foreign_file_is_rejected(archive):
    (archive / "notes.txt").write_text("mine")
    output = boardsat("archive", "create", archive, campaign(archive.parent / "again", SMALL))
    assert output.code == 2 and "notes.txt: the file is not part of the archive" in output.err


# Campaigns


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "the file is empty"),
        ("title: x\n", "`instances` is missing"),
        ("instances: []\n", "list.yaml:1: `instances` must have an entry (got an empty list)"),
        ("instances:\n  - {encoding: unary}\n", "list.yaml:2: the key `problem` is missing"),
        ("instances:\n  - {problem: tour, n: 6}\n", "list.yaml:2: unknown key 'n'"),
        ("instances:\n  - {problem: tuor}\n", "list.yaml:2: no problem 'tuor'; did you mean"),
        ("instances:\n  - {problem: tour, encoding: x}\n", "no encoding 'x'"),
        (
            "instances:\n  - {problem: queens, set: {n: []}}\n",
            "`n` must have at least one value (got an empty list)",
        ),
        ("instances:\n  - {problem: queens, set: {n: [4, x]}}\n", "n=x: n must be a whole number"),
        ("instances:\n  - {problem: queens, set: {m: 4}}\n", "no parameter 'm'"),
        (
            "instances:\n  - {problem: queens, shuffle: -1}\n",
            "from 0 to 2**64 - 1 (got '-1')",
        ),
        (
            "instances:\n  - {problem: queens, three_cnf: maybe}\n",
            "`three_cnf` must be a valid choice (got 'maybe')",
        ),
        (
            "instances:\n  - {problem: queens, propagate: 1}\n",
            "the value must be true or false (got '1')",
        ),
        (
            "instances:\n  - problem: queens\n  - problem: queens\n",
            "list.yaml:3: instances must be distinct (got ",
        ),
        ("instances:\n  - problem: queens\nsolvers: [cadicl]\n", "did you mean 'cadical'?"),
        (
            "instances:\n  - problem: queens\ncounters: [cadical]\n",
            "`counters` must be a valid choice (got 'cadical')",
        ),
        (
            "instances:\n  - problem: queens\nruntime: moon\n",
            "list.yaml:3: `runtime` must be a valid choice (got 'moon')",
        ),
        (
            "instances:\n  - problem: queens\nlimits: {timeout: 0}\n",
            "`timeout` must be a number from 0.001 to 1,000,000,000 seconds (got '0')",
        ),
        (
            "instances:\n  - problem: queens\ndate: today\n",
            "3: `date` must be a date such as 2026-12-31 (got 'today')",
        ),
        (
            "instances:\n  - problem: queens\nlicense: do as you like\n",
            "`license` must be an SPDX identifier such as CC-BY-4.0 (got 'do as you like')",
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
def test_invalid_campaign_is_one_line_and_creates_no_folder(text, fault, tmp_path):
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text))
    assert output.code == 2 and fault in output.one_line()
    assert not (tmp_path / "a").exists()


def test_too_many_instances_are_rejected_before_building(tmp_path, monkeypatch):
    """Each grid is small enough, but their sum is not."""
    numbers = ", ".join(map(str, range(100)))
    entry = f"  - {{problem: queens, shuffle: [{numbers}], set: {{n: [{numbers}]}}}}\n"
    monkeypatch.setattr(RecipeGatherer, "gather", lambda *_: pytest.fail("it is made"))
    path = campaign(tmp_path, "instances:\n" + entry * 100)
    assert path.stat().st_size < 100_000
    output = boardsat("archive", "create", tmp_path / "a", path)
    assert "must be at most 10,000 (got 1,000,000); make several campaigns" in output.one_line()


def test_campaign_with_too_many_nodes_is_rejected(tmp_path):
    path = campaign(tmp_path, f"instances:\n  - {{problem: queens, shuffle: [{'1,' * 400_000}]}}\n")
    output = boardsat("archive", "create", tmp_path / "a", path)
    assert "at most 160,000 texts, lists and mappings" in output.one_line()


def test_grid_expands_to_every_combination(tmp_path):
    text = "instances:\n  - {problem: latin, encoding: [direct, minimal], set: {n: [2, 3]}}\n"
    folder = create_archive(tmp_path, text)
    record_names = [record.name for record in read_records(folder)]
    assert record_names == [
        "latin-2-direct",
        "latin-2-minimal",
        "latin-3-direct",
        "latin-3-minimal",
    ]
    expected = tmp_path / "x.cnf"
    write(build(find("latin/minimal"), {"n": 3}), str(expected))
    written = lzma.decompress((folder / "latin-3-minimal.cnf.xz").read_bytes())
    assert written == expected.read_bytes()


def test_custom_spec_is_archived(tmp_path):
    spec_text = "title: t\nextends: queens/squares\nparams: {n: 5}\n"
    campaign(tmp_path, "")
    (tmp_path / "mine.yaml").write_text(spec_text)
    folder = create_archive(tmp_path, "instances:\n  - {problem: mine.yaml, set: {n: 4}}\n")
    (tmp_path / "mine.yaml").unlink()
    (record,) = read_records(folder)
    assert record.recipe.spec.texts["mine.yaml"] == spec_text
    assert verify_findings(folder) == {}


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", DOCS, re.S))
def test_documented_campaigns_are_parsed(text, tmp_path):
    path = tmp_path / "campaign.yaml"
    path.write_text(text)
    (tmp_path / "my-spec.yaml").write_text((ROOT / "specs/queens/squares.yaml").read_text())
    assert len(read_campaign(path).instances(tmp_path)) == 1 + 2 * 2 * 3 + 2


def test_keys_and_files_are_documented():
    terms = {*KEYS, *INSTANCE_KEYS, *LIMIT_KEYS, *storage.SHARED_FILES}
    terms |= {
        f"NAME{suffix}"
        for suffix in (storage.FORMULA, storage.RECORD, storage.MODEL, storage.PROOF)
    }
    documentation = DOCS + (ROOT / "docs/campaigns.md").read_text()
    assert [term for term in sorted(terms) if f"`{term}`" not in documentation] == []


def test_shipped_campaign_is_parsed():
    path = ROOT / "docs/campaigns/small.yaml"
    assert len(names(read_campaign(path).instances(path.parent))) == 6
