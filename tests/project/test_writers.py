"""Files are written in one place, so that none is ever left half written."""

from __future__ import annotations

import ast
import re

import pytest
from helpers.syntax_trees import files, nodes

WRITERS = {
    "boardsat/base/files.py": "the one writer of files: beside the old one, then in its place",
    "boardsat/base/compression.py": "no file: a compressor whose bytes the one writer takes",
    "boardsat/base/scratch.py": "temporary files, and copies of them for people to look at",
    "boardsat/campaign/runner/store.py": "appends lines, and mends one that was cut",
    "boardsat/cli.py": "a new file, when everything else has failed",
    "boardsat/terminal/streams.py": "/dev/null in place of closed streams",
}
"""Modules that may open files to write, and the reason; all others use the first two."""

WRITING = {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "touch"} | {
    "copy", "copy2", "copyfile", "copytree", "move", "copyfileobj"
}  # fmt: skip


def opens_to_write(node: ast.AST) -> bool:
    """Return whether a call opens a file for writing, or creates one in another way."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    if name in {"open", "fdopen", "TarFile", "ZipFile", "GzipFile", "LZMAFile"}:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        texts = [token.value for token in arguments if isinstance(token, ast.Constant)]
        flags = ast.unparse(node)
        modes = [text for text in texts if isinstance(text, str) and len(text) <= 3]
        return any(set(mode) & set("wax+") for mode in modes) or bool(
            re.search(r"O_(WRONLY|RDWR|CREAT)", flags)
        )
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    is_file_copy = isinstance(owner, ast.Name) and owner.id == "shutil"
    return name in WRITING and (is_file_copy or not name.startswith(("copy", "move")))


def test_files_are_written_by_base_files_only():
    """A full disk, a kill or two writers at once never leave half a file or lose an old one."""
    writers = {
        path
        for path, tree in files().items()
        for node in nodes(tree)
        # An archive in memory is no file.
        if opens_to_write(node) and "fileobj=" not in ast.unparse(node)
    }
    assert writers == WRITERS.keys()


@pytest.mark.parametrize(
    "text",
    [
        "Path(x).open('wb')",
        "open(x, mode='a')",
        "gzip.open(p, 'wt')",
        "p.write_text('')",
        "shutil.copy(a, b)",
        "os.open(p, os.O_CREAT)",
    ],
)
def test_file_writing_calls_are_detected(text):
    assert any(map(opens_to_write, ast.walk(ast.parse(text))))


def test_file_reading_calls_are_ignored():
    for text in ("Path(x).open('rb')", "open(x)", "model.copy()", "tarfile.open(p)"):
        assert not any(map(opens_to_write, ast.walk(ast.parse(text))))
