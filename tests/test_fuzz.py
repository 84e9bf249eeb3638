"""A little of the fuzzer: what it found once, and the same random inputs every time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fuzz.target import finds, names
from processes import run
from support import THOROUGH

INPUTS = 2000 if THOROUGH else 100
"""For each target, those that it begins with among them."""


@pytest.mark.parametrize("name", names())
def test_a_short_run_finds_nothing(name: str, tmp_path: Path) -> None:
    """In a process of its own, whose memory is bounded."""
    words = ["-m", "fuzz.worker", name, "--inputs", str(INPUTS), "--out", str(tmp_path)]
    done = run([sys.executable, *words], cwd=Path(__file__).parent, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["inputs"] >= INPUTS + len(finds(name))
    stories = [path.read_text() for path in tmp_path.glob("*/faults/*.txt")]
    assert not told["faults"], "\n".join(stories)
