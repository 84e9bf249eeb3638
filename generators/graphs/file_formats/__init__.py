"""Reader of graph files; the text determines the format, whatever the name of the file."""

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

MAX_FILE_BYTES = 2**28
LINE_BYTES, CHARACTER_BYTES = 250, 6  # memory for each line and character while edges are parsed

UNNAMED = "graph"
"""Name of a graph that is given as text without a file."""

_cache: dict[tuple[str, str, str], Graph] = {}
"""Last graph that was read, by file, hash and kind: a fallback encoding requests it again."""

FORMATS = {
    "dot": ("dot", "read"),
    "gml": ("gml", "read"),
    "graph6": ("graph6", "read"),
    "kthlist": ("line_formats", "read_kthlist"),
    "matrix": ("line_formats", "read_matrix"),
    "tsplib": ("line_formats", "read_tsplib"),
    "dimacs": ("line_formats", "read_dimacs"),
    "edge_list": ("line_formats", "read_edge_list"),
}
"""Module and function that parse each format."""

_DETECTION_LENGTH = 2**16
"""Characters from which the format is detected."""

# The alternatives of a repetition differ in their first character, and no two repetitions that
# follow each other share one: a text that does not match is rejected in linear time.
# Patterns are compiled at their first use: most commands read no graph.
_DOT = (
    r"(?i)(?:\s|//[^\n]*\n|#[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*"
    r'(?:strict\s+)?(?:di)?graph\b\s*(?:"[^"]*"\s*|[^\s{"]+\s*)?\{'
)
_GML = r"(?m)^[ \t]*graph\s*\["
_GRAPH6 = r"\s*(?:>>(?:di)?(?:graph|sparse)6<<|[:&]?[?-~]+\s*(?:\n|$))"
_KTHLIST = r"{0}[ \t]*[0-9]+[ \t]*\n{0}[ \t]*[0-9]+[ \t]*:".format(r"(?:c.*\n|[ \t]*\n)*")
_MATRIX = r"(?:#[^\n]*\n|\s)*[0-9]+\s+[0-9]+(?:\s+[01])+\s*(?:#|$)"
_JOINED_PAIRS = r"[^\s,;-]+-[^\s,;-]+(?:,[^\s,;-]+-[^\s,;-]+)*"
_LISTED_PAIRS = r"[^\s,;]+,[^\s,;]+(?:;[^\s,;]+,[^\s,;]+)*"
_TSPLIB = frozenset(("EDGE_DATA_SECTION", "EDGE_DATA_FORMAT", "DIMENSION"))


def read_graph(path: str, kind: str = "") -> Graph:
    """Return the graph of a file, within the limits of outside input.

    Parameters
    ----------
    path : str
        Name of the file, its text if that has several lines, or edges: `0-1,1-2,2-0`.
    kind : str
        Required kind of graph, if the format has several: `digraph`, `dag`, `bipartite`.

    Raises
    ------
    InputError
        If the file cannot be read or parsed, or exceeds a limit.
    """
    path, content = _read_content(path)
    with outside_limits(), current_part("the graph", path):
        return _parse(path, content, kind)


def _parse(path: str, content: bytes, kind: str) -> Graph:
    if len(content) > MAX_FILE_BYTES:
        fault = f"a graph file must have at most {MAX_FILE_BYTES:,} bytes"
        raise InputError(fault, "use a smaller graph", path)
    checkpoint(LINE_BYTES * (content.count(b"\n") + 1) + CHARACTER_BYTES * len(content))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError("the graph file is not UTF-8 text", REMEDY, f"{path}:{line}") from None
    key = path, hashlib.sha256(content).hexdigest(), kind
    if cached := _cache.get(key):
        return cached
    module, function = FORMATS[detect_format(text, kind)]
    parse = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    graph: Graph = parse(GraphText(path, text, kind))
    graph = replace(graph, name=Path(path).name, sha256=key[1])
    _cache.clear()
    _cache[key] = graph
    return graph


def _read_content(path: str) -> tuple[str, bytes]:
    """Return the name and content of a file, cut above MAX_FILE_BYTES; or of a text of lines."""
    try:
        # The name of a file may contain line breaks.
        if "\n" in path and not os.path.exists(path):  # noqa: PTH110 (pathlib minds long names)
            return UNNAMED, os.fsencode(path)
        if (lines := _edge_lines(path)) and not Path(path).exists():
            return UNNAMED, os.fsencode(lines)
        with Path(path).open("rb") as file:
            return path, file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not the name of a file"
        raise InputError(f"cannot read the graph: {fault}", "give a readable file", path) from None


def _edge_lines(text: str) -> str:
    """Return the lines of an edge list for `0-1,1-2` or `0,1;1,2`; empty for other texts."""
    if re.fullmatch(_JOINED_PAIRS, text):
        return text.replace(",", "\n").replace("-", " ")
    return text.replace(";", "\n") if re.fullmatch(_LISTED_PAIRS, text) else ""


def detect_format(text: str, kind: str = "") -> str:
    """Return the format of a text, a key of `FORMATS`."""
    beginning = text[:_DETECTION_LENGTH]
    if re.match(_DOT, beginning):
        return "dot"
    if re.search(_GML, beginning):
        return "gml"
    if re.match(_KTHLIST, beginning):
        return "kthlist"
    if kind == "bipartite" and re.match(_MATRIX, beginning):
        return "matrix"
    lines = (line.split(maxsplit=3) for line in beginning.splitlines())
    for tokens in islice((tokens for tokens in lines if tokens and tokens[0] != "c"), 50):
        if tokens[0].partition(":")[0].upper() in _TSPLIB:
            return "tsplib"
        if tokens[0] == "p" and len(tokens) > 2:
            return "dimacs"
    return "graph6" if re.match(_GRAPH6, beginning) else "edge_list"
