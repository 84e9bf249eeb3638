"""What the fuzzer found once stays mended, and a little of it runs here, always the same inputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fuzz.judging import judged
from fuzz.target import finds, load, names
from processes import run
from support import THOROUGH

INPUTS = 2000 if THOROUGH else 100
"""For each target, besides those that it begins with."""

FOUND = [(name, path) for name in names() for path in finds(name)]


@pytest.mark.parametrize(("name", "path"), FOUND, ids=lambda x: getattr(x, "name", x))
def test_a_find_stays_mended(name: str, path: Path) -> None:
    verdict = judged(load(name), path.read_bytes())
    assert not verdict.fault, verdict.story


@pytest.mark.parametrize("name", names())
def test_a_short_run_finds_nothing(name: str, tmp_path: Path) -> None:
    done = run(
        [
            sys.executable,
            "-m",
            "fuzz.worker",
            name,
            "--inputs",
            str(INPUTS),
            "--out",
            str(tmp_path),
        ],
        cwd=Path(__file__).parent,
        capture_output=True,
    )
    told = json.loads(done.stdout.splitlines()[-1] or done.stderr)
    assert told["inputs"] >= INPUTS and told["faults"] == {}, done.stderr
