"""Settings for the tests that go through every problem that ships: tests/problems/NAME.yaml.

    tiny:   as small as makes sense
    small:  a list of some; the first has a solution, unless there is never one
    none:   some without a solution, and `words`, which say so; missing where there always is one
    never:  true, if no settings have a solution

Every value is the text that a user would write; graphs/NAME is a file beside the tests.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parents[1]
FOLDER = HERE / "problems"

Settings = dict[str, str]


@cache
def _told(problem: str) -> dict[str, Any]:
    path = FOLDER / f"{problem}.yaml"
    assert path.exists(), f"give settings for a small {problem} in tests/problems/{path.name}"
    entries: dict[str, Any] = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)
    return entries


def _settings(entry: dict[str, str]) -> Settings:
    return {
        key: str(HERE / value) if value.startswith("graphs/") else value
        for key, value in entry.items()
    }


def tiny_settings(problem: str) -> Settings:
    return _settings(_told(problem)["tiny"])


def small_settings(problem: str) -> list[Settings]:
    return [_settings(entry) for entry in _told(problem)["small"]]


def none_settings(problem: str) -> tuple[Settings, str] | None:
    """Return settings without a solution, and the expected message."""
    entries = _told(problem)
    return (_settings(entries["none"]), entries["words"]) if "none" in entries else None


def is_never(problem: str) -> bool:
    """True if no settings of the problem have a solution."""
    return "never" in _told(problem)
