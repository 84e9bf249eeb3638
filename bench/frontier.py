"""Closed knight's tours counted exactly on the board: whole process, and its memory."""

from __future__ import annotations

import json

from bench._measure import BOARDSAT, Row, process

TARGETS = {(6, 6): 3, (6, 7): 30, (6, 8): 120, (7, 8): None, (8, 8): None}
PUBLISHED_COUNTS = {(7, 8): 34_524_432_316}
"""Beside those that the spec has."""


def run() -> list[Row]:
    return [_row(rows, cols, target) for (rows, cols), target in TARGETS.items()]


def _row(rows: int, cols: int, target: int | None) -> Row:
    board = ["--set", f"rows={rows}", "--set", f"cols={cols}"]
    outcome = process([BOARDSAT, "count", "tour", "--enc", "binary", *board, *COUNTER])
    json_output = json.loads(outcome.output)
    exact = (
        json_output["reference"]["count"]
        if json_output["reference"]
        else PUBLISHED_COUNTS[rows, cols]
    )
    return Row(
        f"frontier {rows}x{cols}: {json_output['count']:,}",
        f"{outcome.cpu:.1f} s CPU, {json_output['memory'] / 2**20:.0f} MB",
        f"{exact:,}",
        target=f"within {target} s" if target else "-",
        met=json_output["count"] == exact and (target is None or outcome.cpu <= target),
    )


COUNTER = ["--counter", "frontier", "--json"]
