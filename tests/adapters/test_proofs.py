"""Proof formats, their detection and checking, stored proofs, and forged proofs."""

from __future__ import annotations

import itertools
import lzma
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.answers import SAT, UNSAT
from helpers.lazy_tours import board_options, solve_json
from helpers.requirements import outside
from helpers.solver_runs import boardsat, need_checked_proofs, require_solver

from boardsat.adapters import solvers
from boardsat.adapters.proofs import ProofFormat, detect_format
from boardsat.adapters.proofs.lrat import NoProofError, checkable_proof
from boardsat.adapters.solvers import solver_file
from boardsat.base.errors import BoardsatError
from boardsat.base.files import write_file

RECORDED = Path(__file__).parents[1] / "recorded"
DRAT, TEXT, LRAT = ProofFormat


@pytest.fixture
def checkers() -> None:
    need_checked_proofs()
    require_solver(solvers.load("lrat-check"), "docker")


# Detection of the format.


@pytest.mark.parametrize(
    ("proof", "proof_format"),
    [
        (b"", TEXT),
        (b"0\n", TEXT),
        (b"1 -2 0\nd 1 2 0\n0\n", TEXT),
        (b"d 1 2 0\n", TEXT),
        (b"c why\n1 0\n", TEXT),
        (b"a\x00", DRAT),
        (b"a" + b"\x02" * 2**21, DRAT),
        # Deletions whose bytes are valid text; drat-trim alone misreads the second.
        (b"d 0\n\x00a\x00", DRAT),
        (b"d111111111111 0\n\x00", DRAT),
        (b"3 0 1 2 0\n", LRAT),
        (b"3 0 1 2 0", LRAT),
        (b"12 1 -2 0 4 -5 6 0\n", LRAT),
        (b"12 d 1 2 0\n", LRAT),
        (b"c why\n3 1 0 0\n", LRAT),
    ],
)
def test_proof_format_is_detected(proof: bytes, proof_format: ProofFormat, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_bytes(proof)
    assert detect_format(str(path)) is proof_format


def encode_binary_drat(steps: Sequence[Sequence[int]], deletes: bool = False) -> bytes:
    """Encode steps as binary DRAT: a letter, literals 2n or 2n+1 in groups of seven bits, 0."""
    text = b""
    for step in steps:
        text += b"d" if deletes else b"a"
        for literal in step:
            number = 2 * abs(literal) + (literal < 0)
            while number > 127:
                text += bytes([number & 127 | 128])
                number >>= 7
            text += bytes([number])
        text += b"\0"
    return text


@pytest.mark.slow
@outside
@pytest.mark.parametrize(
    "proof",
    [
        encode_binary_drat([[]]),
        encode_binary_drat([[1]]) + encode_binary_drat([[]]),
        # All bytes at its beginning are printable.
        encode_binary_drat([[16, 24, -24, 16, 5]], deletes=True) + encode_binary_drat([[1], []]),
    ],
)
def test_short_binary_proof_is_verified(proof: bytes, checkers: None, tmp_path: Path) -> None:
    output = check_proof_file(tmp_path, "p cnf 24 2\n1 0\n-1 0\n", proof)
    assert (output.code, output.out) == (0, "the proof is verified: UNSATISFIABLE (binary DRAT)\n")


def check_proof_file(folder: Path, formula: str, proof: bytes, name: str = "proof"):
    for file, text in (("x.cnf", formula), ("answer", "s UNSATISFIABLE\n")):
        (folder / file).write_text(text)
    (folder / name).write_bytes(proof)
    return boardsat("check", folder / "x.cnf", folder / "answer", folder / name, "--timeout", 60)


# Input of lrat-check.

CONTRADICTORY_UNITS = "p cnf 1 2\n1 0\n-1 0\n"


def to_checkable(proof: str, variables: int = 1, clauses: int = 2) -> str:
    blocks = [line.encode() for line in proof.splitlines(keepends=True)]
    return b"".join(checkable_proof(blocks, variables, clauses)).decode()


def test_end_of_lrat_proof_is_rewritten() -> None:
    assert to_checkable("c x\n3 5 0 1 2 0\n4 0 1 2 0\n9 0 0\n") == (
        "3 5 0 1 2 0\n4 -6 0 0\n5 6 0 1 2 0 \n6 0 4 5 0\n"
    )
    assert to_checkable("2 d 1 0\n  3  0  2 0\n").startswith("2 d 1 0\n3 -2 0 0\n")


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        ("", "not derive the empty clause"),
        ("3 1 0 1 0\n", "not derive the empty clause"),
        ("3 0 1 2 0", "is truncated"),
        ("3 0 1 2\n", "is truncated"),
        ("3 0 0x1 2 0\n", "not in LRAT format"),
        ("3 0 01 2 0\n", "not in LRAT format"),
        ("3 0 1 2 0 \n", "is truncated"),
        ("\0\xff", "not in LRAT format"),
        ("0\n", "neither a clause"),
        ("3 0\n", "neither a clause"),
        ("3 1 0 1 0 2 0\n", "neither a clause"),
        ("3 0 0 0 1 0\n", "neither a clause"),
        ("3 d 1 0 2 0\n", "neither a clause"),
        ("3 d d 1 0\n", "not in LRAT format"),
        ("2 0 1 2 0\n", "clause numbers must increase"),
        ("-3 0 1 2 0\n", "clause numbers must increase"),
        ("4 1 0 1 0\n3 0 1 2 0\n", "clause numbers must increase"),
        (f"{2**29} 0 1 2 0\n", r"must be below 536,870,912 \(got 536,870,912\)"),
        ("3 0 3 0\n", "an undefined clause"),
        ("9 0 8 0\n", "an undefined clause"),
        ("3 d 3 0\n4 0 1 2 0\n", "an undefined clause"),
        ("3 1 0 -1 2 0\n", "RAT"),
        ("3 d -1 0\n", "RAT"),
        (f"3 {2**27} 0 1 0\n", r"\(got 134,217,728\)"),
    ],
)
def test_malformed_lrat_proof_is_rejected(proof: str, fault: str) -> None:
    with pytest.raises(NoProofError, match=fault):
        to_checkable(proof)


def test_lrat_proof_without_clauses_is_rejected() -> None:
    with pytest.raises(NoProofError, match="without clauses"):
        to_checkable("1 0 0\n", clauses=0)


def is_implied(clauses: list[list[int]], literals: list[int]) -> bool:
    """Return True if the clauses imply the clause, over all assignments of four variables."""
    for signs in itertools.product((1, -1), repeat=4):
        true = {sign * variable for variable, sign in enumerate(signs, 1)}
        if all(true & set(clause) for clause in clauses) and not true & set(literals):
            return False
    return True


@pytest.mark.slow
@outside
def test_forged_proof_of_satisfiable_formula_is_not_verified(
    checkers: None, tmp_path: Path
) -> None:
    """lrat-check alone verifies the first two, and one in sixteen random ones."""
    for proof in ("2 0 0\n", "2 0 1 0\n", "2 1 0 0\n3 0 1 2 0\n"):
        output = check_proof_file(tmp_path, "p cnf 1 1\n1 0\n", proof.encode())
        assert output.code in (1, 2) and "verified: " not in output.out and output.one_line()
    dice = random.Random(7)
    clauses = [[1, 2], [-1, 3], [-2, -3, 4]]
    assert not is_implied(clauses, [])
    text = "p cnf 4 3\n" + "".join(" ".join(map(str, [*c, 0])) + "\n" for c in clauses)
    for _ in range(3):
        hints = [dice.randint(1, 3) for _ in range(dice.randint(1, 5))]
        proof = f"4 {dice.choice([1, -4])} 0 1 2 0\n5 0 {' '.join(map(str, hints))} 4 0\n"
        output = check_proof_file(tmp_path, text, proof.encode())
        assert output.code in (1, 2) and "verified: " not in output.out


@pytest.mark.slow
@outside
@pytest.mark.parametrize(
    ("proof", "name"),
    [
        ((RECORDED / "verified.lrat").read_bytes()[:900], "p.lrat"),
        (b"\x00" * 300, "p.drat"),
        (b"a\xff\xff\xff\xff\xff\xff\x00", "p.drat"),
        (b"a\x02\x00a\x02", "p.drat"),
        ((RECORDED / "verified.drat").read_bytes() + b"\0", "p.drat"),
        (b"no xz", "p.drat.xz"),
        (lzma.compress(b"0\n" * 5_000_000), "p.drat.xz"),
        (lzma.compress((RECORDED / "verified.drat").read_bytes())[:-9], "p.drat.xz"),
    ],
    ids=["short", "zeros", "far", "cut", "mixed", "no-xz", "bomb", "short-xz"],
)
def test_malformed_proof_is_reported_in_one_line(
    proof: bytes, name: str, checkers: None, tmp_path: Path
) -> None:
    output = check_proof_file(tmp_path, Path(UNSAT).read_text(), proof, name)
    assert output.code in (1, 2) and not output.out and output.one_line()


@pytest.mark.slow
@outside
def test_compressed_and_plain_proofs_are_verified(checkers: None, tmp_path: Path) -> None:
    for kind, format_text in (("drat", "DRAT as text"), ("lrat", "LRAT")):
        proof = (RECORDED / f"verified.{kind}").read_bytes()
        for suffix in ("", ".xz"):
            packed = lzma.compress(proof) if suffix else proof
            output = check_proof_file(
                tmp_path, Path(UNSAT).read_text(), packed, f"p.{kind}{suffix}"
            )
            assert output.out == f"the proof is verified: UNSATISFIABLE ({format_text})\n"
    output = check_proof_file(tmp_path, Path(SAT).read_text(), proof)
    assert output.code == 1 and "REFUTED PROOF" in output.one_line()


# Stored proofs.


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (
            ("--proof-format", "lrat", "--proof-file", "x.drat"),
            "the suffix .drat does not match the format LRAT",
        ),
        (
            ("--proof-format", "drat", "--proof-file", "x.lrat.xz"),
            "the suffix .lrat does not match the format binary DRAT",
        ),
        (
            ("--proof-file", "x.drat", "--models", 2),
            "--proof-file stores the proof of a single formula",
        ),
    ],
)
def test_contradictory_proof_options_are_rejected(
    arguments: tuple[object, ...], fault: str
) -> None:
    output = boardsat("solve", "pigeonhole", "-n", 3, *arguments)
    assert output.code == 2 and fault in output.one_line()


@outside
def test_proof_format_unsupported_by_solver_is_rejected() -> None:
    require_solver(solvers.load("kissat"), "docker")
    output = boardsat("solve", UNSAT, "--solver", "kissat", "--proof-format", "lrat")
    assert "kissat does not write proofs in LRAT; choose cadical" in output.one_line()


@pytest.mark.slow
@outside
@pytest.mark.parametrize("name", ["p.drat", "p.lrat", "p.drat.xz"])
def test_proof_and_its_formula_are_stored(name: str, checkers: None, tmp_path: Path) -> None:
    target = tmp_path / name
    code, answer = solve_json("pigeonhole", "-n", 4, "--runtime", "docker", "--proof-file", target)
    proof, packed = answer["proof"], ".xz" * name.endswith(".xz")
    assert code == 20 and answer["checked"] == ["proof"]
    assert proof["kind"] == ("lrat" if "lrat" in name else "drat")
    assert (proof["file"], proof["file_bytes"]) == (str(target), target.stat().st_size)
    plain = lzma.decompress(target.read_bytes()) if packed else target.read_bytes()
    assert proof["bytes"] == len(plain)
    assert proof["formula"] == str(tmp_path / f"p.proved.cnf{packed}")
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    output = boardsat("check", proof["formula"], tmp_path / "answer", target)
    assert output.out.startswith("the proof is verified: UNSATISFIABLE (")


@pytest.mark.slow
@outside
def test_cuts_of_stored_proof_are_checked(checkers: None, tmp_path: Path) -> None:
    target, answer = tmp_path / "c.drat", tmp_path / "answer"
    code, answer_json = solve_json(
        "tour", "--enc", "cuts", *board_options(3, 8), "--proof-file", target
    )
    formula = Path(answer_json["proof"]["formula"])
    assert code == 20 and answer_json["cuts"] > 0
    answer.write_text("s UNSATISFIABLE\n")
    lines_of_check = boardsat("check", formula, answer, target).out.splitlines()
    assert (
        lines_of_check[1]
        == f"each of its {answer_json['cuts']} cuts follows from the lazy constraints"
    )
    assert lines_of_check[2].endswith("other clauses are those of tour/cuts")
    # A unit clause is not a cut, though with its negation it refutes the formula.
    lines = formula.read_text().splitlines()
    lines[-2:] = ["1 0", "-1 0"]
    formula.write_text("\n".join([*lines, ""]))
    target.write_text("0\n")
    wrong = boardsat("check", formula, answer, target)
    assert wrong.code == 1 and "WRONG CUT" in wrong.one_line()
    # Without being declared a cut, it is not a clause of the spec either.
    text = "\n".join([*lines[:-2], "1 0", "-1 0", ""])
    cuts_header = f'"cuts", "clauses": {answer_json["cuts"]}'
    assert cuts_header in text
    formula.write_text(text.replace(cuts_header, '"cuts", "clauses": 0'))
    assert (
        "the header must declare between 1 and"
        in boardsat("check", formula, answer, target).one_line()
    )
    honest = text.replace("\n1 0\n-1 0\n", f"\n1 0\n-1 0\n{lines[-3]}\n")
    honest = honest.replace(cuts_header, '"cuts", "clauses": 1').replace(
        f"p cnf {_numbers(text)[0]} {_numbers(text)[1]}",
        f"p cnf {_numbers(text)[0]} {_numbers(text)[1] + 1}",
    )
    formula.write_text(honest)
    lines_of_check = boardsat("check", formula, answer, target).out.splitlines()
    assert lines_of_check[1].startswith("its cut follows") and lines_of_check[2].startswith(
        "NOT checked: "
    )


def _numbers(text: str) -> list[int]:
    line = next(line for line in text.splitlines() if line.startswith("p cnf "))
    return list(map(int, line.split()[2:]))


def test_xz_files_are_reproducible(tmp_path: Path) -> None:
    for name in ("a.xz", "b.xz"):
        write_file(str(tmp_path / name), [b"a\0" * 100])
    assert (tmp_path / "a.xz").read_bytes() == (tmp_path / "b.xz").read_bytes()


def test_every_proof_format_has_a_checker() -> None:
    for proof_format in ProofFormat:
        assert proof_format in solvers.find_checker(proof_format).proof_formats
    with pytest.raises(BoardsatError, match="no proof format 'dart'; did you mean 'drat'"):
        _parse_solver("can: check\nproofs: dart")
    for text, fault in (
        ("can: check", "`can: check` requires `proofs`; the proof formats are: drat"),
        ("can: decide\nproofs: drat", "`proofs` requires `can: prove` or `can: check`"),
        ("can: prove", "`can: prove` requires `proofs`; the proof formats are: drat"),
    ):
        with pytest.raises(BoardsatError, match=fault):
            _parse_solver(text)


def _parse_solver(text: str) -> None:
    head = b"title: x\nprogram: x\ncommand: x\ndialect: drat\n"
    solver_file.parse_solver("x", head + text.encode(), "x.yaml")
