"""A hostile spec can do nothing but make a formula: no file, no import, no memory or time beyond
its limits, and no command to a solver or a checker in the file that comes out."""

from __future__ import annotations

import builtins
import json
import os
import re
import sys

import pytest
from helpers import processes
from helpers.formulas import make, mostly_slow, text_of
from helpers.hostile_specs import BASE, spec_file

from boardsat.generators import InputError, build, build_limits, encodings, parse

# Files, imports, attributes.

ATTEMPTS = [
    "open('/etc/passwd')",
    "__import__('os')",
    "__import__('os').system('id')",
    "eval('1')",
    "exec('1')",
    "().__class__.__bases__[0]",
    "X.tofile('/tmp/x')",
    "X[0].tofile('/tmp/x')",
    "cells.columns",
    "len.__globals__",
    "__builtins__",
    "__name__",
    "self",
    "scope",
    "np.load('x')",
    "lambda: 0",
    "(yield)",
    "x := 1",
    "[i for i in range(3)]",
    "{}",
    "f'{1}'",
    '"{0.__class__}".format(1)',
    "'a' % 1",
    "'a' * 1000000000",
    "`id`",
    "$(id)",
    "{{ 7 * 7 }}",
    "{% include '/etc/passwd' %}",
    "1 if __import__ else 2",
    "import os",
    "@/etc/passwd",
    "!!python/object/apply:os.system [id]",
]
PLACES = [
    lambda text: {"define": {"x": text}},
    lambda text: {"define": {"x": {"for": text}}},
    lambda text: {"define": {"x": {"for": "i in range(3)", "give": text}}},
    lambda text: {"params": {"n": text}},
    lambda text: {"params": {"n": {"default": 1, "max": text}}},
    lambda text: {"board": {"shape": "grid", "rows": text, "cols": 3}},
    lambda text: {"variables": {"X": {"for": "i in range(3)", "if": text}}},
    lambda text: {"constraints": [{"clause": text}]},
    lambda text: {"constraints": [{"formula": text}]},
    lambda text: {"constraints": [{"if": text, "clause": "X[0]"}]},
    lambda text: {"projection": text},
    lambda text: {"decode": [{"mark": text, "cell": "i"}]},
    lambda text: {"label": "{" + text + "}"},
    lambda text: {"extends": text},
    lambda text: {"board": {"shape": text}},
    lambda text: {"board": {"shape": "grid", "rows": 3, "cols": 3, "moves": text}},
    lambda text: {"board": {"shape": "graph", "file": text}},
    lambda text: {"params": {"g": {"type": "graph", "default": text}}},
    lambda text: {"constraints": [{"at_most_one": "X[0]", "encoding": text}]},
    lambda text: {"constraints": [{"successor": {"bits": text, "from": "X", "to": "X"}}]},
]


@pytest.mark.parametrize(
    "section_with", PLACES, ids=lambda section_with: json.dumps(section_with("..."))[:60]
)
def test_no_expression_reaches_python(section_with, monkeypatch):
    monkeypatch.setattr(os, "system", lambda *_: pytest.fail("a command was run"))
    # Braces within the braces of a label end what is an expression.
    in_label = "label" in section_with("")
    for attempt in (a for a in ATTEMPTS if not (in_label and "{" in a)):
        text = json.dumps({**BASE, **section_with(attempt)})
        with monkeypatch.context() as patched:
            # Shipped specs may be read (`extends`); nothing else may be opened.
            patched.setattr(builtins, "open", lambda *_: pytest.fail("a file was opened"))
            with pytest.raises(InputError):
                text_of(build(parse(text)))


def test_a_spec_cannot_name_a_graph_file(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("1 2\n2 3\n")
    board = {"shape": "graph", "file": "g"}
    for parameter in (
        {"type": "graph", "default": str(secret)},
        {"type": "text", "default": str(secret)},
        str(secret),
    ):
        with pytest.raises(InputError) as error:
            make(board=board, params={"g": parameter})
        assert "1 2" not in str(error.value)


@pytest.mark.parametrize(
    "name", ["../../etc", "../etc/passwd", "/etc/passwd", "tour/../tour/unary", "tour/", "/", "."]
)
def test_a_spec_is_like_shipped_ones_only(name):
    with pytest.raises(InputError, match="for `extends`; name a built-in one"):
        make(extends=name)


def test_tags_and_merges_of_yaml_do_nothing(tmp_path):
    text = (
        "title: !!python/object/apply:os.system 'echo'\n"
        "variables: !!python/name:os.system\n  X: !!map {}\nconstraints: !!set\n  - clause: X\n"
    )
    assert build(parse(text)).header.title == "echo"


def test_the_label_makes_a_plain_file_name():
    for label in ("../../../etc/x", "/etc/x", "a\0b", "a\nb", "~", "$HOME", "-rf", "{'../x'}", "é"):
        stem = make(**{**BASE, "label": label}).header.stem
        assert re.fullmatch(r"[A-Za-z0-9_.,+-]+", stem)
    assert len(make(**{**BASE, "label": "x" * 5000}).header.stem) <= 150


def test_means_and_label_are_not_format_strings():
    for means in ("{0.__class__}", "{X!r:>9999}", "{}", "{X}"):
        with pytest.raises(InputError, match=r"must be an index|is not an index of"):
            make(variables={"X": {"description": means}}, constraints=[{"clause": "X"}])
    formula = make(variables={"X": {"description": "%s {{ % {"}}, constraints=[{"clause": "X"}])
    assert b"%s {{ % {" in text_of(formula)
    # Jinja2 lays out the preamble; what it puts in is never a template.
    formula = make(**{**BASE, "title": "{{ 7 * 7 }}{% for x in y %}{# #}"})
    assert b'"title": "{{ 7 * 7 }}{% for x in y %}{# #}"' in text_of(formula)


# Memory and time.

MANY = 10**6
BOMBS = {
    "range": {"define": {"S": {"for": "i in range(2000000000)"}}},
    "table": {"define": {"t": "i for i in range(2000000000)"}},
    "table in two dimensions": {"define": {"t": "i for i in range(50000), j in range(50000)"}},
    "keys far apart": {"define": {"S": {"for": "i in range(2)", "by": "i * 2000000000"}}},
    "variable": {"variables": {"X": {"for": "i in range(2000000000)"}}},
    "sparse variable": {
        "variables": {"X": {"for": "i in range(60000), j in range(60000)", "if": "i == j"}}
    },
    "board": {"board": {"shape": "grid", "rows": "2000000000", "cols": "2000000000"}},
    "leaper": {
        "params": {"m": {"type": "text", "default": "+".join(f"{k},1" for k in range(100, 240))}},
        "board": {"shape": "grid", "rows": 1000, "cols": 1000, "moves": "m"},
    },
    "power": {"define": {"x": "31 ** 31"}},
    "group": {"constraints": [{"clause": "X[i % 3] for i in range(2000000000)"}]},
    "group that depends": {
        "constraints": [{"clause": "X[0] for j in range(1, 2), k in range(j * 2000000000)"}]
    },
}
for encoding, bound in (("binomial", 30), ("totalizer", 400), ("sequential", 20_000)):
    n = 60 if encoding == "binomial" else MANY
    BOMBS[f"{encoding} of {n}"] = {
        "variables": {"X": {"for": f"i in range({n})"}},
        "constraints": [
            {"at_most": bound, "of": f"X[i] for i in range({n})", "encoding": encoding}
        ],
    }
BOMBS["totalizer with a small bound"] = {
    "variables": {"X": {"for": f"i in range({MANY})"}},
    "constraints": [{"at_most": 1, "of": f"X[i] for i in range({MANY})"}],
}
BOMBS["pairs beside a known literal"] = {
    "variables": {"X": {"for": "i in range(30000)"}},
    "constraints": [
        {
            "for": "k in range(2)",
            "at_most_one": ["X[i] for i in range(2 + k * 29990)", "i == k for i in range(1)"],
        }
    ],
}


@pytest.fixture
def quarter(monkeypatch):
    """Use a quarter of the limits of a spec, so that they are reached quickly."""
    monkeypatch.setattr(build_limits, "BUILD_BYTES", build_limits.BUILD_BYTES // 4)
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", build_limits.BUILD_SECONDS / 4)


@pytest.mark.usefixtures("quarter")
@pytest.mark.parametrize("sections", BOMBS.values(), ids=BOMBS)
def test_spec_exceeding_the_limits_is_rejected(sections):
    with pytest.raises(InputError, match=r"needs too much|exceeds|indices must span"):
        make(**{**BASE, **sections})


MEASURED = """
import re, sys
from pathlib import Path
from boardsat.cli import main
code = main(["size", sys.argv[1]])
# What getrusage tells is no less than the peak of whoever started it.
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
print(int(peak[1]) // 1024, file=sys.stderr)
sys.exit(code)
"""
WIDE = {
    "a clause of very many parts": {
        "variables": {"X": {"for": "i in range(3000)"}},
        "constraints": [{"for": "i in range(3000)", "clause": ["X[i]"] * 2500}],
    },
    "a long formula on many rows": {
        "variables": {"X": {"for": "i in range(33000)"}},
        "constraints": [
            {"for": "i in range(32768)", "formula": " xor ".join(f"X[i + {k}]" for k in range(50))}
        ],
    },
    "large patterns on many rows": {
        "variables": {"X": {"for": "i in range(200)"}},
        "constraints": [
            {
                "for": "k in range(8)",
                "at_most": 2,
                "of": "X[i] for i in range(200)",
                "encoding": "binomial",
            }
        ],
    },
    "a condition that holds many columns at once": {
        "variables": {
            "X": {
                "for": "i in range(2000000)",
                "if": "(i * 2 + " * 28 + "i" + ")" * 28 + " > 0",
            }
        },
        "constraints": [],
    },
}


@pytest.mark.parametrize("name", mostly_slow(WIDE, list(WIDE)[:1]))
def test_memory_is_bounded_for_large_output(name, tmp_path):
    path = spec_file(tmp_path, **WIDE[name])
    outcome = processes.run(
        [sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True
    )
    assert int(outcome.stderr) < 400, "megabytes"


def test_few_patterns_are_kept(monkeypatch):
    monkeypatch.setattr(encodings, "_cache", encodings._PatternCache())
    monkeypatch.setattr(encodings, "MAX_CACHED_TOKENS", 2000)
    for n in range(10, 60):
        assert encodings.pattern("amo", "sequential", n, 0, 1).num_inputs == n
        patterns = encodings._cache.patterns.values()
        assert sum(len(pattern.tokens) for pattern in patterns) <= 2000


LONG = " xor ".join(["X[0]"] * 70)


@pytest.mark.parametrize(
    "formula",
    [
        " xor ".join(f"X[{i}]" for i in range(70)),
        " <-> ".join(f"X[{i}]" for i in range(70)),
        f"({LONG}) or " + " or ".join(f"X[{i}]" for i in range(9)),
        " or ".join(f"(X[{2 * i}] and X[{2 * i + 1}])" for i in range(30)),
        " -> ".join(f"X[{i}]" for i in range(70)),
    ],
    ids=["xor", "iff", "one atom many times", "sum of products", "implications"],
)
def test_a_long_formula_takes_no_exponential_time(formula):
    cnf = make(**{**BASE, "variables": {"X": {"for": "i in range(99)"}}}).variables
    longer = make(
        variables={"X": {"for": "i in range(99)"}}, constraints=[{"formula": formula}], title="x"
    )
    assert longer.variables - cnf < 200


def test_rows_that_come_to_nothing_are_counted_too():
    """The filter is false for all rows, and is evaluated after the last name is bound."""
    rows = "i in range(100000), j in range(100000), k in range(100000)"
    for sections in (
        {"constraints": [{"for": rows, "if": "i + j + k < 0", "clause": "X[0]"}]},
        {"constraints": [{"clause": f"X[0] for {rows} if i + j + k < 0"}]},
        {"define": {"S": {"for": rows, "if": "i + j + k < 0"}}},
        {"define": {"t": f"i for {rows} if i + j + k < 0"}},
        {"projection": f"X[0] for {rows} if i + j + k < 0"},
        {
            "constraints": [
                {"for": "i in range(9)", "at_most_one": f"X[0] for {rows[20:]} if k < 0"}
            ]
        },
    ):
        with pytest.raises(InputError, match="needs too much time: at least"):
            make(**{**BASE, **sections})


def test_clauses_counted_within_the_limit_can_be_written(monkeypatch):
    """The rows are examined again then, without any limit."""
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 1.0)
    monkeypatch.setattr("boardsat.generators.formula.MAX_STORED_BYTES", 0)
    formula = make(**{**BASE, "constraints": [{"for": "i in range(40000)", "clause": "X[i % 3]"}]})
    assert text_of(formula).count(b"\n1 0") == 13334
    assert text_of(formula) == text_of(formula)
