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
    import sys

    class _Package(type(sys)):
        """Module whose functions `solve`, `count` and `sample` hide the packages of these names.

        The import system sets a package as an attribute of its parent. `import boardsat.count.x`
        would replace the function boardsat.count; `from boardsat.count import x` finds the package.
        """

        def __setattr__(self, name, value):
            if name not in __all__ or type(value) is not type(sys):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Package

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
