"""Campaigns: refused, or a list of instances whose recipes survive being written and read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from archives import GRAPHS, SMALL

from boardsat.archive.campaign import MOST_INSTANCES, read_campaign
from boardsat.archive.contents.recipe import Recipe
from fuzz.judging import scratch
from fuzz.target import Target

SHIPPED = Path(__file__).parents[3] / "docs" / "campaigns"
WORDS = (
    *("title:", "authors:", "instances:", "problem:", "encoding:", "set:", "solvers:", "counters:"),
    *(
        "runtime:",
        "seed:",
        "limits:",
        "timeout:",
        "memory:",
        "three_cnf:",
        "shuffle:",
        "projection:",
    ),
    *("tour", "queens", "hamilton", "graph:", "[3, 4]", "{n: 4}", "../x.yaml", "/etc/passwd", "- "),
)


def seeds() -> list[bytes]:
    return [SMALL.encode(), *(path.read_bytes() for path in sorted(SHIPPED.glob("*.yaml")))]


def check(data: bytes) -> None:
    folder = scratch() / "campaign"
    if not folder.exists():
        folder.mkdir()
        shutil.copy(GRAPHS / "triangle.txt", folder)
    path = folder / "input.yaml"
    path.write_bytes(data)
    planned = read_campaign(path).instances(folder)
    assert 0 < len(planned) <= MOST_INSTANCES
    for each in planned[:20]:
        assert each.place.isprintable()
        assert Recipe.from_json(json.loads(json.dumps(each.recipe.as_json()))) == each.recipe


TARGET = Target(seeds, check, words=WORDS)
