"""Solver description files: rejected, or every template gives a command line."""

from __future__ import annotations

from boardsat.adapters import solvers
from boardsat.adapters.solvers.command_templates import SAMPLE_VARIABLES
from fuzz.judging import scratch
from fuzz.target import Target

TOKENS = (
    *("title", "dialect", "can", "program", "command", "embedded", "incremental", "version"),
    *("image", "package", "library", "reads", "projection", "problems", "trial", "decide", "prove"),
    *("{{ file }}", "{{ seed }}", "{% if seed %}", "{% endif %}", "{% for i in range(9) %}"),
    *("{{ 'a' * 3000000000 }}", "{{ cycler.__init__ }}", "{{ 9 ** 9 ** 9 }}", "{{ 1 / 0 }}"),
    *(
        "{{ [1] * 99 }}",
        "{{ file | upper }}",
        "{{ self }}",
        "{% macro x() %}",
        "{{ x.y }}",
        "'",
        '"',
    ),
)
MAX_BYTES = 100_000


def seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted(solvers.FOLDER.glob("*.yaml"))]


def check(data: bytes) -> None:
    path = scratch() / "input.yaml"
    path.write_bytes(data)
    solver = solvers.load(str(path))
    variables = {
        key: value for key, value in SAMPLE_VARIABLES.items() if key not in ("program", "library")
    }
    for seed in (None, 2**64):
        all_variables = {**variables, "seed": seed, "file": "it's; rm -rf *", "proof": "$(x)"}
        for line in (
            solver.command_line(**all_variables),
            solver.embedded_line(**all_variables),
            solver.incremental_line(**all_variables),
            solver.version_line() or (),
        ):
            assert sum(map(len, line)) < MAX_BYTES
            assert not {"rm", "-rf", "*"} & {*line}, "the name of a file became words"
    for runtime in solver.runtimes:
        solver.takes_seed(runtime)


TARGET = Target(seeds, check, tokens=TOKENS)
