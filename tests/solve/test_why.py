"""`boardsat explain`: groups, minimal cores, their texts, and checks that detect a wrong one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet
from conftest import Done
from helpers.formulas import GRAPHS, catalogue
from helpers.instances import small_instances
from helpers.problem_settings import none_settings

import boardsat as entrance
from boardsat.adapters.answer import Status
from boardsat.adapters.mus import structural_arguments, workers
from boardsat.adapters.mus.extraction import CoreTask, SelectorSolver, deletion_mus, smallest_mus
from boardsat.adapters.mus.workers import Confirmation, FoundCore, GroupedClauses
from boardsat.adapters.runtimes import Limits
from boardsat.base.errors import WrongAnswerError
from boardsat.generators import build, build_grouped, describe, find, parse, select_default_encoding
from boardsat.generators.spec.catalogue import encodings_of, problems
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.formula_file import instance_from_comments
from boardsat.workflows.explain.result import CoreConstraint
from boardsat.workflows.explain.workflow import _check_core, run_explain

Run = Callable[..., Done]
Clause = tuple[int, ...]

FOREVER = float("inf")


def clauses_in(tokens: np.ndarray) -> Iterator[Clause]:
    clause: list[int] = []
    for token in tokens.tolist():
        if token:
            clause.append(token)
        else:
            yield tuple(clause)
            clause = []


# Groups.


def sweep() -> list[ParameterSet]:
    """One encoding of every problem; the others are slow."""
    firsts = {f"{problem}/{encodings_of(problem)[0]}" for problem in problems()}
    slow = pytest.mark.slow
    return [pytest.param(spec, marks=[] if spec in firsts else [slow]) for spec in catalogue()]


@pytest.mark.parametrize("spec", sweep())
def test_groups_partition_the_clauses_of_the_formula(spec: str) -> None:
    settings, read = small_instances(spec)[0], find(spec)
    all_clauses = Counter(
        c for tokens in build(read, settings).arrays() for c in clauses_in(tokens)
    )
    for split in (None, range(len(read.constraints))):
        formula = build_grouped(read, settings, split)
        token_arrays = [formula.background, *(group.tokens for group in formula.groups)]
        assert (
            Counter(clause for tokens in token_arrays for clause in clauses_in(tokens))
            == all_clauses
        )


GROUPS = """
title: rows
params:
  n: 3
variables:
  X:
    for: i in range(n), j in range(n)
constraints:
  - name: some
    for: i in range(n)
    at_least_one: X[i, j] for j in range(n)
  - name: one
    for: j in range(n)
    exactly_one: X[i, j] for i in range(n)
  - name: triples
    for: t in permutations(range(n), 2)
    clause: not X[t[0], t[1]]
  - name: unless
    if: n > 3
    clause: X[0, 0]
"""


def test_group_is_a_row_of_its_constraint() -> None:
    spec = parse(GROUPS.replace("permutations(range(n), 2)", "subsets(range(n), 2)"))
    formula = build_grouped(spec, {}, range(len(spec.constraints)))
    groups = [
        (group.name, dict(group.row), [*clauses_in(group.tokens)]) for group in formula.groups
    ]
    assert groups[0] == ("some", {"i": 0}, [(1, 2, 3)])
    assert groups[4] == ("one", {"j": 1}, [(2, 5, 8), (-2, -5), (-2, -8), (-5, -8)])
    assert groups[7] == ("triples", {"t_0": 0, "t_1": 2}, [(-3,)])
    assert len(groups) == 9, "a constraint without clauses has no group"
    assert [group.name for group in build_grouped(spec, {}).groups] == ["some", "one", "triples"]


# Cores of random groups, against all subsets.


def random_groups(seed: int) -> list[list[Clause]]:
    random = Random(seed)
    variables = range(1, 5)
    return [
        [
            tuple(
                random.choice((1, -1)) * v for v in random.sample(variables, random.randint(1, 2))
            )
            for _ in range(random.randint(1, 3))
        ]
        for _ in range(8)
    ]


def can_hold(groups: list[list[Clause]]) -> bool:
    return any(
        all(
            any((literal > 0) == values[abs(literal) - 1] for literal in c)
            for g in groups
            for c in g
        )
        for values in product((False, True), repeat=4)
    )


def as_clauses(groups: list[list[Clause]]) -> GroupedClauses:
    tokens = [np.array([x for c in group for x in (*c, 0)], np.int32) for group in groups]
    return GroupedClauses(4, np.zeros(0, np.int32), tokens, {})


@pytest.mark.parametrize("seed", range(25))
def test_cores_are_minimal_and_last_is_smallest(seed: int) -> None:
    groups = random_groups(seed)
    clauses = as_clauses(groups)
    with clauses.task_file(range(len(groups))) as task_path:
        task = CoreTask(*json.loads(Path(task_path).read_text()))
        solver = SelectorSolver(workers.EXTRACTION_LIBRARY, task)
        first = solver.query(task.selectors)
        assert (first.model is not None) == can_hold(groups)
        if first.core is None:
            return
        core = deletion_mus(solver, first.core, FOREVER)
        chosen = [groups[clauses.group(selector)] for selector in core]
        assert not can_hold(chosen)
        for index in range(len(chosen)):
            assert can_hold(chosen[:index] + chosen[index + 1 :])
        least = smallest_mus(solver, task.selectors, core, FOREVER)
    sizes = (k for k in range(9) for some in combinations(groups, k) if not can_hold([*some]))
    assert least is not None and len(least) == next(sizes)


def test_empty_clause_is_a_core_by_itself() -> None:
    clauses = as_clauses([[(1,)], [()], [(-1,)]])
    outcome = workers.find_core(clauses, Limits(wall=30))
    assert (outcome.status, outcome.groups, outcome.is_minimal) == (
        Status.UNSATISFIABLE,
        (1,),
        True,
    )


# Confirmation by the second solver.


def test_second_solver_finds_needless_groups_and_models() -> None:
    clauses = as_clauses([[(1,)], [(-1, 2)], [(-2,)], [(3,)]])
    right = workers.confirm_core(clauses, [0, 1, 2], Limits(wall=30))
    assert right.is_core and right.needed == {0, 1, 2} and not right.needless
    large = workers.confirm_core(clauses, [0, 1, 2, 3], Limits(wall=30))
    assert large.is_core and large.needless == {3} and large.needed == {0, 1, 2}
    assert workers.confirm_core(clauses, [0, 1], Limits(wall=30)).is_core is False


def test_model_that_violates_a_clause_is_rejected() -> None:
    models = workers._ModelChecker(as_clauses([[(1, 2)], [(-1,)]]), [0, 1])
    models.check([-1, 2, 3, 4], omitted_group=0)
    models.check([1, 2, 3, 4], omitted_group=1)
    with pytest.raises(WrongAnswerError, match="falsifies a clause"):
        models.check([1, 2, 3, 4], omitted_group=0)


@pytest.mark.parametrize(
    ("is_core", "needless", "arguments"),
    [(False, frozenset(), "has a model"), (True, frozenset({1}), "has a smaller core")],
)
def test_core_refuted_by_second_solver_is_an_error(
    is_core: bool, needless: frozenset[int], arguments: str
) -> None:
    outcome = FoundCore(Status.UNSATISFIABLE, (0, 1), is_minimal=True)
    confirmation = Confirmation(is_core, frozenset({0}), needless, outcome.usage)
    with pytest.raises(WrongAnswerError, match=arguments):
        _check_core(outcome, confirmation)


# Structural arguments.


@pytest.mark.parametrize(
    ("edges", "argument"),
    [
        ("ab bc ca cd", "d has 1 move, and a cycle needs two"),
        ("ab bc ca de ef fd", "3 cells are unreachable"),
        ("ab bc ca cd de ec", "without c the others are disconnected, in parts of 2 and 2"),
        ("ab bc cd da eb ed", "3 and 2 cells of the two colours; every move changes the colour"),
        ("ab bc cd da", None),
    ],
)
def test_structural_arguments_are_found_without_solver(
    edges: str, argument: str | None, tmp_path: Path
) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("".join(f"{u} {v}\n" for u, v in edges.split()))
    header = instance_from_comments(describe(find("hamilton/uve"), {"graph": str(graph)})).header
    assert [*structural_arguments.structural_arguments(header)] == ([argument] if argument else [])


# Whole explanations.


def run_explain_json(boardsat: Run, *arguments: object, code: int = 20) -> dict[str, Any]:
    outcome = boardsat("explain", *arguments, "--json")
    assert outcome.code == code, outcome.err
    answer: dict[str, Any] = json.loads(outcome.out)
    return answer


def parts(answer: dict[str, Any]) -> Counter[tuple[str, str]]:
    return Counter((entry["constraint"], entry["subject"]) for entry in answer["core"])


def test_explain_contradictory_sudoku_clues_names_clues_and_row(boardsat: Run) -> None:
    answer = run_explain_json(boardsat, "sudoku", "--set", f"givens=5...5....{'.' * 72}")
    assert parts(answer) == {
        ("every digit once in every row", "5 in a9 to i9"): 1,
        ("the squares that are given", "a9 = 5"): 1,
        ("the squares that are given", "e9 = 5"): 1,
    }
    assert answer["minimal"] and answer["smallest"] and not answer["unchecked"]
    assert answer["core"][0]["row"] == {"r": 0, "v": 4}


def test_explain_closed_tour_of_5x5_names_squares_of_one_colour(boardsat: Run) -> None:
    answer = run_explain_json(boardsat, "tour", "--enc", "unary", "-n", 5)
    assert answer["arguments"] == [
        "13 and 12 cells of the two colours; every move changes the colour"
    ]
    squares: dict[str, set[str]] = {}
    for entry in answer["core"]:
        squares.setdefault(entry["constraint"], set()).add(entry["subject"])
    white = {f"{file}{rank}" for f, file in enumerate("abcde") for rank in range(f % 2 + 1, 6, 2)}
    every = {f"{file}{rank}" for file in "abcde" for rank in range(1, 6)}
    assert sorted(squares.values(), key=len) == [every - white, white]


def test_explain_hamilton_reports_cut_vertex(boardsat: Run, tmp_path: Path) -> None:
    graph = tmp_path / "two-parts.txt"
    sides = [*combinations("abcd", 2), *combinations("defg", 2)]
    graph.write_text("".join(f"{u} {v}\n" for u, v in sides))
    answer = run_explain_json(boardsat, "hamilton", "--set", f"graph={graph}")
    assert answer["arguments"] == ["without d the others are disconnected, in parts of 3 and 3"]
    assert set(parts(answer)) == {("no square is a cut vertex", "")}
    assert answer["minimal"] and not answer["unchecked"]


def test_text_lists_constraints_with_all_their_squares(boardsat: Run) -> None:
    outcome = boardsat("explain", "tour", "-n", 4)
    assert outcome.code == 20
    lines = outcome.out.decode().splitlines()
    assert lines[0] == "UNSATISFIABLE: there is no closed tour of 4x4 by a knight"
    assert lines[1] == "Minimal conflict; dropping any one makes the rest satisfiable:"
    # Two opposite corners lead to the same two squares, and all four edges are a cycle.
    assert lines[2] == "  no edge closes a cycle of forced edges: not d4-c2"
    assert lines[3] == "  every square has two edges, or one and is an end: d4"


def test_explain_satisfiable_instance_has_nothing_to_explain(boardsat: Run) -> None:
    outcome = boardsat("explain", "queens", "-n", 4)
    assert (outcome.code, outcome.out.split()[0]) == (10, b"SATISFIABLE:")


def test_formula_file_is_explained_by_the_spec_of_its_header(boardsat: Run, tmp_path: Path) -> None:
    path = tmp_path / "three.cnf"
    assert boardsat("cnf", "queens", "-n", 3, "--shuffle", 5, "-o", path).code == 0
    named = {(entry.constraint, entry.subject) for entry in entrance.explain("queens", n=3).core}
    assert parts(run_explain_json(boardsat, path)).keys() == named
    *lines, last = path.read_text().splitlines()
    path.write_text("\n".join([*lines, last.replace("-", ""), ""]))
    outcome = boardsat("explain", path)
    assert outcome.code == 2 and "cannot be rebuilt from its header" in outcome.err


def test_explain_with_time_limit_is_unknown(boardsat: Run) -> None:
    outcome = boardsat("explain", "pigeonhole", "-n", 12, "--timeout", 0.5)
    assert outcome.code == 0 and outcome.out.startswith(b"UNKNOWN (")


def test_core_that_is_not_minimal_is_marked() -> None:
    core = (CoreConstraint("one queen on every rank", "a1, b1"), CoreConstraint("fix !a1", ""))
    explanation = entrance.Explanation(Status.UNSATISFIABLE, core=core, unchecked=("minimal",))
    assert str(explanation).splitlines()[1:] == [
        "Conflict of 2 (not minimal: a limit was reached):",
        "  one queen on every rank: a1, b1",
        "  fix !a1",
        "NOT checked: minimal",
    ]


def test_explain_lazy_encoding_falls_back_after_rounds() -> None:
    spec, graph = find("hamilton", "cuts"), str(GRAPHS / "petersen.col")
    outcome = run_explain(spec, {"graph": graph, "rounds": "1"}, Limits(wall=60))
    assert (outcome.encoding, outcome.abandoned_encoding) == ("hamilton/uve", "hamilton/cuts")
    assert outcome.is_minimal and not outcome.unchecked


@pytest.mark.slow
@pytest.mark.parametrize("problem", [name for name in problems() if none_settings(name)])
def test_every_unsatisfiable_problem_is_explained(problem: str) -> None:
    settings_and_meaning = none_settings(problem)
    assert settings_and_meaning is not None
    spec = select_default_encoding(find(problem, None, SOLVE), SOLVE, settings_and_meaning[0]).spec
    outcome = run_explain(spec, settings_and_meaning[0], Limits(wall=60))
    assert outcome.status is Status.UNSATISFIABLE and outcome.meaning == settings_and_meaning[1]
    assert outcome.core and outcome.is_minimal and not outcome.unchecked
    names = Counter((entry.constraint, entry.subject) for entry in outcome.core)
    assert max(names.values()) == 1, "no two parts are called the same"
