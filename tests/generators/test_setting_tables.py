"""Tables in settings: text of some shape, parsed or rejected with its location."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers.error_lines import one_line

from boardsat.generators import InputError, build, find, parse
from boardsat.generators.sections.parameters import as_text, settings_for

SPEC = """
title: A table
params:
  n: 2
  t:
    type: numbers
    default: ""
    {keys}
define:
  size: len(t)
variables:
  X:
    for: k in range(3)
constraints:
  - clause: X[0]
"""


def spec(keys: str):
    return parse(SPEC.replace("{keys}", "\n    ".join(keys.split(" | "))))


def table(keys: str, text: str, **settings: object) -> object:
    """Return the table in the header, after a round trip through the header."""
    parsed_spec = spec(keys)
    once = build(parsed_spec, {"t": text, **settings}).header.parameters
    reread = build(parsed_spec, settings_for(parsed_spec, once)).header.parameters
    assert reread["t"] == once["t"]
    return once["t"]


@pytest.mark.parametrize(
    ("keys", "text", "expected"),
    [
        ("shape: 3", "1 2 3", [1, 2, 3]),
        ("shape: 3", "123", [1, 2, 3]),
        ("shape: 3", "12, 0,-7", [12, 0, -7]),
        ("shape: 3", "", [0, 0, 0]),
        ("shape: n + 1", "1.z", [1, 0, 35]),
        ("shape: any", "10 20 30 40", [10, 20, 30, 40]),
        ("shape: any", "10", [1, 0]),
        ("shape: any", "10,", [10]),
        ("shape: 1", "10", [10]),
        ("shape: any", "", []),
        ("shape: 5", "b=3 e=-1", [0, 3, 0, 0, -1]),
        ("shape: 5 | missing: -1", "0=3 4=0", [3, -1, -1, -1, 0]),
        ("shape: any | missing: -1", "a=3,c=15", [3, -1, 15]),
        ("shape: n, 3", "123\n456", [[1, 2, 3], [4, 5, 6]]),
        ("shape: n, 3", "123456", [[1, 2, 3], [4, 5, 6]]),
        ("shape: n, 3", "1 2 3 ; 4 . 60", [[1, 2, 3], [4, 0, 60]]),
        ("shape: n, 3 | missing: -1", "1 2 0\n4 . _", [[1, 2, 0], [4, -1, -1]]),
        ("shape: any, any", "..3\n1*2\n", [[0, 0, 3], [1, 0, 2]]),
        ("shape: any, any", "10 2\n3 4", [[10, 2], [3, 4]]),
        ("shape: any, any", "12 34\n5. 67", [[12, 34], [0, 67]]),
        ("shape: any, any", "# a line\n+--+\n|1|2|\n=====\n|3|4|", [[1, 2], [3, 4]]),
        ("shape: any, ragged", "1 1\n12\n0\n2,3,4", [[1, 1], [12], [0], [2, 3, 4]]),
        ("shape: any, ragged", "12", [[12]]),
        ("shape: n, ragged", "1 2 3; 4", [[1, 2, 3], [4]]),
        ("shape: n, n | signs: .<>", ".<\n>.", [[0, 1], [2, 0]]),
        ("shape: n, n | signs: . < > | missing: -1", "_ < > .", [[-1, 1], [2, 0]]),
        ("shape: n, n | signs: '#-'", "##\n--", [[0, 0], [1, 1]]),
        ("shape: any, any | signs: letters | missing: -1", "aB\n.z", [[0, 27], [-1, 25]]),
        (
            r"shape: any, any, 2 | missing: -1",
            "\\ 16\\ 7\\3\n\\9 . .",
            [[[0, 0], [16, 0], [7, 3]], [[0, 9], [-1, -1], [-1, -1]]],
        ),
    ],
)
def test_text_is_parsed_by_its_shape(keys: str, text: str, expected: object) -> None:
    if "12 34" in text:
        expected = [[1, 2, 3, 4], [5, 0, 6, 7]]  # `5.` is no number, so signs stand together
    assert table(keys, text) == expected
    assert table(keys, as_text(expected)) == expected


@pytest.mark.parametrize(
    ("keys", "text", "line"),
    [
        (
            "shape: 3",
            "1 2",
            "t=1 2: the list must have 3 entries (got 2); write all, or some by their names",
        ),
        (
            "shape: 9",
            "10 10",
            "t=10 10: the list must have 9 entries (got 2); write all, or some by their names",
        ),
        ("shape: any, any", ". .\n. 9x", "t: '9x' in row 2, column 2 is not an entry"),
        ("shape: 3, 3", "123\n45\n789", "t: row 2 must have 3 entries (got 2)"),
        (
            "shape: 3, 3",
            "123\n456",
            "t: the table must have 3 rows (got 2); write a line for each row",
        ),
        ("shape: 2, 3", "12345", "t=12345: the line must have 6 entries (got 5)"),
        ("shape: any, any", "1 2 3\n4 5", "t: row 2 must have 3 entries (got 2)"),
        (
            "shape: n, ragged",
            "1 2 3",
            "t=1 2 3: the table must have 2 rows (got 1); write a line for each row",
        ),
        ("shape: 2, 2", "12\n3?", "t: '?' in row 2, column 2 is not an entry; write a digit"),
        (
            "shape: 4 | signs: <>",
            "<.>x",
            "t=<.>x: 'x' in entry 4 is not an entry; write one of < >",
        ),
        ("shape: 2 | signs: letters", "a1", "t=a1: '1' in entry 2 is not an entry; write a letter"),
        ("shape: any, ragged", "1 x2", "t=1 x2: 'x2' in row 1, column 2 is not an entry;"),
        ("shape: 1, 1, 2", "7", "t=7: '7' in row 1, column 1 is not 2 numbers; write 2 with \\"),
        ("shape: 1, 1, 2", "1\\?", "t=1\\?: '1\\\\?' in row 1, column 1 is not an entry;"),
        ("shape: 3", "a=1 b", "t=a=1 b: 'b' is not KEY=NUMBER; write for example a=3 b=15"),
        (
            "shape: 3",
            "a=1 a=2",
            "t=a=1 a=2: 'a' must have one number (got two); remove one of them",
        ),
        (
            "shape: 3",
            "a=1 d=2",
            "t=a=1 d=2: indices must be between 0 and 2 (got 3); remove the entry",
        ),
        (
            "shape: 2, 2 | min: 1 | max: 4",
            "1 2; 3 5",
            "t=1,2;3,5: t must be at most 4 (got 5 in row 2, column 2)",
        ),
        (
            "shape: 2, 2 | min: 1",
            "1 .; 3 -5",
            "t=1,0;3,-5: t must be at least 1 (got -5 in row 2, column 2)",
        ),
    ],
)
def test_fault_is_reported_by_row_and_column(keys: str, text: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        build(spec(keys), {"t": text})
    assert one_line(f"boardsat: {error.value}\n").startswith(f"boardsat: {line}"), error.value


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ("shape: n - 3", "the size of an index must be at least 0 (got -1) in `n - 3`"),
        ("shape: 1, 2, 3, 4", "a table has at most 3 indices (got 4)"),
        ("shape: ragged, 2", "`ragged` must be the second of two indices"),
        ("shape: 2, ragged, 2", "`ragged` must be the second of two indices"),
        ("shape: 2, 2, any", "the third index cannot be `any`"),
        ("shape: len(t)", "the defaults of parameters form a cycle: t -> t"),
        ("shape: true", "the value must be a number in `true`"),
        ("shape: 2,", "unexpected end"),
        ("shape: 100000, 100000", "needs too much memory"),
    ],
)
def test_invalid_shape_is_rejected(keys: str, fault: str) -> None:
    with pytest.raises(InputError) as error:
        build(spec(keys))
    assert fault in one_line(f"boardsat: {error.value}\n")


def test_ragged_rows_are_rejected_before_allocation() -> None:
    text = "1 " * 200_000 + "\n1" * 200_000
    with pytest.raises(InputError, match="too much memory"):
        build(spec("shape: any, ragged"), {"t": text})


ASKED = """
title: What can be asked of a table
params:
  t:
    type: numbers
    shape: any, ragged
    missing: -1
    default: |
      0 2
      .
      3 4 5
board:
  shape: grid
  rows: len(t)
  cols: max(len(t[0]), len(t[2]))
variables:
  X:
    for: i in cells
constraints:
  - for: i in cells
    clause: X[i] == (exists(t[row[i], column[i]]) and column[i] < len(t[row[i]]))
"""


def test_incomplete_table_error_names_length_and_missing_entries() -> None:
    formula = build(parse(ASKED))
    assert formula.header.board == {"shape": "grid", "rows": 3, "cols": 3, "moves": ""} | (
        formula.header.board or {}
    )
    signs = [int(token) > 0 for tokens in formula.arrays() for token in tokens if token]
    assert signs == [True, True, False, False, False, False, True, True, True]


BOARD = """
title: Entries of cells
params:
  t: {type: numbers, default: "", missing: -1, min: 0, max: 3, signs: "0123"}
board: {shape: grid, rows: 2, cols: 2}
variables:
  X: {for: i in cells}
constraints:
  - for: i in cells
    clause: X[i] == exists(t[i])
"""


@pytest.mark.parametrize(("text", "expected"), [("0..3", (1, 0, 0, 1)), ("", (0, 0, 0, 0))])
def test_a_table_of_the_cells_may_have_zeros_too(text: str, expected: Sequence[int]) -> None:
    formula = build(parse(BOARD.replace("{for: i in cells}", "\n    for: i in cells")), {"t": text})
    tokens = [int(token) for tokens in formula.arrays() for token in tokens if token]
    assert [int(token > 0) for token in tokens] == list(expected)


@pytest.mark.parametrize(
    ("sums", "fault"),
    [
        ("a=10 e=5", "sums has an entry for e, which does not occur in cages; remove e=..."),
        ("a=10 d=77", "sums must be at most 10 (got 77 for d)"),
        ("10 10 10 10", "entries (got 4); write all, or some by their names"),
    ],
)
def test_named_entries_are_recorded_by_name(sums: str, fault: str) -> None:
    with pytest.raises(InputError) as error:
        build(find("killer"), {"n": 2, "cages": "aabbaabbccddccdd", "sums": sums})
    assert error.value.location.startswith("sums") and fault in str(error.value)


def test_keys_name_a_table() -> None:
    table = "  t: {type: numbers, shape: 3, keys: n, default: ''}\n"
    text = f"title: x\nparams:\n  n: 2\n{table}variables:\n  X: {{}}\nconstraints:\n  - clause: X\n"
    with pytest.raises(InputError) as error:
        build(parse(text))
    assert "spec.yaml:4: `keys: n` must name a table, and t must be a list" in str(error.value)
