"""Tables of an archive: instances.csv, and the SQLite database that `gbd` (gbd-tools) opens.

The CSV file has one row for each instance; its column `hash` is the key that `gbd` requires.

A GBD database is keyed by the GBD hash. Its table `features` has one row for each hash and a column
for each feature with one value. A feature NAME with several values has a table `NAME(hash, value)`,
to which a column NAME of `features` refers.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections import Counter
from collections.abc import Sequence

from boardsat.archive.instance_record import InstanceRecord, duplicates, isomorphic_candidates
from boardsat.generators.formats import CNF


def csv_table(records: Sequence[InstanceRecord]) -> bytes:
    """Return the content of instances.csv.

    The columns `format` and `optimum` exist only if some instance is not CNF.
    """
    duplicate_of, isomorphic_to = duplicates(records), isomorphic_candidates(records)
    has_formats = any(record.recipe.format for record in records)
    rows = []
    for record in records:
        row = _csv_row(record)
        row["duplicate_of"] = duplicate_of.get(record.name, "")
        row["alike"] = isomorphic_to.get(record.name, "")
        if has_formats:
            row["format"] = record.recipe.format or CNF
            row["optimum"] = _number_text(record.evidence.optimum)
        rows.append(row)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


GBD_HASHES = ("gbd_hash", "iso_hash")
"""Fields of an identity that instances.csv names as GBD does."""


def _csv_row(record: InstanceRecord) -> dict[str, str]:
    identity, evidence = record.identity, record.evidence
    problem, _, encoding = record.recipe.spec.name.partition("/")
    return {
        "hash": identity.gbd_hash or "",
        "isohash": identity.iso_hash or "",
        "filename": record.formula,
        "problem": problem,
        "encoding": encoding,
        "settings": _settings_text(record),
        **{key: str(entry) for key, entry in vars(identity).items() if key not in GBD_HASHES},
        "status": evidence.status,
        "count": _number_text(evidence.count),
        "objects": str(record.objects.get("name", "")),
        "model": evidence.model or "",
        "proof": evidence.proof or "",
        "solvers": " ".join(answer.identity.name for answer in evidence.solved),
        "counters": " ".join(answer.identity.name for answer in evidence.counted),
        "tool": record.tool,
    }


def _number_text(number: int | None) -> str:
    return "" if number is None else str(number)


def _settings_text(record: InstanceRecord) -> str:
    return " ".join(f"{key}={setting}" for key, setting in record.recipe.choices().items())


GBD_RESULTS = {
    "SATISFIABLE": "sat",
    "OPTIMUM": "sat",
    "UNSATISFIABLE": "unsat",
    "UNKNOWN": "unknown",
}
"""Values of the feature `result` in GBD's own databases.

A CNF formula has no optimum, but a forged record may claim one.
"""

SINGLE_FEATURES = (
    *("family", "variables", "clauses", "literals", "bytes", "result", "isohash", "models"),
)
MULTIPLE_FEATURES = ("filename", "local", "sha256", "encoding", "settings")
"""Features with several values: files with the same clauses may differ in them."""

NO_VALUE = "None"
"""Text that GBD writes for a missing value, also as a row of each table of multiple features."""

_SQLITE_VERSION_BYTES = slice(96, 100)
_MAX_SCHEMA_ROWS = 100
"""Number of tables and indices that are compared; a valid database has fewer."""

TableRows = dict[str, list[tuple[str, ...]]]


def gbd_rows(records: Sequence[InstanceRecord]) -> TableRows:
    """Return the sorted rows of every table of the GBD database.

    Records without a GBD hash are omitted.
    """
    features: dict[str, tuple[str, ...]] = {}
    pairs: dict[str, set[tuple[str, str]]] = {
        name: {(NO_VALUE, NO_VALUE)} for name in MULTIPLE_FEATURES
    }
    for record in records:
        key = record.identity.gbd_hash
        if key is None:
            continue
        # The first of several files with the same clauses determines the features of the hash.
        features.setdefault(
            key, (key, *_single_features(record), *(key for _ in MULTIPLE_FEATURES))
        )
        for name, feature in zip(MULTIPLE_FEATURES, _multiple_features(record), strict=True):
            pairs[name].add((key, feature))
    tables: TableRows = {"features": sorted(features.values())}
    return tables | {name: sorted(rows) for name, rows in pairs.items()}


def _single_features(record: InstanceRecord) -> tuple[str, ...]:
    identity, evidence = record.identity, record.evidence
    sizes = (identity.variables, identity.clauses, identity.literals, identity.bytes)
    return (
        record.recipe.spec.name.partition("/")[0],
        *map(str, sizes),
        GBD_RESULTS[evidence.status],
        identity.iso_hash or NO_VALUE,
        NO_VALUE if evidence.count is None else str(evidence.count),
    )


def _multiple_features(record: InstanceRecord) -> tuple[str, ...]:
    return (
        record.formula,
        record.formula,
        record.identity.sha256,
        record.recipe.spec.name,
        _settings_text(record) or NO_VALUE,
    )


def gbd_database(records: Sequence[InstanceRecord]) -> bytes:
    """Return the content of the GBD database; the same records give the same bytes."""
    connection = sqlite3.connect(":memory:")
    try:
        _create_tables(connection)
        for table, rows in gbd_rows(records).items():
            if rows:  # without CNF instances there are no features
                placeholders = ", ".join("?" for _ in rows[0])
                connection.executemany(f"INSERT INTO {table} VALUES ({placeholders})", rows)
        connection.commit()
        image = bytearray(connection.serialize())
    finally:
        connection.close()
    # SQLite stores its version number, which nothing reads.
    image[_SQLITE_VERSION_BYTES] = bytes(4)
    return bytes(image)


def _create_tables(connection: sqlite3.Connection) -> None:
    columns = ", ".join(
        f"{name} TEXT NOT NULL DEFAULT {NO_VALUE}"
        for name in (*SINGLE_FEATURES, *MULTIPLE_FEATURES)
    )
    connection.execute(f"CREATE TABLE features (hash UNIQUE NOT NULL, {columns})")
    for name in MULTIPLE_FEATURES:
        connection.execute(
            f"CREATE TABLE {name} (hash TEXT NOT NULL, value TEXT NOT NULL, "
            "CONSTRAINT all_unique UNIQUE(hash, value))"
        )


def is_database_of(image: bytes, records: Sequence[InstanceRecord]) -> bool:
    """Return whether a file is a GBD database of the records, in any layout of its pages.

    The schema must be ours: a view or a trigger could do anything when it is read.
    """
    if not image:
        return False
    database, reference = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    try:
        database.deserialize(image)
        _create_tables(reference)
        if _schema(database) != _schema(reference):
            return False
        tables = {name: Counter(rows) for name, rows in gbd_rows(records).items()}
        return all(_rows(database, name, rows.total()) == rows for name, rows in tables.items())
    except (sqlite3.Error, UnicodeDecodeError):
        # The message about a broken schema may contain names from the file in any encoding.
        return False
    finally:
        database.close()
        reference.close()


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    cursor = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master NOT INDEXED")
    return {*cursor.fetchmany(_MAX_SCHEMA_ROWS)}


def _rows(connection: sqlite3.Connection, table: str, number: int) -> Counter[tuple[str, ...]]:
    """Return the first `number` + 1 rows of a table: enough to detect a surplus row."""
    columns = "*" if table == "features" else "hash, value"
    # A forged index might differ from the table.
    cursor = connection.execute(f"SELECT {columns} FROM {table} NOT INDEXED")
    return Counter(cursor.fetchmany(number + 1))
