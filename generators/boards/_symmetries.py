"""Symmetries of board shapes: rotations, reflections and shifts, as permutations of places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import numpy as np

from boardsat.generators.arrays import Bools, Ints, distinct
from boardsat.generators.boards import BoardSymmetry

IDENTITY = "identity"


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
        return IDENTITY if order == 1 else f"{360 // order}-degree rotation"
    if order == 2 and np.trace(matrix) == len(matrix) - 2:
        is_diagonal = np.any(matrix - np.diag(np.diag(matrix)))
        return "diagonal reflection" if is_diagonal else "reflection"
    return "point reflection" if order == 2 else "rotary reflection"


def point_symmetries(points: Ints, matrices: Iterable[Ints]) -> list[BoardSymmetry]:
    """Return the symmetries that matrices induce on the places of a board.

    Parameters
    ----------
    points : array
        Coordinates of the places, one row for each, with the centre of the board at the origin.
    matrices : iterable of arrays
        Candidates, such as `signed_permutations`; those that do not preserve the set of points are
        ignored.
    """
    symmetries = []
    for matrix in matrices:
        image, is_point = point_indices(points, points @ matrix.T)
        if is_point.all():
            symmetries.append(BoardSymmetry(symmetry_name(matrix), image))
    return distinct_symmetries(symmetries)


def point_indices(points: Ints, targets: Ints) -> tuple[Ints, Bools]:
    """Return the index of each target among the points, and a mask of the targets found there."""
    max_coordinate = max(int(np.abs(array).max(initial=0)) for array in (points, targets))
    powers = (2 * max_coordinate + 1) ** np.arange(points.shape[1])
    keys, target_keys = ((array + max_coordinate) @ powers for array in (points, targets))
    order = np.argsort(keys)
    position = np.minimum(np.searchsorted(keys[order], target_keys), len(keys) - 1)
    index: Ints = order[position]
    return index, keys[index] == target_keys


def distinct_symmetries(symmetries: Iterable[BoardSymmetry]) -> list[BoardSymmetry]:
    """Return the symmetries without duplicates; on a small board several may have equal images."""
    by_image: dict[bytes, BoardSymmetry] = {}
    for symmetry in symmetries:
        if len(distinct(symmetry.image)) == len(symmetry.image):
            by_image.setdefault(symmetry.image.tobytes(), symmetry)
    return list(by_image.values())
