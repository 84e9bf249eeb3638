"""Results of a campaign: table of runs, rankings, page, and plots for a paper."""

from __future__ import annotations

from importlib import import_module

from boardsat.base.errors import InputError


def require_package(name: str, option: str) -> None:
    """Raise InputError if a package that an option needs is not installed."""
    try:
        import_module(name)
    except ImportError:
        raise InputError(
            f"{name} is not installed", "pip install 'boardsat[report]'", option
        ) from None
