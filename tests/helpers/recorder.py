"""Record outputs of solvers for the tests of dialects: python -m helpers.recorder NAME..."""

from __future__ import annotations

import sys
from pathlib import Path

from boardsat.adapters import solvers
from boardsat.adapters.dimacs.rewrite import write_canonical
from boardsat.adapters.proofs import ProofFile
from boardsat.adapters.runtimes import Task, load_runtime, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.instance.formula_file import open_formula
from helpers.solver_runs import with_program

FOLDER = Path(__file__).parents[1] / "recorded"

# Options that let a solver give up soon; the output of a solver stopped by boardsat is not parsed.
GIVE_UP_OPTIONS = {
    "cadical": "-c 10",
    "clasp": "--solve-limit=10",
    "clingo": "--solve-limit=10",
    "cryptominisat": "--maxconfl=10",
    "kissat": "--conflicts=10",
    "minisat": "-cpu-lim=1",
}


def record(name: str, case: str, task: Task, options: str = "") -> None:
    """Run a solver, and store its output in the folder of recorded outputs."""
    solver = solvers.load(name)
    runtime = select_runtime(solver)
    assert solver.program is not None
    command = solver.program.command.replace("{{ program }}", f"{{{{ program }}}} {options}")
    outcome = load_runtime(runtime).run(with_program(solver, command=command), task)
    version = load_runtime(runtime).version(solver)
    heading = f"# {name} {version}, {runtime}, exit code {outcome.exit_code}: "
    text = heading + " ".join(outcome.command) + "\n"
    output = b"".join(outcome.output.pieces())
    (FOLDER / f"{name}-{case}.txt").write_bytes(text.encode() + output)


def main(names: list[str]) -> None:
    for name in names:
        solver = solvers.load(name)
        if "check" in solver.capabilities:
            for case in ("verified", "refuted"):
                kind = solver.proof_formats[-1]
                proof = str(FOLDER / f"{case}.{kind.removesuffix('-text')}")
                task = Task(file("unsat"), proof=ProofFile(proof, kind, is_input=True))
                record(name, case, task)
        if "decide" in solver.capabilities:
            for case in ("sat", "unsat"):
                record(name, case, Task(file(case, solver), statistics=True))
        if name in GIVE_UP_OPTIONS:
            record(
                name, "limit", Task(file("limit", solver), statistics=True), GIVE_UP_OPTIONS[name]
            )
        if solver.is_counter:
            for case, counted in (("sat", "counted"), ("unsat", "zero")):
                problem = open_formula(file(case))
                projection = problem.projection().tolist()
                with write_canonical(
                    problem.summary,
                    problem.path,
                    projection=projection,
                    projection_keyword=solver.projection,
                ) as path:
                    record(name, counted, Task(path, seed=1, count=True))


def file(case: str, solver: Solver | None = None) -> str:
    """Return the path of the formula of a case, or of its logic program."""
    extension = "lp" if solver and solver.input_format == "program" else "cnf"
    return str(FOLDER / f"{case}.{extension}")


if __name__ == "__main__":
    programs = [name for name in solvers.names() if solvers.load(name).program]
    main(sys.argv[1:] or programs)
