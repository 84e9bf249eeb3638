"""Verdicts on projections: valid, refuted by two boards or by one, unknown."""

from __future__ import annotations

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.counts import (
    counted,
    file,
    models_over,
)
from helpers.formulas import is_lazy, mostly_slow
from helpers.solver_runs import (
    boardsat,
    instance,
    leaves_nothing,  # noqa: F401
)

from boardsat.generators import find
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count import projections
from boardsat.workflows.solve.request import SolveRequest

# Projections.


def judged(*arguments: object, code: int = 0) -> dict[str, Any]:
    output = boardsat("projection", *arguments, "--json")
    assert output.code == code, output.err
    result: dict[str, Any] = json.loads(output.out)
    return result


@pytest.mark.parametrize("projection", mostly_slow(["ind", "show", "none"], ["none"]))
@pytest.mark.parametrize(
    "encoding",
    mostly_slow(
        (e for e in encodings_of("tour") if not is_lazy(f"tour/{e}")), ["binary", "direct", "ve"]
    ),
)
def test_projections_of_tours_are_valid(encoding: str, projection: str) -> None:
    arguments = ("tour", "--enc", encoding, "--set", "rows=3", "--set", "cols=4")
    valid = find("tour", encoding).counting.is_count_preserving or projection != "none"
    arguments += ("--set", "moves=king", "--projection", projection)
    result = judged(*arguments, code=0 if valid else 1)
    assert result["projection"] == ("valid" if valid else "invalid")
    assert (result["boards"] == []) == valid


def projected(path: str, projection: list[int]) -> Path:
    """The file with another projection."""
    lines = Path(path).read_text().splitlines()
    body = [line for line in lines if not line.startswith("c ind ")]
    text = " ".join(map(str, [*projection, 0]))
    target = Path(path).with_name("projected.cnf")
    target.write_text("\n".join([f"c ind {text}", *body, ""]))
    return target


def test_sufficient_subset_of_moves_is_proved_valid(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/binary", rows=5, cols=6)
    header = open_formula(path).header
    moves = header.variables["H"]
    origin, _ = np.unravel_index(moves.keys, moves.shape)
    # Of the moves out of a square one is made: the last follows from the others.
    spared = {int(moves.ids[np.flatnonzero(origin == cell)[-1]]) for cell in np.unique(origin)}
    fewer = [v for v in moves.ids.tolist() if v not in spared]
    result = judged(projected(path, fewer))
    assert result["projection"] == "valid" and "Padoa" in result["reason"]
    number = counted(projected(path, fewer), "--counter", "ganak")
    assert (number["count"], number["projection"]) == (8, "valid")


def test_too_small_projection_is_refuted_by_two_boards(tmp_path: Path) -> None:
    """Every fourth of the moves, as a paper projected an encoding with the same moves."""
    path = projected(instance(tmp_path, "tour/binary", n=6), list(range(1, 161, 4)))
    result = judged(path, code=1)
    assert result["projection"] == "invalid" and "two different boards" in result["reason"]
    first, second = result["boards"]
    assert first != second
    for board in (first, second):
        assert is_closed_tour(board)
    model_a, model_b = result["models"]
    assert all((v in model_a) == (v in model_b) for v in range(1, 161, 4))
    output = boardsat("projection", path)
    assert output.code == 1 and output.out.count("\n") == 15


def is_closed_tour(rows: list[list[int]]) -> bool:
    cell_of = {number: (r, c) for r, row in enumerate(rows) for c, number in enumerate(row)}
    around = [cell_of[k] for k in range(1, len(cell_of) + 1)]
    steps = itertools.pairwise([*around, around[0]])
    jumps = {(abs(a - c), abs(b - d)) for (a, b), (c, d) in steps}
    return len(cell_of) == sum(map(len, rows)) and jumps <= {(1, 2), (2, 1)}


def test_too_large_projection_is_refuted_by_one_board(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    text = Path(path).read_text().replace("p cnf 16 ", "p cnf 17 ")
    free = file(tmp_path, text)
    result = judged(projected(str(free), list(range(1, 18))), code=1)
    assert "the same board has two different projections" in result["reason"]
    assert result["boards"][0] == result["boards"][1]


def test_projection_at_time_limit_is_unknown(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/direct", n=8)
    header = open_formula(path).header
    fewer = header.variables["V"].ids.tolist()[1:]
    result = judged(projected(path, fewer), "--timeout", 0.05)
    assert result["projection"] == "unknown"
    limit = "the limit of 0.05 s was reached while the file was read"
    assert result["reason"] in ("time limit", limit)


def test_external_file_is_checked_over_all_variables(tmp_path: Path) -> None:
    text = "p cnf 3 3\n1 -3 0\n-1 3 0\n1 2 0\n"
    assert judged(file(tmp_path, text))["projection"] == "valid"
    assert judged(file(tmp_path, f"c ind 1 2 0\n{text}"))["projection"] == "valid"
    result = judged(file(tmp_path, f"c ind 1 3 0\n{text}"), code=1)
    assert result["projection"] == "invalid" and result["boards"] == []
    output = boardsat("projection", file(tmp_path, f"c ind 1 3 0\n{text}"))
    assert output.out.splitlines()[2].startswith("true: 1")


@pytest.mark.parametrize("seed", mostly_slow(range(8), [0]))
def test_verdicts_agree_with_enumeration_of_models(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    variables = 5
    clauses = [
        [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 2)]
        for _ in range(chance.randint(1, 6))
    ]
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    everything = list(range(1, variables + 1))
    for size in range(variables):
        chosen = sorted(chance.sample(everything, size))
        literals = " ".join(map(str, [*chosen, 0]))
        text = "\n".join([f"c ind {literals}", f"p cnf {variables} {len(lines)}", *lines, ""])
        problem = open_formula(str(file(tmp_path, text)))
        result = projections.projection_verdict(problem, SolveRequest("minisat", "embedded"))
        determined = models_over(clauses, variables, chosen) == models_over(
            clauses, variables, everything
        )
        assert (result.validity == "valid") == determined


def test_count_rejects_invalid_projection_unless_allowed(tmp_path: Path) -> None:
    path = projected(instance(tmp_path, "tour/binary", rows=5, cols=6), [1, 2, 3])
    output = boardsat("count", path, "--counter", "ganak")
    assert output.code == 2
    assert "the projection is invalid: two different boards" in output.one_line()
    assert "--allow-invalid-projection" in output.one_line()
    result = counted(path, "--counter", "approxmc", "--allow-invalid-projection")
    # It is not the projection of the board, so what is published of the board is not compared.
    assert (result["projection"], result["verdict"]) == ("invalid", None)


def test_models_of_one_board_differ_outside_the_view(tmp_path: Path) -> None:
    path = tmp_path / "rook.yaml"
    path.write_text(
        "title: x\nboard: {shape: grid, rows: 1, cols: 2}\nvariables:\n  R: {for: i in cells}\n"
        "  Z: {for: 'k in range(3)', description: 'lamp {k + 1} is on'}\nconstraints:\n"
        "  - exactly_one: R[i] for i in cells\n  - exactly_one: Z[k] for k in range(3)\n"
        "decode:\n  - mark: R[i]\n    cell: i\n"
    )
    output = boardsat("projection", path, "--runtime", "embedded")
    first, second, third = output.out.split("\n\n")
    assert output.code == 1 and "the same board has two different projections" in first
    answer = [board.split("true here alone:\n") for board in (second, third)]
    assert answer[0][0] == answer[1][0] and answer[0][1].strip() != answer[1][1].strip()
    assert all(re.fullmatch(r"  Z\[\d\]: lamp \d is on\n?", pieces[1]) for pieces in answer), answer
