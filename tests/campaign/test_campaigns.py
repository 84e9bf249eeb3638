"""Campaigns: every run has one record, none is run twice, and all survive whatever happens."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pytest
from helpers.campaigns import ONE, UNSAT, lasting, quick, records, written
from helpers.solver_runs import boardsat, children, finish, instance, start, wait_until
from helpers.validations import record_with

from boardsat.campaign.folder import CAMPAIGN_FILE, FORMAT, Instances
from boardsat.campaign.parser import read_campaign
from boardsat.campaign.plan import draft_plan
from boardsat.campaign.runner import formula_cache
from boardsat.campaign.runner.job_queue import MAX_TRIES
from boardsat.campaign.runner.records import Execution, RunOutcome, unanswered
from boardsat.commands.run import LOG_SECONDS, CampaignProgress

SOLVED = """
encodings: [squares]
instances:
  - {problem: queens, set: {n: [3, 6]}}
solvers: [cadical, minisat]
runtime: embedded
seeds: [1, 2]
limits: {timeout: 60}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/boardsat/formulas"


def test_record_of_a_run_identifies_instance_solver_and_seed(tmp_path):
    outcome = boardsat("run", written(tmp_path, SOLVED), "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0 and "8 runs, 0 from before, 8 answered, 0 wrong" in outcome.out, (
        outcome
    )
    all_records = records(tmp_path / "out")
    assert {
        (r.question.instance, r.identity.label, r.attempt.seed, r.outcome.status)
        for r in all_records
    } == {
        (f"queens-{n}-squares", solver, seed, status)
        for n, status in ((3, "UNSATISFIABLE"), (6, "SATISFIABLE"))
        for solver in ("cadical", "minisat")
        for seed in (1, 2)
    }
    for record in all_records:
        assert (
            record.execution.host
            and record.execution.processor
            and record.limits.wall == 60
            and record.attempt.tries == 1
        )
        assert ("model" in record.outcome.checked) == (record.outcome.status == "SATISFIABLE")
    # One board of each instance and solver is enough to look at.
    assert {(r.identity.label, r.attempt.seed) for r in all_records if r.artifacts.true} == {
        ("cadical", 1),
        ("minisat", 1),
    }


def test_nothing_is_run_twice_and_more_is_added(tmp_path):
    counted = tmp_path / "runs"
    path = quick(tmp_path, f"echo x >> {counted}; {UNSAT}", seeds=2)
    for seeds, num_stored in ((2, 0), (2, 4), (3, 4)):
        path = quick(tmp_path, f"echo x >> {counted}; {UNSAT}", seeds)
        outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
        assert f"{2 * seeds} runs, {num_stored} from before" in outcome.out, outcome
    assert len(counted.read_text().splitlines()) == len(records(tmp_path / "out")) == 6


def test_worker_builds_the_formula_and_caches_it_by_hash(tmp_path, own_cache):
    boardsat("run", quick(tmp_path), "-o", tmp_path / "out", *ONE)
    path_of = {path.stem: path for path in own_cache.iterdir()}
    assert path_of.keys() == {record.question.formula for record in records(tmp_path / "out")}
    for name, path in path_of.items():
        assert formula_cache.sha256(path) == name
    # A damaged one is made again, not solved.
    for path in path_of.values():
        path.write_text("p cnf 0 0\n")
    boardsat("run", quick(tmp_path), "-o", tmp_path / "again", *ONE)
    assert [formula_cache.sha256(path) for path in path_of.values()] == list(path_of)


def test_the_cache_is_bounded(tmp_path, own_cache, monkeypatch):
    own_cache.mkdir(parents=True)
    old = own_cache / "old.cnf"
    old.write_bytes(b"c" * 2**20)
    os.utime(old, (0, 0))
    monkeypatch.setattr(formula_cache, "MAX_CACHE_BYTES", 2**20)
    new = own_cache / "new.cnf"
    new.write_bytes(b"c" * 2**10)
    with old.open("rb") as locked:
        formula_cache.fcntl.flock(locked, formula_cache.fcntl.LOCK_SH)
        formula_cache._evict(own_cache, new)
        assert old.exists(), "a worker uses it"
    formula_cache._evict(own_cache, new)
    assert not old.exists() and new.exists()


def test_external_formulas_are_run(tmp_path):
    (tmp_path / "more/below").mkdir(parents=True)
    for ending in (".cnf", ".cnf.xz"):
        instance(tmp_path / "more/below", "queens/squares", ending, n=3)
    quick(tmp_path)
    path = written(
        tmp_path,
        "instances:\n  - files: more\n  - files: more/*/*.xz\nsolvers: [quick.yaml]\n",
    )
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0 and "2 runs" in outcome.out, outcome
    assert {Path(record.question.instance).suffix for record in records(tmp_path / "out")} == {
        ".cnf",
        ".xz",
    }


def test_wrong_answer_is_reported_and_stored(tmp_path):
    path = quick(tmp_path, "echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; exit 10", seeds=1)
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 1 and outcome.out.count("WRONG") == 2, outcome
    assert all(record.outcome.fault for record in records(tmp_path / "out"))


def test_run_without_answer_is_reported_and_retried(tmp_path):
    path = quick(tmp_path, f"[ -e {tmp_path}/well ] || exit 10; {UNSAT}", seeds=1)
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 3 and "0 answered, 0 wrong, 2 not done\n" in outcome.out, outcome
    assert "printed no answer" in outcome.out and records(tmp_path / "out") == []
    (tmp_path / "well").touch()
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0 and "2 runs, 0 from before, 2 answered" in outcome.out, outcome


def test_run_of_a_killed_worker_is_retried_by_another(tmp_path):
    """$PPID of a solver is its worker."""
    once = f"[ -e {tmp_path}/died ] || {{ touch {tmp_path}/died; kill -9 $PPID; sleep 60; }}; "
    outcome = boardsat("run", quick(tmp_path, once + UNSAT), "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0 and "6 runs, 0 from before, 6 answered" in outcome.out, outcome
    assert sorted(record.attempt.tries for record in records(tmp_path / "out")) == [
        1,
        1,
        1,
        1,
        1,
        2,
    ]


def test_a_run_that_kills_every_worker_is_lost_and_said_so(tmp_path):
    path = quick(tmp_path, "kill -9 $PPID; sleep 60", seeds=1)
    path.write_text(path.read_text().replace("[2, 3]", "3"))
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert outcome.code == 0 and "0 answered" in outcome.out, outcome
    (record,) = records(tmp_path / "out")
    assert record.attempt.tries == MAX_TRIES and record.outcome.reason.startswith(
        "lost: its worker died 3 times"
    )


def test_killed_command_resumes_and_leaves_no_process(tmp_path):
    path = quick(tmp_path, f"[ -e {tmp_path}/go ] || sleep 60; {UNSAT}", seeds=2)
    process = start("run", path, "-o", tmp_path / "out", *ONE)
    wait_until(lambda: [c for worker in children(process.pid) for c in children(worker)])
    descendants = [*children(process.pid), *(c for w in children(process.pid) for c in children(w))]
    process.send_signal(signal.SIGKILL)
    finish(process)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in descendants))
    (tmp_path / "go").touch()
    outcome = boardsat("run", path, "-o", tmp_path / "out", *ONE)
    assert "4 runs, 0 from before, 4 answered" in outcome.out, outcome
    fresh = boardsat("run", path, "-o", tmp_path / "fresh", *ONE)
    assert fresh.code == 0
    mine, theirs = (
        sorted(map(lasting, records(tmp_path / name)), key=str) for name in ("out", "fresh")
    )
    assert mine == theirs


def test_a_cut_last_line_is_run_again(tmp_path):
    path, out = quick(tmp_path), tmp_path / "out"
    boardsat("run", path, "-o", out, *ONE)
    store = out / "results.jsonl"
    store.write_bytes(store.read_bytes()[:-20])
    outcome = boardsat("run", path, "-o", out, *ONE)
    assert "6 runs, 5 from before, 6 answered" in outcome.out, outcome
    assert f"{store}: its last line was cut; that run was done again\n" in outcome.err
    assert len(records(out)) == 6
    assert "cut" not in boardsat("run", path, "-o", out, *ONE).err


def test_dry_run_prints_its_estimate_and_writes_nothing(tmp_path):
    outcome = boardsat("run", quick(tmp_path), "-o", tmp_path / "out", "--dry-run", "--jobs", 1)
    assert (
        outcome.code == 0
        and "6 runs of 2 instances, 0 done already; at most 0:03:00" in outcome.out
    )
    assert not (tmp_path / "out").exists()


BAD = {
    "solvers: [minisat]": "the key `instances` is missing",
    "instances: []": ":1: `instances` must have an entry (got an empty list)",
    "instances: [{problem: queens}]": "has neither solvers nor counters; add the key `solvers`",
    "instances: [{problem: queens}]\nsolvers: [nobody]": (
        "`solvers` must be a valid choice (got 'nobody')"
    ),
    "instances: [{problem: queens}]\nsolvers: [gone.yaml]": "cannot read the solver",
    "instances: [{problem: queens}]\nsolvers: [minisat]\nseedz: [1]": "unknown key 'seedz'",
    "instances: [{problem: queens}]\nsolvers: [minisat]\nseeds: [1, 1]": (
        "`seeds` must be distinct (got 1 twice); repeat runs by the key `repeat`"
    ),
    "instances: [{problem: queens}]\nsolvers: [minisat, minisat]": (
        "`solvers` must be distinct (got minisat twice)"
    ),
    "instances: [{problem: queens}]\nsolvers: [minisat]\nrepeat: 0": (
        "`repeat` must be an integer from 1 to 1,000 (got '0')"
    ),
    "instances: [{files: none/*.cnf}]\nsolvers: [minisat]": "no formula matches 'none/*.cnf'",
    "instances: [{files: a.cnf, problem: queens}]\nsolvers: [minisat]": "unknown key 'problem'",
    f"instances: [{{files: '{'**/' * 4}*.cnf'}}]\nsolvers: [minisat]": (
        "the number of '**' in the pattern must be at most 3 (got 4)"
    ),
    f"instances: [{{files: '{'*/' * 800}*.cnf'}}]\nsolvers: [minisat]": (
        "the number of folders in the pattern must be at most 100 (got 801)"
    ),
    f"instances: [{{files: '{'**/' * 300}*.cnf'}}]\nsolvers: [minisat]": "at most 100 (got 301)",
    "instances: [{files: 'a**b/*.cnf'}]\nsolvers: [minisat]": "'a**b/*.cnf'",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_campaign_is_one_line(text, tmp_path):
    outcome = boardsat("run", written(tmp_path, text), "-o", tmp_path / "out")
    assert outcome.code == 2 and BAD[text] in outcome.one_line(), outcome
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("number", "age"), [(FORMAT + 1, "newer"), (FORMAT - 1, "earlier")])
def test_results_of_another_version_are_preserved(number, age, tmp_path):
    path, out = quick(tmp_path), tmp_path / "out"
    boardsat("run", path, "-o", out, *ONE)
    document = json.loads((out / CAMPAIGN_FILE).read_text())
    (out / CAMPAIGN_FILE).write_text(json.dumps(document | {"format": number}))
    contents = {file.name: file.read_bytes() for file in out.iterdir()}
    outcome = boardsat("run", path, "-o", out, *ONE)
    fault = f"the format of the results must be {FORMAT} (got {number}, which is {age})"
    assert outcome.code == 2 and fault in outcome.one_line()
    assert {file.name: file.read_bytes() for file in out.iterdir()} == contents


def test_another_folder_is_not_taken(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    outcome = boardsat("run", quick(tmp_path), "-o", tmp_path / "mine", *ONE)
    assert outcome.code == 2 and "must be empty or have results of a campaign" in outcome.one_line()


@pytest.mark.parametrize("key", ["seeds: [1, 2]", "repeat: 2", "proof: true", "cluster: {a: b}"])
def test_archive_rejects_keys_for_runs(key, tmp_path):
    path = written(tmp_path, f"instances: [{{problem: queens}}]\n{key}\n")
    outcome = boardsat("archive", "create", tmp_path / "archive", path)
    assert outcome.code == 2 and "only `boardsat run` does" in outcome.one_line()


def test_the_line_of_progress_tells_how_far_it_is(tmp_path):
    stream = io.StringIO()
    progress = CampaignProgress(10, 2, stream)
    job = next(
        draft_plan(read_campaign(quick(tmp_path))).complete(Instances(tmp_path, True)).jobs()
    )
    record = unanswered(job, RunOutcome(), Execution())
    for _ in range(2):
        progress.ended(job, record)
    for _ in range(3):
        progress.began(job)
    progress.ended(job, record_with(record, status="UNSATISFIABLE"))
    progress.started -= 2
    assert progress.line().startswith("3 of 10 runs, 2 running, ")
    assert " left, best: quick with 1" in progress.line()
    assert stream.getvalue() == "", "in a log once a minute"
    progress.printed -= LOG_SECONDS
    progress.tick()
    assert stream.getvalue().count("\n") == 1
