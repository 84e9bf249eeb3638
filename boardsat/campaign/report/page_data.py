"""What the plots of a page are drawn from: instances and middle runs, bounded in number."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.comparisons import BETWEEN
from boardsat.campaign.report.questions import InstanceQuestion

MOST_CELLS = 120_000
MOST_INSTANCES = 15_000


def page_data(analysis: Analysis) -> dict[str, Any]:
    """Plain lists; where there are too many instances, every second or every k-th of them."""
    formulas = list(analysis.questions)
    step = max(-(-len(analysis.middle) // MOST_CELLS), -(-len(formulas) // MOST_INSTANCES), 1)
    shown = {formula: place for place, formula in enumerate(formulas[::step])}
    solvers = list(dict.fromkeys(run.contestant for run in analysis.middle))
    asked = {text: k for k, text in enumerate({q.asks: 0 for q in analysis.questions.values()})}
    return {
        "step": step,
        "all": len(formulas),
        "between": BETWEEN,
        "busy": bool(analysis.warnings),
        "solvers": [[each.name, each.task, each.limit] for each in solvers],
        "sizes": {each.family: each.size_name for each in analysis.questions.values()},
        "instances": [_instance(analysis.questions[formula], asked) for formula in shown],
        "cells": [
            [
                *(shown[run.formula], solvers.index(run.contestant)),
                *(_short(run.seconds) if run.solved else None, run.status[:1]),
                *(run.right, run.runs, _short(run.least), _short(run.most), run.contended),
            ]
            for run in analysis.middle
            if run.formula in shown
        ],
        "contests": [
            {
                "title": contest.title,
                "kind": contest.kind.name.lower(),
                "task": contest.task,
                "family": contest.family,
                "names": contest.names,
            }
            for contest in analysis.contests
        ],
    }


def _instance(question: InstanceQuestion, asked: dict[str, int]) -> list[Any]:
    instance = question.instance
    return [
        *(instance.name, question.family, question.way, asked[question.asks], question.shuffle),
        *(question.size, instance.variables, instance.clauses, instance.title),
        shlex.join(_command(question)),
    ]


def _command(question: InstanceQuestion) -> Iterator[str]:
    """How it is made again."""
    instance = question.instance
    if not instance.recipe or not instance.problem:
        yield from [instance.file] if instance.file else []
        return
    yield from ("boardsat", "cnf", instance.problem, "--enc", instance.encoding)
    for key, value in instance.recipe["settings"].items():
        yield from ("--set", f"{key}={value}")
    for key, value in instance.transforms.items():
        yield f"--{key.replace('_', '-')}"
        yield from [] if value == "true" else [value]


def _short(seconds: float) -> float:
    return float(f"{seconds:.4g}")
