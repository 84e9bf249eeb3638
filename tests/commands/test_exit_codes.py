"""The edge of the command line: exit codes, closed streams, and faults of our own."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import re
import subprocess
import sys
import tempfile

import pytest
from helpers import processes
from helpers.formulas import mostly_slow

from boardsat import cli, commands
from boardsat.commands import size

PROGRAM = f"{sys.executable} -m boardsat"


def bash(script: str) -> subprocess.CompletedProcess[str]:
    return processes.run(["bash", "-c", script], capture_output=True, text=True)


@pytest.mark.parametrize("name", commands.names())
def test_help_of_every_command_lists_exit_codes(name, boardsat):
    outcome = boardsat("help", name)
    assert outcome.code == 0
    assert outcome.out == boardsat(name, "--help").out
    epilog = outcome.out.decode().partition("\nexit codes:\n")[2]
    listed = dict(re.findall(r"^ +(\d+)  (\S.*)$", epilog, re.M))
    assert {"0", "2", "70", "130"} - listed.keys() <= {"0"} and len(listed) > 3
    assert {str(code) for code in commands.load(name).EXIT_CODES} <= listed.keys()
    assert "exit code" not in commands.load(name).__doc__, "said twice"


@pytest.mark.parametrize("action", ["create", "verify", "submit"])
def test_help_accepts_subcommands(action, boardsat):
    outcome = boardsat("help", "archive", action)
    assert outcome.out == boardsat("archive", action, "--help").out
    assert b"exit codes:" in outcome.out and f"boardsat archive {action}".encode() in outcome.out


def test_help_without_command_lists_all(boardsat):
    text = boardsat("help").out
    assert text == boardsat("--help").out
    assert all(name.encode() in text for name in [*commands.names(), "--version"])


def test_version_option_prints_the_package_version(boardsat):
    outcome = boardsat("--version")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.decode() == f"boardsat {importlib.metadata.version('boardsat')}\n"


def test_internal_error_exits_70_and_saves_traceback(boardsat, monkeypatch, tmp_path):
    def fails(options):
        raise RuntimeError("a planted fault\n\033[31m")

    monkeypatch.setattr(size, "run", fails)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    outcome = boardsat("size", "queens", "-n", 5)
    assert (outcome.code, outcome.out) == (70, b"")
    assert outcome.err.count("\n") == 1 and outcome.err.rstrip("\n").isprintable()
    (saved,) = tmp_path.iterdir()
    assert "RuntimeError: a planted fault" in outcome.err and str(saved) in outcome.err
    text = saved.read_text()
    assert "in fails" in text and "a planted fault" in text and "['size', 'queens'" in text


def test_internal_error_without_temporary_folder_prints_traceback(boardsat, monkeypatch):
    def fails(options):
        raise RuntimeError("planted")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(size, "run", fails)
    monkeypatch.setattr(tempfile, "mkstemp", full)
    outcome = boardsat("size", "queens")
    assert outcome.code == 70 and "planted" in outcome.err and "Traceback" in outcome.err


def test_broken_pipe_of_another_stream_is_an_error(boardsat, monkeypatch):
    """A reader that has seen enough closes standard output, no other stream."""

    def fails(options):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(size, "run", fails)
    outcome = boardsat("size", "queens")
    assert outcome.code == 2 and "Broken pipe" in outcome.err


@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
def test_command_works_with_closed_streams(closed):
    """The solver runs beside it, over pipes that must not get their numbers."""
    outcome = bash(f"{PROGRAM} solve queens -n 4 --runtime embedded {closed}")
    assert outcome.returncode == 10, outcome.stderr
    assert outcome.stdout.startswith("SATISFIABLE") and "checked: model, board" in outcome.stdout
    assert outcome.stderr == ""


UNREADABLE = ["2>&-", "2>/dev/full", "2> >(exec true)", "<&- >&- 2>&-"]


@pytest.mark.parametrize("errors", mostly_slow(UNREADABLE, UNREADABLE[:1]))
def test_error_with_closed_stderr_keeps_exit_code(errors):
    outcome = bash(f"{PROGRAM} solve queens -n 3 --enc nothing {errors}")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (2, "", "")
    outcome = bash(f"{PROGRAM} size queens --nonsense {errors}")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (2, "", "")


def test_full_stderr_does_not_stop_the_work(tmp_path):
    file = tmp_path / "x.cnf"
    file.write_text("p cnf 1 1\n1 0\n")
    arguments = f"validate {file} --solvers minisat --runtime embedded --results {tmp_path}/r"
    outcome = bash(f"{PROGRAM} {arguments} 2>/dev/full")
    assert outcome.returncode == 0 and outcome.stdout.startswith("AGREE"), outcome.stdout


def test_closed_stdin_is_an_empty_answer(tmp_path):
    file = tmp_path / "x.cnf"
    file.write_text("p cnf 1 1\n1 0\n")
    outcome = bash(f"{PROGRAM} decode {file} <&-")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr.count("\n") == 1 and "the answer has no model" in outcome.stderr


COMPLETED = {
    "boardsat so": ["solve", "solvers"],
    "boardsat validate tour --enc binary,un": ["binary,unary", "binary,undirected"],
    "boardsat solve tour --sol": ["--solver"],
    "boardsat list tour/un": ["tour/unary", "tour/undirected"],
    "boardsat count queens --counter appr": ["approxmc"],
}


@pytest.mark.parametrize(
    "line, completions",
    mostly_slow(COMPLETED.items(), [*COMPLETED.items()][:2]),
)
def test_completion_offers_commands_problems_and_options(line, completions, tmp_path):
    target = tmp_path / "words"
    request = {
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
        "_ARGCOMPLETE": "1",
    }
    reply = {"_ARGCOMPLETE_STDOUT_FILENAME": str(target), "_ARGCOMPLETE_IFS": "\n"}
    outcome = processes.run(
        [sys.executable, "-m", "boardsat"],
        env={**os.environ, **request, **reply},
        capture_output=True,
    )
    assert (outcome.stdout, outcome.stderr) == (b"", b"")
    # One word alone is whole, and has a space after it.
    assert (
        sorted(completion.strip() for completion in target.read_text().splitlines()) == completions
    )


# Below 5 Python itself does not start in an environment with an editable install.
@pytest.mark.parametrize(
    ("limit", "arguments"),
    mostly_slow(
        [
            (limit, arguments)
            for limit in (*range(5, 31), cli.MIN_OPEN_FILES - 1)
            for arguments in ("solve queens -n 6", "count queens -n 4", "list")
        ],
        [(10, "solve queens -n 6"), (5, "list")],
    ),
)
def test_limit_of_open_files_below_the_minimum_is_one_line(limit, arguments):
    outcome = bash(f"ulimit -n {limit}; {PROGRAM} {arguments}")
    fault = f"the limit of open files must be at least {cli.MIN_OPEN_FILES} (got {limit})"
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == f"boardsat: ulimit -n: {fault}\n"


def test_limit_of_open_files_that_can_be_raised_has_a_remedy_that_works():
    refused = bash(f"ulimit -Sn 10; {PROGRAM} list")
    remedy = re.search(r"; run `(.+)` first\n$", refused.stderr)
    assert refused.returncode == 2 and remedy
    assert bash(f"ulimit -Sn 10; {remedy[1]}; {PROGRAM} list").returncode == 0


@pytest.mark.parametrize("arguments", mostly_slow(["solve", "count"], ["solve"]))
def test_minimum_of_open_files_is_enough(arguments):
    outcome = bash(f"ulimit -n {cli.MIN_OPEN_FILES}; {PROGRAM} {arguments} queens -n 4")
    assert outcome.returncode in (0, 10) and outcome.stderr == ""


def test_open_files_that_run_out_are_one_line_with_a_remedy(boardsat, monkeypatch):
    def fails(options):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(size, "run", fails)
    outcome = boardsat("size", "queens")
    assert outcome.code == 2
    assert outcome.err == (
        "boardsat: system: Too many open files; raise the limit of open files (ulimit -n)\n"
    )
