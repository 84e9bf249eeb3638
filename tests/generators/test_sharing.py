"""Sharing between specs: problem files, fragments and `extends` leave no duplicates."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers.formulas import catalogue, count

from boardsat.generators import InputError, build, find, parse
from boardsat.generators.spec import catalogue as shelf
from boardsat.generators.spec.catalogue import (
    SpecTexts,
    defaults_of,
    encodings_of,
    parse_texts,
    texts,
)
from boardsat.generators.spec.defaults import SOLVE

FILES = sorted(shelf.FOLDER.glob("*/*.yaml"))


def shipped() -> dict[str, Any]:
    return {f"{path.parent.name}/{path.stem}": yaml.safe_load(path.read_text()) for path in FILES}


@pytest.mark.parametrize("section", ["params", "define", "variables", "constraints"])
def test_nothing_is_written_twice_in_a_problem(section: str) -> None:
    """Two specs of a problem with equal entries would share them."""
    specs_with = defaultdict(list)
    for name, spec in shipped().items():
        entries = spec.get(section, {})
        if isinstance(entries, list):
            entries = {entry["name"]: entry for entry in entries if "name" in entry}
        for entry_name, entry in entries.items():
            if isinstance(entry, dict) and "extends" not in entry:
                specs_with[name.partition("/")[0], entry_name, str(entry)].append(name)
    allowed = {("tour", "no_two_cycles")}  # of four encodings, but with two defaults
    assert {
        key: names for key, names in specs_with.items() if len(names) > 1 and key[:2] not in allowed
    } == {}


@pytest.mark.parametrize("encoding", encodings_of("tour"))
def test_hamilton_shares_constraints_and_citations_with_tour(encoding: str) -> None:
    tour, hamilton = find("tour", encoding), find("hamilton", encoding)
    assert hamilton.constraints == tour.constraints and hamilton.variables == tour.variables
    texts, shared = hamilton.description, tour.description
    assert (texts.cite, texts.about) == (shared.cite, shared.about)
    assert texts.title == f"Hamiltonian cycle or path of a graph, encoded as tour/{encoding}"
    assert hamilton.source.sha256 != tour.source.sha256 != find("hamilton", "direct").source.sha256


def test_the_digest_is_that_of_all_that_a_spec_is_like() -> None:
    assert len({find(name).source.sha256 for name in catalogue()}) == len(catalogue())


@pytest.mark.parametrize("name", catalogue())
def test_spec_is_parsed_from_its_texts_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, packed = find(name), texts(name)
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    assert parse_texts(packed) == original.from_outside()
    for file in packed.texts:
        incomplete = {path: text for path, text in packed.texts.items() if path != file}
        with pytest.raises(InputError):
            parse_texts(SpecTexts(name, packed.file, incomplete))


def test_problem_files_and_fragments_are_not_encodings() -> None:
    for path in FILES:
        problem, stem = path.parent.name, path.stem
        hidden = stem == "problem" or stem.startswith("_")
        assert hidden != (stem in encodings_of(problem))
        if hidden:
            with pytest.raises(InputError, match=f"no encoding '{stem}'"):
                find(problem, stem)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write specs of two problems, one of which extends the encodings of the other."""
    specs = {
        "base/problem": "title: Base\nparams:\n  n: 2\ndefaults:\n  solve: a\n  count: a\n"
        "  write: b\ndefine:\n  m: n + 1\n  unused: distance(0)\nvariables:\n  X:\n"
        "    for: i in range(m)\n    description: x\nconstraints:\n  - name: some\n"
        "    at_least_one: X[i] for i in range(m)\n  - name: first\n    clause: X[0]\n",
        "base/a": "title: Base, a\nextends: base\nomit: unused\nconstraints:\n  - extends: some\n",
        "base/_part": "extends: base\nomit: unused\n"
        "variables:\n  Y: {extends: X}\n  X: {extends: X}\n",
        "base/b": "title: Base, b\nextends: base/_part\nconstraints:\n  - extends: first\n"
        "    name: last\n    clause: X[m - 1] or Y[0]\n",
        "other/problem": "title: Other\nencodings: base\nparams:\n  n: 3\n",
        "other/c": "title: Other, c\nextends: other/a\nconstraints:\n"
        "  - extends: first\n  - extends: some\n",
        "round/a": "title: Round, a\nextends: round/b\n",
        "round/b": "title: Round, b\nextends: round/a\n",
    }
    for name, text in specs.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.yaml").write_text(text)
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    return tmp_path


def test_a_constraint_and_a_variable_that_are_like_others(folder: Path) -> None:
    b = find("base/b")
    assert [
        (v.name, v.bindings and v.bindings.text, v.description and v.description.text)
        for v in b.variables
    ] == [
        ("Y", "i in range(m)", "x"),
        ("X", "i in range(m)", "x"),
    ]
    (last,) = b.constraints
    assert (last.name, last.location) == ("last", "specs/base/b.yaml:4")
    (some,) = find("base/a").constraints
    assert (some.name, some.location) == ("some", "specs/base/problem.yaml:16")
    assert [d.name for d in b.definitions] == ["m"]
    assert count(build(find("base/a"))) == 2**3 - 1
    assert count(build(b)) == 2**6 * 3 // 4


def test_problem_inherits_encodings_and_may_add_some(folder: Path) -> None:
    assert encodings_of("other") == ["a", "b", "c"]
    assert defaults_of("other") == defaults_of("base") == {"solve": "a", "count": "a", "write": "b"}
    assert count(build(find("other/a"))) == 2**4 - 1
    assert find("other", "a").description.title == "Other, encoded as base/a"
    assert [c.name for c in find("other/c").constraints] == ["first", "some"]
    assert count(build(find("other/c"))) == 2**3
    (folder / "other/a.yaml").write_text("title: mine\nextends: base/a\n")
    assert find("other/a").description.title == "mine" and encodings_of("other") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        (
            "other/problem",
            "encodings: base\nextends: base\n",
            "`extends` cannot be combined with `encodings`",
        ),
        ("other/problem", "encodings: bass\n", "problem.yaml:1: no problem 'bass'; did you"),
        (
            "other/problem",
            "encodings: other\n",
            "problem.yaml:1: 'other' has no encodings to reuse",
        ),
        ("base/a", "title: x\nextends: other\n", "base/a.yaml:2: no spec 'other' for `extends`"),
        (
            "base/a",
            "title: x\nextends: base\nencodings: other\n",
            "a.yaml:3: unknown key 'encodings'",
        ),
        ("base/a", "extends: base\nomit: k\n", "no parameter or definition 'k' to omit"),
        ("base/problem", "defaults:\n  solve: c\n", "no encoding 'c' to solve with"),
    ],
)
def test_fault_in_a_shared_file_is_located(name: str, text: str, fault: str, folder: Path) -> None:
    (folder / f"{name}.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        find(name.partition("/")[0], purpose=SOLVE)
    assert fault in str(caught.value)


def test_specs_that_are_like_each_other_come_to_an_end(folder: Path) -> None:
    with pytest.raises(InputError, match=r"round/b\.yaml:2: no spec 'round/a' for `extends`"):
        find("round/a")


def test_spec_texts_of_an_earlier_version_build_identically() -> None:
    """Before there were problems and parts, variables and constraints were replaced as a whole."""
    first = "title: t\nparams:\n  k: 3\nvariables:\n  X:\n    for: i in range(k)\nconstraints:\n"
    first += "  - at_least_one: X[i] for i in range(k)\n"
    second = "title: u\nextends: tour/first\nvariables:\n  Y:\n    for: i in range(k)\n"
    second += "constraints:\n  - clause: Y[0]\n"
    third = "title: v\nextends: tour/second\nparams:\n  k: 2\n"
    files = {
        f"specs/tour/{name}.yaml": text for name, text in (("first", first), ("second", second))
    }
    spec = parse_texts(SpecTexts("mine", "mine.yaml", {"mine.yaml": third, **files}))
    assert [variable.name for variable in spec.variables] == ["Y"]
    assert count(build(spec)) == 2


def test_a_spec_from_anywhere_may_be_like_a_part() -> None:
    spec = parse(
        "title: t\nextends: tour/_edges\n"
        "constraints:\n  - extends: an open tour begins at the start\n"
    )
    assert spec.constraints[0].location.startswith("specs/tour/_edges.yaml:")
