"""Malformed and foreign headers: each gives one line and exit code 2, or is read as comments."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzz.targets.headers import request_all
from helpers.formulas import THOROUGH, one_in
from helpers.solver_runs import boardsat, instance
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs import header_entries
from boardsat.adapters.dimacs.header import FORMAT, read_header
from boardsat.adapters.rendering._svg_elements import PALE_COLOURS, STRONG_COLOURS
from boardsat.base.errors import BoardsatError
from boardsat.generators import schema as written
from boardsat.generators.dimacs import document as dimacs
from boardsat.generators.sections import decode as decode_section
from boardsat.instance.formula_file import open_formula

TOURS = {
    "tour/binary": {"rows": 3, "cols": 4, "closed": False},
    "tour/direct": {"rows": 3, "cols": 4, "moves": "wazir", "holes": "5,6"},
    "tour/unary": {"shape": "hexagon", "n": 2, "moves": "wazir", "friends": "rook@3"},
    "tour/ve": {"shape": "box", "layers": 2, "rows": 2, "cols": 2, "moves": "wazir"},
    "tour/cuts": {"n": 6},
    "symmetric/binary": {"rows": 4, "cols": 3, "moves": "king"},
    "sudoku/direct": {"n": 2},
    "queens/squares": {"n": 4},
    "hamilton/binary": {"graph": Path(__file__).parents[1] / "graphs" / "triangle.txt"},
}

VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 5, 2**31, 10**22, 10**400, 1.5, "", "x", "\ud800", "\x1b[31m"),
    *([], [0], [[1, 2]], [[[[[[[[1]]]]]]]], {}, {"shape": "grid"}, {"a": {"b": {"c": {}}}}),
]

MALFORMED_TEXTS = [
    *("5", "{", "[]", "null", '{"a": 1}', "[" * 100_000, '{"a":' * 5000, "NaN", "9" * 5000),
    *(
        "1" * 23 + " 0",
        "1 2 x 0",
        "-1 0",
        "1+99999999999999 0",
        "0+3*99999999999999999999",
        "\u0661 0",
    ),
]


def mutated(lines: list[str], chance: random.Random) -> list[str]:
    """Return the lines with one deleted, duplicated, truncated, replaced or changed inside."""
    index = chance.randrange(len(lines))
    keyword, _, content = lines[index].partition(" ")
    match chance.choice(("value", "value", "value", "value", "rest", "gone", "twice", "cut")):
        case "gone":
            return lines[:index] + lines[index + 1 :]
        case "twice":
            return [*lines, lines[index]]
        case "cut":
            new = lines[index][: chance.randrange(len(lines[index]))]
        case "value" if content.startswith("{") and content.endswith("}"):
            try:
                json_value = json.loads(content)
            except (ValueError, RecursionError):
                return lines
            mutate_json(json_value, chance)
            new = f"{keyword} {json.dumps(json_value)}"
        case _:
            new = f"{keyword} {chance.choice(MALFORMED_TEXTS)}"
    return [*lines[:index], new, *lines[index + 1 :]]


def mutate_json(container: Any, chance: random.Random) -> None:
    """Replace a random value, at any depth, by another."""
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(container[key], dict | list) and container[key] and chance.random() < 0.5:
        mutate_json(container[key], chance)
    else:
        container[key] = chance.choice(VALUES)


def split_comments(path: str) -> tuple[list[str], list[str]]:
    """Return the comments and the other lines of a file."""
    lines = Path(path).read_text().splitlines()
    return [x[2:] for x in lines if x.startswith("c ")], [x for x in lines if x[:2] != "c "]


def answer_to(path: str) -> str:
    with Solver("minisat22", bootstrap_with=CNF(from_file=path)) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


def mutated_files(spec: str, folder: Path, times: int, seed: int = 1) -> Iterator[Path]:
    comments, clauses = split_comments(instance(folder, spec, **TOURS[spec]))
    chance = random.Random(f"{spec} {seed}")
    target = folder / "spoiled.cnf"
    for _ in range(times):
        lines = comments
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            lines = mutated(lines, chance)
        commented = [f"c {line}" for line in lines]
        target.write_text("\n".join([*commented, *clauses, ""]), "utf-8")
        yield target


@pytest.mark.parametrize("spec", one_in(3, TOURS))
def test_mutated_header_never_ends_in_traceback(spec: str, tmp_path: Path) -> None:
    """Read, decode, draw and check the file, and prepare it for board solvers."""
    answer = tmp_path / "answer"
    answer.write_text(answer_to(instance(tmp_path, spec, **TOURS[spec])))
    codes = set()
    for file in mutated_files(spec, tmp_path, 60 if THOROUGH else 20):
        output = boardsat("decode", file, answer, "--svg", tmp_path / "x.svg")
        codes.add(output.code)
        assert output.code in (0, 1, 2), output.err
        if output.code:
            output.one_line()
        try:
            problem = open_formula(str(file))
        except BoardsatError:
            continue
        request_all(problem)
    assert 2 in codes


@pytest.mark.parametrize("line", one_in(3, MALFORMED_TEXTS), ids=lambda line: line[:20])
@pytest.mark.parametrize("keyword", ["parameters", "board", "objects", "variable", "decode"])
def test_malformed_line_of_boardsat_header_is_rejected(
    keyword: str, line: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.cnf"
    file.write_text(f'c boardsat {{"format": 2}}\nc {keyword} {line}\np cnf 2 1\n1 2 0\n', "utf-8")
    for command in ("solve", "count", "projection", "decode"):
        output = boardsat(command, file)
        if (keyword, line) in [("parameters", '{"a": 1}'), ("board", '{"a": 1}')]:
            break  # possibly a header of an unknown spec
        assert output.code == 2
        assert f"the `c {keyword}` line is malformed" in output.one_line()
    # In foreign files, these keywords are ordinary comments.
    file.write_text(f"c {keyword} {line}\np cnf 2 1\n1 2 0\n", "utf-8")
    assert open_formula(str(file)).header == read_header([])


INVALID_PROJECTIONS = ["1" * 23 + " 0", "1 2 x 0", "-1 0", "", "\u0661 0", "3 0", "a 0", "a 1 0"]


@pytest.mark.parametrize("line", INVALID_PROJECTIONS)
@pytest.mark.parametrize("keyword", ["c ind", "c p show"])
def test_invalid_projection_is_rejected_by_commands_that_require_it(
    keyword: str, line: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.cnf"
    file.write_text(f"p cnf 2 1\n{keyword} {line}\n1 2 0\n", "utf-8")
    solve = ("solve", file, "--runtime", "embedded")
    for arguments in (("count", file), ("projection", file), (*solve, "--models", 2)):
        output = boardsat(*arguments)
        assert output.code == 2 and "projection" in output.one_line()
    # A single answer requires no projection.
    problem = open_formula(str(file))
    assert len(problem.notes) == 1 and "projection" in problem.notes[0]
    if line == "a 0":
        output = boardsat(*solve)
        assert output.code == 10
        assert output.out.splitlines()[-1] == (
            f"note: {file}: the projection is malformed: a line must be numbers and spaces "
            "(got 'a 0'); write `c ind 1 2 3 0` (the projection is ignored)"
        )


def test_foreign_projection_in_boardsat_file_is_rejected(
    tmp_path: Path,
) -> None:
    file = Path(instance(tmp_path, "queens/squares", n=4))
    file.write_text(f"c ind a 0\n{file.read_text()}")
    with pytest.raises(
        BoardsatError, match="projection is malformed: a line must be numbers and spaces"
    ):
        open_formula(str(file))


def test_text_after_ind_is_a_comment(tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c ind is short for independent\np cnf 2 1\n1 2 0\n")
    assert open_formula(str(file)).header.counting.projection is None


def test_newer_format_is_reported(tmp_path: Path) -> None:
    assert FORMAT == dimacs.FORMAT
    file = Path(instance(tmp_path, "queens/squares", n=4))
    file.write_text(file.read_text().replace('"format": 2', '"format": 3'))
    for command in ("solve", "count", "projection", "decode"):
        output = boardsat(command, file)
        assert output.code == 2
        assert "the header has format 3, but the newest readable format is 2" in output.one_line()


def test_views_of_reader_equal_views_of_writer() -> None:
    """The two halves share no code, so each has its own lists."""
    assert written.VIEWS == header_entries.VIEWS
    assert written.OPTIONAL_ROLES == header_entries.OPTIONAL_ROLES
    assert written.LABEL_POSITIONS == header_entries.LABEL_POSITIONS
    assert written.BOARD_STYLES == header_entries.BOARD_STYLES
    assert (
        decode_section.COLOURS
        == header_entries.COLOURS
        == tuple(PALE_COLOURS)
        == tuple(STRONG_COLOURS)
    )
    assert decode_section.SPOTS == header_entries.SPOTS


def test_large_count_in_header_allocates_nothing() -> None:
    """Declared sizes are verified before anything is allocated."""
    for line in (
        'variable {"name": "x", "first": 1, "count": 2147483647, "shape": [2147483647]}',
        "edges 0+9999999999999999",
        'board {"shape": "grid", "rows": 16777216, "cols": 16777216, "moves": []}',
    ):
        with pytest.raises(BoardsatError):
            header = read_header(['boardsat {"format": 2}', line], 100)
            board_of(header)
