"""Import path of every interpreter: no command imports a module from the working directory."""

from __future__ import annotations

import ast
import os
import sys
from functools import cache
from pathlib import Path

import pytest
from helpers import processes, syntax_trees
from helpers.campaigns import written
from helpers.dask_cluster import need_dask, scheduler
from helpers.formulas import mostly_slow
from helpers.requirements import outside
from helpers.slurm_cluster import slurm

from boardsat.adapters.runtimes import child_python
from boardsat.commands import names as command_names

BY_MODULE = (sys.executable, "-m", "boardsat")
BY_SCRIPT = (str(Path(sys.executable).with_name("boardsat")),)

SHADOW = "open(__file__ + '.imported', 'w').close()\n"
"""Source of a module in the working directory, which leaves a file when it is imported."""

CAMPAIGN = """\
title: A board
instances: [{problem: queens, set: {n: 4}}]
solvers: [cadical]
runtime: embedded
limits: {timeout: 60}
"""

EMBEDDED = "--runtime embedded"
SESSIONS = {
    "archive": ["archive create archive campaign.yaml", "archive verify archive"],
    "submit": ["archive create archive campaign.yaml", "archive submit archive --to mc"],
    "clean": ["clean"],
    "cnf": ["cnf tour/binary -n 6 --propagate -o x.cnf.xz", "size queens"],
    "count": [f"count queens -n 4 {EMBEDDED}", f"count tour -n 6 {EMBEDDED}"],
    "decode": [
        "cnf queens -n 4 -o x.cnf",
        "check x.cnf answer",
        "decode x.cnf answer --svg x.svg",
    ],
    "help": ["help solve", "--version"],
    "images": ["images"],
    "list": ["list", "list queens --json"],
    "projection": [f"projection tour/binary -n 6 {EMBEDDED}"],
    "run": ["run campaign.yaml -o results --jobs 1"],
    "report": [
        "run campaign.yaml -o results --jobs 1",
        "results results --csv",
        "report results --html x.html --plots plots",
    ],
    "sample": [f"sample queens -n 5 {EMBEDDED}"],
    "solve": [
        f"solve queens -n 4 {EMBEDDED}",
        f"solve queens -n 4 --memory 4000 {EMBEDDED}",
    ],
    "optimum": [f"solve fewest_queens -n 4 {EMBEDDED}"],
    "program": ["asp tour -n 6 -o x.lp", f"solve x.lp --solver clingo {EMBEDDED}"],
    "solvers": ["solvers"],
    "validate": [f"validate queens -n 4 {EMBEDDED} --jobs 1 --solvers cadical,enumeration"],
    "explain": ["explain queens -n 3"],
}
"""Command lines that are run one after the other in one folder."""

QUICK = {"count", "run", "solve", "explain"}
"""Sessions that start each kind of child interpreter."""

SUCCESS = {0, 10, 20, 30}
OTHER_EXIT_CODES = {"images": {2}, "mc": {1}}
"""Exit codes by the last argument: there is no engine, and the instance is too easy."""

ANSWER = "s SATISFIABLE\nv -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0\n"
"""Four queens."""


@cache
def module_names() -> set[str]:
    """Return the names of all modules of Python and of all installed packages except boardsat."""
    packages = {
        path.stem
        for entry in sys.path
        if entry.endswith("site-packages")
        for path in Path(entry).iterdir()
        if path.stem.isidentifier()
    }
    return {*sys.stdlib_module_names, *packages} - {"boardsat"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a working directory with a shadow of each module."""
    for name in module_names():
        (tmp_path / f"{name}.py").write_text(SHADOW)
    (tmp_path / "answer").write_text(ANSWER)
    written(tmp_path, CAMPAIGN)
    return tmp_path


@pytest.fixture
def names_loaded_by_python(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the modules that `python -m` has imported before the one it is given."""
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "modules.py").write_text("import sys\nprint(*sys.modules)\n")
    command = [sys.executable, "-m", "modules"]
    outcome = processes.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in outcome.stdout.split()}


def shadows_imported(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.imported"))


def run(folder: Path, *command: str) -> None:
    outcome = processes.run(command, cwd=folder, capture_output=True, text=True)
    assert shadows_imported(folder) == [], command
    assert outcome.returncode in OTHER_EXIT_CODES.get(command[-1], SUCCESS), outcome


@pytest.mark.parametrize("session", mostly_slow(SESSIONS, QUICK))
def test_command_in_folder_of_shadows_imports_none(session: str, folder: Path) -> None:
    for line in SESSIONS[session]:
        run(folder, *BY_SCRIPT, *line.split())


@pytest.mark.parametrize("session", mostly_slow(sorted(QUICK), {"solve"}))
def test_module_in_folder_of_shadows_imports_none(
    session: str, folder: Path, names_loaded_by_python: set[str]
) -> None:
    """Shadows of modules that Python imports before boardsat are removed."""
    for name in names_loaded_by_python & module_names():
        (folder / f"{name}.py").unlink()
    run(folder, *BY_MODULE, *SESSIONS[session][0].split())


def test_sessions_include_every_command() -> None:
    commands = {line.split()[0] for lines in SESSIONS.values() for line in lines}
    assert commands - {"--version"} == {*command_names()}


def test_shadow_is_imported_without_a_safe_path(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(SHADOW)
    processes.run([sys.executable, "-c", "import json"], cwd=tmp_path, check=True)
    assert shadows_imported(tmp_path) == ["json.py.imported"]


def test_only_child_python_knows_the_interpreter() -> None:
    """Child interpreters are started through `child_python`, which makes their import path safe."""
    pages = (syntax_trees.ROOT / "docs").rglob("*.py")
    trees = syntax_trees.files() | {str(path): ast.parse(path.read_text()) for path in pages}
    users = [
        path
        for path, tree in trees.items()
        for node in syntax_trees.nodes(tree)
        if (isinstance(node, ast.Attribute) and node.attr in ("executable", "_base_executable"))
        or (isinstance(node, ast.alias) and node.name in ("executable", "multiprocessing"))
    ]
    assert users == ["adapters/runtimes/child_python.py"]


def test_package_in_working_directory_is_found_by_child_interpreters(tmp_path: Path) -> None:
    """Without an installation: by `python -m boardsat` in a checkout."""
    (tmp_path / "boardsat").symlink_to(syntax_trees.ROOT / "boardsat")
    # The other packages, but not the editable installation: its .pth file has no effect here.
    packages = [path for path in sys.path if path.endswith("site-packages")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}
    # The interpreter outside the virtual environment.
    command = [sys._base_executable, "-m", "boardsat", "explain", "queens", "-n", "3"]
    outcome = processes.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert outcome.returncode == 20 and "checked by" in outcome.stdout, outcome


SOLVER = """\
#!{python}
import answer_of_this_solver
"""


@pytest.mark.parametrize("user_value", [None, "1"])
def test_python_solver_imports_from_its_folder_unless_the_user_forbids(
    user_value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The safe path is for interpreters of boardsat, also if one of them starts the solver."""
    (tmp_path / "answer_of_this_solver.py").write_text("print('s UNSATISFIABLE')\nexit(20)\n")
    program = tmp_path / "solver"
    program.write_text(SOLVER.format(python=sys.executable))
    program.chmod(0o755)
    (tmp_path / "mine.yaml").write_text(
        f"title: for a test\nprogram: {program}\ndialect: competition\ncan: decide\n"
        'command: "{{ program }} {{ file }}"\n'
    )
    text = CAMPAIGN.replace("n: 4", "n: 3").replace("cadical", "mine.yaml")
    written(tmp_path, text.replace("embedded", "native"))
    if user_value:
        monkeypatch.setenv(child_python.SAFE_PATH_VARIABLE, user_value)
    else:
        monkeypatch.delenv(child_python.SAFE_PATH_VARIABLE, raising=False)
    run(tmp_path, *BY_MODULE, "run", "campaign.yaml", "-o", "results", "--jobs", "1")
    records = (tmp_path / "results/results.jsonl").read_text()
    assert ("UNSATISFIABLE" in records) is (user_value is None)


@outside
def test_campaign_on_dask_imports_no_shadow(folder: Path) -> None:
    """Scheduler, nanny and worker are started in the folder, as in docs/campaigns.md."""
    need_dask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(child_python.SAFE_PATH_VARIABLE, "1")
        with scheduler(folder) as dask_cluster:
            dask_cluster.worker()
            patch.delenv(child_python.SAFE_PATH_VARIABLE)
            dask_cluster.settle()
            arguments = ("run", "campaign.yaml", "-o", "results", "--on", dask_cluster.address)
            run(folder, *BY_SCRIPT, *arguments)
    assert "SATISFIABLE" in (folder / "results/results.jsonl").read_text()
    assert shadows_imported(folder) == []


@outside
def test_campaign_on_slurm_imports_no_shadow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_dask()
    options = "jobs: 1, partition: main, walltime: '00:05:00', memory: 500, interface: lo"
    written(folder, f"{CAMPAIGN}cluster: {{{options}}}\n")
    with slurm() as configuration:
        monkeypatch.setenv("SLURM_CONF", str(configuration))
        run(folder, *BY_SCRIPT, "run", "campaign.yaml", "-o", "results", "--on", "slurm")
    assert "SATISFIABLE" in (folder / "results/results.jsonl").read_text()
    assert shadows_imported(folder) == []
