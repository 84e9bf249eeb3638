"""Proofs of one hard instance by format: size, compressed size, CPU time to write and check."""

from __future__ import annotations

import json
from pathlib import Path

from bench._measure import Row, answer_of, scratch
from boardsat.adapters import solvers
from boardsat.adapters.proofs import ProofFile, ProofFormat
from boardsat.adapters.runtimes import Task, load_runtime, select_runtime
from boardsat.base.files import read_pieces, write_file

INSTANCE = ("parity", "-n", "15")
NAMES = {ProofFormat.DRAT: "p.drat", ProofFormat.TEXT: "text.drat", ProofFormat.LRAT: "p.lrat"}


def run() -> list[Row]:
    with scratch() as folder:
        return [row for kind in ProofFormat for row in _rows(folder, kind)]


def _rows(folder: Path, kind: ProofFormat) -> list[Row]:
    proof = folder / NAMES[kind]
    arguments = (
        "--solver",
        "cadical",
        "--proof-format",
        kind.value,
        "--proof-file",
        str(proof),
        "--json",
    )
    json_output = json.loads(answer_of("solve", *INSTANCE, *arguments).output)
    size = json_output["proof"]["bytes"]
    name = f"{' '.join(INSTANCE)}, {kind.label}"
    checked = _cpu_to_check(json_output["proof"]["formula"], proof, kind)
    rows = [Row(f"{name}: CPU to write, to check", _seconds(json_output["cpu"]), _seconds(checked))]
    for ending in (".xz", ".zst"):
        packed = write_file(f"{proof}{ending}", read_pieces(proof))
        ratio = f"{packed / size:.2f}"
        rows.append(Row(f"{name}: size, {ending}", _megabytes(size), _megabytes(packed), ratio))
    return rows


def _cpu_to_check(formula: str, proof: Path, kind: ProofFormat) -> float | None:
    checker = solvers.find_checker(kind)
    task = Task(formula, proof=ProofFile(str(proof), kind, is_input=True))
    return load_runtime(select_runtime(checker)).run(checker, task).usage.cpu


def _megabytes(size: int) -> str:
    return f"{size / 10**6:.1f} MB"


def _seconds(cpu: float | None) -> str:
    return "-" if cpu is None else f"{cpu:.1f} s"
