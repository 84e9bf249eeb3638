"""Early stopping: a solver that solves no instance of a size skips all larger ones."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from helpers.campaigns import ONE, UNSAT, records, written
from helpers.solver_runs import boardsat
from helpers.validations import solver_file

from boardsat.campaign import folder
from boardsat.campaign.parser import read_campaign
from boardsat.campaign.plan import draft_plan
from boardsat.campaign.run_order import run_order
from boardsat.campaign.runner.job_queue import NullListener

SIZES = (7, 2, 3, 5)
"""Holes, with a pigeon more: not in their order."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def campaign(folder: Path, key: str = "stop_after_unsolved: n", **holes_of: int) -> Path:
    """Solvers that answer up to a number of holes, and write down each of their runs."""
    for name, holes in holes_of.items():
        script = f"v=$(grep '^p cnf' \"$1\" | cut -d' ' -f3); echo $v >> {folder}/{name}.runs"
        solver_file(folder, name, f"{script}; [ $v -le {holes * (holes + 1)} ] || exit 0; {UNSAT}")
    solvers = ", ".join(f"{name}.yaml" for name in holes_of)
    return written(
        folder,
        f"""\
instances:
  - {{problem: pigeonhole, set: {{n: [{", ".join(map(str, SIZES))}]}}, shuffle: [1, 2]}}
solvers: [{solvers}]
runtime: native
{key}
""",
    )


def ends(folder: Path) -> dict[str, dict[int, set[str]]]:
    """Return how the runs of each solver ended at each size."""
    ends_of: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in records(folder):
        size = int(record.question.instance.split("-")[1]) - 1
        ends_of[record.identity.label][size].add(
            "solved" if record.answered else str(record.outcome.end)
        )
    return {name: dict(sizes) for name, sizes in ends_of.items()}


def runs(folder: Path, name: str) -> list[int]:
    """The numbers of variables of all runs so far."""
    return [int(line) for line in (folder / f"{name}.runs").read_text().splitlines()]


def test_larger_sizes_are_skipped_and_recorded_after_an_unsolved_size(tmp_path):
    out = tmp_path / "out"
    outcome = boardsat("run", campaign(tmp_path, weak=2, strong=5), "-o", out)
    assert outcome.code == 0, outcome
    assert "16 runs, 0 from before, 8 answered, 0 wrong, 4 given up" in outcome.out, outcome
    solved, unsolved, given_up = {"solved"}, {"finished"}, {"given up"}
    assert ends(out) == {
        "weak": {2: solved, 3: unsolved, 5: given_up, 7: given_up},
        "strong": {2: solved, 3: solved, 5: solved, 7: unsolved},
    }
    # The smaller ones come first, whatever their order in the campaign.
    assert runs(tmp_path, "weak") == [6, 6, 12, 12]
    reasons = {record.outcome.reason for record in records(out) if record.outcome.end == "given up"}
    assert reasons == {"given up: none was solved with a smaller n"}


def test_early_stopping_is_decided_again_by_the_next_command(tmp_path):
    out = tmp_path / "out"
    boardsat("run", campaign(tmp_path, weak=2), "-o", out, *ONE)
    stored = (out / "results.jsonl").read_bytes()
    outcome = boardsat("run", campaign(tmp_path, weak=2), "-o", out, *ONE)
    assert "8 runs, 4 from before, 2 answered, 0 wrong, 4 given up" in outcome.out, outcome
    assert (out / "results.jsonl").read_bytes() == stored
    # Without the key all are run.
    outcome = boardsat("run", campaign(tmp_path, "", weak=2), "-o", out, *ONE)
    assert "8 runs, 4 from before, 2 answered, 0 wrong\n" in outcome.out, outcome
    assert sorted(runs(tmp_path, "weak")) == [6, 6, 12, 12, 30, 30, 56, 56]
    assert set.union(*ends(out)["weak"].values()) == {"solved", "finished"}


def test_stored_runs_precede_all_others_of_any_size(tmp_path):
    """An interrupted campaign that is continued first reports its progress."""
    out = tmp_path / "out"
    boardsat("run", campaign(tmp_path, strong=7), "-o", out)
    draft = draft_plan(read_campaign(campaign(tmp_path, weak=7, strong=7)))
    instances, store = folder.read_results(out)
    plan = draft.complete(instances)
    order = run_order(plan, list(plan.jobs()), store, NullListener())
    is_stored = []
    while job := order.next():
        record = store.find(job)
        is_stored.append(record is not None)
        if record:
            order.ended(job, record)
    assert is_stored == [True] * 8 + [False] * 2


def test_one_solved_seed_or_shuffle_prevents_early_stopping(tmp_path):
    """The solver knows one of the two shuffles by its hash."""
    out = tmp_path / "out"
    boardsat("run", campaign(tmp_path, "", known=7), "-o", out, *ONE)
    formula_hash = next(r.question.formula for r in records(out) if "-4-" in r.question.instance)
    solver_file(
        tmp_path,
        "known",
        f"grep -q 'p cnf 12 ' \"$1\" && ! echo $1 | grep -q {formula_hash} && exit 0; {UNSAT}",
    )
    path = written(tmp_path, (tmp_path / "campaign.yaml").read_text() + "stop_after_unsolved: n\n")
    outcome = boardsat("run", path, "-o", tmp_path / "giving", *ONE)
    assert "8 runs, 0 from before, 7 answered, 0 wrong\n" in outcome.out, outcome


def test_a_parameter_that_an_instance_does_not_have_is_one_line(tmp_path):
    outcome = boardsat(
        "run", campaign(tmp_path, "stop_after_unsolved: side", weak=2), "-o", tmp_path / "out"
    )
    assert (
        outcome.code == 2
        and "must be a numeric parameter of every instance (got 'side', which" in outcome.one_line()
    ), outcome


def test_solvers_run_on_the_runtimes_of_the_campaign(tmp_path):
    path = campaign(tmp_path, weak=9)
    places = "runtime: {weak.yaml: native, cadical: embedded}"
    text = path.read_text().replace("runtime: native", places).replace(str([*SIZES]), "2")
    path = written(tmp_path, text.replace("[weak.yaml]", "[weak.yaml, cadical]"))
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0, outcome
    runtimes = {
        (record.identity.label, record.identity.runtime) for record in records(tmp_path / "out")
    }
    assert runtimes == {("weak", "native"), ("cadical", "embedded")}
    for wrong, fault in (
        ("kissat: native", "the keys of `runtime` must be solvers or counters (got 'kissat')"),
        ("cadical: moon", "`runtime` must be a valid choice (got 'moon')"),
    ):
        path = written(
            tmp_path,
            text.replace("weak.yaml: native, cadical: embedded", wrong).replace(
                "[weak.yaml]", "[cadical]"
            ),
        )
        outcome = boardsat("run", path, "-o", tmp_path / "none")
        assert outcome.code == 2 and fault in outcome.one_line(), outcome
