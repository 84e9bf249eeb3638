"""Instances that are the same formula, or may be after renaming, by their hashes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardsat.archive.instance_record import InstanceRecord


def same(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """For an instance with the clauses of an earlier one, that one's name."""
    return _firsts(records, lambda record: record.identity.gbd_hash)


def alike(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """The same for the isomorphism hash; equal hashes are a strong hint, and no proof."""
    return _firsts(records, lambda record: record.identity.iso_hash)


def _firsts(
    records: Sequence[InstanceRecord], key: Callable[[InstanceRecord], str | None]
) -> dict[str, str]:
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for record in records:
        value = key(record)
        if value is None:
            continue
        if value in first:
            found[record.name] = first[value]
        else:
            first[value] = record.name
    return found


def report(records: Sequence[InstanceRecord]) -> list[str]:
    """Lines for people; an instance that is the same need not be told to be alike."""
    identical = same(records)
    lines = [f"duplicate: {name} has the clauses of {other}" for name, other in identical.items()]
    return lines + [
        f"duplicate: {name} may be isomorphic to {other}"
        for name, other in alike(records).items()
        if name not in identical
    ]
