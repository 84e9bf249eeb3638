"""The command lines in solver files: templates, the words that they know, and their checks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from boardsat.adapters.accuracy import DELTA, EPSILON
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.solvers.template_language import ForbiddenError, Template

LONGEST = 4000
"""Characters of a template."""

SAMPLE: Mapping[str, object] = {
    "program": "program",
    "library": "library",
    "file": "formula.cnf",
    "proof": None,
    "kind": None,
    "seed": None,
    "seconds": 60,
    "count": False,
    "epsilon": EPSILON,
    "delta": DELTA,
    "models": 1,
    "samples": 1,
    "heuristic": None,
    "cuts": "cuts.json",
    "statistics": False,
}
"""All words that templates know, as they are when little is asked for."""

_ALSO: Mapping[str, object] = {
    "seed": 1,
    "count": True,
    "proof": "proof",
    "kind": "drat",
    "heuristic": "vsids",
    "statistics": True,
}
"""The same when everything is."""

_PLAIN = re.compile(r"[A-Za-z0-9 @%_+=:,./-]*")
"""A line without quotes and the like."""

_FAULTS = (
    *(ArithmeticError, LookupError, MemoryError, RecursionError),
    *(SyntaxError, TypeError, ValueError),
)


def render(text: str, words: Mapping[str, object]) -> tuple[str, ...]:
    """The words of a command line; a word that is inserted stays one."""
    with _one_line():
        quoted = {k: shlex.quote(v) if isinstance(v, str) else v for k, v in words.items()}
        line = _read(text).render(quoted)
        if "\0" in line:
            raise ValueError("a zero byte, which no command line can have")
        # By itself it looks at each character, at every run.
        return tuple(line.split() if _PLAIN.fullmatch(line) else shlex.split(line))


def names_in(text: str) -> set[str]:
    """The words that a template uses."""
    return _read(text).names


def check(text: str) -> tuple[str, ...]:
    """What a template gives for a sample; an error in one line if it gives nothing."""
    if len(text) > LONGEST:
        raise AdapterError(f"{len(text):,} characters", f"at most {LONGEST:,} is the limit")
    with _one_line():
        strange = names_in(text) - SAMPLE.keys()
    if strange:
        raise AdapterError(f"a broken template: {min(strange)!r} is undefined", _words())
    for words in ({**SAMPLE, **_ALSO}, SAMPLE):
        line = render(text, words)
        _refuse_quotes(text, words)
    if not line:
        raise AdapterError("an empty command line", _words())
    return line


def _refuse_quotes(text: str, words: Mapping[str, object]) -> None:
    """A value that is inserted inside quotes would not stay one word."""
    texts = [key for key, word in words.items() if isinstance(word, str)]
    plain = {key: f"_word_{key}_" for key in texts}
    odd = {key: f"a '{key}\" b" for key in texts}
    expected = render(text, {**words, **plain})
    for key in texts:
        expected = tuple(word.replace(plain[key], odd[key]) for word in expected)
    if render(text, {**words, **odd}) != expected:
        raise AdapterError("a value inside quotes", "leave the quotes out: it stays one word")


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except ForbiddenError as error:
        raise AdapterError(error.msg, "only insert values and use `if`") from None
    except _FAULTS as error:
        fault = error.msg if isinstance(error, SyntaxError) else str(error)
        raise AdapterError(f"a broken template: {fault[:200]}", _words()) from None


def _words() -> str:
    return f"the words are: {', '.join(SAMPLE)}"


# A campaign asks before each of its runs.
@cache
def _read(text: str) -> Template:
    return Template(text)
