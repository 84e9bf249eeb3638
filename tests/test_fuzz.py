"""A little of the fuzzer: what it found once, and the same random inputs every time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fuzz.target import finds, names
from processes import run
from support import THOROUGH

INPUTS = 2000 if THOROUGH else 30
"""For each target, those that it begins with among them."""


PARTS = 2 if THOROUGH else 1


@pytest.mark.parametrize("part", range(PARTS))
def test_a_short_run_finds_nothing(part: int, tmp_path: Path) -> None:
    """In a process of its own, whose memory is bounded; most of a short run is its imports."""
    chosen = names()[part::PARTS]
    words = ["-m", "fuzz.worker", *chosen, "--inputs", str(INPUTS), "--out", str(tmp_path)]
    done = run([sys.executable, *words], cwd=Path(__file__).parent, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["target"] for each in told] == chosen
    assert all(each["inputs"] >= INPUTS + len(finds(each["target"])) for each in told)
    stories = [path.read_text() for path in tmp_path.glob("*/faults/*.txt")]
    assert not any(each["faults"] for each in told), "\n".join(stories)


def test_every_target_is_documented_with_its_oracle() -> None:
    page = (Path(__file__).parent.parent / "docs/security.md").read_text()
    assert [name for name in names() if f"\n| `{name}` | " not in page] == []
