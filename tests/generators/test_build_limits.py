"""Limits of building formulas: for external specs, for shipped specs, and in error messages."""

from __future__ import annotations

import os
import re
import time

import pytest
from helpers.formulas import make
from helpers.hostile_specs import BASE, spec_file
from helpers.solver_runs import boardsat

import boardsat as entrance
from boardsat.generators import InputError, build, build_limits, find, load
from boardsat.generators.build_limits import build_limit
from boardsat.generators.spec.catalogue import FOLDER, parse_texts, texts

GRID = {"shape": "grid", "rows": 8, "cols": 8, "moves": "knight"}
MANY = {
    "tables": {"define": {f"t{k}": "i * 7 % 3 for i in range(20000)" for k in range(60)}},
    "sets": {"define": {f"s{k}": {"for": "i in range(99), j in range(99)"} for k in range(600)}},
    "registers": {"board": GRID, "define": {f"r{k}": "lfsr(12)" for k in range(200)}},
    "distances": {"board": GRID, "define": {f"d{k}": f"distance({k % 64})" for k in range(300)}},
    "forests": {"board": GRID, "define": {f"f{k}": "forest()" for k in range(3000)}},
    "eliminations": {"board": GRID, "define": {f"e{k}": "min_fill(0)" for k in range(60)}},
    "variables": {
        "variables": {
            f"X{k}": {"for": "i in range(99), j in range(99)", "if": "(i * i + j) % 7 == 0"}
            for k in range(300)
        },
        "constraints": [{"clause": "X0[0, 0]"}],
    },
    "constraints": {
        "constraints": [
            {"for": f"i in range({20000 + k})", "clause": "X[i % 3] for j in range(3)"}
            for k in range(60)
        ]
    },
    "formulas": {
        "constraints": [
            {"formula": f"X[0] and X[1] or X[2] xor {k} < i", "for": "i in range(3)"}
            for k in range(400)
        ]
    },
    "bounds": {
        "constraints": [{"at_most": 1, "of": "X[i % 3] for i in range(99)"} for _ in range(400)]
    },
}


@pytest.fixture
def small(monkeypatch):
    """Lower the limits, so that they are reached quickly."""
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 0.1)
    monkeypatch.setattr(build_limits, "BUILD_BYTES", 2**24)


def first_of(section):
    return dict(list(section.items())[:1]) if isinstance(section, dict) else section[:1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", MANY)
def test_many_parts_that_are_small_alone_are_refused_together(kind, monkeypatch):
    sections = MANY[kind]
    key = "variables" if kind == "variables" else list(sections)[-1]
    with monkeypatch.context() as patched:
        patched.setattr(build_limits, "BUILD_SECONDS", 1.0)
        make(**{**BASE, **sections, key: first_of(sections[key])})
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 0.01)
    with pytest.raises(InputError, match=r":\d+: .* needs too much (time|memory): .*--build-limit"):
        make(**{**BASE, **sections})


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"constraints": [{"for": "i in range(2000000000)", "if": "i < 0", "clause": "X[0]"}]},
         r"spec\.yaml:\d+: the constraint 'clause at line \d+' needs too much time"),
        ({"constraints": [{"for": "i in range(3)", "clause": "X[0] for j in range(2000000000)"}]},
         "the constraint 'clause at line .*' needs too much"),
        ({"define": {"t": "i for i in range(40000), j in range(40000)"}},
         "'t' needs too much memory"),
        ({"variables": {"X": {"for": "i in range(2000000000)"}}},
         "the variable 'X' needs too much memory"),
        ({"constraints": [{"at_most": 900, "of": "X[i % 3] for i in range(2000)",
                          "encoding": "binomial"}]}, "the constraint .* needs too much memory"),
        ({"board": {"shape": "hexagon", "side": 1000000000, "moves": "king"}},
         "the board needs too much memory"),
    ],
)  # fmt: skip
def test_predictable_sizes_are_refused_before_the_work(sections, message):
    started = time.thread_time()
    with pytest.raises(InputError, match=message):
        make(**{**BASE, **sections})
    assert time.thread_time() - started < build_limits.BUILD_SECONDS / 4


def test_time_that_cannot_be_predicted_is_limited(monkeypatch):
    """No row of the inner set is known before the outer one is bound."""
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 0.1)
    rows = "i in range(3000), j in range(i, 3000), k in range(j, 3000)"
    with pytest.raises(InputError, match=r"too much time: (more than|at least \d+ times)"):
        make(**{**BASE, "constraints": [{"for": rows, "if": "i + j + k < 0", "clause": "X[0]"}]})
    with pytest.raises(InputError, match="the board needs too much time"):
        make(**{**BASE, "board": {"shape": "cube", "side": 90, "moves": "9999,9999"}})


def test_remedy_of_a_refused_spec_works(tmp_path, monkeypatch):
    monkeypatch.setattr(build_limits, "BUILD_BYTES", 2**22)
    path = spec_file(tmp_path, define={"t": "i for i in range(100000)"})
    refused = boardsat("size", path)
    assert refused.code == 2
    factor = re.search(r"or an earlier `if`; --build-limit (\d+) allows more$", refused.one_line())
    assert factor is not None
    larger = 4 * int(factor[1])  # the process may not have freed what earlier tests allocated
    assert boardsat("size", path, "--build-limit", larger).code == 0
    monkeypatch.setenv(build_limits.FACTOR_VARIABLE, str(larger))
    assert boardsat("size", path).code == 0


@pytest.mark.parametrize("factor", ["0", "-1", "1.5", "x", "1001", "9" * 5000, "²"])
def test_factor_is_a_number(factor, tmp_path, monkeypatch):
    path = spec_file(tmp_path)
    refused = boardsat("size", path, f"--build-limit={factor}")
    assert refused.code == 2
    assert "the factor must be a whole number between 1 and 1000; try 2" in refused.one_line()
    monkeypatch.setenv(build_limits.FACTOR_VARIABLE, factor)
    refused = boardsat("size", path)
    assert refused.one_line().startswith(f"boardsat: {build_limits.FACTOR_VARIABLE}={factor[:1]}")


def test_factor_holds_for_one_command(monkeypatch):
    monkeypatch.setenv(build_limits.FACTOR_VARIABLE, "3")
    with build_limit("5"):
        assert build_limits.build_limit_factor() == 5
    assert os.environ[build_limits.FACTOR_VARIABLE] == "3"
    with build_limit(None):
        assert build_limits.build_limit_factor() == 3


# Specs that ship.


def test_built_in_spec_has_no_default_limits(monkeypatch, tmp_path):
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 1e-6)
    monkeypatch.setattr(build_limits, "BUILD_BYTES", 1)
    assert build(find("tour", "hve"), {"n": 12}).clauses > 10_000
    copy = tmp_path / "own.yaml"
    copy.write_text((FOLDER / "tour/hve.yaml").read_text())
    with pytest.raises(InputError, match="needs too much"):
        build(load(str(copy)), {"n": 12})


def test_built_in_spec_named_by_a_file_has_default_limits(monkeypatch, tmp_path):
    instance = tmp_path / "instance.yaml"
    instance.write_text("problem: queens\nset: {n: 8}\n")
    assert boardsat("size", instance).code == 0
    recipe = parse_texts(texts("queens/squares"))
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 1e-6)
    monkeypatch.setattr(build_limits, "BUILD_BYTES", 1)
    assert boardsat("size", "queens", "-n", 8).code == 0
    assert "needs too much" in boardsat("size", instance).one_line()
    with pytest.raises(InputError, match="needs too much"):
        entrance.build(instance)
    with pytest.raises(InputError, match="needs too much"):
        build(recipe, {"n": 8})


def test_built_in_spec_is_refused_if_the_memory_is_too_small(monkeypatch):
    monkeypatch.setattr(build_limits, "available_memory", lambda: 10**8)
    fault = r"the board needs too much memory: at least [\d,.]+ GB, and 0\.1 GB are available"
    with pytest.raises(InputError, match=fault) as error:
        build(find("tour", "cuts"), {"n": 1000})
    assert "--build-limit" not in error.value.remedy


def test_memory_of_the_machine_is_known():
    assert (build_limits.available_memory() or 0) > 2**20


@pytest.mark.parametrize(
    ("sections", "fault"),
    [
        (
            {"params": {**{f"a{k}": f"a{k + 1}" for k in range(900)}, "a900": 1}},
            "defaults refer to each other in a chain of more than 50 parameters",
        ),
        ({"decode": ["x"] * 30_000}, "at most 20,000 texts, lists and mappings"),
        (
            {"constraints": [{"for": ", ".join(f"i{k} in range(2)" for k in range(40)),
                              "clause": "X[0]"}]},
            "a `for` must bind at most 20 names",
        ),
        ({"board": {**GRID, "moves": "1,2+" * 300 + "1,2"}}, "must have at most 1,000 characters"),
    ],
)  # fmt: skip
def test_unbounded_sets_and_sums_have_a_limit(sections, fault):
    with pytest.raises(InputError, match=fault):
        make(**{**BASE, **sections})


LARGE = [
    ("tour/direct", {"n": 14}),
    ("tour/unary", {"n": 30}),
    ("tour/cuts", {"n": 200}),
    ("tour/hve", {"n": 36}),
    ("queens/squares", {"n": 200}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), LARGE)
def test_large_formulas_of_campaigns_are_within_the_default_limits(name, settings, monkeypatch):
    monkeypatch.delenv(build_limits.FACTOR_VARIABLE, raising=False)
    assert build(find(name).from_outside(), settings).clauses > 10**6


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n"), [("tour/hve", 48), ("tour/hve", 60), ("tour/direct", 40)])
def test_larger_formulas_of_the_user_are_not_limited(name, n):
    assert build(find(name), {"n": n}).clauses > 10**7
