"""Texts of specs and users stay text in the file."""

from __future__ import annotations

import json
import os
import re
import resource
import sys

import pytest
from helpers import processes
from helpers.formulas import make, text_of
from helpers.hostile_specs import BASE, spec_file
from helpers.requirements import outside, require_program

from boardsat.adapters.dimacs.reader import validate
from boardsat.generators import InputError, build, find, parse

# What stands in the file.

COMMENTS = {
    *("boardsat", "parameters", "board", "edges", "variable", "keys", "ids"),
    *("objects", "decode", "transform", "ind"),
}
INJECTIONS = [
    "x\nc --sat\nx",
    "x\r\nc ind 1 0\r\n",
    "x\np cnf 1 1\n1 0\n",
    "--sat",
    "--plain=1 --walk=0",
    "---walk=0----",
    "- -\t--walk=0",
    "cnf 1 1",
    "a cnf 1 1 b",
    "cnf1 1",
    "ccnf 1 1 cnfcnf 1 1",
    "\\cnf 1 1 \\\\cnf 1 1",
    "ind 1 0",
    "p show 1 0",
    "t pmc",
    "red 1 0",
    "MUST 1",
    '"}\nc ind 1 0',
    '", "spec": "other"',
    "\u2028c ind 1 0\u2029",
    "\x85c ind 1 0",
    "\x00\x07\x1b[2J\x7f",
    "\u2013\u2013 \xe9 \u2603 \U0001f600 \ufeff",
    "c" * 100 + "nf 3 2",
]


def harmless(data: bytes) -> list[str]:
    """Return the lines of the file, after a check that none contains a directive."""
    text = data.decode("ascii")
    assert set(re.findall(r"[^ -~]", text)) <= {"\n"}
    lines = text.split("\n")
    head = next(k for k, line in enumerate(lines) if line.startswith("p"))
    for line in lines[:head]:
        c, keyword, *tokens = line.split(" ")
        assert c == "c" and keyword in COMMENTS, line
        assert "--" not in line
        assert not any(token.startswith("cnf") for token in line.split())
        assert keyword != "ind" or all(token.isdecimal() for token in tokens)
    assert re.fullmatch(r"p cnf \d+ \d+", lines[head])
    assert all(re.fullmatch(r"(-?\d+ )*0", line) for line in lines[head + 1 : -1])
    assert lines[-1] == ""
    return lines


def yaml_text(text: str) -> str:
    """A quoted scalar in which everything unusual is escaped."""
    plain = (c if " " <= c <= "~" and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(plain)}"'


@pytest.mark.parametrize("text", INJECTIONS, ids=repr)
def test_text_of_a_spec_stays_text(text, tmp_path):
    document = f"""
title: {yaml_text(text)}
cite: {yaml_text(text)}
about: {yaml_text(text)}
label: {yaml_text(text.replace("{", "").replace("}", ""))}
counted_objects: {yaml_text(text.replace("{", "").replace("}", ""))}
published:
  - count: 5
    cite: {yaml_text(text)}
params:
  word: {{type: text, default: {yaml_text("".join(c for c in text if c.isprintable()))}}}
variables:
  X:
    for: i in range(9)
    if: i % 2 == 0
    description: {yaml_text(text)}
constraints:
  - name: {yaml_text(text)}
    clause: X[0]
projection: X
"""
    spec = parse(document, name=text, file=text)
    data = text_of(build(spec))
    json_document = json.loads(harmless(data)[0].removeprefix("c boardsat "))
    assert json_document["title"] == json_document["cite"] == " ".join(text.split())
    assert json_document["spec"] == text
    path = tmp_path / "x.cnf"
    path.write_bytes(data)
    summary = validate(path)
    assert (summary.variables, summary.clauses) == (5, 1)


@pytest.mark.parametrize("text", [t for t in INJECTIONS if t.isprintable()], ids=repr)
def test_text_of_a_user_stays_text(text):
    formula = make({"word": text}, **{**BASE, "params": {"word": {"type": "text"}}})
    parameters = harmless(text_of(formula))[1].removeprefix("c parameters ")
    assert json.loads(parameters) == {"word": text}


@pytest.mark.parametrize("text", [t for t in INJECTIONS if "\0" not in t], ids=repr)
def test_the_name_of_a_graph_file_stays_text(text, tmp_path):
    file = tmp_path / text.replace("/", "")
    file.write_text("1 2\n2 3\n")
    formula = build(find("colouring/direct"), {"graph": str(file)})
    parameters = harmless(text_of(formula))[1].removeprefix("c parameters ")
    assert json.loads(parameters)["graph"]["file"] == file.name


def test_name_that_is_not_a_text_is_rejected(tmp_path):
    file = os.fsencode(tmp_path) + b"/\xff\n--walk=0.col"
    with open(file, "w") as graph:  # noqa: PTH123 (a Path would be as good)
        graph.write("1 2\n")
    harmless(text_of(build(find("colouring/direct"), {"graph": os.fsdecode(file)})))


@pytest.mark.parametrize("name", ["cnf", "cnf3", "cnf_", "cnfX"])
def test_no_variable_has_a_name_that_begins_like_the_header(name):
    """drat-trim looks for `cnf 3 2`, which a `c keys` line with such a name would contain."""
    with pytest.raises(InputError, match="cannot be a name"):
        make(title="x", variables={name: {"for": "i in range(9)", "if": "i % 2 == 0"}})


@outside
def test_cadical_takes_no_option_from_a_title(tmp_path):
    def walks(comment: str) -> bool:
        path = tmp_path / "x.cnf"
        path.write_text(f"{comment}p cnf 1 1\n1 0\n")
        outcome = processes.run(
            [require_program("cadical"), "-v", path],
            capture_output=True,
            text=True,
        )
        assert outcome.returncode == 10, outcome.stderr
        return re.search(r"--walk=(\w+)", outcome.stdout)[1] == "true"

    assert walks("") and not walks("c --walk=0\n"), (
        "cadical itself must obey, or this shows nothing"
    )
    for text in ("--walk=0", "x\nc --walk=0\nx", "x\n--walk=0", "\u2013\u2013 --walk=0"):
        data = text_of(make(title=text, variables={"X": {"description": text}}, constraints=[]))
        comments = data.decode().split("p cnf")[0]
        assert "walk=0" in comments
        assert walks(comments)


def test_memory_limits_of_the_system_end_in_one_line(tmp_path):
    """Exhausted system memory is reported like any other fault, if all other limits fail."""
    path = spec_file(tmp_path, variables={"X": {"for": "i in range(16000000)"}})
    outcome = processes.run(
        [sys.executable, "-m", "boardsat", "size", path, "--build-limit", "9"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20,) * 2),
    )
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == "boardsat: out of memory; use smaller parameters\n"


# Tables on the terminal.

LONG = 20_000
LONG_TEXTS = {
    "name": f"  ? {'p' * LONG}\n  : {{default: 3, description: {'m' * LONG}}}\n",
    "default": f"  p: {{default: {'d' * LONG}, type: text, description: {'m' * LONG}}}\n",
    "meaning": f"  p: {{default: 3, description: {'m-' * LONG}}}\n",
}


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_list_of_a_spec_with_a_long_word_is_linear_in_its_size(text, boardsat, tmp_path):
    spec = tmp_path / "my.yaml"
    parameters = f"params:\n  rows: 3\n{LONG_TEXTS[text]}"
    spec.write_text(f"title: {'t' * LONG}\n{parameters}variables: {{}}\nconstraints: []\n")
    output = boardsat("list", spec).out.decode()
    assert max(map(len, output.splitlines())) < 80
    assert len(output) < 4 * spec.stat().st_size
    assert output.count("m") >= LONG


def test_size_of_a_spec_with_a_long_name_is_linear_in_its_size(boardsat, tmp_path):
    spec = tmp_path / "my.yaml"
    names = ["c" * LONG, *(f"c{number}" for number in range(100))]
    constraints = "".join(f"  - {{name: {name}, clause: x}}\n" for name in names)
    spec.write_text(f"title: t\nvariables: {{x: {{}}}}\nconstraints:\n{constraints}")
    output = boardsat("size", spec).out.decode()
    assert "c99" in output and len(output) < 4 * spec.stat().st_size
