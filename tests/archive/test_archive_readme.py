"""README, license, preview and checksum list of an archive."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from helpers import processes
from helpers.archives import SMALL, all_findings, campaign, content, create_archive, verify_findings
from helpers.campaigns import ONE
from helpers.requirements import outside, require_program
from helpers.solver_runs import boardsat

from boardsat.archive import storage, verify
from boardsat.archive.instance_record import read_records, record_names
from boardsat.archive.readme import license_text, preview, readme
from boardsat.campaign.parser import read_metadata

CAMPAIGN_TEXT = """\
title: Queens
license: CC-BY-4.0
instances:
  - {problem: queens, set: {n: [3, 4]}}
solvers: [cadical]
runtime: embedded
"""


class Page(HTMLParser):
    """Links and JSON-LD of a page, and the elements that are open at its end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


@outside
def test_sha256sum_verifies_every_file_except_manifest(archive):
    command = [require_program("sha256sum"), "--strict", "--check", storage.MANIFEST]
    process = processes.run(command, cwd=archive, capture_output=True, text=True)
    names = {line.removesuffix(": OK") for line in process.stdout.splitlines()}
    assert (process.returncode, names) == (0, {*storage.file_names(archive)} - {storage.MANIFEST})
    (archive / storage.README).write_text("mine")
    assert processes.run(command, cwd=archive, capture_output=True).returncode == 1


def test_file_names_are_not_those_of_bagit(shared_archive):
    """Tools take a folder with such a name for a BagIt bag, whose content is in a folder data."""
    names = re.compile(r"bagit\.txt|bag-info\.txt|fetch\.txt|(tag)?manifest-\w+\.txt")
    assert [name for name in storage.file_names(shared_archive) if names.fullmatch(name)] == []


def test_readme_describes_every_file(shared_archive):
    text = (shared_archive / storage.README).read_text()
    assert text.startswith("# Tiny boards\n\nBy Ada Lovelace, 2026-11-16\n")
    for name in {*storage.file_names(shared_archive)} - {storage.README}:
        kind = re.sub(r"^(hamilton|queens).*?(?=\.)", "NAME", name)
        assert f"`{kind}`" in text, name
    assert f"`NAME{storage.PROOF}`" not in text and "drat-trim ../" not in text
    assert re.search(r"\| queens/squares \| .* \| 2 \| 9 to 16 \| 34 to 84 \| 1 \| 1 \|\n", text)
    assert "`recipe`" in text and "../again" not in text, "the graph is a file of the authors"
    assert not re.search(r" \n|\n\n\n|\{[{%]", text)


@outside
@pytest.mark.slow
def test_commands_of_readme_work_verbatim(tmp_path):
    for name in ("sh", "xzcat", "sha256sum", "diff"):
        require_program(name)
    folder = create_archive(tmp_path, CAMPAIGN_TEXT)
    content_before = content(folder)
    blocks = re.findall(r"```sh\n(.*?)```", (folder / storage.README).read_text(), re.DOTALL)
    assert len(blocks) == 4
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for block in blocks:
        process = processes.run(
            ["sh", "-euc", block], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True
        )
        assert process.returncode == 0, (block, process.stderr)
    assert process.stdout.endswith(b"same\n")
    assert content(folder) == content_before == content(tmp_path / "again")


def test_preview_links_to_files_and_has_metadata(shared_archive):
    page = Page((shared_archive / storage.PREVIEW).read_text())
    local = {unquote(link) for link in page.links if not link.startswith(("https:", "data:"))}
    assert local == {*storage.file_names(shared_archive)} - {storage.PREVIEW}
    assert page.open == []
    assert json.loads("".join(page.scripts)) == json.loads(
        (shared_archive / storage.CRATE).read_text()
    )


def test_hostile_title_is_escaped(shared_archive):
    records = read_records(shared_archive)
    metadata, _ = read_metadata(shared_archive / storage.CAMPAIGN)
    title = "</script><script>alert(1)</script><!--\n\n# x | y"
    hostile = [replace(record, title=title) for record in records]
    crate = json.dumps({"name": title}).encode()
    page = Page(preview(replace(metadata, title=title, text=title), hostile, crate).decode())
    assert json.loads("".join(page.scripts)) == {"name": title} and page.open == []
    text = readme(replace(metadata, title=title), hostile).decode()
    assert text.startswith("# </script><script>alert(1)</script><!-- # x | y\n")
    assert text.count("\n# ") == 0 and r"# x \| y |" in text


@pytest.mark.parametrize(
    "name, beginning",
    [
        ("CC0-1.0", b"Creative Commons Legal Code\n\nCC0 1.0 Universal\n"),
        ("CC-BY-4.0", b"Attribution 4.0 International\n"),
        ("EUPL-1.2", b"The license of this archive is EUPL-1.2 (SPDX identifier).\n"),
        ("", b"The authors of this archive have named no license."),
    ],
)
def test_license_has_standard_text(name: str, beginning: bytes, shared_archive: Path) -> None:
    metadata, _ = read_metadata(shared_archive / storage.CAMPAIGN)
    assert license_text(replace(metadata, license=name)).startswith(beginning)


def test_readme_of_another_version_is_not_checked(archive, monkeypatch):
    """Only its hash is compared then."""
    path = archive / storage.README
    path.write_text(path.read_text().replace("Use", "Usage"))
    (archive / storage.MANIFEST).write_bytes(storage.manifest(archive))
    assert verify_findings(archive)[storage.README] == "wrong"
    monkeypatch.setattr(verify, "tool_version", lambda: "boardsat 99")
    assert storage.README not in verify_findings(archive)
    assert {"file": storage.README, "what": "not checked", "reason": "text of boardsat"} in [
        {**finding, "reason": finding["reason"].rpartition(" ")[0]}
        for finding in all_findings(archive)
    ]


def test_archive_of_earlier_version_is_rejected_and_renewed(archive, tmp_path):
    for name in (storage.README, storage.LICENSE, storage.PREVIEW):
        (archive / name).unlink()
    (archive / storage.MANIFEST).unlink()
    old = archive / storage.OLD_MANIFEST
    old.write_bytes(storage.manifest(archive))
    for action in ("verify", "submit"):
        output = boardsat("archive", action, archive)
        assert output.code == 2
        assert (
            "must be SHA256SUMS (got manifest-sha256.txt, of an earlier version)"
            in output.one_line()
        )
    remedy = re.search(r"`boardsat (archive create .*) CAMPAIGN.yaml`", output.err)
    assert remedy is not None
    assert boardsat(*remedy[1].split(), campaign(tmp_path, SMALL), *ONE).code == 0
    assert verify_findings(archive) == {} and not old.exists()


def test_archive_of_earlier_format_is_rejected_in_one_line(archive):
    for record in (archive / name for name in record_names(archive)):
        record.write_bytes(record.read_bytes().replace(b'"format": 2', b'"format": 1', 1))
    output = boardsat("archive", "verify", archive)
    assert output.code == 2 and output.one_line().rstrip("\n") == (
        f"boardsat: {archive}: the format of the archive must be 2 (got 1); create it again: "
        f"`boardsat archive create {archive} {archive / storage.CAMPAIGN}`"
    )
