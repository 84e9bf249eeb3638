"""Start of small commands: CPU time of the process tree, beside the import of NumPy."""

from __future__ import annotations

import statistics

from bench._measure import BOARDSAT, PYTHON, Row, process, scratch

REPETITIONS = 30
NUMPY_SECONDS = 0.058
"""CPU time of `import numpy` on the machine of the aims, which are scaled by it."""


def run() -> list[Row]:
    """Each command in turn, so that all of them meet the same machine."""
    with scratch() as folder:
        target = str(folder / "tour.cnf")
        commands = {
            "--help": (["--help"], 0.045),
            "cnf tour --enc unary -n 8": (
                ["cnf", "tour", "--enc", "unary", "-n", "8", "-o", target],
                0.11,
            ),
            "solve tour -n 8 --runtime embedded": (
                ["solve", "tour", "-n", "8", "--runtime", "embedded"],
                0.15,
            ),
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        numpy = []
        for _ in range(REPETITIONS):
            library = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import numpy"
            numpy.append(process([PYTHON, "-c", library]).cpu)
            for name, (words, _) in commands.items():
                times[name].append(process([BOARDSAT, *words], good=(0, 10)).cpu)
    base = statistics.median(numpy)
    return [
        Row(
            f"{name}, CPU (median), and `import numpy` alone",
            f"{(median := statistics.median(times[name])):.3f} s",
            f"{base:.3f} s",
            ratio=f"{median / base:.1f} times",
            target=f"at most {aim} s where `import numpy` takes {NUMPY_SECONDS} s",
            met=median / base <= aim / NUMPY_SECONDS,
        )
        for name, (_, aim) in commands.items()
    ]
