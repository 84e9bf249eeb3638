"""HTML templates with a shared style and shared scripts, without external files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template


def page_template(name: str, room: str = "boardsat.campaign.report") -> Template:
    """A template of a room, which may include what is shared here."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(room), PackageLoader("boardsat.campaign.report")]),
        autoescape=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(name)


def script_data(value: Any) -> str:
    """JSON that can stand in a script element: nothing in it ends the element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
