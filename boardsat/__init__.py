"""Boards to CNF and back: `import boardsat` is the entrance for programs (docs/python.md).

import boardsat

formula = boardsat.build("tour", "binary", n=8)
print(boardsat.solve("tour", n=8))

Nothing is loaded before it is used. The rest of this package is the command line, and the workflows
that join generators and adapters.
"""

# Type checkers take a name like this for true; importing it from typing would cost more than all.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from boardsat.api import (
        BoardsatError,
        Checked,
        Counted,
        Decoded,
        Explanation,
        Formula,
        InputError,
        Sampled,
        Solved,
        SolverError,
        Status,
        WrongAnswerError,
        build,
        check,
        count,
        decode,
        sample,
        solve,
        svg,
        why,
    )

    __version__: str

__all__ = [
    "BoardsatError",
    "Checked",
    "Counted",
    "Decoded",
    "Explanation",
    "Formula",
    "InputError",
    "Sampled",
    "Solved",
    "SolverError",
    "Status",
    "WrongAnswerError",
    "__version__",
    "build",
    "check",
    "count",
    "decode",
    "sample",
    "solve",
    "svg",
    "why",
]

# Type checkers would believe that there is everything.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module 'boardsat' has no attribute {name!r}")
        if name == "__version__":
            from boardsat.version import version

            found = version()
        else:
            from boardsat import api

            found = getattr(api, name)
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
