"""Reports of a campaign: table of runs, rankings, HTML page, and plots for a paper."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from jinja2 import Template


def require_package(name: str, option: str) -> None:
    """Raise InputError if a package that an option needs is not installed."""
    try:
        import_module(name)
    except ImportError:
        raise InputError(
            f"{name} is not installed", "pip install 'boardsat[report]'", option
        ) from None


def page_template(name: str, package: str = "boardsat.campaign.report") -> Template:
    """Return an HTML template of a package.

    The template may include the styles and scripts in `boardsat.campaign.report`.

    Pages have no external files, so that one file is the whole page.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("boardsat.campaign.report")]),
        autoescape=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(name)


def script_json(content: Any) -> str:
    """Return JSON for a script element: escaped, so that nothing in it ends the element."""
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
