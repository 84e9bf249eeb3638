"""Verify an archive: hashes, regenerated formulas, models, proofs, conclusions from answers.

The manifest detects changes since the creation; all other checks detect claims that were wrong from
the start. Formulas are generated from the texts in the archive, so later changes of the catalogue
do not matter. Claims that cannot be checked again are reported as unchecked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.proofs import MAX_PROOF_EXPANSION
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.views.decoder import decode
from boardsat.archive import storage
from boardsat.archive.archive_worker import read_back
from boardsat.archive.consistency import false_claims, unproved_claims
from boardsat.archive.create import descriptions, tool_version
from boardsat.archive.instance_pipeline import published_count
from boardsat.archive.instance_record import (
    Identity,
    InstanceRecord,
    check_format,
    header_entries,
    read_record,
    record_names,
)
from boardsat.archive.storage import FileStatus, Finding
from boardsat.archive.tables import is_database_of
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, InputError, WrongAnswerError
from boardsat.base.json_data import MalformedError
from boardsat.base.locks import lock_folder
from boardsat.base.text import pluralize
from boardsat.campaign.parser import read_metadata
from boardsat.campaign.runner.solver_selection import can_check_proofs
from boardsat.generators import Formula, digest, formats
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_model, check_rules
from boardsat.workflows.solve.external_answers import ExternalAnswer
from boardsat.workflows.solve.objectives import check_best, check_value, has_objective
from boardsat.workflows.solve.proofs import check_proof
from boardsat.workflows.solve.result import Check

DIFFERS_FROM_RECORDS = "the content differs from the records"
MAX_LITERAL_BYTES = 16
"""Maximum size of a literal in the text of a model."""


def verify(folder: Path, limits: Limits | None = None) -> Iterator[Finding]:
    """Yield the files of an archive that are wrong or cannot be checked here.

    Parameters
    ----------
    folder : Path
        Folder of the archive.
    limits : Limits, optional
        Limits of the proof checker. Default: unlimited.

    Yields
    ------
    Finding
        Nothing is yielded if the whole archive is verified.

    Raises
    ------
    InputError
        The folder is not an archive, or one of an earlier version.
    """
    if not any((folder / file).is_file() for file in (storage.MANIFEST, storage.CAMPAIGN)):
        raise InputError(
            "the folder is not an archive", "name one made by `archive create`", str(folder)
        )
    storage.check_manifest_name(folder)
    check_format(folder)
    with lock_folder(folder, shared=True):
        yield from _verify_folder(folder, limits or Limits())


def _verify_folder(folder: Path, limits: Limits) -> Iterator[Finding]:
    if storage.MANIFEST not in storage.file_names(folder):
        reason = "it was lost, or the archive was never finished"
        yield Finding(storage.MANIFEST, FileStatus.MISSING, reason)
        return
    differing = storage.differences(folder)
    for file, status in differing.items():
        yield Finding(file, status)
    if storage.MANIFEST in differing:
        # The hashes of a changed manifest are worthless.
        return
    records = []
    # Changed files have been reported; their content is not checked.
    for name in record_names(folder):
        if name in differing:
            continue
        try:
            record = read_record(folder / name)
        except InputError as error:
            yield Finding(name, FileStatus.WRONG, error.fault)
            continue
        records.append(record)
        findings = _verify_instance(folder, record, differing.keys(), limits)
        yield from (finding for finding in findings if finding.file not in differing)
    if not differing and len(records) == len(record_names(folder)):
        yield from _verify_descriptions(folder, sorted(records, key=lambda record: record.name))


def _verify_instance(
    folder: Path, record: InstanceRecord, differing: Set[str], limits: Limits
) -> Iterator[Finding]:
    missing = [file for file in record.files if not storage.is_regular_file(folder / file)]
    if missing:
        yield from (Finding(file, FileStatus.MISSING) for file in missing)
        return
    findings = list(regenerate(folder, record, differing))
    yield from findings
    if findings or record.formula in differing:
        # Evidence is checked against the formula, which is wrong.
        return
    try:
        formula, identity = read_back(folder / record.formula)
    except BoardsatError as error:
        yield Finding(record.formula, FileStatus.WRONG, str(error))
        return
    if not _is_same_identity(identity, record.identity):
        reason = "sizes or hashes are not those of the formula"
        yield Finding(record.file, FileStatus.WRONG, reason)
    yield from verify_evidence(folder, record, formula, limits)


def _is_same_identity(measured: Identity, recorded: Identity) -> bool:
    """Return whether sizes and hashes agree; a missing isomorphism hash agrees with any."""
    iso_hashes = {measured.iso_hash, recorded.iso_hash}
    return replace(measured, iso_hash=None) == replace(recorded, iso_hash=None) and (
        None in iso_hashes or len(iso_hashes) == 1
    )


def regenerate(
    folder: Path, record: InstanceRecord, differing: Set[str] = frozenset()
) -> Iterator[Finding]:
    """Generate the formula of a record and compare it byte for byte; yield the first difference.

    Formula files in `differing` have been reported and are not compared.
    """
    try:
        formula = record.recipe.formula()
        format_name = record.recipe.format or formats.CNF
        expected_text = digest(formula, record.recipe.projection, format_name)
        if not _has_header_entries(record, formula):
            yield Finding(record.file, FileStatus.WRONG, "its recipe gives another formula")
        elif record.formula not in differing and not storage.has_text(
            folder / record.formula, *expected_text
        ):
            yield Finding(record.formula, FileStatus.WRONG, "its recipe gives another formula")
    except DimacsError as error:
        yield Finding(record.formula, FileStatus.WRONG, str(error))
    except BoardsatError as error:
        yield Finding(record.file, FileStatus.WRONG, f"the recipe fails: {error}")


def _has_header_entries(record: InstanceRecord, formula: Formula) -> bool:
    """Return whether a record has the header entries and the sizes of its formula."""
    identity, expected = record.identity, header_entries(formula.header)
    entries = {key: getattr(record, key) for key in expected}
    # Compared as JSON: in Python `True == 1`.
    if json.dumps(expected, sort_keys=True) != json.dumps(entries, sort_keys=True):
        return False
    sizes = (formula.variables, formula.clauses, formula.literals)
    # Other formats count their lines differently.
    is_cnf = not record.recipe.format
    return not is_cnf or sizes == (identity.variables, identity.clauses, identity.literals)


def _verify_descriptions(folder: Path, records: Sequence[InstanceRecord]) -> Iterator[Finding]:
    """Check the files that are derived from the records and the campaign.

    Missing and unexpected files are reported as well.
    """
    names = storage.file_names(folder)
    expected_names = {*storage.SHARED_FILES, *(file for record in records for file in record.files)}
    for name in names:
        if name not in expected_names:
            yield Finding(name, FileStatus.ADDED, "it belongs to no instance")
    missing = [name for name in storage.SHARED_FILES if name not in names]
    yield from (Finding(name, FileStatus.MISSING) for name in missing)
    if not records:
        yield Finding(storage.MANIFEST, FileStatus.WRONG, "the archive has no instances")
    if missing or not records:
        return
    try:
        metadata, selection = read_metadata(folder / storage.CAMPAIGN)
    except InputError as error:
        yield Finding(storage.CAMPAIGN, FileStatus.WRONG, str(error))
        return
    for record in records:
        is_proved = record.evidence.proof is not None
        if record.evidence.solver_names != selection.names(is_proved=is_proved):
            yield Finding(record.file, FileStatus.WRONG, "its campaign names other solvers")
    expected = dict(descriptions(folder, metadata, records))
    for file in (storage.TABLE, storage.CITATION, storage.CRATE):
        if not _has_content(folder / file, expected[file]):
            yield Finding(file, FileStatus.WRONG, DIFFERS_FROM_RECORDS)
    yield from _verify_documents(folder, expected, records)
    if not _is_database(folder / storage.DATABASE, expected[storage.DATABASE], records):
        yield Finding(storage.DATABASE, FileStatus.WRONG, DIFFERS_FROM_RECORDS)


def _verify_documents(
    folder: Path, expected: Mapping[str, bytes], records: Sequence[InstanceRecord]
) -> Iterator[Finding]:
    """Compare the documents for people, whose wording differs between versions of boardsat."""
    tools = {record.tool for record in records}
    for file in (storage.LICENSE, storage.README, storage.PREVIEW):
        if _has_content(folder / file, expected[file]):
            continue
        if tools == {tool_version()}:
            yield Finding(file, FileStatus.WRONG, DIFFERS_FROM_RECORDS)
        else:
            yield Finding(file, FileStatus.UNCHECKED, f"text of {', '.join(sorted(tools))}")


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return storage.read(path, len(content)) == content
    except MalformedError:
        return False


def _is_database(path: Path, expected: bytes, records: Sequence[InstanceRecord]) -> bool:
    """Return whether a file is the database of the records, written by any version of SQLite."""
    try:
        # Another layout of the same content has about the same size.
        image = storage.read(path, 2 * len(expected) + 2**20)
    except MalformedError:
        return False
    return image == expected or is_database_of(image, records)


def verify_evidence(
    folder: Path, record: InstanceRecord, formula: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    """Check all claims of a record about its formula."""
    counting = formula.header.counting.objects
    claims = false_claims(
        record.evidence,
        published_count(counting),
        counting.get("models_per_solution", 1),
        has_objective(formula),
    )
    for fault in claims:
        yield Finding(record.file, FileStatus.WRONG, fault)
    yield from _verify_model(folder, record, formula, limits)
    yield from _verify_proof(folder, record, formula, limits)
    if unproved := unproved_claims(record.evidence):
        yield Finding(record.file, FileStatus.UNCHECKED, f"without proof: {', '.join(unproved)}")


def _verify_model(
    folder: Path, record: InstanceRecord, formula: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    """Check the model file against the clauses, the rules of its problem and the objective."""
    file = record.evidence.model
    if file is None:
        return
    max_bytes = 2**10 + MAX_LITERAL_BYTES * formula.variables
    try:
        answer = ExternalAnswer(storage.decompressed_blocks(folder / file, max_bytes), file)
        model = answer.model(answer.parse(formula.variables))
        check_model(formula, model, file)
        solution = decode(formula.header, model)
        is_board_checked = solution is not None and check_rules(formula, solution)
    except (BoardsatError, MalformedError) as error:
        yield Finding(file, FileStatus.WRONG, str(error).removeprefix(f"{file}: "))
        return
    if has_objective(formula):
        yield from _verify_value(record, formula, model, limits)
    claims_board = any(Check.BOARD in answer.outcome.checked for answer in record.evidence.solved)
    if claims_board and not is_board_checked:
        yield Finding(file, FileStatus.UNCHECKED, "there are no rules for its board")


def _verify_value(
    record: InstanceRecord, formula: FormulaFile, model: Model, limits: Limits
) -> Iterator[Finding]:
    """Check the objective value of the model, and that no better one exists if it is an optimum."""
    evidence, file = record.evidence, str(record.evidence.model)
    if evidence.value is None:
        return
    for answer in evidence.solved:
        if answer.outcome.value not in (None, evidence.value):
            claim = f"a model of value {answer.outcome.value} by {answer.identity.name}"
            yield Finding(record.file, FileStatus.UNCHECKED, f"without proof: {claim}")
    try:
        check_value(formula, model, evidence.value, file)
        if evidence.optimum is not None:
            check_best(formula, model, limits, file)
    except WrongAnswerError as error:
        yield Finding(file, FileStatus.WRONG, str(error))
    except BoardsatError as error:
        yield Finding(file, FileStatus.UNCHECKED, str(error))


def _verify_proof(
    folder: Path, record: InstanceRecord, formula: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    """Check the proof file with the proof checker."""
    file = record.evidence.proof
    if file is None:
        return
    if not can_check_proofs():
        yield Finding(file, FileStatus.UNCHECKED, "drat-trim cannot run here")
        return
    path = folder / file
    max_bytes = 2**20 + MAX_PROOF_EXPANSION * path.stat().st_size
    try:
        text = storage.decompressed_blocks(path, max_bytes)
        with scratch.decompressed_copy(str(path), text) as decompressed_file:
            proof_format = check_proof(formula, str(decompressed_file), limits, file)
            _check_proof_entries(record, proof_format, decompressed_file.stat().st_size)
    except (WrongAnswerError, DimacsError, MalformedError) as error:
        yield Finding(file, FileStatus.WRONG, str(error).removeprefix(f"{path}: "))
    except BoardsatError as error:
        yield Finding(file, FileStatus.UNCHECKED, str(error))


def _check_proof_entries(record: InstanceRecord, proof_format: str, size: int) -> None:
    """Raise MalformedError if the proof has another format or size than in the record.

    `size` is the size of the uncompressed proof in bytes.
    """
    evidence = record.evidence
    if (evidence.proof_kind, evidence.proof_bytes) != (proof_format, size):
        recorded = pluralize(evidence.proof_bytes or 0, "byte")
        raise MalformedError(
            f"the proof must be {evidence.proof_kind} of {recorded}, as in its record "
            f"(got {proof_format} of {pluralize(size, 'byte')})"
        )
