"""Validation: what agrees agrees, every planted fault is caught, and nothing is run twice."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import processes
import pytest
import running
from outside import outside, program
from pysat.formula import CNF
from pysat.solvers import Solver
from running import (
    boardsat,
    children,
    clauses_in,
    containers,
    finish,
    is_alive,
    misbehaving,
    need,
    need_checked_proofs,
    start,
    until,
)
from support import GRAPHS, TINY, is_lazy, mostly_slow

from boardsat.adapters.answer import End
from boardsat.adapters.errors import Wrong
from boardsat.adapters.runtimes import Limits, container
from boardsat.counting.comparing import Referee
from boardsat.generators.catalogue import FOLDER, encodings_of, problems
from boardsat.problem import open_problem
from boardsat.validation import compare, known_boards, plan, triage
from boardsat.validation.boards import boards_of
from boardsat.validation.reporting import live
from boardsat.validation.reporting.page import page
from boardsat.validation.runs.records import COUNT, DECIDE, RunRecord, record_from, to_line
from boardsat.validation.runs.running import cores
from boardsat.validation.runs.store import Store
from boardsat.validation.variants import variants
from boardsat.validation.workflow import Validation, ValidationRequest, validate

ROOT = Path(__file__).parent.parent

SOLVERS = ["cadical", "minisat", "enumeration"]
EMBEDDED = ["--runtime", "embedded", "--jobs", 1, "--solvers"]
QUICK = [*EMBEDDED, "cadical,enumeration"]


def solver_file(folder: Path, name: str, script: str) -> str:
    """A solver of one's own: a shell script, whose formula is $1."""
    (folder / f"{name}.sh").write_text(script)
    path = folder / f"{name}.yaml"
    path.write_text(
        f"title: for a test\nprogram: sh\ndialect: competition\ncan: decide\n"
        f'command: "{{{{ program }}}} {folder / name}.sh {{{{ file }}}}"\n'
    )
    return str(path)


RIGHT = f"exec {sys.executable} -m boardsat.adapters.runtimes.workers.pysat minisat22 $1\n"
"""The end of a script that answers as MiniSat does."""


def spec_without(folder: Path, shipped: str, name: str, constraint: str) -> str:
    """A spec of the catalogue, by itself or like another, with one constraint left out."""
    text = (FOLDER / f"{shipped}.yaml").read_text()
    head, *rest = re.split(r"(?m)^  - name: ", text)
    kept = [part for part in rest if not part.startswith(constraint)]
    assert len(kept) == len(rest) - 1
    # The last constraint is followed by the other sections.
    path = folder / f"{name}.yaml"
    path.write_text(head + "".join(f"  - name: {part}" for part in kept))
    return str(path)


def validated(tmp_path: Path, *words: object):
    """What a validation prints for programs; it takes as long as it takes, unless they say."""
    said = boardsat("validate", "--budget", 0, *words, "--json", "--results", tmp_path / "results")
    assert said.code in (0, 1, 3), said.err
    return said.code, json.loads(said.out)


def stored(tmp_path: Path) -> list[str]:
    return (tmp_path / "results/results.jsonl").read_text().splitlines()


QUEENS = ["queens", "-n", 4, *QUICK]


@pytest.fixture(scope="module")
def queens(tmp_path_factory) -> Path:
    """The folder of a small validation with all that belongs to one; its runs are in results/."""
    folder = tmp_path_factory.mktemp("queens")
    code, told = validated(folder, *QUEENS)
    (folder / "told.json").write_text(json.dumps([code, told]))
    return folder


def test_solvers_and_counters_agree(queens):
    code, told = json.loads((queens / "told.json").read_text())
    agree(code, told, "queens", ["cadical", "enumeration"])


@pytest.mark.slow
def test_solvers_and_counters_agree_on_all_encodings(tmp_path):
    words = [*EMBEDDED, ",".join(SOLVERS)]
    code, told = validated(tmp_path, "sudoku", "-n", 2, "--set", "givens=12...........4..", *words)
    agree(code, told, "sudoku", SOLVERS)
    assert {"transposed", "reflected"} <= {run["variant"] for run in told["runs"]}
    # One counter alone confirms nothing, itself the least.
    assert not any("count" in run["checked"] for run in told["runs"])


def agree(code, told, problem: str, solvers: list[str]) -> None:
    assert code == 0 and told["verdict"] == "agree"
    plain = [run for run in told["runs"] if not run["variant"]]
    assert {(run["encoding"], run["solver"]) for run in plain} == {
        (encoding, solver) for encoding in encodings_of(problem) for solver in solvers
    }
    for run in told["runs"]:
        assert run["wall"] > 0 and run["version"] and run["command"]
        if run["task"] == DECIDE and run["status"] == "SATISFIABLE":
            assert run["checked"] == ["model", "board"]
    counts = {run["count"] for run in told["runs"] if run["task"] == COUNT}
    assert len(counts) == 1 and counts.pop() > 0
    asked = {run["variant"] for run in told["runs"]}
    assert {"shuffled", "three-cnf", "another at-most-one"} <= asked
    assert {known_boards.KNOWN, known_boards.BROKEN} <= asked


def test_what_was_run_is_not_run_again(queens, tmp_path):
    shutil.copytree(queens / "results", tmp_path / "results")
    _, first = json.loads((queens / "told.json").read_text())
    lines = stored(tmp_path)
    # A line that was cut short is run again, and does not spoil the next.
    (tmp_path / "results/results.jsonl").write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:40])
    _, second = validated(tmp_path, *QUEENS)
    after = stored(tmp_path)
    assert len(after) == len(lines) + 1 and after[: len(lines) - 1] == lines[:-1]
    assert [run["status"] for run in second["runs"]] == [run["status"] for run in first["runs"]]
    # An answer is one however long it might have taken.
    validated(tmp_path, *QUEENS, "--timeout", 29)
    assert stored(tmp_path) == after


def test_other_limits_solvers_and_formulas_are_other_runs(tmp_path):
    script = solver_file(tmp_path, "mine", RIGHT)
    instances, _ = plan.instances("queens", "all", {"n": "4"}, tmp_path)
    (choice,), _ = plan.choices(script)
    Path(script).write_text(Path(script).read_text().replace("{{ file }}", "{{ file }} more"))
    (changed,), _ = plan.choices(script)
    one = plan.job(instances[0], choice, DECIDE, Limits(1), None)
    assert one.key == replace(one, core=1, file="elsewhere", wall=2).key
    others = [
        plan.job(instances[0], changed, DECIDE, Limits(1), None),
        plan.job(instances[0], choice, DECIDE, Limits(1, cpu=2), None),
        replace(one, seed=7),
        replace(one, formula="another"),
        replace(one, version="another"),
    ]
    assert len({one.key, *(other.key for other in others)}) == 6


def test_a_run_that_reached_its_limit_is_tried_again_only_with_more(tmp_path):
    instances, _ = plan.instances("queens", "all", {"n": "4"}, tmp_path)
    (choice,), _ = plan.choices("cadical", "embedded")
    job = plan.job(instances[0], choice, DECIDE, Limits(2), None)
    store = Store(tmp_path)
    for end, status, others in (
        (End.TIME, "UNKNOWN", {1: True, 2: True, 3: False, None: False}),
        (End.MEMORY, "UNKNOWN", {1: True, 3: True, None: True}),
        (End.FINISHED, "SATISFIABLE", {1: True, 3: True, None: True}),
    ):
        store.keep(replace(RECORD, key=job.key, end=end, status=status, limit=2))
        for wall, is_known in others.items():
            again = replace(job, wall=wall)
            assert (store.find(again) is not None) is is_known
            assert (Store(tmp_path).find(again) is not None) is is_known


def test_a_record_is_the_same_after_its_line_of_json():
    for end, wrong in ((End.TIME, None), (End.FINISHED, Wrong.MODEL), (End.CRASH, Wrong.ANSWER)):
        record = replace(RECORD, end=end, wrong=wrong, interval=(1, 2))
        again = record_from(to_line(record))
        assert again == record
        assert (again.task, again.end, again.wrong) == (record.task, end, wrong)
        assert again.end is end and again.wrong is wrong and again.task is record.task


@pytest.mark.parametrize(
    "n, solvers", mostly_slow([(4, "cadical"), (5, "cadical,enumeration")], [(4, "cadical")])
)
def test_an_encoding_without_a_constraint_is_caught_by_its_boards(n, solvers, tmp_path):
    name = "at most one queen on a rising diagonal"
    spec = spec_without(tmp_path, "queens/squares", "planted", name)
    text = Path(spec).read_text()
    Path(spec).write_text(text + "projection: Q\ndecode:\n  - mark: Q[i]\n    cell: i\n")
    words = [*EMBEDDED, solvers]
    code, told = validated(tmp_path, "queens", "--enc", f"squares,{spec}", "-n", n, *words)
    assert code == 1 and told["verdict"] == "disagree"
    assert any("planted" in reason for reason in told["reasons"])
    assert not any(run["fault"] for run in told["runs"] if run["encoding"] == "squares")


@pytest.mark.slow
def test_subtours_are_caught_by_a_broken_board_and_by_counts(tmp_path):
    """Without the step from position to position two cycles pass for a tour."""
    spec = tmp_path / "planted.yaml"
    text = (FOLDER / "tour/unary.yaml").read_text()
    spec.write_text(re.sub(r"  - name: a move advances.*?(?=  - name)", "", text, flags=re.S))
    words = ["--set", "rows=3", "--set", "cols=4", "--set", "moves=wazir"]
    code, told = validated(tmp_path, "tour", "--enc", f"unary,{spec}", *words, *QUICK)
    assert code == 1
    wrong = [r for r in told["runs"] if r["encoding"] == "planted" and r["task"] == COUNT]
    right = [r for r in told["runs"] if r["encoding"] == "unary" and r["task"] == COUNT]
    assert right[0]["count"] == 2 and wrong[0]["count"] == 28
    planted = {r["variant"]: r for r in told["runs"] if r["encoding"] == "planted"}
    broken = planted[known_boards.BROKEN]
    assert broken["status"] == "SATISFIABLE" and broken["expected"] == "UNSATISFIABLE"
    # One folder for what is wrong with the encoding, and no solver is blamed.
    (folder,) = map(Path, told["bug_reports"])
    assert not (folder / "small.cnf").exists() and len([*folder.glob("*.cnf.gz")]) >= 1


@pytest.mark.slow
def test_an_encoding_that_forbids_too_much_is_caught_by_a_known_board(tmp_path):
    spec = tmp_path / "planted.yaml"
    spec.write_text("title: t\nlike: queens/squares\nconstraints:\n  - clause: not Q[1]\n")
    base = (FOLDER / "queens/squares.yaml").read_text()
    constraints = re.search(r"(?ms)^constraints:\n(.*?)^projection", base)[1]
    spec.write_text(
        f"title: planted\nlike: queens/squares\nconstraints:\n{constraints}"
        "  - name: planted\n    clause: not Q[1]\n  - name: too\n    clause: Q[2]\n"
    )
    code, told = validated(tmp_path, "queens", "-n", 4, "--enc", f"squares,{spec}", *QUICK)
    assert code == 1 and told["verdict"] == "disagree"
    refused = [r for r in told["runs"] if r["encoding"] == "planted" and r["variant"]]
    counted = {r["encoding"]: r["count"] for r in told["runs"] if r["task"] == COUNT}
    assert counted["squares"] == 2 and counted["planted"] == 1
    assert {known_boards.KNOWN, known_boards.BROKEN} <= {r["variant"] for r in refused}


@pytest.mark.slow
def test_a_wrong_solver_is_triaged_to_its_trigger(tmp_path):
    """It says UNSATISFIABLE where two certain clauses stand, and gives up otherwise."""
    liar = solver_file(
        tmp_path,
        "liar",
        "if grep -qx -e '-1 -2 0' $1 && grep -qx -e '-7 -13 0' $1\n"
        "then echo 's UNSATISFIABLE'; exit 20; fi\necho 's UNKNOWN'; exit 0\n",
    )
    file = running.instance(tmp_path, "queens/squares", n=6)
    code, told = validated(tmp_path, file, "--solvers", f"cadical,{liar}", "--timeout", 20)
    assert code == 1
    (folder,) = map(Path, told["bug_reports"])
    small = CNF(from_file=str(folder / "small.cnf"))
    assert sorted(map(sorted, small.clauses)) == [[-13, -7], [-2, -1]]
    assert "\np cnf 36 2\n" in (folder / "small.cnf").read_text()
    first = (folder / "small.cnf").read_text().splitlines()[0]
    assert first == "c ind " + " ".join(map(str, range(1, 37))) + " 0"
    answers = json.loads((folder / "answers.json").read_text())
    assert {a["status"] for a in answers["small"]["answers"]} == {"SATISFIABLE", "UNSATISFIABLE"}
    for answer in answers["small"]["answers"]:
        assert answer["version"] and answer["command"]
    assert "liar" in (folder / "README.md").read_text()
    assert any(path.name.endswith(".cnf.gz") for path in folder.iterdir())


@outside
def test_a_solver_that_lies_in_a_container_is_triaged_to_one_clause(tmp_path):
    need(misbehaving("lies"), "docker")
    path = tmp_path / "lies.yaml"
    path.write_text(
        "title: wrong on purpose\nimage: misbehave\nprogram: misbehave\ndialect: competition\n"
        'can: decide\ncommand: "{{ program }} lies {{ file }}"\n'
    )
    file = running.instance(tmp_path, "queens/squares", n=4)
    code, told = validated(tmp_path, file, "--solvers", f"minisat,{path}", "--triage", 30)
    assert code == 1 and "WRONG MODEL" in told["reasons"][0]
    (folder,) = map(Path, told["bug_reports"])
    assert [len(clause) for clause in clauses_in(str(folder / "small.cnf"))] == [1]


@pytest.mark.slow
def test_counters_that_differ_are_triaged_with_their_projection(tmp_path):
    """One that counts over all variables, not over the projection, is wrong where they differ."""
    (tmp_path / "count.sh").write_text(
        "grep -v '^c ind' $1 >$1.all\n"
        f"exec {sys.executable} -m "
        "boardsat.adapters.runtimes.workers.enumeration cadical195 $1.all\n"
    )
    path = tmp_path / "deaf.yaml"
    path.write_text(
        "title: deaf\nprogram: sh\ndialect: counting\ncan: count\n"
        f'command: "{{{{ program }}}} {tmp_path}/count.sh {{{{ file }}}}"\n'
    )
    cnf = tmp_path / "x.cnf"
    cnf.write_text("c ind 1 2 0\np cnf 4 3\n1 2 0\n3 4 0\n1 3 0\n")
    code, told = validated(tmp_path, cnf, "--solvers", f"enumeration,{path}", "--triage", 20)
    assert code == 1
    (folder,) = map(Path, told["bug_reports"])
    text = (folder / "small.cnf").read_text()
    assert text.startswith("c ind 1 2 0\np cnf 4 ")
    counts = [
        a["count"] for a in json.loads((folder / "answers.json").read_text())["small"]["answers"]
    ]
    assert len(set(counts)) == 2


def test_no_answer_is_undecided(tmp_path):
    idle = solver_file(tmp_path, "idle", "echo 's UNKNOWN'; exit 0\n")
    code, told = validated(tmp_path, "queens", "-n", 4, "--solvers", idle)
    assert code == 3 and told["verdict"] == "undecided"


def test_an_unproved_refutation_is_undecided(tmp_path):
    file = running.instance(tmp_path, "queens/squares", n=3)
    code, told = validated(tmp_path, file, "--solvers", "minisat", "--runtime", "embedded")
    assert code == 3 and "unchecked" in told["reasons"][0]


@outside
def test_a_proved_refutation_is_believed(tmp_path):
    need_checked_proofs()
    file = running.instance(tmp_path, "queens/squares", n=3)
    code, told = validated(tmp_path, file, "--solvers", "cadical,minisat")
    assert code == 0 and told["runs"][0]["checked"] == ["proof"]


def test_runs_at_once_have_cores_of_their_own(tmp_path):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one core only")
    log = tmp_path / "log"
    script = f"grep Cpus_allowed_list /proc/$$/status >>{log}; sleep 0.5\n{RIGHT}"
    names = [solver_file(tmp_path, name, script) for name in ("one", "two")]
    validated(tmp_path, "queens", "-n", 4, "--solvers", ",".join(names), "--jobs", 2)
    used = [line.split()[1] for line in log.read_text().splitlines()]
    assert set(used[:2]) == {str(core) for core in cores(2)}


def test_an_interrupt_leaves_nothing_running_and_keeps_what_is_finished(tmp_path):
    quick = solver_file(tmp_path, "quick", RIGHT)
    slow = solver_file(tmp_path, "slow", f"echo $$ >{tmp_path}/pid\nsleep 100 & wait\n")
    results = tmp_path / "results"
    words = ["queens", "-n", 4, "--solvers", f"{quick},{slow}", "--results", results]
    process = start("validate", *words)
    until(lambda: (tmp_path / "pid").exists() and (results / "results.jsonl").exists())
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    # A second one while it stops what runs, or, if it was quick, at its very end.
    process.send_signal(signal.SIGINT)
    said = finish(process)
    assert (
        said.code in (130, -signal.SIGINT)
        and str(results) in said.err
        and "Traceback" not in said.err
    )
    solver = int((tmp_path / "pid").read_text())
    assert not any(is_alive(pid) for pid in [*workers, solver])
    if container._client() is not None:
        assert not any(containers(pid) for pid in workers)
    (line,) = stored(tmp_path)
    assert json.loads(line)["solver"] == quick


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["nothing"], "no problem 'nothing'"),
        (["queens", "--enc", "nothing"], "no encoding 'nothing'"),
        (["queens", "--enc", "squares,"], "--enc: an empty name"),
        (["queens", "--solvers", "cadicl"], "did you mean 'cadical'"),
        (["queens", "--solvers", "drat-trim"], "neither decides nor counts"),
        (["queens", "--solvers", "missing.yaml"], "missing.yaml: cannot read the solver"),
        (["queens", "--jobs", "100000"], "--jobs: 100000 runs at once would share cores"),
        (["missing.cnf"], "missing.cnf"),
    ],
)
def test_bad_input_is_one_line(words, complaint, tmp_path):
    said = boardsat("validate", *words, "--results", tmp_path)
    assert said.code == 2 and complaint in said.one_line()


def fixtures(problem: str) -> dict[str, str]:
    """Settings that are small, have a solution, and show something."""
    more = {"tour": {"rows": 3, "cols": 4}, "hamilton": {"graph": GRAPHS / "cube.hcp"}}
    settings = {**TINY[problem], **more.get(problem, {})}
    return {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in settings.items()}


@pytest.mark.parametrize("problem", mostly_slow(problems(), ["colouring", "queens", "tour"]))
def test_known_and_broken_boards_by_another_solver(problem, tmp_path):
    made, _ = plan.instances(problem, "all", fixtures(problem), tmp_path)
    made = [instance for instance in made if not is_lazy(f"{problem}/{instance.encoding}")]
    # The boards of two encodings, in all of them.
    for instance in made[:2]:
        opened = open_problem(instance.file)
        with Solver("glucose4", bootstrap_with=CNF(from_file=instance.file)) as solver:
            assert solver.solve()
            model = set(solver.get_model())
        true = tuple(v for v in opened.decision_variables().tolist() if v in model)
        record = replace(RECORD, formula=instance.formula, true=true)
        (found,) = boards_of([record], {instance.formula: opened})
        for other in made:
            known = known_boards.known(other, found.solution, tmp_path)
            broken = known_boards.broken(other, found.solution, tmp_path)
            assert known is not None
            for fixed, expected in ((known, True), (broken, False)):
                if fixed is not None:
                    formula = CNF(from_file=fixed.file)
                    with Solver("glucose4", bootstrap_with=formula) as solver:
                        assert solver.solve() is expected, (other.encoding, fixed.variant)
            assert broken is not None or problem == "colouring", "which has no wrong neighbour"


def test_variants_change_the_formula_and_keep_the_count(tmp_path):
    settings = {"rows": "3", "cols": "4", "moves": "wazir", "start": "4"}
    made, _ = plan.instances("tour", "unary,binary", settings, tmp_path)
    for instance in made:
        seen = {instance.formula}
        expected = projected_count(instance.file)
        names = set()
        for name, make in variants(instance):
            variant = make(tmp_path)
            assert variant.variant == name
            names.add(name)
            assert variant.formula not in seen
            seen.add(variant.formula)
            assert projected_count(variant.file) == expected, variant.variant
        assert {"transposed", "reflected", "another start"} <= names


def projected_count(file: str) -> int:
    counted = open_problem(file).projection().tolist()
    number = 0
    with Solver("minisat22", bootstrap_with=CNF(from_file=file)) as solver:
        while solver.solve():
            value = set(solver.get_model())
            solver.add_clause([-v if v in value else v for v in counted])
            number += 1
    return number


def test_minimising_finds_a_smallest_part():
    items = [(k,) for k in range(1, 400)]
    needed = {(3,), (77,), (398,)}
    tests = []

    def fails(part):
        tests.append(part)
        return needed <= set(part)

    assert set(triage.minimised(items, fails, time.monotonic() + 60)) == needed
    assert len(tests) < 200
    assert triage.minimised(items, fails, time.monotonic() - 1) == items


RECORD = RunRecord(
    key="k",
    problem="tour",
    encoding="unary",
    variant="",
    expected=None,
    formula="f",
    solver="cadical",
    task=DECIDE,
    runtime="native",
    version="1",
    status="SATISFIABLE",
    checked=("model", "board"),
)
COUNTED = replace(RECORD, task=COUNT, solver="clasp", objects=100, checked=())
NEAR = replace(COUNTED, solver="approxmc", exact=False, objects=90, interval=(50, 162))
FAR = replace(NEAR, objects=300, interval=(167, 540))


@pytest.mark.parametrize(
    "records, published, word",
    [
        ([RECORD], None, "agree"),
        ([RECORD, COUNTED, NEAR], 100, "agree"),
        ([RECORD, COUNTED, FAR], None, "disagree"),
        ([RECORD, COUNTED, replace(COUNTED, solver="ganak", objects=101)], None, "disagree"),
        ([RECORD, COUNTED], 101, "disagree"),
        ([RECORD, NEAR], 163, "disagree"),
        ([RECORD, replace(RECORD, status="UNSATISFIABLE", checked=("proof",))], None, "disagree"),
        ([RECORD, replace(COUNTED, objects=0, status="UNSATISFIABLE")], None, "disagree"),
        ([RECORD, replace(RECORD, fault="WRONG MODEL")], None, "disagree"),
        ([RECORD, replace(RECORD, variant="v", expected="UNSATISFIABLE")], None, "disagree"),
        ([RECORD, replace(RECORD, solver="slow", status="UNKNOWN", checked=())], None, "agree"),
        ([RECORD, replace(RECORD, encoding="b", status="UNKNOWN", checked=())], None, "undecided"),
        ([replace(RECORD, status="UNSATISFIABLE", checked=())], None, "undecided"),
        ([replace(RECORD, status="UNSATISFIABLE", checked=("proof",))], None, "agree"),
    ],
)
def test_the_verdict(records, published, word):
    referee = Referee("published", "somebody", published) if published else None
    found = compare.verdict(records, referee, "tours")
    assert found.word == word and found.reasons
    assert bool(found.against) is (word != "agree")
    if word == "agree":
        # An encoding that nobody was asked about weakens the verdict.
        assert compare.verdict(records, referee, "tours", ["unary", "b"]).word == "undecided"


def test_a_count_is_checked_by_somebody_else_only():
    other = replace(COUNTED, solver="ganak")
    for records, published, checked in (
        ([COUNTED], None, False),
        ([COUNTED, COUNTED], None, False),
        ([COUNTED, other], None, True),
        ([COUNTED, NEAR], None, True),
        ([COUNTED], Referee("published", "somebody", 100), True),
        ([COUNTED, other], Referee("published", "somebody", 99), False),
    ):
        found = compare.with_checked_counts(records, published)
        assert [record.checked for record in found] == [("count",) * checked] * len(records)


def test_progress_is_a_table_on_a_terminal_and_lines_elsewhere(tmp_path, monkeypatch, capsys):
    instances, _ = plan.instances("queens", "all", {"n": "4"}, tmp_path)
    (choice,), _ = plan.choices("cadical", "embedded")
    job = plan.job(instances[0], choice, DECIDE, ValidationRequest("queens").limits, None)
    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        shown = live.watch([job])
        shown.began(job)
        shown.tick()
        shown.ended(job, replace(RECORD, encoding="squares"))
        text = capsys.readouterr().err
        assert ("\033[" in text) is terminal
        assert "SAT" in text and "cadical" in text and "squares" in text


CHECK = """
<script>
const told = { rows: document.querySelectorAll("#runs tbody tr").length };
const all = (what) => [...document.querySelectorAll(what)];
const visible = () => all("#runs tbody tr").filter((r) => r.offsetParent !== null);
const walls = () => visible().map((r) => Number(r.cells[5].textContent));
const wall = document.querySelectorAll("#runs th button")[5];
wall.click(); told.up = walls(); wall.click(); told.down = walls();
const field = document.querySelector("#filter");
field.value = "UNARY minisat"; field.dispatchEvent(new Event("input"));
told.filtered = visible().map((r) => r.cells[0].textContent + " " + r.cells[1].textContent);
told.pictures = all("figure svg").map((s) => s.getBoundingClientRect().width);
told.first = document.body.firstElementChild.textContent.trim().split(":")[0];
told.wide = document.documentElement.scrollWidth <= window.innerWidth;
const line = document.querySelector("#tour path.tour");
told.whole = line.getAttribute("d");
document.querySelector("#play").click();
told.begun = line.getAttribute("d");
setTimeout(() => { told.middle = line.getAttribute("d"); }, 1500);
setTimeout(() => {
  told.end = line.getAttribute("d");
  told.label = document.querySelector("#move").textContent;
  const out = document.createElement("pre");
  out.id = "told";
  out.textContent = JSON.stringify(told);
  document.body.append(out);
}, 15000);
</script>
"""


# Asked for before what takes long, so of the same scope.
@pytest.fixture(scope="module", params=[pytest.param("chromium", marks=outside)])
def browser(request):
    """Debian's browser, without a window."""
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    command = [program(request.param), *fixed]

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        line = [*command, *map(str, words)]
        return processes.run(line, capture_output=True, text=True, check=True)

    return run


@pytest.fixture(scope="module")
def outcome(tmp_path_factory) -> Validation:
    folder = tmp_path_factory.mktemp("validated")
    request = ValidationRequest(
        "tour",
        "unary,binary",
        ",".join(SOLVERS),
        {"rows": "3", "cols": "4", "moves": "wazir"},
        "embedded",
        results=folder,
        budget=0,
    )
    return validate(request, live.watch)


@pytest.mark.parametrize("width", [1200, 500])
def test_the_report_works_in_a_browser(browser, outcome, width, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(page(outcome) + CHECK, "utf-8")
    done = browser(
        f"--window-size={width},900", "--virtual-time-budget=20000", "--dump-dom", f"file://{file}"
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    told = json.loads(re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)[1])
    assert told["first"] == "agree" and told["rows"] == len(outcome.records)
    assert told["up"] == sorted(told["up"]) and told["down"] == told["up"][::-1]
    assert len(set(told["up"])) > 1
    assert told["filtered"] and all("unary" in t and "minisat" in t for t in told["filtered"])
    assert len(told["filtered"]) < told["rows"]
    assert told["pictures"] and min(told["pictures"]) > 100
    assert told["wide"], "the page must not be wider than the screen"
    assert len(told["begun"]) < len(told["middle"]) < len(told["whole"]) == len(told["end"])
    assert told["label"] == "move 12 of 12"


def test_the_report_needs_no_network_and_escapes_what_it_shows(queens):
    request = ValidationRequest(
        "queens", "all", "cadical,enumeration", {"n": "4"}, "embedded", budget=0
    )
    outcome = validate(replace(request, results=queens / "results"), live.watch)
    evil = replace(outcome.records[0], reason="<script>alert(1)</script>", solver="<b>&x")
    text = page(replace(outcome, records=(evil,), title="</title><script>"))
    assert "<script>alert" not in text and "<b>&x" not in text and "</title><script>" not in text
    assert re.findall(r"(?:src|href)=\"(?!data:)|@import|url\(|//[a-z]+\.", text) == [
        "//www."
    ] * text.count("http://www.w3.org/2000/svg")
