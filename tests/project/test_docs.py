"""The documentation is true: every spec in it is built and counted, every command run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from helpers.formulas import count, one_in

from boardsat.generators import algorithms, boards, build, encodings, find, parse
from boardsat.generators.language.compiled_expressions import FUNCTIONS
from boardsat.generators.schema import BOARD_STYLES, LABEL_POSITIONS, TYPES, VIEW_OPTIONS, VIEWS
from boardsat.generators.sections.decode import COLOURS, SIGNS, SPOTS
from boardsat.generators.spec.catalogue import encodings_of, problems
from boardsat.generators.spec.spec_reader import PROBLEM_KEYS, TOP_LEVEL_KEYS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import catalogue  # noqa: E402

SPECS = re.findall(
    r"```yaml models=(\d+)([^\n]*)\n(.*?)```", (ROOT / "docs/spec-language.md").read_text(), re.S
)


@pytest.mark.parametrize("models, settings, text", SPECS)
def test_documented_specs_have_documented_counts(models, settings, text):
    formula = build(parse(text), dict(token.split("=") for token in settings.split()))
    assert count(formula) == int(models)


SHORT = {
    ("spec-language.md", "Tseitin formula"): 15,
    ("spec-language.md", "Friends and strangers"): 15,
    ("spec-language.md", "Magic squares"): 25,
    ("tutorial-slitherlink.md", "One loop"): 60,
}
"""The beginnings of titles, and the lines that their specs stay under; others here run them."""


@pytest.mark.parametrize("page, title", SHORT)
def test_documented_specs_are_short(page, title):
    text = (ROOT / "docs" / page).read_text()
    (spec,) = re.findall(rf"```yaml[^\n]*\n(title: {title}.*?)```", text, re.S)
    assert len(spec.splitlines()) < SHORT[page, title]
    parse(spec)


def _sizes() -> list[tuple[str, str, str]]:
    """Return every cell of the size tables: n, encoding, text."""
    cells = []
    for lines in (ROOT / "docs/encodings.md").read_text().split("/test_docs.py -->\n")[1:]:
        head, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in lines.split("\n\n")[0].splitlines()
        ]
        for row in rows:
            cells += [(row[0], enc, cell) for enc, cell in zip(head[1:], row[1:], strict=True)]
    return cells


@pytest.mark.parametrize("n, encoding, documented", one_in(4, _sizes()))
def test_documented_size_table_is_correct(n, encoding, documented):
    formula = build(find("tour", encoding), {"n": n})
    assert f"{formula.variables:,} / {formula.clauses:,}" == documented


def test_every_key_of_the_language_is_documented():
    text = (ROOT / "docs/spec-language.md").read_text()
    keys = {
        *TOP_LEVEL_KEYS,
        *PROBLEM_KEYS,
        *TYPES,
        *VIEWS,
        *VIEW_OPTIONS,
        *LABEL_POSITIONS,
        *BOARD_STYLES,
        *COLOURS,
        *SIGNS,
        *SPOTS,
        *FUNCTIONS,
        *boards.names(),
    }
    keys |= {*algorithms.names()}
    assert [token for token in sorted(keys) if f"`{token}" not in text] == []


def test_every_encoding_is_documented():
    text = (ROOT / "docs/encodings.md").read_text()
    page = catalogue.PAGE.read_text("utf-8")
    assert page == catalogue.renewed(page), "python docs/site/catalogue.py"
    for problem in problems():
        (line,) = re.findall(rf"^\| `{problem}` \| .*", page, re.M)
        assert all(encoding in line for encoding in encodings_of(problem))
    for kind in encodings.kinds():
        assert all(f"`{name}`" in text for name in encodings.names(kind))


def test_readme_board_is_a_closed_tour():
    text = re.search(r"^((?: ?\d+(?: +\d+){7}\n){8})", (ROOT / "README.md").read_text(), re.M)[1]
    rows = [[int(token) for token in line.split()] for line in text.splitlines()]
    cell_of = {number: (r, c) for r, row in enumerate(rows) for c, number in enumerate(row)}
    assert sorted(cell_of) == list(range(1, 65))
    steps = [(cell_of[k], cell_of[k % 64 + 1]) for k in cell_of]
    assert all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in steps)


def test_readme_begins_with_picture_and_board():
    """A screen to the picture and the first board, and few of them in all."""
    lines = (ROOT / "README.md").read_text().splitlines()
    board = next(n for n, line in enumerate(lines) if line.startswith(" 1 16"))
    picture = next(n for n, line in enumerate(lines) if "tour.svg" in line)
    assert picture < 5 and board < 45 and len(lines) < 145


def test_readme_spec_has_expected_count():
    spec = re.search("```yaml[^\n]*\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    assert count(build(parse(spec), {"n": 4})) == 9  # permutations without a fixed point


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem)
def test_page_names_existing_files(page):
    folders = "adapters|bench|boardsat|docker|docs|examples|generators|specs|tests"
    paths = set(re.findall(rf"`((?:{folders})/[\w./-]+\.(?:py|yaml))`", page.read_text("utf-8")))
    placeholders = re.compile(r"\b(?:test_)?(?:NAME|PROBLEM|ENCODING)\b")
    assert [
        path for path in paths if not placeholders.search(path) and not (ROOT / path).is_file()
    ] == []
