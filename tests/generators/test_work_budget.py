"""One budget for making a formula: what many small parts take counts together, and is told."""

from __future__ import annotations

import os

import pytest
from helpers.formulas import make
from helpers.hostile_specs import BASE, spec_file
from helpers.solver_runs import boardsat

from boardsat.generators import InputError, limits
from boardsat.generators.limits import WorkBudget, allowing

GRID = {"shape": "grid", "rows": 8, "cols": 8, "moves": "knight"}
MANY = {
    "tables": {"define": {f"t{k}": "i * 7 % 3 for i in range(20000)" for k in range(60)}},
    "sets": {"define": {f"s{k}": {"for": "i in range(99), j in range(99)"} for k in range(90)}},
    "registers": {"board": GRID, "define": {f"r{k}": "lfsr(12)" for k in range(200)}},
    "distances": {"board": GRID, "define": {f"d{k}": f"distance({k % 64})" for k in range(300)}},
    "forests": {"board": GRID, "define": {f"f{k}": "forest()" for k in range(300)}},
    "eliminations": {"board": GRID, "define": {f"e{k}": "min_fill(0)" for k in range(60)}},
    "variables": {
        "variables": {
            f"X{k}": {"for": "i in range(99), j in range(99)", "if": "(i * i + j) % 7 == 0"}
            for k in range(60)
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
    """Less than a user has, so that reaching it is quick."""
    monkeypatch.setattr(limits, "WORK", 2**26)
    monkeypatch.setattr(limits, "MEMORY", 2**22)


def first_of(part):
    return dict(list(part.items())[:1]) if isinstance(part, dict) else part[:1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", MANY)
def test_one_is_made_and_many_are_refused(kind):
    sections = MANY[kind]
    key = "variables" if kind == "variables" else list(sections)[-1]
    make(**{**BASE, **sections, key: first_of(sections[key])})
    with pytest.raises(InputError, match=r":\d+: .* needs too much (work|memory): .*--work 2"):
        make(**{**BASE, **sections})


@pytest.mark.usefixtures("small")
def test_it_is_told_what_took_the_most():
    define = {"t": "i * 7 % 3 for i in range(40000)", **MANY["forests"]["define"]}
    with pytest.raises(InputError, match=r"% went into 't' at spec\.yaml:\d+\); use smaller"):
        make(**{**BASE, "board": GRID, "define": define})


@pytest.mark.parametrize(
    "sections",
    [
        {"constraints": [{"for": "i in range(2000000000)", "if": "i < 0", "clause": "X[0]"}]},
        {"constraints": [{"for": "i in range(3)", "clause": "X[0] for j in range(2000000000)"}]},
        {"define": {"t": "i for i in range(40000), j in range(40000)"}},
        {"variables": {"X": {"for": "i in range(2000000000)"}}},
        {"constraints": [{"at_most": 900, "of": "X[i % 3] for i in range(2000)",
                          "encoding": "binomial"}]},
        {"board": {"shape": "cube", "side": 90, "moves": "9999,9999"}},
        {"board": {"shape": "hexagon", "side": 1000000000, "moves": "king"}},
    ],
)  # fmt: skip
def test_what_can_be_foreseen_is_refused_before_it_is_done(sections, monkeypatch):
    seen = []
    spend = WorkBudget.spend
    monkeypatch.setattr(
        WorkBudget, "spend", lambda self, work: (seen.append(self), spend(self, work))[1]
    )
    with pytest.raises(InputError, match=r"at least [0-9,]+ times what making a formula may take"):
        make(**{**BASE, **sections})
    # Where one charge is all there is, it is refused as it is made.
    assert not seen or not limits.WORK / 50 < seen[-1].spent < limits.WORK


def test_who_needs_more_can_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 2**22)
    path = spec_file(tmp_path, define={"t": "i for i in range(100000)"})
    refused = boardsat("size", path)
    assert refused.code == 2
    assert refused.one_line().strip().endswith("or an earlier `if`; --work 2 allows more")
    assert boardsat("size", path, "--work", 2).code == 0
    monkeypatch.setenv(limits.TIMES, "2")
    assert boardsat("size", path).code == 0


@pytest.mark.parametrize("word", ["0", "-1", "1.5", "x", "1001", "9" * 5000, "²"])
def test_how_much_more_is_a_number(word, tmp_path, monkeypatch):
    path = spec_file(tmp_path)
    said = boardsat("size", path, f"--work={word}")
    assert said.code == 2
    assert "not a number of times; give a whole number from 1 to 1000" in said.one_line()
    monkeypatch.setenv(limits.TIMES, word)
    said = boardsat("size", path)
    assert said.one_line().startswith(f"boardsat: {limits.TIMES}={word[:1]}")


def test_more_is_allowed_for_one_command_only(monkeypatch):
    monkeypatch.setenv(limits.TIMES, "3")
    with allowing("5"):
        assert WorkBudget().times == 5
    assert os.environ[limits.TIMES] == "3"
    with allowing(None):
        assert WorkBudget().times == 3


@pytest.mark.parametrize(
    ("sections", "fault"),
    [
        (
            {"params": {**{f"a{k}": f"a{k + 1}" for k in range(900)}, "a900": 1}},
            "a default that takes more than 50 others one after the other",
        ),
        ({"decode": ["x"] * 30_000}, "more than 20,000 texts, lists and mappings"),
        (
            {"constraints": [{"for": ", ".join(f"i{k} in range(2)" for k in range(40)),
                              "clause": "X[0]"}]},
            "more than 20 names in one `for`",
        ),
        ({"board": {**GRID, "moves": "1,2+" * 300 + "1,2"}}, "too many leaps"),
    ],
)  # fmt: skip
def test_what_has_no_end_in_a_spec_has_a_limit(sections, fault):
    with pytest.raises(InputError, match=fault):
        make(**{**BASE, **sections})


HONEST = [
    ("tour/direct", {"n": 14}),
    ("tour/unary", {"n": 30}),
    ("tour/cuts", {"n": 200}),
    ("tour/hve", {"n": 36}),
    ("queens/squares", {"n": 200}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), HONEST)
def test_large_formulas_need_no_more_than_is_usual(name, settings, monkeypatch):
    from helpers.formulas import shipped

    monkeypatch.delenv(limits.TIMES, raising=False)
    assert shipped(name, **settings).clauses > 10**6
