"""A little of the fuzzer: what it found once, and the same random inputs every time."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest
from fuzz.target import finds, names
from helpers.formulas import THOROUGH
from helpers.processes import run
from helpers.syntax_trees import ROOT
from snapshot import bugs

INPUTS = 2000 if THOROUGH else 30
"""For each target, those that it begins with among them."""


PARTS = 8 if THOROUGH else 1


@pytest.mark.parametrize("offset", range(PARTS))
def test_fuzz_short_run_finds_no_fault(offset: int, tmp_path: Path) -> None:
    """In a process of its own, whose memory is bounded; most of a short run is its imports."""
    chosen = names()[offset::PARTS]
    arguments = ["-m", "fuzz.worker", *chosen, "--inputs", str(INPUTS), "--out", str(tmp_path)]
    folder = Path(__file__).parents[1]
    outcome = run([sys.executable, *arguments], cwd=folder, capture_output=True, timeout=280)
    assert outcome.returncode == 0, outcome.stderr.decode()
    reports = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [report["target"] for report in reports] == chosen
    assert all(report["inputs"] >= INPUTS + len(finds(report["target"])) for report in reports)
    stories = [path.read_text() for path in tmp_path.glob("*/faults/*.txt")]
    assert not any(report["faults"] for report in reports), "\n".join(stories)


SEEDED_FAULTS = {
    "configurations": [
        # A carry of the full adder, one of the half adder, and the carry of a binary successor.
        ("generators.encodings.pb.adder", "pairs = ((a, b), (a, c), (b, c))", "pairs = ((a, b),)"),
        ("generators.encodings.pb.adder", ", columns(b, -carry))", ")"),
        ("generators.constraints.successor", '"and", x(previous), n', '"or", x(previous), n'),
    ],
    "headers": [
        ("adapters.views.decoder", "= model[variable.ids] > 0", "= model[variable.ids] < 0"),
        ("adapters.views.decoder", "append(value + plus)", "append(value - plus)"),
        ("adapters.dimacs.header_entries", "self.low + offsets", "self.low - offsets"),
    ],
    "proofs": [
        ("adapters.proofs.lrat", "first, -new)", "first, new)"),
        ("adapters.proofs.lrat", "if (numbers[is_hint] < 0).any()", "if False"),
        ("adapters.proofs", ' or b"\\0" in begin', ""),
    ],
}
"""Faults by target: a module, a piece of its source, and what replaces it."""

ENOUGH = {"configurations": 200, "headers": 30, "proofs": 1500}
"""Inputs that show each of them: some seconds of CPU time."""

SEEDED = """
import importlib.util, sys
from pathlib import Path

module, old, new = sys.argv[1:4]
spec = importlib.util.find_spec(f"boardsat.{module}")
source = Path(spec.origin).read_text()
assert source.count(old) == 1
changed = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = changed
exec(compile(source.replace(old, new), spec.origin, "exec"), changed.__dict__)
parent, _, name = spec.name.rpartition(".")
setattr(sys.modules[parent], name, changed)
del sys.argv[1:4]
from fuzz.worker import main
main()
"""
"""A worker whose boardsat has a fault."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "fault"),
    [(target, fault) for target, faults in SEEDED_FAULTS.items() for fault in faults],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_fuzz_finds_seeded_fault(target: str, fault: tuple[str, str, str], tmp_path: Path) -> None:
    arguments = [*fault, target, "--inputs", str(ENOUGH[target]), "--out", str(tmp_path)]
    outcome = run(
        [sys.executable, "-c", SEEDED, *arguments],
        cwd=Path(__file__).parents[1],
        capture_output=True,
    )
    assert outcome.returncode == 0, outcome.stderr.decode()
    assert json.loads(outcome.stdout)["faults"]


def test_seeded_bugs_apply_to_the_code() -> None:
    """Their texts must be changed with the code, or these bugs test nothing."""
    code = "\n".join(path.read_text("utf-8") for path in bugs.sources(ROOT))
    counts = {bug["replace"]: code.count(bug["replace"]) for bug in bugs.BUGS.values()}
    for module, text, _ in chain(*SEEDED_FAULTS.values()):
        origin = find_spec(f"boardsat.{module}").origin
        counts[module, text] = Path(origin).read_text("utf-8").count(text)
    assert {text: count for text, count in counts.items() if count != 1} == {}


def test_fuzz_targets_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/security.md").read_text()
    assert [name for name in names() if f"\n| `{name}` | " not in page] == []
