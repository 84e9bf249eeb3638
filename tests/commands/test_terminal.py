"""Control characters in the output of all commands are escaped, except boardsat's colours."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from xml.dom import minidom

import pytest
from helpers.solver_runs import boardsat

from boardsat.terminal import streams

HOSTILE = "\x1b[31mRED\x1b]0;T\x07 \u202eRTL\u2066 \x9b31m \x85 \u2028\nFAKE LINE"
"""Colours, window title, bell, direction override, C1 control characters and line ends."""


def is_harmless(text: str) -> bool:
    signs = all(sign.isprintable() or sign == "\n" for sign in text)
    return signs and not any(line.startswith("FAKE") for line in text.split("\n"))


def hostile_spec(folder: Path, name: str = "plain", view: bool = True) -> Path:
    text = json.dumps(HOSTILE)
    entries = dict.fromkeys(("title", "cite", "about", "label", "counted_objects"), HOSTILE)
    entries |= {"published": [{"count": 5, "cite": HOSTILE}], "params": {"n": 4}}  # type: ignore[dict-item]
    lines = [f"{key}: {json.dumps(value)}" for key, value in entries.items()]
    lines += ["board: {shape: grid, rows: n, cols: n}", "projection: R"]
    lines += ["variables:", "  R:", "    for: i in cells", f"    description: {text}"]
    lines += ["constraints:", f"  - name: {text}", "    for: r in range(n)"]
    lines += ["    exactly_one: R[i] for i in ranks[r]"]
    lines += ["decode:", "  - mark: R[i]", "    cell: i", "    sign: rook"] if view else []
    path = folder / f"{name}.yaml"
    path.write_text("\n".join([*lines, ""]))
    return path


@pytest.mark.parametrize("command", ["list", "size", "solve", "count", "projection"])
@pytest.mark.parametrize("name", ["plain", "s\x1b[31m\u202e\nFAKE LINE"], ids=["texts", "name"])
def test_texts_of_a_spec_are_escaped(command: str, name: str, tmp_path: Path) -> None:
    options = [] if command in ("list", "size") else ["--runtime", "embedded"]
    output = boardsat(command, hostile_spec(tmp_path, name, view=command != "solve"), *options)
    assert output.code in (0, 1, 10)
    assert "\\x1b[31m" in output.out or "\x1b" not in output.out
    assert is_harmless(output.out) and is_harmless(output.err)


def test_texts_of_a_header_and_an_answer_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "f\x1b[31m\u202e\nFAKE LINE.cnf"
    assert boardsat("cnf", hostile_spec(tmp_path), "-o", file).code == 0
    description = json.dumps(
        {"format": 2, "spec": HOSTILE, "title": HOSTILE, "unsat_message": HOSTILE}
    )
    objects = json.dumps(
        {"name": HOSTILE, "models_per_solution": 1, "published": 5, "cite": HOSTILE}
    )
    text = re.sub("(?m)^c boardsat .*$", lambda _: f"c boardsat {description}", file.read_text())
    file.write_text(re.sub("(?m)^c objects .*$", lambda _: f"c objects {objects}", text))
    picture = tmp_path / "x.svg"
    for arguments in (["solve", "--svg", picture], ["count"], ["projection"]):
        output = boardsat(arguments[0], file, *arguments[1:], "--runtime", "embedded")
        assert output.code in (0, 10), output.err
        assert is_harmless(output.out) and is_harmless(output.err)
    assert is_harmless(picture.read_text())
    minidom.parse(str(picture))
    answer = tmp_path / "answer"
    for line in ("s ", "s SATISFIABLE\nv ", "s UNSATISFIABLE\nc "):
        answer.write_text(line + HOSTILE)
        for command in ("check", "decode"):
            output = boardsat(command, file, answer)
            assert output.code == 2 and is_harmless(output.err)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["solve", HOSTILE], [HOSTILE], ["solve", "tour", "--set", HOSTILE], ["list", HOSTILE]),
        *(["cnf", "tour", "-o", f"{HOSTILE}/x.cnf"], ["check", HOSTILE, HOSTILE]),
        *(
            ["solve", f"--{HOSTILE}"],
            ["archive", "verify", HOSTILE],
            ["size", "tour", "-n", HOSTILE],
        ),
    ],
    ids=lambda arguments: arguments[0] if arguments[0] != HOSTILE else "command",
)
def test_arguments_in_errors_are_escaped(arguments: list[str]) -> None:
    output = boardsat(*arguments)
    assert output.code == 2 and is_harmless(output.err) and not output.out


def test_only_colours_of_boardsat_pass_unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stdout = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    with streams.escaping_streams():
        print(streams.paint_word("SATISFIABLE"), "\x1b[32mSATISFIABLE\x1b[0m", "\udcff é ♔")
        sys.stdout.writelines(["\r", "x\n"])
        assert streams.strip_colours(streams.paint_word("SATISFIABLE")) == "SATISFIABLE"
    assert sys.stdout is stdout
    assert stdout.getvalue() == (
        "\x1b[32mSATISFIABLE\x1b[0m \\x1b[32mSATISFIABLE\\x1b[0m \\udcff é ♔\n\\rx\n"
    )
