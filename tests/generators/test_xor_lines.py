"""XOR lines: written, read back, rejected by CNF solvers, solved by CryptoMiniSat."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import processes
from helpers.formulas import examples, make, text_of, xor_clauses
from helpers.requirements import outside, require_program
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs import model_check, reader, rewrite
from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.adapters.dimacs.reader import DimacsError, open_cnf, validate
from boardsat.archive.archive_worker import read_back
from boardsat.cli import main
from boardsat.generators import Formula, InputError, size, transform, write
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.cnf import enumerate_answers
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.validate.metamorphic import variants
from boardsat.workflows.validate.run_matrix import PlannedInstance

REMEDY = "encode parity by clauses, with --set xor=chain"
ROWS = st.lists(
    st.tuples(st.lists(st.sampled_from([*range(-5, 0), *range(1, 6)]), max_size=7), st.booleans()),
    min_size=1,
    max_size=5,
)
CLAUSES = st.lists(st.lists(st.sampled_from([*range(-5, 0), *range(1, 6)]), min_size=1), max_size=5)


def native(**sections: Any) -> Formula:
    return make({"xor": "native"}, count_preserving=True, **sections)


def equations(rows: list[tuple[list[int], bool]], clauses: list[list[int]]) -> Formula:
    def words(literals: list[int]) -> list[str]:
        return [f"{'not ' if x < 0 else ''}X[{abs(x)}]" for x in literals]

    return native(
        variables={"X": {"for": "i in range(1, 6)"}},
        constraints=[
            *(
                {"xor": words(x) or ["false"], "equals": y, "empty": "unsatisfiable"}
                for x, y in rows
            ),
            *({"clause": words(clause)} for clause in clauses),
        ],
    )


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with two xor lines and a clause."""
    formula = equations([([1, 2, 3], True), ([-3, 4], True), ([5], False)], [[1, 5]])
    path = str(tmp_path_factory.mktemp("xor") / "five.cnf")
    write(formula, path)
    return path


# Written


def test_lines_as_cryptominisat_reads_them(five: str) -> None:
    lines = Path(five).read_text().splitlines()
    assert lines[-5:] == ["p cnf 5 4", "x1 2 3 0", "x-3 4 0", "-5 0", "1 5 0"]
    assert '"xor_lines": 2' in lines[0]


def test_the_size_is_that_of_the_file(five: str) -> None:
    sizes = size(equations([([1, 2, 3], True), ([-3, 4], True), ([5], False)], [[1, 5]]))
    assert sizes["bytes"] == Path(five).stat().st_size
    assert (sizes["clauses"], sizes["xor_lines"], sizes["unit_clauses"]) == (4, 2, 1)


def test_a_long_line_is_not_cut() -> None:
    n = 100_000
    formula = native(
        variables={"X": {"for": f"i in range({n})"}},
        constraints=[
            {"xor": f"X[i] for i in range({n})", "equals": "k"} | {"for": "k in range(2)"}
        ],
    )
    numbers = " ".join(map(str, range(1, n)))
    body = text_of(formula).decode().partition("p cnf 100000 2\n")[2]
    assert body == f"x{numbers} -{n} 0\nx{numbers} {n} 0\n"
    assert size(formula)["bytes"] == len(text_of(formula))


@pytest.mark.parametrize("options", [{"propagate": True}, {"three_cnf": "auto"}, {"shuffle": 1}])
def test_transforms_refuse(options: dict[str, Any]) -> None:
    formula = equations([([1, 2], True)], [])
    with pytest.raises(InputError, match=REMEDY):
        transform(formula, **options)
    with pytest.raises(InputError, match=REMEDY):
        list(formula.arrays())
    assert transform(equations([([1], True)], []), **options).clauses == 1


# Read


def satisfying_assignments(path: str, variables: int) -> set[tuple[int, ...]]:
    """Return the assignments that the model check accepts."""
    signs = product((1, -1), repeat=variables)
    return {
        s
        for s in signs
        if model_check.first_false_clause(path, np.array([-1, *s], np.int8)) is None
    }


@examples(60)
@given(rows=ROWS, clauses=CLAUSES)
def test_models_of_the_file_equal_those_of_the_equations(rows, clauses, tmp_path_factory):
    path = str(tmp_path_factory.getbasetemp() / "equations.cnf")
    write(equations(rows, clauses), path)
    expected = {
        s
        for s in product((1, -1), repeat=5)
        if all(sum(s[abs(x) - 1] * x > 0 for x in row) % 2 == odd for row, odd in rows)
        and all(any(s[abs(x) - 1] * x > 0 for x in clause) for clause in clauses)
    }
    assert satisfying_assignments(path, 5) == expected


def test_falsified_xor_line_is_named(five: str) -> None:
    false = model_check.first_false_clause(five, np.array([-1, 1, 1, -1, 1, -1], np.int8))
    assert str(false) == "xor line 1 (1 2 3)"
    false = model_check.first_false_clause(five, np.array([-1, 1, 1, 1, 1, 1], np.int8))
    assert str(false) == "clause 1 (-5)"


def lines_of(
    path: Path | str, block_bytes: int, strict: bool = True
) -> tuple[list[int], list[int]]:
    clauses_and_xors: tuple[list[int], list[int]] = ([], [])
    with open_cnf(path, block_bytes=block_bytes, strict=strict) as cnf:
        for literals, is_xor in cnf.pieces():
            clauses_and_xors[is_xor].extend(literals.tolist())
    return clauses_and_xors


@examples(100)
@given(
    lines=st.lists(
        st.tuples(
            st.booleans(), st.lists(st.integers(1, 10**6), min_size=1, max_size=9), st.booleans()
        ),
        max_size=40,
    ),
    block_bytes=st.sampled_from([1, 20, 300, 2**19]),
)
def test_lines_and_clauses_in_any_order(lines, block_bytes, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "mixed.cnf"
    rows = [
        (is_xor, [-x if negative and not index else x for index, x in enumerate(numbers)])
        for is_xor, numbers, negative in lines
    ]
    text = "".join(f"{'x' * is_xor}{' '.join(map(str, row))} 0\n" for is_xor, row in rows)
    path.write_text(f"p cnf 1000000 {len(rows)}\n{text}")
    expected = tuple([t for is_xor, row in rows if is_xor == x for t in [*row, 0]] for x in (0, 1))
    assert lines_of(path, block_bytes) == expected
    assert validate(path).xor_lines == sum(is_xor for is_xor, _ in rows)


@pytest.mark.parametrize("block_bytes", [1, 64, 2**19])
def test_an_xor_line_inside_a_clause(tmp_path, block_bytes):
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 3 4\n1\n2 0\nx1 2 0\n1\nx1 3 0\n3 0\n")
    with pytest.raises(
        DimacsError, match=r"x.cnf:6: an XOR line begins inside a clause; end the clause"
    ):
        lines_of(path, block_bytes, strict=False)


def test_too_long_xor_line_is_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr("boardsat.adapters.dimacs.lines.MAX_CLAUSE_LENGTH", 1000)
    path = tmp_path / "x.cnf"
    path.write_text(f"p cnf 3 1\nx{'1 ' * 5000}0\n")
    with pytest.raises(DimacsError, match=r"more than 1,000 literals"):
        lines_of(path, 512)


@pytest.mark.parametrize("fault", ["x1 3 4 0\n", "x1 2 0\nx1 3 0\n", "x1 2 0"])
def test_malformed_xor_line_is_rejected_or_noted(tmp_path, fault):
    """A literal or a line too many, and a last line without its end."""
    path = tmp_path / "x.cnf"
    path.write_text(f"p cnf 3 2\n1 2 0\n{fault}")
    with pytest.raises(DimacsError):
        validate(path)
    assert len(validate(path, strict=False).notes) == 1


def test_many_lines_are_scanned_and_not_read_one_by_one(tmp_path, monkeypatch):
    path = tmp_path / "x.cnf"
    body = "x1 2 -3 0\n1 2 0\nx-1 3 0\n" * 3000
    path.write_text(f"p cnf 3 9000\n{body}")
    monkeypatch.setattr(
        reader.CnfLineReader, "read", lambda self, block: pytest.fail("read line by line")
    )
    assert validate(path).xor_lines == 6000


# Copied and hashed


def test_copies_keep_them(tmp_path):
    path = tmp_path / "x.cnf"
    path.write_bytes(b"p cnf 3 3\nx1 -2 0\r\n1\t3 0\nx2 3 0\n")
    problem = open_formula(str(path))
    assert problem.summary.notes
    with rewrite.write_canonical(problem.summary, problem.path, [[-3]]) as copy:
        lines = Path(copy).read_text().splitlines()
    assert lines[0] == "p cnf 3 4" and lines[-1] == "-3 0"
    assert sorted(lines[1:-1]) == ["1 3 0", "x1 -2 0", "x2 3 0"]
    assert validate(path, strict=False).xor_lines == 2


def test_the_hash_tells_a_line_from_a_clause(tmp_path):
    hashes = set()
    for line in ("x1 2 0", "1 2 0", "x1 -2 0"):
        path = tmp_path / "x.cnf"
        path.write_text(f"p cnf 2 1\n{line}\n")
        hashes.add(gbd_hash(str(path)))
    assert len(hashes) == 3


def test_an_archive_has_no_isomorphism_hash_of_one(five: str) -> None:
    _, identity = read_back(Path(five))
    assert identity.iso_hash is None and identity.clauses == 4


# Refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve {}", "cadical does not solve formulas with xor lines; choose cryptominisat"),
        ("solve {}", f"cryptominisat, or {REMEDY}"),
        ("solve {} --solver minisat", "minisat does not solve formulas with xor lines; choose"),
        ("count {}", f"enumeration does not count models of formulas with xor lines; {REMEDY}"),
        (
            "validate {} --solvers cadical",
            f"none of the solvers supports the XOR lines of five; {REMEDY}",
        ),
    ],
)  # fmt: skip
def test_cnf_solver_rejects_xor_lines_in_one_line(line, message, five, capsys):
    assert main(line.format(five).split()) == 2
    captured = capsys.readouterr().err
    assert message in captured and captured.count("\n") == 1


def test_readers_of_clauses_refuse(five: str) -> None:
    with (
        open_cnf(five) as cnf,
        pytest.raises(DimacsError, match=r"XOR lines are not .*--set xor=chain"),
    ):
        list(cnf.chunks())


def test_a_proof_is_refused(five: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer, proof = tmp_path / "answer", tmp_path / "proof"
    answer.write_text("s UNSATISFIABLE\n")
    proof.write_text("0\n")
    assert main(["check", five, str(answer), str(proof)]) == 2
    assert "proofs do not support xor lines" in capsys.readouterr().err


def test_variants_of_one_are_not_transformed(five: str) -> None:
    from boardsat.generators import find

    planned = PlannedInstance("tseitin", "direct", five, "", find("tseitin"))
    assert {test.name for test in variants(planned)} == {"shuffled", "three-cnf"}
    assert not list(variants(PlannedInstance(**{**vars(planned), "xor_lines": 2})))


# Solved


CRYPTOMINISAT = SolveRequest("cryptominisat", "native")


@pytest.fixture(scope="module")
def cryptominisat() -> str:
    return require_program("cryptominisat5")


@outside
@pytest.mark.parametrize("line", [[1, 2, 3], [1, -2, 3], [-1, 2, -3]])
def test_the_program_means_the_same(cryptominisat, line, tmp_path):
    """All models of a line are those of the equivalent clauses."""
    path = tmp_path / "x.cnf"
    path.write_text(f"p cnf 3 1\nx{' '.join(map(str, line))} 0\n")
    command = [cryptominisat, "--verb=0", "--maxsol=9", str(path)]
    outcome = processes.run(command, capture_output=True, text=True)
    assignments = {
        tuple(map(int, line.split())) for line in re.findall(r"(?m)^v (.*) 0$", outcome.stdout)
    }
    clauses, choices = xor_clauses(line), product((1, -1), (2, -2), (3, -3))
    assert assignments == {model for model in choices if all(set(c) & set(model) for c in clauses)}


@outside
def test_models_one_after_the_other(cryptominisat, five):
    results = list(enumerate_answers(open_formula(five), replace(CRYPTOMINISAT, max_boards=20)))
    assert [result.answer.status for result in results][-1] is Status.UNSATISFIABLE
    models = {tuple(result.answer.model[1:].tolist()) for result in results[:-1]}
    assert models == satisfying_assignments(five, 5)
    assert all(result.checked == ("model",) for result in results[:-1])


@outside
def test_a_tseitin_formula_that_clauses_do_not_decide(cryptominisat, capsys):
    """Random expander graph: CryptoMiniSat refutes the formula by Gaussian elimination."""
    setting = ["--set", "graph=gnd 200 3 1", "--set", "xor=native"]
    line = ["solve", "tseitin", "--solver", "cryptominisat", "--runtime", "native", *setting]
    assert main([*line, "--timeout", "60"]) == 20
    output = capsys.readouterr().out
    assert "no selection of edges has these charges" in output
    assert f"proofs do not support xor lines: {REMEDY}" in output
    assert main([*line, "--set", "charge=zero"]) == 10
    assert "checked: model" in capsys.readouterr().out


@outside
def test_a_wrong_model_of_an_xor_line_is_found(five, tmp_path, capsys):
    answer = tmp_path / "answer"
    answer.write_text("s SATISFIABLE\nv 1 2 -3 -4 -5 0\n")
    assert main(["check", five, str(answer)]) == 1
    assert "xor line 1 (1 2 3) is false" in capsys.readouterr().err
