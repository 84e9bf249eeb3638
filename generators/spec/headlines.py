"""The top lines of a spec, such as its title and group, found without reading its YAML.

A list of all problems needs these alone, and reading sixty files in full would take longer than
anybody waits for a list. A test compares what is found with what the reader of specs reads.
"""

from __future__ import annotations

import json
import re

WANTED = ("title", "group", "about", "cite")

_ENTRY = re.compile(
    rf"^({'|'.join(WANTED)}):[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)", re.MULTILINE
)
_BLOCK = re.compile(r"[|>][-+]?$")


def headlines(text: str) -> dict[str, str]:
    """Each of them that is there, on one line."""
    return {key: _value(value) for key, value in _ENTRY.findall(text)}


def _value(text: str) -> str:
    first, *rest = text.split("\n")
    if _BLOCK.match(first.strip()):
        return " ".join(" ".join(rest).split())
    words = " ".join(text.split())
    if words.startswith('"') and words.endswith('"'):
        return str(json.loads(words))
    if words.startswith("'") and words.endswith("'"):
        return words[1:-1].replace("''", "'")
    return " ".join(" ".join(line.partition(" #")[0] for line in (first, *rest)).split())
