"""Call paths: own stack frames and modules from `cli.main` to the call of a runtime.

`python -m bench.call_paths` prints the paths of cnf (to the writer of its file), solve, count and
run as chains of module:function. A profile function (sys.setprofile) records the stack at the first
call of the target. Frames are counted with `main` and the target, modules without theirs; the
standard library and other packages are not counted. The path of `run` goes on in the worker process
that it starts.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench._measure import Row

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("generators", "adapters", "boardsat")
RUNTIME = ("run", "/adapters/runtimes/")
WRITER = ("write_file", "/base/files.py")
"""Targets of paths: a function, and a part of the path of its module."""

CNF = "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
CAMPAIGN = """\
encodings: [squares]
instances:
  - {problem: queens, set: {n: [4]}}
solvers: [cadical]
runtime: embedded
"""
COMMANDS = {
    "cnf": "cnf queens -n 4 -o queens.cnf",
    "solve": "solve plain.cnf --runtime embedded",
    "count": "count plain.cnf --counter enumeration --runtime embedded",
    "run": "run campaign.yaml --jobs 1 -o results",
}
MAX_FRAMES_AND_MODULES = {"solve": (9, 5)}
"""Largest numbers of frames and modules of a path."""

Chain = list[str]
"""Calls as module:function, the outermost first."""


class Recorder:
    """Profile function: appends the chain of the first call of a target to a file."""

    def __init__(self, file: str, target: tuple[str, str] = RUNTIME) -> None:
        self.file = file
        self.function, self.folder = target

    def start(self) -> None:
        threading.setprofile(self)
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name == self.function and self.folder in code.co_filename:
            self.record(frame)

    def record(self, frame: FrameType) -> None:
        """Append the chain that leads to a frame, and stop."""
        threading.setprofile(None)
        sys.setprofile(None)
        with Path(self.file).open("a", encoding="utf-8") as file:
            file.write(f"{' '.join(chain_to(frame))}\n")


def chain_to(target: FrameType) -> Chain:
    """Return the calls from `main` of the command line, or of a worker, to a frame."""
    calls: Chain = []
    frame: FrameType | None = target
    while frame is not None:
        module, name = module_name(frame.f_code.co_filename), frame.f_code.co_qualname
        calls += [f"{module}:{name}"] if module else []
        if module and name == "main":
            break
        frame = frame.f_back
    return calls[::-1]


def module_name(filename: str) -> str:
    """Return the dotted name of a module of ours. Empty for any other file."""
    path = os.path.realpath(filename)
    name = os.path.relpath(path, ROOT).removesuffix(".py").replace(os.sep, ".")
    return name if name.partition(".")[0] in PACKAGES else ""


def trace_command(file: str, arguments: Sequence[str]) -> None:
    """Run a command in this process, and record its path and those of its worker processes."""
    from boardsat.cli import main

    recorder = Recorder(file, WRITER if arguments[0] == "cnf" else RUNTIME)
    _trace_workers(recorder)
    recorder.start()
    main(arguments)


def trace_module(file: str, module: str) -> None:
    """Run a module as `python -m` does, and record its path."""
    del sys.argv[1:]
    Recorder(file).start()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _trace_workers(recorder: Recorder) -> None:
    """Record the path to the start of a worker process, and let the worker record its own."""
    start = subprocess.Popen.__init__

    def traced(self: Any, command: Any, *args: Any, **options: Any) -> None:
        argv = list(command)
        if "-m" in argv and argv[argv.index("-m") + 1].startswith("boardsat.campaign"):
            recorder.record(sys._getframe(1))
            at = argv.index("-m")
            code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
            code += "from bench.call_paths import trace_module; "
            argv[at:] = ["-c", f"{code}trace_module({recorder.file!r}, {argv[at + 1]!r})"]
        start(self, argv, *args, **options)

    subprocess.Popen.__init__ = traced  # type: ignore[method-assign, assignment]


def paths_of(command: str) -> list[Chain]:
    """Return the chains of a command: of its own process, and of its first worker."""
    from bench._measure import PYTHON, scratch

    with scratch() as folder:
        (folder / "plain.cnf").write_text(CNF)
        (folder / "campaign.yaml").write_text(CAMPAIGN)
        file = folder / "chains"
        code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        code += "from bench.call_paths import trace_command; "
        code += f"trace_command({str(file)!r}, {COMMANDS[command].split()!r})"
        outcome = subprocess.run(
            [PYTHON, "-c", code], cwd=folder, capture_output=True, text=True, check=False
        )
        if not file.exists():
            raise RuntimeError(f"{command}: the target was not called: {outcome.stderr}")
        return [line.split() for line in file.read_text("utf-8").splitlines()]


def modules(chain: Chain) -> int:
    """Return the number of modules between those of both ends."""
    names = [call.partition(":")[0] for call in chain]
    return len({*names} - {names[0], names[-1]})


def run() -> list[Row]:
    from bench._measure import Row

    rows = []
    for command in COMMANDS:
        chain = paths_of(command)[0]
        figures = (len(chain), modules(chain))
        bounds = MAX_FRAMES_AND_MODULES.get(command)
        rows.append(
            Row(
                f"call path of {command}, frames and modules",
                " / ".join(map(str, figures)),
                target="at most " + " / ".join(map(str, bounds)) if bounds else "",
                met=all(a <= b for a, b in zip(figures, bounds, strict=True)) if bounds else None,
            )
        )
    return rows


def main() -> None:
    for command, arguments in COMMANDS.items():
        for chain in paths_of(command):
            print(f"{arguments}: {len(chain)} frames, {modules(chain)} modules")
            print("\n".join(f"  {call}" for call in chain))


if __name__ == "__main__":
    main()
