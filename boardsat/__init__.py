"""Board and graph problems as SAT formulas: build, solve, count, sample, explain, decode, check.

Functions take a problem by its name in the catalogue (``boardsat list`` prints it), by the path of
a file, or as a formula that `build` returned; parameters of a problem are keyword arguments.

Examples
--------
>>> import boardsat
>>> formula = boardsat.build("tour", "binary", n=8)
>>> print(boardsat.solve("queens", n=4).board_text)
. . Q .
Q . . .
. . . Q
. Q . .

Invalid input raises `InputError`, a solver that fails `SolverError`, and an answer that fails a
check `WrongAnswerError`; all are a `BoardsatError` with a message of one line. A time limit that is
reached raises nothing: the result has no board, model or count.

Importing boardsat takes a few milliseconds; the first function that is called loads NumPy and the
rest. Everything is typed.
"""

# Type checkers take a name like this for true; importing it from typing would cost more than all.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from boardsat.api import (
        BoardsatError,
        CheckResult,
        CountResult,
        DecodeResult,
        Explanation,
        Formula,
        InputError,
        SampleResult,
        SolverError,
        SolveResult,
        Status,
        WrongAnswerError,
        build,
        check,
        count,
        decode,
        explain,
        sample,
        solve,
    )

    __version__: str

__all__ = [
    "BoardsatError",
    "CheckResult",
    "CountResult",
    "DecodeResult",
    "Explanation",
    "Formula",
    "InputError",
    "SampleResult",
    "SolveResult",
    "SolverError",
    "Status",
    "WrongAnswerError",
    "__version__",
    "build",
    "check",
    "count",
    "decode",
    "explain",
    "sample",
    "solve",
]

# Type checkers would accept any name.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module 'boardsat' has no attribute {name!r}")
        if name == "__version__":
            from boardsat.version import version

            value = version()
        else:
            from boardsat import api

            value = getattr(api, name)
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
