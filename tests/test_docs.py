"""The documentation is true: every spec in it is built and counted, every command run."""

from __future__ import annotations

import pkgutil
import re
import sys
from pathlib import Path

import documents
import processes
import pytest
from support import count

from generators import algorithms, boards, build, encodings, find, parse
from generators.catalogue import encodings_of, problems
from generators.functions import FUNCTIONS
from generators.spec import TYPES, VIEWS
from generators.spec_reader import PROBLEM_KEYS, TOP_LEVEL_KEYS

ROOT = Path(__file__).parent.parent
SPECS = re.findall(
    r"```yaml models=(\d+)([^\n]*)\n(.*?)```", (ROOT / "docs/spec-language.md").read_text(), re.S
)


@pytest.mark.parametrize("models, settings, text", SPECS)
def test_every_spec_has_the_models_it_says(models, settings, text):
    formula = build(parse(text), dict(word.split("=") for word in settings.split()))
    assert count(formula) == int(models)


def _sizes() -> list[tuple[str, str, str]]:
    """Every cell of the tables of sizes: n, encoding, and what stands there."""
    found = []
    for lines in (ROOT / "docs/encodings.md").read_text().split("tests/test_docs.py -->\n")[1:]:
        head, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in lines.split("\n\n")[0].splitlines()
        ]
        for row in rows:
            found += [(row[0], enc, cell) for enc, cell in zip(head[1:], row[1:], strict=True)]
    return found


@pytest.mark.parametrize("n, encoding, shown", _sizes())
def test_the_table_of_sizes_is_true(n, encoding, shown):
    formula = build(find("tour", encoding), {"n": n})
    assert f"{formula.variables:,} / {formula.clauses:,}" == shown


README = [
    (step.words, step.shown)
    for step in documents.steps((ROOT / "README.md").read_text())
    if isinstance(step, documents.Command)
]


@pytest.mark.parametrize("command, shown", README)
def test_the_commands_of_the_readme_print_what_it_shows(command, shown, tmp_path):
    where = ROOT if command.startswith("make") else tmp_path
    printed = documents.printed(command, where, documents.environment(bare=False))
    assert documents.timeless(printed) == documents.timeless(shown)


def test_every_key_of_the_language_is_documented():
    text = (ROOT / "docs/spec-language.md").read_text()
    words = {
        *TOP_LEVEL_KEYS,
        *PROBLEM_KEYS,
        *TYPES,
        *VIEWS,
        *FUNCTIONS,
        *boards.shapes(),
    }
    words |= {module.name for module in pkgutil.iter_modules(algorithms.__path__)}
    assert [word for word in sorted(words) if f"`{word}" not in text] == []


def test_every_encoding_is_documented():
    text = (ROOT / "docs/encodings.md").read_text()
    for problem in problems():
        assert f"`{problem}" in text
        assert all(encoding in text for encoding in encodings_of(problem))
    for kind in encodings.kinds():
        assert all(f"`{name}`" in text for name in encodings.names(kind))


def test_the_board_of_the_readme_is_a_closed_tour():
    text = re.search(r"MB\n((?:[ \d]+\n)+)checked", (ROOT / "README.md").read_text())[1]
    rows = [[int(word) for word in line.split()] for line in text.splitlines()]
    place = {number: (r, c) for r, row in enumerate(rows) for c, number in enumerate(row)}
    assert sorted(place) == list(range(1, 65))
    steps = [(place[k], place[k % 64 + 1]) for k in place]
    assert all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in steps)


def test_the_spec_and_the_program_of_the_readme_work(tmp_path):
    text = (ROOT / "README.md").read_text()
    spec, program = (
        re.search(f"```{kind}\n(.*?)```", text, re.S)[1] for kind in ("yaml", "python")
    )
    assert count(build(parse(spec), {"n": 6})) == 4
    processes.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "tour.cnf.zst").exists()
