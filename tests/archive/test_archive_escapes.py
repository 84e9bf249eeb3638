"""Ways out of the folder of an archive or a campaign: nothing is touched where they lead."""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers.archives import NAMES, SMALL, campaign, content, seal, verified
from helpers.formulas import one_in
from helpers.solver_runs import boardsat

from boardsat.archive import storage

FOUR, TRIANGLE = NAMES[2], NAMES[0]
SECRET = "0 1\n1 2\n2 0\n"

_listening: list[list[str]] = []
"""Where the names of opened files go, if anybody wants them."""


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        for names in _listening:
            names.append(str(arguments[0]))


sys.addaudithook(_listen)


@contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """No file of a folder is opened, by whatever name, and none is changed."""
    before, opened = content(folder), []
    _listening.append(opened)
    try:
        yield
    finally:
        _listening.remove(opened)
    within = str(folder.resolve())
    assert [path for path in opened if os.path.realpath(path).startswith(within)] == []
    assert content(folder) == before


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that is nobody's business."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("secret.txt", "secret.json", "model.xz", "squares.yaml"):
        (folder / name).write_text(SECRET)
    return folder


def change(folder: Path, name: str, *path: str, to: object) -> str:
    """One value of a record; its file."""
    file = folder / (name + storage.RECORD)
    entries = inner = json.loads(file.read_bytes())
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    file.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    return file.name


@pytest.mark.parametrize("what", ["model", "proof"])
@pytest.mark.parametrize(
    "name",
    one_in(
        2,
        [
            *("/outside/model.xz", ".", "../outside/model.xz", ".."),
            *("a/../../outside/model.xz", "", "a\0b"),
        ],
    ),
)
def test_evidence_is_a_file_of_its_instance(what, name, archive, outside):
    told = name.replace("/outside", str(outside)) if name.startswith("/") else name
    file = change(archive, FOUR, "evidence", what, to=told)
    seal(archive)
    with untouched(outside):
        assert verified(archive)[file] == "wrong"


def test_a_name_of_another_instance_is_no_way_out(archive, outside):
    for told in ("../outside/secret", str(outside / "secret"), "QUEENS-4-SQUARES", FOUR + "\0"):
        file = change(archive, FOUR, "name", to=told)
        seal(archive)
        with untouched(outside):
            assert verified(archive)[file] == "wrong"


@pytest.mark.parametrize(
    "graph", ["/outside/secret.txt", "../outside/secret.txt", "..", "a\0b", ""]
)
@pytest.mark.parametrize("has_text", [True, False])
def test_a_recipe_reads_no_graph_but_its_own(graph, has_text, archive, outside):
    told = graph.replace("/outside", str(outside)) if graph.startswith("/") else graph
    change(archive, TRIANGLE, "recipe", "settings", "graph", to=told)
    file = TRIANGLE + storage.RECORD
    if not has_text:
        change(archive, TRIANGLE, "recipe", "graphs", to={})
    seal(archive)
    with untouched(outside):
        assert verified(archive)[file] == "wrong"


LINKED = [
    *storage.SHARED_FILES,
    FOUR + storage.RECORD,
    FOUR + storage.FORMULA,
    FOUR + storage.MODEL,
]


@pytest.mark.parametrize("file", LINKED)
def test_no_link_is_followed(file, archive, outside):
    path = archive / file
    (outside / "secret.txt").write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside / "secret.txt")
    again = campaign(archive.parent / "again", SMALL)
    with untouched(outside):
        assert file in verified(archive)
        for words in (("submit", archive, "--interesting", 0), ("create", archive, again)):
            said = boardsat("archive", *words)
            assert said.code == 2 and str(archive) in said.one_line()


def test_no_link_in_a_folder_for_a_submission_is_followed(archive, outside):
    target = archive.parent / "copy-sat"
    words = ("archive", "submit", archive, "--interesting", 0)
    target.symlink_to(outside)
    with untouched(outside):
        assert "a symbolic link" in boardsat(*words).one_line()
    target.unlink()
    target.mkdir()
    for name in ("instances", "hardness.json", "description.tex"):
        (target / name).symlink_to(outside / "secret.txt")
        with untouched(outside):
            assert "a link" in boardsat(*words).one_line()
        (target / name).unlink()
    (target / "instances").mkdir()
    (target / "instances" / f"{FOUR}.cnf.xz").symlink_to(outside / "secret.txt")
    with untouched(outside):
        assert "a link" in boardsat(*words).one_line()


def test_pipes_and_folders_are_findings(archive):
    os.mkfifo(archive / "pipe.json")
    (archive / "folder.json").mkdir()
    (archive / storage.TABLE).unlink()
    os.mkfifo(archive / storage.TABLE)
    assert verified(archive) == {
        "folder.json": "added",
        "pipe.json": "added",
        storage.TABLE: "changed",
    }


def test_names_in_a_manifest_are_not_opened(archive, outside):
    path = archive / storage.MANIFEST
    for name in ("../outside/secret.txt", str(outside / "secret.txt"), "..", "a\0b", "C:\\x"):
        path.write_bytes(path.read_bytes() + f"{'0' * 64}  {name}\n".encode())
    with untouched(outside):
        assert verified(archive)["../outside/secret.txt"] == "missing"


@pytest.mark.parametrize(
    "instance",
    [
        "{problem: %s/squares.yaml}",
        "{problem: ../outside/squares.yaml}",
        "{problem: linked.yaml}",
        "{problem: hamilton, encoding: unary, set: {graph: %s/secret.txt}}",
        "{problem: hamilton, encoding: unary, set: {graph: ../outside/secret.txt}}",
        "{problem: hamilton, encoding: unary, set: {graph: linked/secret.txt}}",
    ],
)
def test_a_campaign_takes_nothing_from_elsewhere_into_an_archive(instance, outside, tmp_path):
    text = "instances:\n  - " + instance.replace("%s", str(outside)) + "\n"
    path = campaign(tmp_path / "here", text)
    (path.parent / "linked").symlink_to(outside)
    (path.parent / "linked.yaml").symlink_to(outside / "squares.yaml")
    with untouched(outside):
        said = boardsat("archive", "create", tmp_path / "a", path)
        assert said.code == 2 and "outside the folder of the campaign" in said.one_line()
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ['"a\\0b.yaml"', "pipe.yaml", "folder.yaml", "loop.yaml"])
def test_what_a_campaign_names_must_be_a_file(name, tmp_path):
    path = campaign(tmp_path, f"instances:\n  - {{problem: {name}}}\n")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    said = boardsat("archive", "create", tmp_path / "a", path)
    assert said.code == 2 and "cannot read the spec" in said.one_line()


@pytest.mark.parametrize("ending", [storage.FORMULA, storage.MODEL])
def test_a_compressed_file_is_unpacked_no_further_than_it_should(ending, archive, monkeypatch):
    """Twenty megabytes of the same are some kilobytes, and could as well be twenty gigabytes."""
    (archive / (FOUR + ending)).write_bytes(lzma.compress(b"c comment\n" * 2 * 10**6, preset=0))
    seal(archive)
    unpacked = []

    @contextmanager
    def counting(path: Path, open_blocks: Any = storage.open_blocks) -> Iterator[Iterator[bytes]]:
        with open_blocks(path) as blocks:
            yield (unpacked.append(len(block)) or block for block in blocks)

    monkeypatch.setattr(storage, "open_blocks", counting)
    assert verified(archive)[FOUR + ending] == "wrong"
    assert 0 < sum(unpacked) < 2**21


def test_no_instance_has_the_name_of_what_describes_all(tmp_path):
    path = campaign(tmp_path, "instances:\n  - {problem: ro-crate-metadata.yaml}\n")
    spec = "title: t\nvariables: {X: {}}\nconstraints: [{clause: X}]\n"
    (tmp_path / "ro-crate-metadata.yaml").write_text(spec)
    said = boardsat("archive", "create", tmp_path / "archive", path)
    assert "is reserved" in said.one_line()
    assert not (tmp_path / "archive").exists()
