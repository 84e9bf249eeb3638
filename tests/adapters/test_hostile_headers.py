"""Headers that nobody of us wrote: one line and exit code 2, or the comments of somebody else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzz.targets.headers import asked
from helpers.formulas import THOROUGH, one_in
from helpers.solver_runs import boardsat, instance
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs import header_views as shown_views
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

REST = [
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


def changed(lines: list[str], chance: random.Random) -> list[str]:
    """One line spoiled: gone, twice, another, or with another value somewhere inside."""
    place = chance.randrange(len(lines))
    word, _, rest = lines[place].partition(" ")
    match chance.choice(("value", "value", "value", "value", "rest", "gone", "twice", "cut")):
        case "gone":
            return lines[:place] + lines[place + 1 :]
        case "twice":
            return [*lines, lines[place]]
        case "cut":
            new = lines[place][: chance.randrange(len(lines[place]))]
        case "value" if rest.startswith("{") and rest.endswith("}"):
            try:
                about = json.loads(rest)
            except (ValueError, RecursionError):
                return lines
            inside(about, chance)
            new = f"{word} {json.dumps(about)}"
        case _:
            new = f"{word} {chance.choice(REST)}"
    return [*lines[:place], new, *lines[place + 1 :]]


def inside(about: Any, chance: random.Random) -> None:
    """Some value of it, at any depth, becomes another."""
    keys = list(about) if isinstance(about, dict) else list(range(len(about)))
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(about[key], dict | list) and about[key] and chance.random() < 0.5:
        inside(about[key], chance)
    else:
        about[key] = chance.choice(VALUES)


def parts(path: str) -> tuple[list[str], list[str]]:
    """The comments and the other lines of a file."""
    lines = Path(path).read_text().splitlines()
    return [x[2:] for x in lines if x.startswith("c ")], [x for x in lines if x[:2] != "c "]


def answer_to(path: str) -> str:
    with Solver("minisat22", bootstrap_with=CNF(from_file=path)) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


def spoiled(spec: str, folder: Path, times: int, seed: int = 1) -> Iterator[Path]:
    comments, clauses = parts(instance(folder, spec, **TOURS[spec]))
    chance = random.Random(f"{spec} {seed}")
    target = folder / "spoiled.cnf"
    for _ in range(times):
        lines = comments
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            lines = changed(lines, chance)
        shown = [f"c {line}" for line in lines]
        target.write_text("\n".join([*shown, *clauses, ""]), "utf-8")
        yield target


@pytest.mark.parametrize("spec", one_in(3, TOURS))
def test_a_spoiled_header_never_ends_in_a_traceback(spec: str, tmp_path: Path) -> None:
    """Read, decoded, drawn and checked by the rules; and what solvers of boards are given."""
    answer = tmp_path / "answer"
    answer.write_text(answer_to(instance(tmp_path, spec, **TOURS[spec])))
    codes = set()
    for file in spoiled(spec, tmp_path, 60 if THOROUGH else 20):
        said = boardsat("decode", file, answer, "--svg", tmp_path / "x.svg")
        codes.add(said.code)
        assert said.code in (0, 1, 2), said.err
        if said.code:
            said.one_line()
        try:
            problem = open_formula(str(file))
        except BoardsatError:
            continue
        asked(problem)
    assert 2 in codes


@pytest.mark.parametrize("line", one_in(3, REST), ids=lambda line: line[:20])
@pytest.mark.parametrize("word", ["parameters", "board", "objects", "variable", "decode"])
def test_a_line_of_ours_that_is_broken_is_refused(word: str, line: str, tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text(f'c boardsat {{"format": 2}}\nc {word} {line}\np cnf 2 1\n1 2 0\n', "utf-8")
    for command in ("solve", "count", "projection", "decode"):
        said = boardsat(command, file)
        if (word, line) in [("parameters", '{"a": 1}'), ("board", '{"a": 1}')]:
            break  # which may be of a spec that is not known here
        assert said.code == 2
        assert f"the `c {word}` line is malformed" in said.one_line()
    # The same words are free in the files of others.
    file.write_text(f"c {word} {line}\np cnf 2 1\n1 2 0\n", "utf-8")
    assert open_formula(str(file)).header == read_header([])


NO_PROJECTIONS = ["1" * 23 + " 0", "1 2 x 0", "-1 0", "", "\u0661 0", "3 0", "a 0", "a 1 0"]


@pytest.mark.parametrize("line", NO_PROJECTIONS)
@pytest.mark.parametrize("word", ["c ind", "c p show"])
def test_a_projection_that_is_none_is_refused_by_those_who_need_it(
    word: str, line: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.cnf"
    file.write_text(f"p cnf 2 1\n{word} {line}\n1 2 0\n", "utf-8")
    solve = ("solve", file, "--runtime", "embedded")
    for words in (("count", file), ("projection", file), (*solve, "--models", 2)):
        said = boardsat(*words)
        assert said.code == 2 and "projection" in said.one_line()
    # One answer needs none.
    problem = open_formula(str(file))
    assert len(problem.notes) == 1 and "projection" in problem.notes[0]
    if line == "a 0":
        said = boardsat(*solve)
        assert said.code == 10
        assert said.out.splitlines()[-1] == (
            f"note: {file}: the projection is not a list of variables "
            "('a 0' is not a list of numbers); "
            "write `c ind 1 2 3 0` (the projection is ignored)"
        )


def test_a_projection_that_boardsat_does_not_write_is_refused_in_its_own_files(
    tmp_path: Path,
) -> None:
    file = Path(instance(tmp_path, "queens/squares", n=4))
    file.write_text(f"c ind a 0\n{file.read_text()}")
    with pytest.raises(BoardsatError, match="not a list of variables"):
        open_formula(str(file))


def test_words_after_ind_are_a_comment_and_no_projection(tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c ind is short for independent\np cnf 2 1\n1 2 0\n")
    assert open_formula(str(file)).header.counting.projection is None


def test_a_newer_format_is_said(tmp_path: Path) -> None:
    assert FORMAT == dimacs.FORMAT
    file = Path(instance(tmp_path, "queens/squares", n=4))
    file.write_text(file.read_text().replace('"format": 2', '"format": 3'))
    for command in ("solve", "count", "projection", "decode"):
        said = boardsat(command, file)
        assert said.code == 2
        assert "the header has format 3, but the newest readable format is 2" in said.one_line()


def test_the_views_that_are_read_are_those_that_are_written() -> None:
    """Two lists of each, since the two halves share no code."""
    assert written.VIEWS == shown_views.VIEWS
    assert written.OPTIONAL_ROLES == shown_views.OPTIONAL_ROLES
    assert written.LABEL_POSITIONS == shown_views.LABEL_POSITIONS
    assert written.BOARD_STYLES == shown_views.BOARD_STYLES
    assert (
        decode_section.COLOURS
        == shown_views.COLOURS
        == tuple(PALE_COLOURS)
        == tuple(STRONG_COLOURS)
    )
    assert decode_section.SPOTS == shown_views.SPOTS


def test_a_large_count_on_a_header_line_costs_nothing() -> None:
    """What a line promises is not made before it is found to be true."""
    for line in (
        'variable {"name": "x", "first": 1, "count": 2147483647, "shape": [2147483647]}',
        "edges 0+9999999999999999",
        'board {"shape": "grid", "rows": 16777216, "cols": 16777216, "moves": []}',
    ):
        with pytest.raises(BoardsatError):
            header = read_header(['boardsat {"format": 2}', line], 100)
            board_of(header)
