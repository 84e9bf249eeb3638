"""A worker that waits: it does what one that is started does, under the same limits, and ends."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from helpers import processes
from helpers.answers import SAT
from helpers.solver_runs import is_alive, until

# In a process of its own, for one with threads has none waiting.
BEGIN = """
import json, os, sys
from boardsat.adapters.runtimes import Limits, Task, native
from boardsat.adapters.runtimes import child_python as interpreter
from boardsat.adapters.runtimes import prefork as waiting
from boardsat.adapters.runtimes.solver_meter import SolverMeter

def children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True

def told(outcome):
    said = outcome.output.end(10000), outcome.errors.end(10000)
    used = outcome.usage.cpu, outcome.usage.memory
    print(json.dumps([outcome.termination.name, outcome.exit_code, *said, *used, children()]))

def run(limits, *words):
    child = waiting.take()
    task = Task(sys.argv[1], Limits(*limits), core=min(os.sched_getaffinity(0)))
    command = interpreter.module_command(*words)
    with child.meter if child else SolverMeter() as meter:
        told(native.run_command(command, task, child, interpreter.child_environment(), meter))
"""


def script(text: str, folder: Path, **modules: str) -> CompletedProcess[str]:
    for name, content in modules.items():
        (folder / f"{name}.py").write_text(content)
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    words = [sys.executable, "-c", BEGIN + text, str(SAT)]
    environment = {**os.environ, "PYTHONPATH": path}
    return processes.run(words, env=environment, capture_output=True, text=True)


def result(text: str, folder: Path, **modules: str) -> list[Any]:
    done = script(text, folder, **modules)
    assert not done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_it_answers_as_a_worker_does(tmp_path: Path) -> None:
    text = """
from boardsat.adapters import solvers
from boardsat.adapters.runtimes import embedded
with waiting.one_waiting():
    told(embedded.run(solvers.load("cadical"), Task(sys.argv[1])))
    assert waiting.take() is None
"""
    end, code, said, errors, cpu, memory, left = result(text, tmp_path)
    assert (end, code, errors, left) == ("FINISHED", 10, "", False)
    assert said.startswith("s SATISFIABLE\nv ") and "\nv 0\n" in said
    assert 0 < cpu < 30 and 2**20 < memory < 2**30


ABOUT = """
import os, resource, signal, sys
print(len(os.listdir("/proc/self/fd")), os.getsid(0) == os.getpid(), len(os.sched_getaffinity(0)))
print(os.environ["PYTHONSAFEPATH"], "BOARDSAT_RUN" in os.environ)
print(resource.getrlimit(resource.RLIMIT_CORE)[0], sys.argv[1:])
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, sys.stdin.read() == "")
sys.exit(20)
"""


def test_nothing_of_its_parent_but_what_it_needs(tmp_path: Path) -> None:
    """The same module, started or waiting, finds the same around it: three streams and a meter."""
    text = """
import signal
signal.signal(signal.SIGTERM, signal.default_int_handler)
kept = open(sys.argv[1])
{}
    run([], "about", "a b", "ü")
"""
    started = result(text.format("if True:"), tmp_path, about=ABOUT)
    waited = result(text.format("with waiting.one_waiting():"), tmp_path, about=ABOUT)
    assert waited[:4] == started[:4] == ["FINISHED", 20, started[2], ""]
    assert started[2].startswith("5 True 1\nboardsat True\n0 ['a b', 'ü']\nTrue True")


@pytest.mark.parametrize(("limits", "end"), [([0.2], "TIME"), ([None, 0.2], "CPU")])
def test_limits_hold(limits: list[float | None], end: str, tmp_path: Path) -> None:
    text = f"with waiting.one_waiting():\n    run({limits}, 'endless')"
    begin = (
        "from boardsat.adapters.runtimes.solver_meter import mark_solver_start; mark_solver_start()"
    )
    found = result(text, tmp_path, endless=f"{begin}\nwhile True: pass")
    assert found[0] == end and found[-1] is False


@pytest.mark.parametrize(
    ("module", "code", "complaint"),
    [
        ("import sys; sys.exit('no such thing')", 1, "no such thing\n"),
        ("raise ValueError('wrong')", 1, "ValueError: wrong\n"),
        ("print('done')", 0, ""),
    ],
)
def test_ends_are_those_of_python(module: str, code: int, complaint: str, tmp_path: Path) -> None:
    found = result("with waiting.one_waiting():\n    run([], 'ends')", tmp_path, ends=module)
    assert found[:2] == ["FINISHED", code]
    assert found[3].endswith(complaint)


def test_waiting_worker_reports_its_solver(tmp_path: Path) -> None:
    text = """
from boardsat.adapters import solvers
from boardsat.adapters.runtimes import embedded
with waiting.one_waiting():
    usage = embedded.run(solvers.load("cadical"), Task(sys.argv[1])).usage
print(json.dumps([usage.cpu, usage.solver_cpu, usage.solver_wall, usage.wall, len(os.listdir(FD))]))
"""
    text = "FD = '/proc/self/fd'\nbefore = len(os.listdir(FD))" + text + "print(before)"
    figures, before = script(text, tmp_path).stdout.splitlines()
    cpu, solver_cpu, solver_wall, wall, after = json.loads(figures)
    assert 0 < solver_cpu < cpu and solver_cpu < 0.02 and 0 < solver_wall < wall
    assert after == int(before), "a pipe was left open"


def test_for_one_that_was_killed_another_is_started(tmp_path: Path) -> None:
    text = """
with waiting.one_waiting():
    child = waiting.take()
    os.kill(child.pid, 9)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    command = interpreter.module_command("ends")
    told(native.run_command(command, Task(sys.argv[1]), child))
"""
    found = result(text, tmp_path, ends="print('done')")
    assert found[:4] == ["FINISHED", 0, "done\n", ""]
    assert found[-1] is False, "the dead one is not waited for"


def test_one_that_nobody_needs_ends(tmp_path: Path) -> None:
    text = "with waiting.one_waiting():\n    assert children()\nprint(children())"
    assert script(text, tmp_path).stdout == "False\n"


def test_none_waits_where_there_are_threads(tmp_path: Path) -> None:
    text = """
import threading
over = threading.Event()
threading.Thread(target=over.wait).start()
with waiting.one_waiting():
    print(waiting.take())
over.set()
"""
    assert script(text, tmp_path).stdout == "None\n"


@pytest.mark.parametrize("begun", [False, True])
def test_it_ends_with_a_parent_that_is_killed(begun: bool, tmp_path: Path) -> None:
    begin = """
    child.begin(waiting.WorkOrder(["endless"], [], min(os.sched_getaffinity(0)), {}))
    child.stdout.read(1)
"""
    text = f"""
with waiting.one_waiting():
    child = waiting.take()
    {begin if begun else ""}
    print(child.pid, flush=True)
    os.kill(os.getpid(), 9)
"""
    done = script(text, tmp_path, endless="print('x', flush=True)\nwhile True: pass")
    assert done.returncode == -signal.SIGKILL
    until(lambda: not is_alive(int(done.stdout)))
