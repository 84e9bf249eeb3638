"""Reads graphs, one file a format; never writes. The text tells its format, whatever its name."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.graphs.labelled_graph import REMEDY, Graph, GraphText

__all__ = ["Graph", "read_graph"]

LARGEST_FILE = 2**28

LINE_BYTES = 250
"""What a line takes until its edge is in an array."""

TEXT = "graph"
"""What a graph is called that comes without a file."""

_last: dict[tuple[str, str, str], Graph] = {}
"""The last one, by file, digest and kind: it may be read again at once, for another encoding."""

_TELLING = 2**16
"""Characters in which a format must show itself."""

# The alternatives of a repetition differ in their first character, and no two repetitions that
# follow each other share one: a text that does not match is refused in linear time.
_DOT = re.compile(
    r"(?:\s|//[^\n]*\n|#[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*"
    r'(?:strict\s+)?(?:di)?graph\b\s*(?:"[^"]*"\s*|[^\s{"]+\s*)?\{',
    re.IGNORECASE,
)
_GML = re.compile(r"^[ \t]*graph\s*\[", re.MULTILINE)
_GRAPH6 = re.compile(r"\s*(?:>>(?:di)?(?:graph|sparse)6<<|[:&]?[?-~]+\s*(?:\n|$))")
_KTHLIST = re.compile(
    r"{0}[ \t]*[0-9]+[ \t]*\n{0}[ \t]*[0-9]+[ \t]*:".format(r"(?:c.*\n|[ \t]*\n)*")
)
_MATRIX = re.compile(r"(?:#[^\n]*\n|\s)*[0-9]+\s+[0-9]+(?:\s+[01])+\s*(?:#|$)")
_TSPLIB = frozenset(("EDGE_DATA_SECTION", "EDGE_DATA_FORMAT", "DIMENSION"))


def read_graph(path: str, kind: str = "") -> Graph:
    """Return the graph in a file, or in a text of lines, within the limits of outside input."""
    path, data = _content(path)
    with outside_limits(), current_part("the graph", path):
        return _read(path, data, kind)


def _read(path: str, data: bytes, kind: str) -> Graph:
    try:
        if len(data) > LARGEST_FILE:
            raise InputError("too large for a graph", f"the limit is {LARGEST_FILE:,} bytes", path)
        number = data.count(b"\n") + 1
        checkpoint(LINE_BYTES * number + 6 * len(data))
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError("not a text file", REMEDY, f"{path}:{line}") from None
    key = path, hashlib.sha256(data).hexdigest(), kind
    if known := _last.get(key):
        return known
    module = importlib.import_module(f"{__name__}.{format_of(text, kind)}")
    graph: Graph = module.read(GraphText(path, text, kind))
    graph = replace(graph, name=Path(path).name, sha256=key[1])
    _last.clear()
    _last[key] = graph
    return graph


def _content(path: str) -> tuple[str, bytes]:
    """The name and the beginning of a file, as much as a graph may have; or of a text of lines."""
    try:
        # The name of a file may have lines too.
        if "\n" in path and not os.path.exists(path):  # noqa: PTH110 (pathlib minds long names)
            return TEXT, os.fsencode(path)
        with Path(path).open("rb") as file:
            return path, file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not the name of a file"
        raise InputError(f"cannot read the graph: {fault}", "give a readable file", path) from None


def format_of(text: str, kind: str = "") -> str:
    """The file of this folder that reads it."""
    beginning = text[:_TELLING]
    if _DOT.match(beginning):
        return "dot"
    if _GML.search(beginning):
        return "gml"
    if _KTHLIST.match(beginning):
        return "kthlist"
    if kind == "bipartite" and _MATRIX.match(beginning):
        return "matrix"
    lines = (line.split(maxsplit=3) for line in beginning.splitlines())
    for words in islice((words for words in lines if words and words[0] != "c"), 50):
        if words[0].partition(":")[0].upper() in _TSPLIB:
            return "tsplib"
        if words[0] == "p" and len(words) > 2:
            return "dimacs"
    return "graph6" if _GRAPH6.match(beginning) else "edge_list"
