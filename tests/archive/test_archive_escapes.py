"""Path traversal by names and links in archives and campaigns: files outside are never opened."""

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
from helpers.archives import NAMES, SMALL, campaign, content, seal, verify_findings
from helpers.formulas import one_in
from helpers.solver_runs import boardsat

from boardsat.archive import storage

FOUR, TRIANGLE = NAMES[2], NAMES[0]
SECRET = "0 1\n1 2\n2 0\n"

_open_listeners: list[list[str]] = []
"""Lists that receive the names of opened files."""


def _record_open(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        for names in _open_listeners:
            names.append(str(arguments[0]))


sys.addaudithook(_record_open)


@contextmanager
def assert_untouched(folder: Path) -> Iterator[None]:
    """Fail if a file of a folder is opened, by any name, or changed."""
    content_before, opened = content(folder), []
    _open_listeners.append(opened)
    try:
        yield
    finally:
        _open_listeners.remove(opened)
    within = str(folder.resolve())
    assert [path for path in opened if os.path.realpath(path).startswith(within)] == []
    assert content(folder) == content_before


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Folder outside the archive that no command may touch."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("secret.txt", "secret.json", "model.xz", "squares.yaml"):
        (folder / name).write_text(SECRET)
    return folder


def change_record(folder: Path, name: str, *path: str, new_value: object) -> str:
    """Change one value of a record and return its file."""
    file = folder / (name + storage.RECORD)
    entries = inner = json.loads(file.read_bytes())
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new_value
    file.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    return file.name


@pytest.mark.parametrize("kind", ["model", "proof"])
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
def test_evidence_outside_instance_is_rejected(kind, name, archive, outside):
    evidence_name = name.replace("/outside", str(outside)) if name.startswith("/") else name
    file = change_record(archive, FOUR, "evidence", kind, new_value=evidence_name)
    seal(archive)
    with assert_untouched(outside):
        assert verify_findings(archive)[file] == "wrong"


def test_foreign_instance_name_is_rejected(archive, outside):
    for instance_name in (
        "../outside/secret",
        str(outside / "secret"),
        "QUEENS-4-SQUARES",
        FOUR + "\0",
    ):
        file = change_record(archive, FOUR, "name", new_value=instance_name)
        seal(archive)
        with assert_untouched(outside):
            assert verify_findings(archive)[file] == "wrong"


@pytest.mark.parametrize(
    "graph", ["/outside/secret.txt", "../outside/secret.txt", "..", "a\0b", ""]
)
@pytest.mark.parametrize("has_text", [True, False])
def test_recipe_with_graph_outside_is_rejected(graph, has_text, archive, outside):
    graph_path = graph.replace("/outside", str(outside)) if graph.startswith("/") else graph
    change_record(archive, TRIANGLE, "recipe", "settings", "graph", new_value=graph_path)
    file = TRIANGLE + storage.RECORD
    if not has_text:
        change_record(archive, TRIANGLE, "recipe", "graphs", new_value={})
    seal(archive)
    with assert_untouched(outside):
        assert verify_findings(archive)[file] == "wrong"


LINKED_FILES = [
    *storage.SHARED_FILES,
    FOUR + storage.RECORD,
    FOUR + storage.FORMULA,
    FOUR + storage.MODEL,
]


@pytest.mark.parametrize("file", LINKED_FILES)
def test_symbolic_link_in_archive_is_not_followed(file, archive, outside):
    path = archive / file
    (outside / "secret.txt").write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside / "secret.txt")
    campaign_file = campaign(archive.parent / "again", SMALL)
    with assert_untouched(outside):
        assert file in verify_findings(archive)
        for arguments in (
            ("submit", archive, "--interesting", 0),
            ("create", archive, campaign_file),
        ):
            output = boardsat("archive", *arguments)
            assert output.code == 2 and str(archive) in output.one_line()


def test_symbolic_link_in_submission_folder_is_not_followed(archive, outside):
    target = archive.parent / "copy-sat"
    arguments = ("archive", "submit", archive, "--interesting", 0)
    target.symlink_to(outside)
    with assert_untouched(outside):
        assert "a symbolic link" in boardsat(*arguments).one_line()
    target.unlink()
    target.mkdir()
    for name in ("instances", "hardness.json", "description.tex"):
        (target / name).symlink_to(outside / "secret.txt")
        with assert_untouched(outside):
            assert "a link" in boardsat(*arguments).one_line()
        (target / name).unlink()
    (target / "instances").mkdir()
    (target / "instances" / f"{FOUR}.cnf.xz").symlink_to(outside / "secret.txt")
    with assert_untouched(outside):
        assert "a link" in boardsat(*arguments).one_line()


def test_pipes_and_folders_are_reported(archive):
    os.mkfifo(archive / "pipe.json")
    (archive / "folder.json").mkdir()
    (archive / storage.TABLE).unlink()
    os.mkfifo(archive / storage.TABLE)
    assert verify_findings(archive) == {
        "folder.json": "added",
        "pipe.json": "added",
        storage.TABLE: "changed",
    }


def test_foreign_names_in_manifest_are_not_opened(archive, outside):
    path = archive / storage.MANIFEST
    for name in ("../outside/secret.txt", str(outside / "secret.txt"), "..", "a\0b", "C:\\x"):
        path.write_bytes(path.read_bytes() + f"{'0' * 64}  {name}\n".encode())
    with assert_untouched(outside):
        assert verify_findings(archive)["../outside/secret.txt"] == "missing"


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
def test_campaign_naming_files_outside_its_folder_is_rejected(instance, outside, tmp_path):
    text = "instances:\n  - " + instance.replace("%s", str(outside)) + "\n"
    path = campaign(tmp_path / "here", text)
    (path.parent / "linked").symlink_to(outside)
    (path.parent / "linked.yaml").symlink_to(outside / "squares.yaml")
    with assert_untouched(outside):
        output = boardsat("archive", "create", tmp_path / "a", path)
        assert output.code == 2 and "outside the folder of the campaign" in output.one_line()
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ['"a\\0b.yaml"', "pipe.yaml", "folder.yaml", "loop.yaml"])
def test_campaign_naming_irregular_file_is_rejected(name, tmp_path):
    path = campaign(tmp_path, f"instances:\n  - {{problem: {name}}}\n")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    output = boardsat("archive", "create", tmp_path / "a", path)
    assert output.code == 2 and "cannot read the spec" in output.one_line()


@pytest.mark.parametrize("suffix", [storage.FORMULA, storage.MODEL])
def test_decompression_bomb_is_unpacked_up_to_limit(suffix, archive, monkeypatch):
    """Twenty megabytes of equal bytes compress to kilobytes, as would twenty gigabytes."""
    (archive / (FOUR + suffix)).write_bytes(lzma.compress(b"c comment\n" * 2 * 10**6, preset=0))
    seal(archive)
    unpacked = []

    @contextmanager
    def counting_blocks(
        path: Path, open_blocks: Any = storage.open_blocks
    ) -> Iterator[Iterator[bytes]]:
        with open_blocks(path) as blocks:
            yield (unpacked.append(len(block)) or block for block in blocks)

    monkeypatch.setattr(storage, "open_blocks", counting_blocks)
    assert verify_findings(archive)[FOUR + suffix] == "wrong"
    assert 0 < sum(unpacked) < 2**21


def test_instance_with_reserved_name_is_rejected(tmp_path):
    path = campaign(tmp_path, "instances:\n  - {problem: ro-crate-metadata.yaml}\n")
    spec = "title: t\nvariables: {X: {}}\nconstraints: [{clause: X}]\n"
    (tmp_path / "ro-crate-metadata.yaml").write_text(spec)
    output = boardsat("archive", "create", tmp_path / "archive", path)
    assert "the name of an instance must not be" in output.one_line()
    assert not (tmp_path / "archive").exists()
