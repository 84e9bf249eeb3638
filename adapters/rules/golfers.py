"""Social golfers: every week all play in groups of one size, and no two of them meet twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, Grid, Labels)
    groups, size = parameters["groups"], parameters["size"]
    meetings: Counter[tuple[int, int]] = Counter()
    for week in range(parameters["weeks"]):
        assignment = labels.values[week * board.cols : (week + 1) * board.cols]
        for player, numbers in enumerate(assignment, 1):
            if len(numbers) != 1 or not 1 <= numbers[0] <= groups:
                yield f"player {player} is in {pluralize(len(numbers), 'group')} in week {week + 1}"
        for group in range(1, groups + 1):
            players = [player for player, numbers in enumerate(assignment, 1) if group in numbers]
            if len(players) != size:
                yield f"group {group} of week {week + 1} has {pluralize(len(players), 'player')}"
            meetings.update(combinations(players, 2))
    for (a, b), times in meetings.items():
        if times > 1:
            yield f"players {a} and {b} meet {times} times"
