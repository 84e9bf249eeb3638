"""Reference of the Python interface at the end of docs/python.md, generated from its docstrings.

`python docs/site/python_reference.py` updates it after a docstring of the interface was changed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from inspect import Parameter, Signature
from pathlib import Path
from types import FunctionType

import boardsat

PAGE = Path(__file__).parents[1] / "python.md"
HEADING = "## Reference\n"
INTRODUCTION = """
Output of `help()`, generated from the docstrings by `python docs/site/python_reference.py`.
"""
SECTION = re.compile(r"^(\w+)\n-+\n", re.M)
"""Heading of a section of a docstring in NumPy's style."""


def updated_page(page: str) -> str:
    """Return the page with the reference generated anew."""
    guide = page.partition(HEADING)[0]
    return guide + "\n".join([HEADING + INTRODUCTION, *map(_section, _public_names())])


def _public_names() -> list[str]:
    """Return the names of functions, then those of classes, then those of exceptions."""

    def order(name: str) -> tuple[bool, bool, str]:
        member = getattr(boardsat, name)
        is_class = isinstance(member, type)
        return is_class, is_class and issubclass(member, Exception), name

    return sorted(set(boardsat.__all__) - {"__version__"}, key=order)


def _section(name: str) -> str:
    member = getattr(boardsat, name)
    if not isinstance(member, type):
        return "\n".join([f"### boardsat.{name}\n", *_entry(name, member)])
    lines = [f"### boardsat.{name}\n", *_docstring(member)]
    for attribute, function in _members(member):
        lines += [f"#### {name}.{attribute}\n", *_entry(attribute, function)]
    return "\n".join(lines)


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of a class, inherited ones too."""
    for name, member in inspect.getmembers(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        is_ours = owner.__module__.startswith("boardsat.")
        if is_ours and not name.startswith("_") and isinstance(member, FunctionType | property):
            yield name, member


def _entry(name: str, member: object) -> Iterator[str]:
    """Yield the signature of a function, without types, and its docstring."""
    if isinstance(member, FunctionType):
        parameters = [
            parameter.replace(annotation=Parameter.empty)
            for parameter in inspect.signature(member).parameters.values()
            if parameter.name != "self"
        ]
        signature = str(Signature(parameters)).replace("'", '"')
        yield f'```python title="signature"\n{name}{signature}\n```\n'
    yield from _docstring(member)


def _docstring(member: object) -> Iterator[str]:
    """Yield the sections of a docstring as Markdown."""
    description, *sections = SECTION.split(inspect.getdoc(member) or "")
    yield _prose(description) + "\n"
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        if title == "Examples":
            yield f"```pycon\n{text.strip()}\n```\n"
        else:
            yield f"**{title}**\n\n{_fields(text)}"


def _fields(text: str) -> str:
    """Return a list of parameters, attributes, results or exceptions."""
    lines = []
    for head, description in re.findall(r"^(\S.*)\n((?:[ \n].*\n?)*)", text, re.M):
        name, _, kind = head.rpartition(" : ")
        label = f"`{name}` ({_prose(kind)})" if name else f"`{kind}`"
        lines.append(f"- {label}: {_prose(description)}\n")
    return "".join(lines)


def _prose(text: str) -> str:
    """Return paragraphs and list items as Markdown, one line each; code is in single backquotes."""
    one_line = re.sub(r"(?<=\S)\n *(?!- |\n)(?=\S)", " ", text.strip())
    parts = re.split(r"(`[^`]+`)", one_line.replace("``", "`"))
    parts[::2] = [re.sub(r"([*<|\[\]{}])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(updated_page(PAGE.read_text("utf-8")), "utf-8")
