"""Small hostile inputs that need gigabytes, minutes or unlimited time if they are not rejected."""

from __future__ import annotations

import gzip
import json
import lzma
import socket
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench._measure import BOARDSAT, process
from boardsat.generators.dimacs.document import FORMAT

HEADER = f'c boardsat {{"format": {FORMAT}, "problem": "tour"}}\nc parameters {{"closed": true}}\n'
FORMULA = "p cnf 2 1\n1 2 0\n"
KNIGHT = {"shape": "grid", "rows": 8, "cols": 8, "moves": "knight"}
SPEC = {"title": "x", "variables": {"X": {}}, "constraints": [{"clause": "X"}]}
ENDLESS = (
    "DROP TABLE local; CREATE VIEW local AS WITH RECURSIVE c(x) AS "
    "(SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS hash, x AS value FROM c"
)
CAMPAIGN = {
    "title": "x",
    "authors": [{"given-names": "Ada", "family-names": "Lovelace"}],
    "license": "CC0-1.0",
    "solvers": ["cadical"],
    "runtime": "embedded",
}


@dataclass(frozen=True)
class Bomb:
    """Hostile input of a command, and its size in bytes."""

    arguments: tuple[str, ...]
    size: int
    environment: dict[str, str] = field(default_factory=dict)


def _file(folder: Path, name: str, data: str | bytes, *command: str) -> Bomb:
    """Return a command on one file, whose name replaces `{}`."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return Bomb(
        tuple(str(path) if argument == "{}" else argument for argument in command),
        path.stat().st_size,
    )


def _solved(folder: Path, text: str | bytes, ending: str = "") -> Bomb:
    return _file(folder, f"x.cnf{ending}", text, "solve", "{}", "--runtime", "embedded")


def _sized(folder: Path, **sections: object) -> Bomb:
    return _file(folder, "x.yaml", json.dumps(SPEC | sections), "size", "{}")


def edges(folder: Path) -> Bomb:
    """`c edges 0+500000000` in a comment."""
    board = json.dumps({"shape": "graph", "vertices": 30000, "first": 0})
    return _solved(folder, f"{HEADER}c board {board}\nc edges 0+500000000\n{FORMULA}")


def variables(folder: Path) -> Bomb:
    """`p cnf 2147483647 1`."""
    return _solved(folder, "p cnf 2147483647 1\n1 0\n")


def cells(folder: Path) -> Bomb:
    """Write a comment with a board of 10<sup>11</sup> cells."""
    board = json.dumps({"shape": "grid", "rows": 10**6, "cols": 10**5, "moves": [[1, 2]]})
    return _solved(folder, f"{HEADER}c board {board}\n{FORMULA}")


def comments(folder: Path) -> Bomb:
    """Write a .gz file with 25 million short comments."""
    return _solved(folder, gzip.compress(b"c x\n" * 25 * 10**6 + FORMULA.encode()), ".gz")


def lines(folder: Path) -> Bomb:
    """Write a .gz file with one clause over 100 million lines."""
    text = b"p cnf 1 1\n" + b"1\n" * 10**8 + b"0\n"
    bomb = _solved(folder, gzip.compress(text), ".gz")
    return Bomb((*bomb.arguments, "--lenient"), bomb.size)


def dictionary(folder: Path) -> Bomb:
    """Write an .xz file that requires a dictionary of 4 GB."""
    data = bytearray(lzma.compress(FORMULA.encode()))
    # After the 12 bytes of the stream's header: size, flags, filter, one property, the checksum.
    end = 12 + (data[12] + 1) * 4
    assert data[14:16] == b"\x21\x01"
    data[16] = 40
    data[end - 4 : end] = zlib.crc32(data[12 : end - 4]).to_bytes(4, "little")
    return _solved(folder, bytes(data), ".xz")


def proof(folder: Path) -> Bomb:
    """Write a proof with the variable 10<sup>9</sup>."""
    formula, answer = folder / "f.cnf", folder / "answer"
    formula.write_text("p cnf 1 2\n1 0\n-1 0\n")
    answer.write_text("s UNSATISFIABLE\n")
    text = f"{10**9} 0\n"
    return _file(folder, "proof", text, "check", str(formula), str(answer), "{}")


def tables(folder: Path) -> Bomb:
    """Write a spec of 60 tables."""
    text = "i * 7 % 3 for i in range(2000000)"
    return _sized(folder, define={f"t{k}": text for k in range(60)})


def registers(folder: Path) -> Bomb:
    """Write a spec with `lfsr(24)` 200 times."""
    return _sized(folder, board=KNIGHT, define={f"r{k}": "lfsr(24)" for k in range(200)})


def dense_graph(folder: Path) -> Bomb:
    """Write a graph6 file of a complete graph with 4,000 vertices."""
    vertices = 4000
    size = bytes(63 + (vertices >> shift & 63) for shift in (12, 6, 0))
    text = b"~" + size + b"~" * (vertices * (vertices - 1) // 12) + b"\n"
    path = folder / "x.g6"
    return _file(folder, path.name, text, "size", "colouring", "--set", f"graph={path}")


def _campaign(folder: Path, settings: dict[str, list[int]]) -> Bomb:
    instances = [{"problem": "queens", "set": settings}]
    text = json.dumps(CAMPAIGN | {"instances": instances})
    return _file(folder, "x.yaml", text, "archive", "create", str(folder / "archive"), "{}")


def instances(folder: Path) -> Bomb:
    """Write a campaign of 100 million instances."""
    return _campaign(folder, {"n": [*range(1, 10001)], "seed": [*range(10000)]})


def view(folder: Path) -> Bomb:
    """Write an archive whose database has an endless view."""
    from boardsat.archive import storage

    process([BOARDSAT, *_campaign(folder, {"n": [4]}).arguments])
    archive = folder / "archive"
    with closing(sqlite3.connect(archive / storage.DATABASE)) as connection:
        connection.executescript(ENDLESS)
    (archive / storage.MANIFEST).write_bytes(storage.manifest(archive))
    return Bomb(("archive", "verify", str(archive)), len(ENDLESS))


@contextmanager
def silent(folder: Path) -> Iterator[Bomb]:
    """Start an engine that accepts connections and never answers."""
    path = folder / "engine.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(100)
        arguments = ("solve", "queens", "-n", "4", "--runtime", "docker")
        yield Bomb(arguments, 0, {"DOCKER_HOST": f"unix://{path}"})


BOMBS: tuple[Callable[[Path], Bomb], ...] = (
    *(edges, variables, cells, comments, lines, dictionary),
    *(proof, tables, registers, dense_graph, instances, view),
)
