"""Completeness of constraint types and encodings: missing parts are named; one file suffices."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from helpers import processes
from helpers.formulas import count, make

from boardsat.base.registry import find_modules
from boardsat.generators import build, constraints, encodings, parse
from boardsat.generators.sections.parameters import parameters_of

DOCS = Path(__file__).parents[2] / "docs"
LANGUAGE, ENCODINGS = ((DOCS / name).read_text() for name in ("spec-language.md", "encodings.md"))
FAULTY = [
    path.read_text(errors="replace") for path in (Path(__file__).parents[1] / "bad").rglob("*.yaml")
]


def examples(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}[^\n]*\n(.*?)```", text, re.S)


def first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0]


def missing_in_family(name: str) -> Iterator[str]:
    module = constraints.load(name)
    key, _, says = first_line(module).partition(": ")
    if key != f"`{name}`" or not says.endswith("."):
        yield f"a docstring that begins with `{name}`: and a sentence"
    for attribute, kind in (("DESCRIPTION_TEMPLATE", str), ("KEYS", tuple)):
        if not isinstance(getattr(module, attribute, None), kind):
            yield attribute
    if not re.search(r"\{\w+\}", getattr(module, "DESCRIPTION_TEMPLATE", "")):
        yield "its keys in braces in DESCRIPTION_TEMPLATE"
    if not callable(getattr(module, "block", None)):
        yield "block(c)"
    for kind in getattr(module, "ENCODINGS", "").split():
        if kind not in encodings.kinds():
            yield f"the folder generators/encodings/{kind}"
    if f"| `{name}` | {says.removesuffix('.')} |" not in LANGUAGE:
        yield "its line in the table of families of docs/spec-language.md, as in its docstring"
    for entry_key in (*getattr(module, "REQUIRED_KEYS", {}), *getattr(module, "KEYS", ())):
        if f"`{entry_key}" not in LANGUAGE:
            yield f"its key `{entry_key}` in docs/spec-language.md"
    if not any(re.search(rf"\b{name}:", text) for text in examples(LANGUAGE, "yaml models=")):
        yield "an example in docs/spec-language.md"
    if not any(f"{name}:" in text for text in FAULTY):
        yield "a faulty spec in tests/bad"


@pytest.mark.parametrize("name", constraints.names())
def test_constraint_types_define_required_attributes(name: str) -> None:
    assert list(missing_in_family(name)) == []


def missing_in_encoding(kind: str, name: str) -> Iterator[str]:
    module = encodings.load(kind, name)
    if not first_line(module):
        yield "a docstring"
    if not isinstance(getattr(module, "COUNT_PRESERVING", None), bool):
        yield "COUNT_PRESERVING"
    if not any(callable(getattr(module, name, None)) for name in ("clauses", "choose")):
        yield "clauses(x, ..., fresh)"
    section = ENCODINGS.partition(f"--set {kind}=NAME`")[2].partition("\n## ")[0]
    if f"\n| `{name}` " not in section:
        yield f"its line in the table of --set {kind}=NAME of docs/encodings.md"


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in encodings.kinds() for name in encodings.names(kind)]
)
def test_encodings_define_required_attributes(kind: str, name: str) -> None:
    assert list(missing_in_encoding(kind, name)) == []


@pytest.mark.parametrize("kind", encodings.kinds())
def test_every_encoding_kind_has_a_default(kind: str) -> None:
    assert encodings.load_kind(kind).DEFAULT in encodings.names(kind)
    assert encodings.load_kind(kind).MEANS


@pytest.fixture
def types_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose files count as families and as encodings of at most one."""
    for package in (constraints, encodings.load_kind("amo")):
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    find_modules.cache_clear()
    modules_before = set(sys.modules)
    yield tmp_path
    find_modules.cache_clear()
    for name in set(sys.modules) - modules_before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_new_constraint_type_is_one_file(types_folder: Path) -> None:
    (spec,) = examples((DOCS / "adding-a-constraint-type.md").read_text(), "yaml")
    shutil.copy(DOCS / "templates/constraint_type.py", types_folder / "all_or_none.py")
    assert "all_or_none" in constraints.names()
    assert count(build(parse(spec))) == 8
    (lacking, *further) = missing_in_family("all_or_none")
    assert "docs/spec-language.md" in lacking, "the file in the docs offers all but its docs"
    assert len(further) == 2


def test_incomplete_constraint_type_error_names_attribute(types_folder: Path) -> None:
    (types_folder / "empty_family.py").write_text("")
    missing = list(missing_in_family("empty_family"))
    assert missing[:5] == [
        "a docstring that begins with `empty_family`: and a sentence",
        "DESCRIPTION_TEMPLATE",
        "KEYS",
        "its keys in braces in DESCRIPTION_TEMPLATE",
        "block(c)",
    ]


def test_new_encoding_is_one_file(types_folder: Path) -> None:
    shutil.copy(DOCS / "templates/encoding.py", types_folder / "from_template.py")
    for n in range(1, 6):
        for family, models in (("at_most_one", n + 1), ("exactly_one", n)):
            formula = make(
                {"amo": "from_template"},
                count_preserving="true",
                variables={"X": {"for": f"i in range({n})"}},
                constraints=[{family: f"X[i] for i in range({n})"}],
            )
            assert formula.header.count_preserving and count(formula) == models
    (fault,) = missing_in_encoding("amo", "from_template")
    assert "docs/encodings.md" in fault


def test_new_problem_encoding_is_one_file() -> None:
    spec = (DOCS / "templates/problem_encoding.yaml").read_text()
    assert count(build(parse(spec), {"n": 2})) == 288


def test_spec_offers_encodings_of_its_constraint_types() -> None:
    spec = "title: t\nvariables:\n  X:\n    for: i in range(3)\nconstraints:\n  - {}\n"
    for family, choices in (
        ("clause: X[0]", []),
        ("exactly_one: X[i] for i in range(3)", ["amo"]),
        ("at_most: 2\n    of: X[i] for i in range(3)", ["card"]),
        ("sum: 2 * X[0] + X[1] <= 2", ["card", "pb"]),
    ):
        parameters = parameters_of(parse(spec.replace("{}", family)))
        assert [parameter.name for parameter in parameters] == choices


def test_constraint_types_are_listed_without_numpy() -> None:
    program = (
        "import sys; from boardsat.generators import constraints; names = constraints.names();"
        "loaded = [n for n in sys.modules if n.startswith('boardsat.generators.constraints.')];"
        "[constraints.load(name) for name in names]; print(loaded, 'numpy' in sys.modules)"
    )
    outcome = processes.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert outcome.stdout == "[] False\n"
