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


def _signature(public: object) -> str:
    if isinstance(public, property):
        return f"property {public.fget.__annotations__ if public.fget else {}}"
    try:
        return str(inspect.signature(public))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return type(public).__name__
