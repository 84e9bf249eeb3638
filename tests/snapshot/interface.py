"""Signatures of the Python interface, and the keys of its results' JSON."""

from __future__ import annotations

import inspect


def record() -> dict[str, str]:
    """Return the signature of every public name, and of the public members of each class."""
    import boardsat

    entries = {}
    for name in boardsat.__all__:
        if name == "__version__":
            continue
        public = getattr(boardsat, name)
        entries[name] = _signature(public)
        if inspect.isclass(public):
            for member in dir(public):
                if not member.startswith("_"):
                    entries[f"{name}.{member}"] = _signature(inspect.getattr_static(public, member))
    return entries


def _signature(thing: object) -> str:
    if isinstance(thing, property):
        return f"property {thing.fget.__annotations__ if thing.fget else {}}"
    try:
        return str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return type(thing).__name__
