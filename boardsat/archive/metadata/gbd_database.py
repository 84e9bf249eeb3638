"""The database that `gbd` (PyPI gbd-tools) opens: SQLite, keyed by the GBD hash.

GBD wants a table `features` with one row a hash and a column for each feature of one value, and a
table `NAME(hash, value)` for each feature of several, to which a column NAME of `features` refers.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence

from boardsat.archive.instance_record import InstanceRecord

RESULTS = {
    "SATISFIABLE": "sat",
    "OPTIMUM": "sat",
    "UNSATISFIABLE": "unsat",
    "UNKNOWN": "unknown",
}
"""As GBD's own databases write them; no CNF has an optimum, but a forged record may tell of one."""

SINGLE = ("family", "variables", "clauses", "literals", "bytes", "result", "isohash", "models")
SEVERAL = ("filename", "local", "sha256", "encoding", "settings")
"""Two files of the same clauses may differ in these."""

NONE = "None"
"""What GBD writes where there is no value, also as a row of each table of several."""

_VERSION_PLACE = slice(96, 100)
_MAX_DECLARED = 100
"""Tables and indices; ours has fewer."""

Rows = dict[str, list[tuple[str, ...]]]


def rows(records: Sequence[InstanceRecord]) -> Rows:
    """The content of every table, in order."""
    features: dict[str, tuple[str, ...]] = {}
    several: dict[str, set[tuple[str, str]]] = {name: {(NONE, NONE)} for name in SEVERAL}
    for record in records:
        key = record.identity.gbd_hash
        if key is None:
            continue
        # Of files with the same clauses the first one speaks for the hash.
        features.setdefault(key, (key, *_single(record), *(key for _ in SEVERAL)))
        for name, value in zip(SEVERAL, _several(record), strict=True):
            several[name].add((key, value))
    tables: Rows = {"features": sorted(features.values())}
    return tables | {name: sorted(pairs) for name, pairs in several.items()}


def _single(record: InstanceRecord) -> tuple[str, ...]:
    identity, evidence = record.identity, record.evidence
    sizes = (identity.variables, identity.clauses, identity.literals, identity.bytes)
    return (
        record.recipe.spec.name.partition("/")[0],
        *map(str, sizes),
        RESULTS[evidence.status],
        identity.iso_hash or NONE,
        NONE if evidence.count is None else str(evidence.count),
    )


def _several(record: InstanceRecord) -> tuple[str, ...]:
    choices = record.recipe.choices()
    return (
        record.formula,
        record.formula,
        record.identity.sha256,
        record.recipe.spec.name,
        " ".join(f"{key}={value}" for key, value in choices.items()) or NONE,
    )


def database(records: Sequence[InstanceRecord]) -> bytes:
    """The file, the same bytes for the same records."""
    connection = sqlite3.connect(":memory:")
    try:
        _create(connection)
        for table, found in rows(records).items():
            if not found:
                continue  # no instance is CNF
            marks = ", ".join("?" for _ in found[0])
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
        connection.commit()
        image = bytearray(connection.serialize())
    finally:
        connection.close()
    # SQLite notes which version of it has written the file; nothing reads that.
    image[_VERSION_PLACE] = bytes(4)
    return bytes(image)


def _create(connection: sqlite3.Connection) -> None:
    columns = ", ".join(f"{name} TEXT NOT NULL DEFAULT {NONE}" for name in (*SINGLE, *SEVERAL))
    connection.execute(f"CREATE TABLE features (hash UNIQUE NOT NULL, {columns})")
    for name in SEVERAL:
        connection.execute(
            f"CREATE TABLE {name} (hash TEXT NOT NULL, value TEXT NOT NULL, "
            "CONSTRAINT all_unique UNIQUE(hash, value))"
        )


def is_database_of(image: bytes, records: Sequence[InstanceRecord]) -> bool:
    """Whether a file is the database of these records, in whatever layout.

    Its tables must be declared as ours are: a view or a trigger could do anything when it is read.
    """
    if not image:
        return False
    given, own = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    try:
        given.deserialize(image)
        _create(own)
        if _schema(given) != _schema(own):
            return False
        wanted = {name: Counter(found) for name, found in rows(records).items()}
        return all(_content(given, name, want.total()) == want for name, want in wanted.items())
    except (sqlite3.Error, UnicodeDecodeError):
        # What SQLite says of a broken schema has names out of the file, whatever bytes they are.
        return False
    finally:
        given.close()
        own.close()


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master NOT INDEXED")
    return {*found.fetchmany(_MAX_DECLARED)}


def _content(connection: sqlite3.Connection, table: str, number: int) -> Counter[tuple[str, ...]]:
    """The rows of a table, and at most one too many; what the index of it says does not count."""
    columns = "*" if table == "features" else "hash, value"
    found = connection.execute(f"SELECT {columns} FROM {table} NOT INDEXED")
    return Counter(found.fetchmany(number + 1))
