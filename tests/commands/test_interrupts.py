"""Interrupted commands: the line that they print matches the files that they leave."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import processes
from helpers.solver_runs import boardsat

from boardsat import generators
from boardsat.adapters.runtimes import container, images
from boardsat.adapters.runtimes.images import Image
from boardsat.archive import competitions
from boardsat.campaign import report
from boardsat.campaign.report import analysis, plots


def interrupted_at(call: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, with Ctrl-C pressed at a call of it."""
    calls = 0

    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KeyboardInterrupt
        return function(*arguments, **keywords)

    return wrapper


def line(*arguments: object) -> str:
    """Return the one line of the interrupted command."""
    output = boardsat(*arguments)
    assert output.code == 130
    return output.one_line().rstrip("\n")


@pytest.mark.parametrize("competition", competitions.COMPETITIONS)
def test_submit_interrupted_while_writing_leaves_no_file(competition, archive, monkeypatch):
    rules = competitions.COMPETITIONS[competition]
    interrupted = replace(rules, write=interrupted_at(3, rules.write))
    monkeypatch.setitem(competitions.COMPETITIONS, competition, interrupted)
    arguments = ("archive", "submit", archive, "--to", competition, "--interesting", 0)
    assert line(*arguments) == "boardsat: interrupted; no file was changed"
    assert [path.name for path in archive.parent.iterdir() if path != archive] == []


def test_submit_interrupted_while_measuring_leaves_the_measurements(archive, monkeypatch):
    monkeypatch.setattr(competitions, "solve_time", interrupted_at(3, lambda *_: None))
    target = archive.parent / "s"
    notes = target / "hardness.json"
    assert line("archive", "submit", archive, "-o", target) == (
        f"boardsat: interrupted; measured times are stored in {notes}; the same command continues"
    )
    assert [*target.iterdir()] == [notes]


def test_submit_again_removes_an_instance_that_is_no_longer_chosen(archive):
    instances = archive.parent / "s" / "instances"
    arguments = ("archive", "submit", archive, "-o", instances.parent, "--interesting", 0)
    boardsat(*arguments)
    (instances / "notes.txt").write_text("mine")
    assert len([*instances.iterdir()]) == 4
    boardsat(*arguments, "--instances", 1)
    names = sorted(path.name for path in instances.iterdir())
    assert names == ["hamilton-triangle-cycle-unary-three-auto-shuffle7.cnf.xz", "notes.txt"]


def test_cnf_of_several_interrupted_names_the_last_file(tmp_path, monkeypatch):
    monkeypatch.setattr(generators, "write", interrupted_at(3, generators.write))
    target = tmp_path / "out"
    message = line("cnf", "queens", "-n", "4..8", "-o", f"{target}/")
    files = sorted(target.iterdir())
    assert message == f"boardsat: interrupted; 2 files were written, the last is {files[-1]}"
    assert len(files) == 2


def test_solve_interrupted_says_that_scratch_files_do_not_count(tmp_path, monkeypatch):
    from boardsat.workflows.solve import workflow

    interrupted = interrupted_at(1, workflow.enumerate_answers)
    monkeypatch.setattr(workflow, "enumerate_answers", interrupted)
    arguments = ("solve", "queens", "-n", 4, "--runtime", "embedded", "-o", tmp_path / "q.cnf")
    assert line(*arguments) == "boardsat: interrupted; no file was changed"


def test_report_interrupted_between_page_and_plots_names_the_page(tmp_path, monkeypatch):
    from boardsat.campaign.report import campaign_page

    class Empty:
        records = ()

    monkeypatch.setattr(analysis, "analyze", lambda folder: Empty())
    monkeypatch.setattr(campaign_page, "campaign_page", lambda analysis: "<p>")
    monkeypatch.setattr(report, "require_package", lambda *_: None)
    monkeypatch.setattr(plots, "write_plots", interrupted_at(1, plots.write_plots))
    html = tmp_path / "r.html"
    output = boardsat("report", tmp_path, "--html", html, "--plots", tmp_path / "plots")
    assert output.code == 130
    assert output.err == f"boardsat: interrupted; 1 file was written, the last is {html}\n"


def test_images_interrupted_names_what_was_built(monkeypatch):
    def build(name: str) -> Image:
        return Image(name, "tag", "1", 10**6, built=name == "kissat")

    monkeypatch.setattr(images, "find", lambda name: None)
    monkeypatch.setattr(images, "build", interrupted_at(3, build))
    monkeypatch.setattr(container, "version", lambda solver: "1")
    message = line("images", "cadical", "kissat", "clasp")
    assert message == "boardsat: interrupted; kissat built; the same command continues"


@pytest.mark.parametrize("command", ["run", "validate"])
def test_interrupt_before_there_are_results_does_not_name_them(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boardsat.campaign import workflow
    from boardsat.workflows.validate import workflow as validation

    campaign = tmp_path / "c.yaml"
    campaign.write_text("instances:\n  - {problem: queens}\nsolvers: [cadical]\n")
    monkeypatch.setattr(workflow, "run", interrupted_at(1, workflow.run))
    monkeypatch.setattr(validation, "validate", interrupted_at(1, validation.validate))
    results = tmp_path / "results"
    arguments_of = {"run": ("run", campaign, "-o", results), "validate": ("validate", "queens")}
    options = ("--results", results) if command == "validate" else ()
    assert line(*arguments_of[command], *options) == "boardsat: interrupted; no file was changed"


LOST_INTERRUPT = """
import os, signal, time, weakref
from boardsat import cli

class Referent:
    pass

def interrupt(reference):
    os.kill(os.getpid(), signal.SIGINT)
    [0 for _ in range(10)]

cli._handle_signals()
referent = Referent()
reference = weakref.ref(referent, interrupt)
try:
    del referent
    time.sleep(20)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_interrupt_in_a_callback_of_python_is_repeated():
    """Python discards exceptions of such callbacks: those of the locks of imports, for example."""
    process = processes.run([sys.executable, "-c", LOST_INTERRUPT], capture_output=True, text=True)
    assert (process.stdout, process.stderr) == ("interrupted\n", "")
