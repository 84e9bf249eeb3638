"""SHA-256 of the file of every spec, in every format and with every transform, at two sizes.

The lines that are not comments have a hash of their own, which a new header leaves as it is.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import yaml

from snapshot.sandbox import ROOT, Entry, environment, in_fork, scratch_folder

FORMATS = ("cnf", "wcnf", "opb", "knf")
TRANSFORMS = {
    "plain": (),
    "propagate": ("--propagate",),
    "three_cnf": ("--three-cnf",),
    "chain": ("--three-cnf", "chain"),
    "equivalences": ("--three-cnf", "equivalences"),
    "shuffle": ("--shuffle", "3"),
    "symmetry": ("--break-symmetry",),
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
        size: [
            token for key, value in chosen.items() for token in ("--set", f"{key}={_path(value)}")
        ]
        for size, chosen in settings.items()
    }


def _path(value: str) -> str:
    return f"tests/{value}" if value.startswith("graphs/") else value


def record() -> dict[str, Entry]:
    """Return the hashes of each file, or the error line where the combination is rejected."""
    entries: dict[str, Entry] = {}
    os.environ.clear()
    os.environ.update(environment())
    with scratch_folder():
        for spec in specs():
            for size, settings in sizes(spec.split("/")[0]).items():
                for form in FORMATS:
                    for transform, options in TRANSFORMS.items():
                        arguments = ["cnf", spec, *settings, *options, "--format", form]
                        entries[f"{spec} {size} {form} {transform}"] = _digests(arguments)
    return entries


def _digests(arguments: list[str]) -> Entry:
    code = in_fork(arguments)
    if code:
        return {"code": code, "err": Path("err").read_text("utf-8").strip()}
    data = Path("out").read_bytes()
    body = [line for line in data.split(b"\n") if not line.startswith((b"c ", b"* "))]
    return {
        "file": hashlib.sha256(data).hexdigest(),
        "body": hashlib.sha256(b"\n".join(body)).hexdigest(),
    }
