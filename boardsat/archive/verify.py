"""Verifies an archive: every file, every formula generated again, every model and proof.

The manifest finds what has changed since; the rest finds what was never right. Formulas are made
from the texts in the archive, so specs that have changed in the meantime do no harm.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path

from boardsat.adapters import dialects
from boardsat.adapters.answer import Status
from boardsat.adapters.decode import decode
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.locking import locked
from boardsat.adapters.runtimes import Limits, scratch
from boardsat.archive.answers import can_check_proofs
from boardsat.archive.campaign import read_about
from boardsat.archive.contents import files, manifest
from boardsat.archive.contents.identity import read_back
from boardsat.archive.contents.manifest import Trouble
from boardsat.archive.contents.record import Identity, InstanceRecord, read_record, read_records
from boardsat.archive.metadata.citation import citation
from boardsat.archive.metadata.csv_table import csv_table
from boardsat.archive.metadata.gbd_database import read_rows, rows
from boardsat.archive.metadata.ro_crate import ro_crate
from boardsat.generators.dimacs import document as dimacs
from boardsat.generators.errors import InputError
from boardsat.problem import Problem
from boardsat.solving.checking import check_model, check_proof, check_rules


@dataclass(frozen=True)
class Finding:
    """What is the matter with a file, and why."""

    file: str
    word: Trouble
    reason: str = ""

    @property
    def bad(self) -> bool:
        return self.word is not Trouble.UNCHECKED


def verify(folder: Path) -> Iterator[Finding]:
    """All that is not as it should be; nothing, if all is well."""
    if not any((folder / file).is_file() for file in (files.MANIFEST, files.CAMPAIGN)):
        raise InputError("no archive", "name a folder made by `archive create`", str(folder))
    with locked(folder, shared=True):
        yield from _found(folder)


def _found(folder: Path) -> Iterator[Finding]:
    if not (folder / files.MANIFEST).is_file():
        yield Finding(files.MANIFEST, Trouble.MISSING, "lost, or the archive was never finished")
        return
    differing = manifest.differences(folder)
    for file, word in differing.items():
        yield Finding(file, word)
    for path in sorted(folder.glob(f"*{files.RECORD}")):
        if path.name != files.CRATE and path.name not in differing:
            # Of what has changed nothing more need be said.
            found = _instance(folder, path, differing.keys())
            yield from (finding for finding in found if finding.file not in differing)
    if not differing:
        yield from _descriptions(folder)


def _instance(folder: Path, path: Path, differing: Set[str]) -> Iterator[Finding]:
    try:
        record = read_record(path)
    except InputError as error:
        yield Finding(path.name, Trouble.WRONG, error.fault)
        return
    absent = [file for file in record.owned if not (folder / file).is_file()]
    if absent:
        yield from (Finding(file, Trouble.MISSING) for file in absent)
        return
    yield from _regenerated(folder, record)
    if record.formula in differing:
        return
    try:
        problem, measured = read_back(folder / record.formula)
        if not _same(measured, record.identity):
            yield Finding(path.name, Trouble.WRONG, "sizes or hashes are not those of the formula")
    except DimacsError as error:
        yield Finding(record.formula, Trouble.WRONG, str(error))
        return
    yield from _status(record)
    yield from _model(folder, record, problem)
    yield from _proof(folder, record, problem)


def _same(measured: Identity, noted: Identity) -> bool:
    """The isomorphism hash counts only where both sides could work it out."""
    hashes = {measured.iso_hash, noted.iso_hash}
    bare = [replace(each, iso_hash=None) for each in (measured, noted)]
    return bare[0] == bare[1] and (None in hashes or len(hashes) == 1)


def _regenerated(folder: Path, record: InstanceRecord) -> Iterator[Finding]:
    """The formula from the texts of its record, byte for byte."""
    try:
        formula = record.recipe.formula()
        made = files.digest(dimacs.document(formula, record.recipe.projection))
    except (InputError, KeyError, TypeError, AttributeError) as error:
        yield Finding(record.name + files.RECORD, Trouble.WRONG, f"the recipe fails: {error}")
        return
    header = formula.header
    told = (header.title, header.cite, header.parameters, header.objects or {}, header.keeps_counts)
    noted = (record.title, record.cite, record.parameters, record.objects, record.keeps_counts)
    if told != noted:
        yield Finding(
            record.name + files.RECORD, Trouble.WRONG, "it tells something else than its spec"
        )
    if made != record.identity.sha256:
        yield Finding(record.name + files.RECORD, Trouble.WRONG, "the recipe makes another formula")
    try:
        if files.plain_sha256(folder / record.formula) != made:
            yield Finding(record.formula, Trouble.WRONG, "not the formula that its recipe makes")
    except DimacsError as error:
        yield Finding(record.formula, Trouble.WRONG, str(error))


def _status(record: InstanceRecord) -> Iterator[Finding]:
    """What the record expects must be what its evidence shows."""
    known = record.evidence
    shown = [(known.model, Status.SATISFIABLE), (known.proof, Status.UNSATISFIABLE)]
    if any(file is not None and known.status != status.name for file, status in shown):
        yield Finding(
            record.name + files.RECORD, Trouble.WRONG, "its evidence shows another answer"
        )


def _model(folder: Path, record: InstanceRecord, problem: Problem) -> Iterator[Finding]:
    file = record.evidence.model
    if file is None:
        return
    said = dialects.DIALECTS["any"](problem.variables)
    try:
        with lzma.open(folder / file) as text:
            for line in dialects.lines_of(iter(lambda: text.read(2**16), b"")):
                said.feed(line)
        model = said.model()
        if model is None:
            yield Finding(file, Trouble.WRONG, "no model")
            return
        check_model(problem, model, file)
        solution = decode(problem.header, model)
        if solution is not None:
            check_rules(problem, solution)
    except (OSError, EOFError, lzma.LZMAError, AdapterError) as error:
        yield Finding(file, Trouble.WRONG, str(error))


def _proof(folder: Path, record: InstanceRecord, problem: Problem) -> Iterator[Finding]:
    file = record.evidence.proof
    if file is None:
        return
    if not can_check_proofs():
        yield Finding(file, Trouble.UNCHECKED, "drat-trim cannot run here")
        return
    with scratch.folder() as place:
        plain = place / "proof"
        try:
            files.unpack(folder / file, plain)
            check_proof(problem, str(plain), Limits(), file)
        except (OSError, EOFError, lzma.LZMAError, AdapterError) as error:
            yield Finding(file, Trouble.WRONG, str(error))


def _descriptions(folder: Path) -> Iterator[Finding]:
    """The files that only repeat what records and campaign say."""
    try:
        records = read_records(folder)
        about = read_about(folder / files.CAMPAIGN)
    except InputError as error:
        yield Finding(files.CAMPAIGN, Trouble.WRONG, str(error))
        return
    expected = {
        files.TABLE: csv_table(records),
        files.CITATION: citation(about),
        files.CRATE: ro_crate(folder, about, records),
    }
    for file, text in expected.items():
        if (folder / file).read_bytes() != text:
            yield Finding(file, Trouble.WRONG, "it does not say what the records say")
    # Another version of SQLite may lay out the same content in other bytes.
    if read_rows((folder / files.DATABASE).read_bytes()) != rows(records):
        yield Finding(files.DATABASE, Trouble.WRONG, "it does not say what the records say")
