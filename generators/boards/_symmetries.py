"""Symmetries of a board's shape: rotations, reflections and shifts, as maps of its places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import numpy as np

from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.boards import BoardSymmetry

IDENTITY = "no turn"
_ROTATIONS = {2: "half turn", 3: "turn by 120 degrees", 4: "quarter turn", 6: "turn by 60 degrees"}


def signed_permutations(dimensions: int) -> list[Ints]:
    """Return the rotations and reflections of a square or cube about its centre, as matrices."""
    matrices = []
    for order in permutations(range(dimensions)):
        for signs in product((1, -1), repeat=dimensions):
            matrix = np.zeros((dimensions, dimensions), np.int64)
            matrix[np.arange(dimensions), order] = signs
            matrices.append(matrix)
    return matrices


def symmetry_name(matrix: Ints) -> str:
    """Return the name of a rotation or reflection, for messages."""
    identity = np.eye(len(matrix), dtype=np.int64)
    order, power = 1, matrix
    while (power != identity).any():
        order, power = order + 1, power @ matrix
    if round(np.linalg.det(matrix)) == 1:
        return _ROTATIONS.get(order, IDENTITY)
    if order == 2 and np.trace(matrix) == len(matrix) - 2:
        is_diagonal = np.any(matrix - np.diag(np.diag(matrix)))
        return "diagonal reflection" if is_diagonal else "reflection"
    return "point reflection" if order == 2 else "rotary reflection"


def point_symmetries(points: Ints, matrices: Iterable[Ints]) -> list[BoardSymmetry]:
    """Return the symmetries that the matrices induce on places, given by a point for each place."""
    symmetries = []
    for matrix in matrices:
        keys, moved_keys = _keys(points, points @ matrix.T)
        order = np.argsort(keys)
        position = np.minimum(np.searchsorted(keys[order], moved_keys), len(keys) - 1)
        image = order[position]
        if np.array_equal(keys[image], moved_keys):
            symmetries.append(BoardSymmetry(symmetry_name(matrix), image))
    return distinct_symmetries(symmetries)


def distinct_symmetries(symmetries: Iterable[BoardSymmetry]) -> list[BoardSymmetry]:
    """Return each permutation of places once: on a small board two symmetries may be equal."""
    by_image: dict[bytes, BoardSymmetry] = {}
    for symmetry in symmetries:
        if len(distinct(symmetry.image)) == len(symmetry.image):
            by_image.setdefault(symmetry.image.tobytes(), symmetry)
    return list(by_image.values())


def _keys(*points: Ints) -> list[Ints]:
    """Return a number for every point."""
    largest = max(int(np.abs(column).max(initial=0)) for column in points)
    powers = (2 * largest + 1) ** np.arange(points[0].shape[1])
    return [(column + largest) @ powers for column in points]
