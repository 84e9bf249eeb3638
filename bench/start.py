"""A small file, the unary encoding of the 8x8 tour: wall time of the whole process."""

from __future__ import annotations

from bench._measure import BOARDSAT, PYTHON, Row, process, scratch

TARGET = 0.4
REPETITIONS = 15


def run() -> list[Row]:
    """Beside it, what Python takes to start and to import the libraries."""
    libraries = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import jinja2, numpy, yaml"
    with scratch() as folder:
        target = str(folder / "tour.cnf")
        ours = [BOARDSAT, "cnf", "tour", "--enc", "unary", "-n", "8", "-o", target]
        theirs = [PYTHON, "-c", libraries]
        runs = [(process(ours), process(theirs)) for _ in range(REPETITIONS)]
    walls = [min(run.wall for run in column) for column in zip(*runs, strict=True)]
    cpus = [min(run.cpu for run in column) for column in zip(*runs, strict=True)]
    return [
        Row(
            "unary 8x8, wall (CPU), and imports alone",
            f"{walls[0]:.2f} s ({cpus[0]:.2f} s)",
            f"{walls[1]:.2f} s ({cpus[1]:.2f} s)",
            ratio=f"{cpus[0] / cpus[1]:.1f} times",
            target=f"at most {TARGET} s",
            met=walls[0] <= TARGET,
        )
    ]
