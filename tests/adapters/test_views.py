"""Views of specs: text, JSON data and SVG of each spec in drawings/, and the way back."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from helpers.answer_text import solve_formula, write_formula

from boardsat.adapters.rendering.svg import solution_to_svg
from boardsat.adapters.rendering.text import solution_to_json, solution_to_text
from boardsat.adapters.views import Solution
from boardsat.workflows.solve.board_models import board_literals, member_lists

DRAWINGS = sorted((Path(__file__).parents[1] / "drawings").glob("*.yaml"))


def solution_of(spec: Path, folder: Path) -> Solution:
    solution = solve_formula(write_formula(folder, spec.read_text())).solution
    assert solution is not None
    return solution


@pytest.mark.parametrize("spec", DRAWINGS, ids=lambda path: path.stem)
def test_drawing_has_the_expected_text_and_data(spec: Path, tmp_path: Path) -> None:
    """The last line of the expected text is the JSON data of the first view."""
    solution = solution_of(spec, tmp_path)
    output = f"{solution_to_text(solution)}\n{json.dumps(solution_to_json(solution))}\n"
    assert output == spec.with_suffix(".expected").read_text()
    ET.fromstring(solution_to_svg(solution))


def test_arrow_ends_before_labels(tmp_path: Path) -> None:
    """The centres of the cells are 40 units apart."""
    spec = """\
title: An arrow
board: {shape: grid, rows: 1, cols: 2, moves: wazir}
variables: {X: {for: i in cells}}
constraints:
  - for: i in cells
    clause: X[i]
decode:
  - %s: X[i]
    cell: i
  - arrows: always
    for: (i, j) in edges
    from: i
    to: j
"""
    lengths = []
    for number, view in enumerate(("label", "fill")):
        (tmp_path / str(number)).mkdir()
        body = spec % view
        if view == "label":
            body = body.replace("    cell: i\n", "    cell: i\n    value: i + 1\n")
        path = tmp_path / str(number) / "spec.yaml"
        path.write_text(body)
        picture = solution_to_svg(solution_of(path, path.parent))
        ends = re.findall(r'd="M([\d.]+) [\d.]+L([\d.]+) [\d.]+"', picture)
        lengths += [float(end) - float(start) for start, end in ends]
    assert lengths == [14.0, 40.0]


@pytest.mark.parametrize("spec", DRAWINGS, ids=lambda path: path.stem)
def test_decoded_view_is_encoded_as_the_same_model(spec: Path, tmp_path: Path) -> None:
    """The literals of the first view are those of the model; a missing member is noticed."""
    problem = write_formula(tmp_path, spec.read_text())
    result = solve_formula(problem)
    assert result.solution is not None and result.answer.model is not None
    for members in member_lists(problem.header, result.solution):
        literals = board_literals(problem, members)
        assert literals
        assert all((result.answer.model[abs(x)] > 0) == (x > 0) for x in literals)
        remaining_literals = board_literals(problem, members[1:])
        assert remaining_literals is None or sum(x > 0 for x in remaining_literals) < sum(
            x > 0 for x in literals
        )
