"""Verify an archive: hashes, regenerated formulas, models, proofs, conclusions from answers.

The manifest finds what has changed since; the rest finds what was never right. Formulas are made
from the texts in the archive, so specs that have changed in the meantime do no harm. Claims that
cannot be checked again are reported as unchecked.
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
from boardsat.archive import manifest, storage
from boardsat.archive.consistency import false_claims, unproved
from boardsat.archive.create import descriptions, tool_version
from boardsat.archive.identity import read_back
from boardsat.archive.instance_pipeline import published_count
from boardsat.archive.instance_record import (
    Identity,
    InstanceRecord,
    check_format,
    read_record,
    record_names,
)
from boardsat.archive.manifest import Finding, Trouble
from boardsat.archive.metadata.gbd_database import is_database_of
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, InputError, WrongAnswerError
from boardsat.base.json_data import MalformedError
from boardsat.base.locks import lock_folder
from boardsat.base.text import pluralize
from boardsat.campaign.parser import read_metadata
from boardsat.campaign.runner.solver_selection import can_check_proofs
from boardsat.generators import Formula, formats
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_model, check_rules
from boardsat.workflows.solve.external_answers import ExternalAnswer
from boardsat.workflows.solve.objectives import check_best, check_value, has_objective
from boardsat.workflows.solve.proofs import check_proof
from boardsat.workflows.solve.result import Check

UNLIKE = "it does not say what the records say"


def verify(folder: Path, limits: Limits | None = None) -> Iterator[Finding]:
    """All that is not as it should be, or that nothing here shows; nothing, if all is well.

    The limits are for whoever checks a proof.
    """
    if not any((folder / file).is_file() for file in (storage.MANIFEST, storage.CAMPAIGN)):
        raise InputError("no archive", "name a folder made by `archive create`", str(folder))
    manifest.check_manifest_name(folder)
    check_format(folder)
    with lock_folder(folder, shared=True):
        yield from _found(folder, limits or Limits())


def _found(folder: Path, limits: Limits) -> Iterator[Finding]:
    if storage.MANIFEST not in storage.present(folder):
        yield Finding(storage.MANIFEST, Trouble.MISSING, "lost, or the archive was never finished")
        return
    differing = manifest.differences(folder)
    for file, word in differing.items():
        yield Finding(file, word)
    if storage.MANIFEST in differing:
        # What it seals is not known.
        return
    records = []
    for name in record_names(folder):
        if name in differing:
            # Of what has changed nothing more need be said.
            continue
        try:
            record = read_record(folder / name)
        except InputError as error:
            yield Finding(name, Trouble.WRONG, error.fault)
            continue
        records.append(record)
        found = _instance(folder, record, differing.keys(), limits)
        yield from (finding for finding in found if finding.file not in differing)
    if not differing and len(records) == len(record_names(folder)):
        yield from _descriptions(folder, sorted(records, key=lambda record: record.name))


def _instance(
    folder: Path, record: InstanceRecord, differing: Set[str], limits: Limits
) -> Iterator[Finding]:
    absent = [file for file in record.owned if not storage.is_own(folder / file)]
    if absent:
        yield from (Finding(file, Trouble.MISSING) for file in absent)
        return
    found = list(regenerated(folder, record, differing))
    yield from found
    if found or record.formula in differing:
        # There is no formula that its evidence could be about.
        return
    try:
        problem, measured = read_back(folder / record.formula)
    except BoardsatError as error:
        yield Finding(record.formula, Trouble.WRONG, str(error))
        return
    if not _same(measured, record.identity):
        yield Finding(record.file, Trouble.WRONG, "sizes or hashes are not those of the formula")
    yield from recheck(folder, record, problem, limits)


def _same(measured: Identity, noted: Identity) -> bool:
    """The isomorphism hash counts only where both sides could work it out."""
    hashes = {measured.iso_hash, noted.iso_hash}
    bare = [replace(each, iso_hash=None) for each in (measured, noted)]
    return bare[0] == bare[1] and (None in hashes or len(hashes) == 1)


def regenerated(
    folder: Path, record: InstanceRecord, differing: Set[str] = frozenset()
) -> Iterator[Finding]:
    """The formula from the texts of its record, byte for byte; at the first difference it ends."""
    try:
        formula = record.recipe.formula()
        form = record.recipe.format or formats.CNF
        text = formats.load(form).document(formula, record.recipe.projection)
        if not _is_described(formula, record):
            yield Finding(record.file, Trouble.WRONG, "its recipe makes another formula")
        elif record.formula not in differing and not storage.holds(folder / record.formula, text):
            yield Finding(record.formula, Trouble.WRONG, "not the formula that its recipe makes")
    except DimacsError as error:
        yield Finding(record.formula, Trouble.WRONG, str(error))
    except BoardsatError as error:
        yield Finding(record.file, Trouble.WRONG, f"the recipe fails: {error}")


def _is_described(formula: Formula, record: InstanceRecord) -> bool:
    """Whether a record says of a formula what is true of it."""
    header, noted = formula.header, record.identity
    told = (
        header.title,
        header.cite,
        header.parameters,
        header.objects or {},
        header.count_preserving,
    )
    said = (record.title, record.cite, record.parameters, record.objects, record.count_preserving)
    sizes = (formula.variables, formula.clauses, formula.literals)
    # As they are written: to Python `true` is 1.
    same = json.dumps(told, sort_keys=True) == json.dumps(said, sort_keys=True)
    if record.recipe.format:
        return same  # its lines are not those of the formula: they are counted in the file
    return same and sizes == (noted.variables, noted.clauses, noted.literals)


def _descriptions(folder: Path, records: Sequence[InstanceRecord]) -> Iterator[Finding]:
    """The files that only repeat what records and campaign say, and no others."""
    here = storage.present(folder)
    ours = {*storage.DESCRIBING, *(file for record in records for file in record.owned)}
    yield from (Finding(name, Trouble.ADDED, "of no instance") for name in here if name not in ours)
    absent = [name for name in storage.DESCRIBING if name not in here]
    if absent or not records:
        yield from (Finding(name, Trouble.MISSING) for name in absent)
        if not records:
            yield Finding(storage.MANIFEST, Trouble.WRONG, "there is no instance")
        return
    try:
        about, asked = read_metadata(folder / storage.CAMPAIGN)
    except InputError as error:
        yield Finding(storage.CAMPAIGN, Trouble.WRONG, str(error))
        return
    for record in records:
        if record.evidence.asked != asked.of(record.evidence.proof is not None):
            yield Finding(record.file, Trouble.WRONG, "its campaign asks others")
    expected = dict(descriptions(folder, about, records))
    for file in (storage.TABLE, storage.CITATION, storage.CRATE):
        if not _is(folder / file, expected[file]):
            yield Finding(file, Trouble.WRONG, UNLIKE)
    yield from _pages(folder, expected, records)
    if not _is_database(folder / storage.DATABASE, expected[storage.DATABASE], records):
        yield Finding(storage.DATABASE, Trouble.WRONG, UNLIKE)


def _pages(
    folder: Path, expected: Mapping[str, bytes], records: Sequence[InstanceRecord]
) -> Iterator[Finding]:
    """Compare the files for people, whose words another version of boardsat may have changed."""
    tools = {record.tool for record in records}
    for file in (storage.LICENSE, storage.README, storage.PREVIEW):
        if _is(folder / file, expected[file]):
            continue
        if tools == {tool_version()}:
            yield Finding(file, Trouble.WRONG, UNLIKE)
        else:
            yield Finding(file, Trouble.UNCHECKED, f"text of {', '.join(sorted(tools))}")


def _is(path: Path, text: bytes) -> bool:
    try:
        return storage.read(path, len(text)) == text
    except MalformedError:
        return False


def _is_database(path: Path, own: bytes, records: Sequence[InstanceRecord]) -> bool:
    """Another version of SQLite may lay out the same content in other bytes, but not in many."""
    try:
        image = storage.read(path, 2 * len(own) + 2**20)
    except MalformedError:
        return False
    return image == own or is_database_of(image, records)


LITERAL_BYTES = 16
"""Of a literal in the text of a model, more than enough."""


def recheck(
    folder: Path, record: InstanceRecord, problem: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    """Whatever is claimed of a formula that is the right one."""
    each = problem.header.counting.objects.get("models_per_solution", 1)
    published, optimises = published_count(problem.header.counting.objects), has_objective(problem)
    for fault in false_claims(record.evidence, published, each, optimises):
        yield Finding(record.file, Trouble.WRONG, fault)
    yield from _model(folder, record, problem, limits)
    yield from _proof(folder, record, problem, limits)
    if words := unproved(record.evidence):
        yield Finding(record.file, Trouble.UNCHECKED, f"only said: {', '.join(words)}")


def _model(
    folder: Path, record: InstanceRecord, problem: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    file = record.evidence.model
    if file is None:
        return
    most = 2**10 + LITERAL_BYTES * problem.variables
    try:
        answer = ExternalAnswer(storage.unpacked(folder / file, most), file)
        model = answer.model(answer.read(problem.variables))
        check_model(problem, model, file)
        solution = decode(problem.header, model)
        is_checked = solution is not None and check_rules(problem, solution)
    except (BoardsatError, MalformedError) as error:
        yield Finding(file, Trouble.WRONG, str(error).removeprefix(f"{file}: "))
        return
    if has_objective(problem):
        yield from _value(record, problem, model, limits)
    if not is_checked and any(
        Check.BOARD in said.outcome.checked for said in record.evidence.solved
    ):
        yield Finding(file, Trouble.UNCHECKED, "the rules of its board are not known here")


def _value(
    record: InstanceRecord, problem: FormulaFile, model: Model, limits: Limits
) -> Iterator[Finding]:
    """That the model has the value of the record, and none is better if it is the best."""
    known, file = record.evidence, str(record.evidence.model)
    if known.value is None:
        return
    for said in known.solved:
        if said.outcome.value not in (None, known.value):
            word = f"only said: a model of value {said.outcome.value} by {said.identity.name}"
            yield Finding(record.file, Trouble.UNCHECKED, word)
    try:
        check_value(problem, model, known.value, file)
        if known.optimum is not None:
            check_best(problem, model, limits, file)
    except WrongAnswerError as error:
        yield Finding(file, Trouble.WRONG, str(error))
    except BoardsatError as error:
        yield Finding(file, Trouble.UNCHECKED, str(error))


def _proof(
    folder: Path, record: InstanceRecord, problem: FormulaFile, limits: Limits
) -> Iterator[Finding]:
    file = record.evidence.proof
    if file is None:
        return
    if not can_check_proofs():
        yield Finding(file, Trouble.UNCHECKED, "drat-trim cannot run here")
        return
    path = folder / file
    most = 2**20 + MAX_PROOF_EXPANSION * path.stat().st_size
    try:
        with scratch.decompressed_copy(str(path), storage.unpacked(path, most)) as plain:
            kind = check_proof(problem, str(plain), limits, file)
            _check_proof_format(record, kind, plain.stat().st_size)
    except (WrongAnswerError, DimacsError, MalformedError) as error:
        yield Finding(file, Trouble.WRONG, str(error).removeprefix(f"{path}: "))
    except BoardsatError as error:
        yield Finding(file, Trouble.UNCHECKED, str(error))


def _check_proof_format(record: InstanceRecord, kind: str, size: int) -> None:
    known = record.evidence
    if (known.proof_kind, known.proof_bytes) != (kind, size):
        size_told = pluralize(size, "byte")
        raise MalformedError(f"its record tells of another proof: this is {kind}, {size_told}")
