"""Helpers for tests of hostile specs."""

from __future__ import annotations

import json

BASE = {
    "title": "a test",
    "variables": {"X": {"for": "i in range(3)"}},
    "constraints": [{"clause": "X[0]"}],
}


def spec_file(tmp_path, **sections):
    """JSON is YAML."""
    path = tmp_path / "hostile.yaml"
    path.write_text(json.dumps({**BASE, **sections}))
    return path
