"""SHA-256 of the file of every spec, in every format and with every transform, at two sizes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import yaml

from snapshot.sandbox import ROOT, environment, in_fork, scratch_folder

FORMATS = ("cnf", "wcnf", "opb", "knf")
TRANSFORMS = {
    "plain": (),
    "propagate": ("--propagate",),
    "three_cnf": ("--three-cnf",),
    "chain": ("--three-cnf", "chain"),
    "equivalences": ("--three-cnf", "equivalences"),
    "shuffle": ("--shuffle", "3"),
    "symmetry": ("--symmetry",),
    "show": ("--projection", "show"),
    "all": ("--propagate", "--three-cnf", "--shuffle", "2"),
}


def specs() -> list[str]:
    """Return PROBLEM/ENCODING of every spec of the catalogue."""
    files = sorted((ROOT / "specs").glob("*/*.yaml"))
    return [f"{path.parent.name}/{path.stem}" for path in files if path.stem != "problem"]


def sizes(problem: str) -> dict[str, list[str]]:
    """Return the options of a tiny and a small instance."""
    stored = yaml.load(
        (ROOT / f"tests/problems/{problem}.yaml").read_text("utf-8"), yaml.BaseLoader
    )
    settings = {"tiny": stored["tiny"], "small": stored["small"][0]}
    return {
        size: [word for key, value in chosen.items() for word in ("--set", f"{key}={_path(value)}")]
        for size, chosen in settings.items()
    }


def _path(value: str) -> str:
    return f"tests/{value}" if value.startswith("graphs/") else value


def record() -> dict[str, str]:
    """Return the hash of each file, or the error line where the combination is rejected."""
    entries: dict[str, str] = {}
    os.environ.clear()
    os.environ.update(environment())
    with scratch_folder():
        for spec in specs():
            for size, settings in sizes(spec.split("/")[0]).items():
                for form in FORMATS:
                    for transform, options in TRANSFORMS.items():
                        words = ["cnf", spec, *settings, *options, "--format", form]
                        entries[f"{spec} {size} {form} {transform}"] = _digest(words)
    return entries


def _digest(words: list[str]) -> str:
    code = in_fork(words)
    if code:
        return f"{code}: {Path('err').read_text('utf-8').strip()}"
    return hashlib.sha256(Path("out").read_bytes()).hexdigest()
