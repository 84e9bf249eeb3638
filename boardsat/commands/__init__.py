"""Commands, one module each: docstring (the help), `add_arguments` (the options) and `run`."""

from __future__ import annotations

from boardsat.base.registry import Registry

_registry = Registry(__name__, "command")
names, load = _registry.names, _registry.load

ALIASES = {"why": "explain"}
"""Other names of commands."""
