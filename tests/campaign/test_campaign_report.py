"""`boardsat report`: page and plots of a campaign, and contradictions between its answers."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import processes
from helpers.campaigns import ONE, quick, records, written
from helpers.requirements import outside, require_program
from helpers.solver_runs import boardsat, instance
from helpers.validations import record_with

from boardsat.campaign.folder import INSTANCES_FILE as INSTANCES
from boardsat.campaign.folder import Instances
from boardsat.campaign.parser import read_campaign
from boardsat.campaign.report.analysis import analyze
from boardsat.campaign.report.classification import classify
from boardsat.campaign.runner.records import RunRecord, to_line
from boardsat.campaign.runner.store import NAME as RESULTS

TEXT = """\
title: Small </script><script>alert(1)</script> boards
encodings: [binary, undirected]
instances:
  - {problem: tour, set: {rows: 3, cols: [3, 4], moves: wazir}}
solvers: [cadical, minisat]
runtime: embedded
seeds: [1, 2]
limits: {timeout: 60}
"""


@pytest.fixture(scope="module")
def solved(tmp_path_factory) -> Path:
    """A tour of 3x4, none of 3x3, in two encodings, by two solvers with two seeds."""
    top = tmp_path_factory.mktemp("solved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(top / "cache"))
        assert boardsat("run", written(top, TEXT), "-o", top / "out", *ONE).code == 0
    return top / "out"


def copied(folder: Path, target: Path, *new_records: RunRecord) -> Path:
    """The results with more records."""
    target.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            (target / file.name).write_bytes(file.read_bytes())
    with (target / RESULTS).open("a") as file:
        file.writelines(map(to_line, new_records))
    return target


def data_in(page: str) -> dict[str, object]:
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text[1])


def test_the_page_has_every_part_and_needs_no_network(solved, tmp_path):
    outcome = boardsat("report", solved, "--html", tmp_path / "x.html")
    assert outcome.code == 0 and "16 runs" in outcome.out, outcome
    page = (tmp_path / "x.html").read_text()
    assert "no answer contradicts another" in page and "<script>alert" not in page
    for heading in (
        "Ranking",
        "Growth",
        "Families and sizes",
        "Boards",
        "Instances",
        "virtual best",
    ):
        assert heading in page
    assert page.count("<figure>") == 2, "a board of each encoding"
    titles = re.findall(r'<option value="\d+">([^<]+)', page)
    assert titles == ["solvers", "encodings of tour", "encodings and solvers of tour"]
    matches = re.findall(r"(?:src|href)=\"(?!data:)|@import|url\(|//[a-z]+\.", page)
    assert matches == ["//www."] * page.count("http://www.w3.org/2000/svg")
    data = data_in(page)
    assert len(data["instances"]) == 4 and len(data["runs"]) == 8
    command = next(
        instance[-1] for instance in data["instances"] if instance[0].endswith("undirected")
    )
    assert command.startswith("boardsat cnf tour --enc undirected --set rows=3")


def test_comparisons_cover_solvers_encodings_and_both(solved):
    comparisons = {comparison.title: comparison for comparison in analyze(solved).comparisons}
    assert comparisons["solvers"].ranking.tasks == 4
    # Two boards by two solvers; and two boards.
    assert comparisons["encodings of tour"].ranking.tasks == 4
    assert comparisons["encodings and solvers of tour"].ranking.tasks == 2
    for comparison in comparisons.values():
        for rank in comparison.ranking.ranks:
            assert rank.satisfiable == rank.unsatisfiable == comparison.ranking.tasks / 2
    assert set(comparisons["encodings of tour"].names) == {"binary", "undirected"}


def test_contradictions_come_first_and_fail(solved, tmp_path):
    some = records(solved)
    yes = next(
        r for r in some if r.outcome.status == "SATISFIABLE" and r.question.encoding == "binary"
    )
    against = record_with(
        yes, key="1" * 64, solver="liar", status="UNSATISFIABLE", checked=(), true=None
    )
    refuted = record_with(yes, key="2" * 64, solver="fool", fault="no <b>model</b>")
    folder = copied(solved, tmp_path / "lies", against, refuted)
    outcome = boardsat("report", folder, "--html", tmp_path / "x.html")
    assert outcome.code == 1 and "SAT against UNSAT" in outcome.out and "WRONG: fool" in outcome.out
    page = (tmp_path / "x.html").read_text()
    assert page.index("cannot all be right") < page.index("Ranking")
    assert "no &lt;b&gt;model" in page and "no answer contradicts" not in page


def test_encodings_of_one_question_contradict_each_other(solved, tmp_path):
    """Every formula agrees with itself, but one encoding says no to all."""
    no = [
        record_with(r, status="UNSATISFIABLE", true=None, checked=())
        for r in records(solved)
        if r.question.encoding == "binary"
    ]
    (contradiction,) = analyze(copied(solved, tmp_path / "lies", *no)).contradictions
    assert (
        "SAT against UNSAT on the same question" in contradiction.line
        and len(contradiction.formulas) == 2
    )


ASKED = """\
instances:
  - {problem: symmetric, set: {n: 6, turn: [90, 180]}}
  - {problem: tour, encoding: binary, set: {n: 6, no_two_cycles: [true, false]}, shuffle: [1, 2]}
  - {problem: tour, encoding: unary, set: {n: 6, rows: 6}}
  - {problem: tour, encoding: unary, set: {rows: 6, cols: 6, distance: false}}
  - {problem: tour, encoding: unary, set: {rows: 6, cols: 5, distance: false}}
solvers: [cadical]
"""


def test_instances_with_equal_parameters_are_one_question(tmp_path):
    """A rotation is part of the question, though only one encoding has it; pruning is not."""
    campaign = read_campaign(written(tmp_path, ASKED))
    catalogue = Instances(tmp_path, frozen=True)
    planned = campaign.instances(tmp_path)
    instances = [catalogue.from_recipe(str(k), draft.recipe) for k, draft in enumerate(planned)]
    classified = list(classify(instances).values())
    symmetric = {entry.question for entry in classified if entry.family == "symmetric"}
    assert len(symmetric) == 2
    tours = [entry for entry in classified if entry.family == "tour"]
    *alike, different = tours
    assert (
        len(alike) == 6 and len({(tour.family, tour.shuffle, tour.encoding) for tour in alike}) == 6
    )
    assert {tour.encoding for tour in alike} == {
        *("binary no_two_cycles=true", "binary no_two_cycles=false"),
        *("unary", "unary distance=false"),
    }
    # Six rows and six columns are n = 6, and six rows and five columns are not.
    assert len({tour.question for tour in alike}) == 1 and {tour.size for tour in alike} == {6}
    assert different.question != alike[0].question


def test_boards_of_external_files_are_drawn_while_the_files_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = instance(tmp_path, "queens/squares", n=6)
    text = f"instances: [{{files: {Path(file).name}}}]\nsolvers: [cadical]\nruntime: embedded\n"
    assert boardsat("run", written(tmp_path, text), "-o", tmp_path / "out").code == 0
    for boards in (1, 0):
        boardsat("report", tmp_path / "out", "--html", tmp_path / "x.html")
        assert (tmp_path / "x.html").read_text().count("<figure>") == boards
        Path(file).write_text("p cnf 0 0\n")


def test_plots_are_files_with_their_numbers(solved, tmp_path):
    pytest.importorskip("matplotlib")
    outcome = boardsat("report", solved, "--plots", tmp_path / "plots")
    assert outcome.code == 0, outcome
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    for stem in ("cactus-solvers", "scatter-solvers", "scatter-encodings-of-tour", "growth-tour"):
        assert {f"{stem}.svg", f"{stem}.pdf", f"{stem}.csv"} <= names
        assert (tmp_path / "plots" / f"{stem}.pdf").read_bytes().startswith(b"%PDF")
    rows = list(csv.DictReader((tmp_path / "plots/cactus-solvers.csv").open()))
    for name in ("cadical", "minisat"):
        times = [float(row["seconds"]) for row in rows if row["name"] == name]
        assert len(times) == 4 and times == sorted(times)


@pytest.mark.slow
def test_plots_are_the_same_each_time(solved, tmp_path):
    pytest.importorskip("matplotlib")
    first, second = ({}, {})
    for files_of in (first, second):
        boardsat("report", solved, "--plots", tmp_path / "plots")
        files_of |= {path.name: path.read_bytes() for path in tmp_path.glob("plots/*.svg")}
    assert first == second and "cactus-solvers.svg" in first


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "nothing to write; give --html FILE or --plots FOLDER"),
        (["--html", "x.png"], "is the suffix of another file type"),
        (["--html", "none/x.html"], "does not exist"),
        (["--plots", "none/plots"], "parent folder 'none' does not exist"),
    ],
)
def test_bad_targets_are_one_line(arguments, message, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = boardsat("report", solved, *arguments)
    assert outcome.code == 2 and message in outcome.one_line(), outcome


def test_report_without_matplotlib_prints_one_line(solved, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = boardsat("report", solved, "--plots", tmp_path / "plots")
    assert outcome.code == 2 and "pip install 'boardsat[report]'" in outcome.one_line()
    assert not (tmp_path / "plots").exists()


def test_a_campaign_without_results_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    boardsat("run", quick(tmp_path, seeds=1), "-o", tmp_path / "out", *ONE)
    (tmp_path / "out" / RESULTS).unlink()
    outcome = boardsat("report", tmp_path / "out", "--html", tmp_path / "x.html")
    assert outcome.code == 2 and "the results have no record of a run yet" in outcome.one_line()


def with_instances(folder: Path, target: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Copy the results, with every instance changed."""
    file = copied(folder, target) / INSTANCES
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    for entry in entries:
        change(entry)
    file.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    return target


@pytest.mark.parametrize("key", ["settings", "graphs", "texts"])
def test_report_ignores_line_of_instance_with_malformed_recipe(key, solved, tmp_path):
    changed = with_instances(solved, tmp_path / "out", lambda e: e["recipe"].update({key: "text"}))
    assert boardsat("report", changed, "--html", tmp_path / "x.html").code == 0
    (changed / INSTANCES).write_text("")
    assert boardsat("report", changed, "--html", tmp_path / "y.html").code == 0
    assert (tmp_path / "x.html").read_bytes() == (tmp_path / "y.html").read_bytes()


def test_report_accepts_parameters_that_are_lists(solved, tmp_path):
    """Parameters of a record are any JSON; `rows` and `cols` are compared with each other."""

    def change(entry: dict[str, Any]) -> None:
        entry["parameters"] |= {key: [entry["parameters"][key]] for key in ("rows", "cols")}

    changed = with_instances(solved, tmp_path / "out", change)
    assert boardsat("report", changed, "--html", tmp_path / "x.html").code == 0


def test_report_of_folder_whose_name_is_not_utf8(solved, tmp_path):
    folder = copied(solved, tmp_path / os.fsdecode(b"na\xffme"))
    outcome = boardsat("report", folder, "--html", tmp_path / "x.html")
    assert (outcome.code, outcome.err) == (0, "")
    assert "boardsat report na?me" in (tmp_path / "x.html").read_text("utf-8")


CHECK = """
<script>
const seen = { wide: document.documentElement.scrollWidth <= window.innerWidth };
const lines = () => document.querySelectorAll("#cactus path.line").length;
seen.lines = [lines()];
document.querySelector("#cactus-legend button").click();
seen.lines.push(lines());
seen.points = [document.querySelectorAll("#scatter circle:not(.halo)").length];
byId("comparison").value = "2";
byId("comparison").dispatchEvent(new Event("change"));
seen.points.push(document.querySelectorAll("#scatter circle:not(.halo)").length);
const drawn = document.querySelector("#scatter circle:not(.halo)").getBoundingClientRect();
const where = { clientX: drawn.x + 3, clientY: drawn.y + 3, bubbles: true };
document.querySelector("#scatter svg").dispatchEvent(new PointerEvent("pointermove", where));
seen.tip = byId("tip").textContent;
document.querySelector("#scatter svg").dispatchEvent(new MouseEvent("click", where));
seen.open = byId("instance").open;
seen.name = byId("instance-name").textContent;
seen.runs = byId("instance-runs").rows.length;
seen.rankings = [...document.querySelectorAll(".ranking")].filter((each) => !each.hidden).length;
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
</script>
"""


@outside
@pytest.mark.parametrize("width", [1200, 500])
def test_the_page_works_in_a_browser(width, solved, tmp_path):
    file = tmp_path / "x.html"
    boardsat("report", solved, "--html", file)
    file.write_text(file.read_text() + CHECK)
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    size = f"--window-size={width},900"
    outcome = processes.run(
        [require_program("chromium"), *fixed, size, "--dump-dom", f"file://{file}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CONSOLE" not in outcome.stderr, outcome.stderr
    document = json.loads(re.search(r'<pre id="seen">(.*?)</pre>', outcome.stdout, re.S)[1])
    assert document["wide"], "the page must not be wider than the screen"
    assert document["lines"] == [2, 1] and document["points"] == [4, 2]
    assert document["name"].startswith("tour-3x") and document["name"] in document["tip"]
    assert document["open"] and document["runs"] == 2 and document["rankings"] == 1
