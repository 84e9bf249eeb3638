"""Wording of messages: nouns agree with their numbers; colours are for terminals only."""

from __future__ import annotations

import ast
import io
import json
import os
import pty
import re
import sys

import pytest
from helpers import processes
from helpers.syntax_trees import ROOT, files, nodes

from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.terminal import streams

NOUNS = (
    "variable|clause|model|board|cell|step|byte|instance|file|finding|round|run|tour|queen|row|"
    "indice|entrie|vertice|member|literal|element|character|symbol|column|square|colour|edge|"
    "number|hole|pigeon|digit|argument|region|move"
)
PLURAL_PREFIXES = (
    "more than ",
    "the limit is ",
    "all ",
    "at least ",
    "needs ",
    "a count of ",
    "not ",
)
"""Prefixes of numbers that are never 1."""


@pytest.mark.parametrize(
    "number, name, phrase",
    [
        (0, "closed tours", "0 closed tours"),
        (1, "closed tours", "1 closed tour"),
        (1, "placements of the queens", "1 placement of the queens"),
        (1, "open tours with a direction", "1 open tour with a direction"),
        (1, "people", "1 people"),
        (9862, "closed tours", "9,862 closed tours"),
    ],
)
def test_object_names_are_pluralized(number, name, phrase):
    assert pluralize_phrase(number, name) == phrase


def test_nouns_are_pluralized():
    assert [pluralize(n, "model") for n in (0, 1, 2)] == ["0 models", "1 model", "2 models"]
    assert pluralize(2000, "set of cuts", "sets of cuts") == "2,000 sets of cuts"


def fixed_plurals(path: str, tree: ast.Module) -> list[str]:
    """Texts where a number is followed by a plural, whatever the number is."""
    locations = []
    for node in nodes(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        prefix = ""
        for piece, follower in zip(node.values, node.values[1:], strict=False):
            if isinstance(piece, ast.Constant):
                prefix = str(piece.value)
                continue
            text = follower.value if isinstance(follower, ast.Constant) else ""
            is_constant = isinstance(piece.value, ast.Name) and piece.value.id.lstrip("_").isupper()
            if is_constant:
                prefix = ""
                continue
            if re.match(rf" ({NOUNS})s\b", text) and not prefix.endswith(PLURAL_PREFIXES):
                locations.append(f"{path}:{node.lineno}:{text}")
            prefix = ""
    return locations


def test_texts_with_counts_are_pluralized():
    locations = [
        location for path, tree in files().items() for location in fixed_plurals(path, tree)
    ]
    # More than one by what was tested before, or for programmers.
    exceptions = (
        " vertices is too wide| vertices$| moves, from| characters$| bytes$| runs at once|"
        " instances, but this| files (do not fit|have)|campaign/p.* (instances|files)$|"
        "run.py:.* runs$|_board.py:.*: numbers$|header_values.py:.*: (numbers$|cells in a file)"
    )
    assert [location for location in locations if not re.search(exceptions, location)] == []


def test_counts_of_one_are_singular(boardsat, tmp_path):
    spec = tmp_path / "one.yaml"
    spec.write_text("title: one\nvariables: {X: {}}\nconstraints:\n  - clause: X\n")
    cnf = tmp_path / "one.cnf"
    assert b": 1 variable, 1 clause, " in boardsat("cnf", spec, "-o", cnf).out
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 1 0\n")
    assert b"the model satisfies the clause\n" in boardsat("check", cnf, tmp_path / "answer").out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "environment, on_terminal, piped",
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_colours_are_printed_only_on_terminals(environment, on_terminal, piped, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    for stream, coloured in ((Terminal(), on_terminal), (io.StringIO(), piped), (None, piped)):
        painted = streams.paint("word", streams.RED, stream)
        assert painted == ("\033[31mword\033[0m" if coloured else "word")
        monkeypatch.setattr(sys, "stdout", stream)
        assert ("\033[32m" in streams.paint_word("SATISFIABLE")) is coloured
        assert streams.paint_word("whatever") == "whatever"


def test_error_is_red_on_terminal_and_plain_in_pipe():
    command = [sys.executable, "-m", "boardsat", "list", "tuor"]
    outcome = processes.run(command, capture_output=True, cwd=ROOT)
    assert outcome.stderr.startswith(b"boardsat: no problem") and b"\033" not in outcome.stderr
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    processes.run(command, stderr=theirs, env=environment, cwd=ROOT)
    os.close(theirs)
    assert os.read(ours, 1000).startswith(b"\033[31mboardsat:\033[0m no problem")
    os.close(ours)


def test_machine_readable_output_has_no_colours(boardsat, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    outcome = boardsat("solve", "queens", "-n", 4, "--runtime", "embedded", "--json")
    assert b"\033" not in outcome.out and json.loads(outcome.out)["status"] == "SATISFIABLE"
