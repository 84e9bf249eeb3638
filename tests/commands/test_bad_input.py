"""Bad input is one line with place, fault and remedy, exit code 2, and no file: every kind of it.

The folder bad/ holds specs named for their fault, each with the line it must give. A first line
`# boardsat cnf FILE ...` gives the options to use.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import processes
from helpers.error_lines import one_line

from boardsat.generators import boards, constraints, encodings

BAD = Path(__file__).parents[1] / "bad"
CUBE = BAD.parent / "graphs/cube.hcp"
FAULTY = sorted(BAD.rglob("*.yaml"))


REGISTERED = {f"<{kind}>": encodings.names(kind) for kind in encodings.kinds()}
REGISTERED |= {"<boards>": boards.names(), "<constraint types>": constraints.names()}
"""Names that a message lists: an expected line has the key in angle brackets instead."""


def expected_line(spec: Path) -> str:
    line = spec.with_suffix(".expected").read_text()
    for key, names in REGISTERED.items():
        line = line.replace(key, ", ".join(names))
    return line


def options_of(spec: Path) -> list[str]:
    first = spec.read_bytes().split(b"\n")[0].decode("utf-8", "replace")
    return shlex.split(first.split(" FILE ", 1)[1]) if first.startswith("# boardsat cnf") else []


@pytest.fixture
def refused(boardsat, tmp_path):
    """Runs `boardsat cnf` twice, with no old file and with one; gives the line that it printed."""

    def run(*arguments: object) -> str:
        (tmp_path / "out").mkdir(exist_ok=True)
        target = tmp_path / "out" / "x.cnf"
        lines = []
        for old in ([], [target]):
            for path in old:
                path.write_text("old")
            outcome = boardsat("cnf", *arguments, "-o", target)
            assert (outcome.code, outcome.out) == (2, b"")
            assert list(target.parent.iterdir()) == old
            assert all(path.read_text() == "old" for path in old)
            lines.append(outcome.err)
        target.unlink()
        assert lines[0] == lines[1]
        return one_line(lines[0])

    return run


# Specs.


@pytest.mark.parametrize("spec", FAULTY, ids=lambda path: path.stem)
def test_bad_spec_error_names_the_line(spec, refused, monkeypatch):
    monkeypatch.chdir(spec.parent)
    options = options_of(spec)
    line = refused(spec.name, *options)
    assert line == expected_line(spec).rstrip("\n")
    if not options:
        assert line.startswith(f"boardsat: {spec.name}:"), "the place is missing"


def test_every_expected_error_has_a_spec():
    assert {path.stem for path in BAD.rglob("*.expected")} == {path.stem for path in FAULTY}


@pytest.mark.parametrize("spec", FAULTY[:: len(FAULTY) // 2], ids=lambda path: path.stem)
def test_program_prints_expected_error_and_no_file(spec, tmp_path):
    outcome = program(
        "cnf", spec.name, *options_of(spec), "-o", tmp_path / "x.cnf", cwd=spec.parent
    )
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == expected_line(spec)
    assert list(tmp_path.iterdir()) == []


def program(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "boardsat", *map(str, arguments)]
    return processes.run(command, capture_output=True, text=True, **options)


def test_spec_of_ten_megabytes_is_rejected(refused, tmp_path):
    spec = tmp_path / "large.yaml"
    spec.write_text("title: " + "x" * 10**7)
    assert "large.yaml: a spec must have at most 1,000,000 bytes; " in refused(spec)
    # Cut at the limit it would be a whole spec, for two bytes are one character.
    spec.write_text("title: x\nvariables: {}\nconstraints: []\nabout: " + "é" * 999_000)
    assert "large.yaml: a spec must have at most 1,000,000 bytes; " in refused(spec)


@pytest.mark.parametrize("text", ["[" * 400_000, "{a: " * 200_000, "- " * 400_000, "? " * 400_000])
def test_deeply_nested_yaml_is_rejected(text, refused, tmp_path):
    spec = tmp_path / "deep.yaml"
    spec.write_text(f"title:\n {text}")
    assert "deep.yaml:2: lists and mappings must be nested at most 20 deep; " in refused(spec)


def test_unreadable_spec_is_one_line(refused, tmp_path):
    missing, folder = tmp_path / "missing.yaml", tmp_path / "folder.yaml"
    folder.mkdir()
    remedy = "give a readable YAML file"
    no_file, a_folder = os.strerror(errno.ENOENT), os.strerror(errno.EISDIR)
    assert refused(missing) == f"boardsat: {missing}: cannot read the spec: {no_file}; {remedy}"
    assert refused(folder) == f"boardsat: {folder}: cannot read the spec: {a_folder}; {remedy}"


def test_unbounded_rows_are_rejected(refused, tmp_path):
    spec = tmp_path / "rows.yaml"
    spec.write_text(
        "title: x\nvariables: {X: {for: i in range(3)}}\nconstraints:\n"
        "  - for: i in range(2000000000), j in range(2000000000)\n"
        "    if: i + j < 0\n    clause: X[0]\n"
    )
    assert refused(spec).startswith(
        f"boardsat: {spec}:4: the constraint 'clause at line 4' needs too much time: at least "
    )


# The command line.

COMMANDS = {
    "tour --enc problem": "no encoding 'problem' of 'tour'; choose from: binary, crt, cuts, "
    "direct, hve, lfsr, relative, unary, undirected, uve, ve",
    "tour --enc unary,binary -n 5": "-o: several instances need a folder; "
    "name one, such as -o out/",
    "tour --enc=,unary": "--encoding: names must not be empty; "
    "write names with commas between them",
    "queens -n 7..5": "-n 7..5: the range 7..5 is empty; write 5..7",
    "queens -n 1..9999": "-n 1..9999: the options name more than 1,000 instances; "
    "name fewer, or run a campaign",
    "queens -n 5..x": "-n 5..x: n must be a whole number; write digits alone (declared in "
    "specs/queens/squares.yaml:LINE)",
    "tour --enc unery": "no encoding 'unery' of 'tour'; did you mean 'unary'?",
    "tour --enc x": "no encoding 'x' of 'tour'; choose from: binary, crt, cuts, direct, hve, lfsr, "
    "relative, unary, undirected, uve, ve",
    "tour/unary --enc binary": "the encoding must be given once (got 'unary' and 'binary'); "
    "write tour --encoding binary",
    "tuor --enc unary": "no problem 'tuor'; did you mean 'tour'? (a spec file ends in .yaml)",
    "my.yaml --enc unary": "my.yaml: a spec file has only one encoding; remove --encoding",
    "../tour --enc unary": "no problem '..'; `boardsat list` names all of them (a spec file ends "
    "in .yaml)",
    "queens -n 0": "-n 0: n must be at least 1 (got 0); give 1 or more (declared in "
    "specs/queens/squares.yaml:LINE)",
    "queens -n -1": "-n -1: n must be at least 1 (got -1); give 1 or more (declared in "
    "specs/queens/squares.yaml:LINE)",
    "queens -n 1000000000": "-n 1000000000: n must be at most 2000 (got 1000000000); give 2000 or "
    "less (declared in specs/queens/squares.yaml:LINE)",
    "queens -n 8x": "-n 8x: n must be a whole number; write digits alone (declared in "
    "specs/queens/squares.yaml:LINE)",
    "queens -n ''": "-n '': n must be a whole number; write digits alone (declared in "
    "specs/queens/squares.yaml:LINE)",
    "queens -n ٣": "-n ٣: n must be a whole number; write digits alone (declared in "
    "specs/queens/squares.yaml:LINE)",
    "queens -n 8 --set n=8": "--set n=8: the parameter 'n' is set twice; set it once",
    "queens --set n=8 --set n=9": "--set n=9: the parameter 'n' is set twice; set it once",
    "queens --set n": "--set n: a setting must have the form KEY=VALUE; "
    "write for example --set rows=5",
    "queens --set =3": "--set =3: a setting must have the form KEY=VALUE; "
    "write for example --set rows=5",
    "queens --set m=3": "--set m=3: queens/squares has no parameter 'm'; choose from: amo, n",
    "queens --set amo=pairwize": "--set amo=pairwize: amo has no choice 'pairwize'; did you mean "
    "'pairwise'?",
    "queens --set n=@no/such/file": "@no/such/file: cannot read the value: "
    "No such file or directory; give a readable file",
    "queens --set n=@/dev/zero": "@/dev/zero: the value has too many bytes; "
    "give at most 1,000,000 bytes",
    "queens --shuffle x": "--shuffle must be a whole number from 0 to 2**64 - 1 (got 'x'); "
    "write for example --shuffle 1",
    "queens --shuffle -1": "--shuffle must be a whole number from 0 to 2**64 - 1 (got '-1'); "
    "write for example --shuffle 1",
    f"queens --shuffle {'9' * 5000}": "--shuffle must be a whole number from 0 to "
    f"2**64 - 1 (got '{'9' * 40}'); write for example --shuffle 1",
    f"queens --shuffle {2**64}": "--shuffle must be a whole number from 0 to 2**64 - 1 "
    f"(got '{2**64}'); write for example --shuffle 1",
    "tour/unary -n 8 --set start=64": "--set start=64: start = 64 is not on the board; give a "
    "number from 0 to 63, or a square from a1 to h8 (declared in specs/tour/problem.yaml:LINE)",
    "tour/unary -n 8 --set start=-1": "--set start=-1: start = -1 is not on the board; give a "
    "number from 0 to 63, or a square from a1 to h8 (declared in specs/tour/problem.yaml:LINE)",
    "tour/unary --set moves=knigth": "--set moves=knigth: no leaper 'knigth'; write offsets like "
    "1,2, or did you mean 'knight'? (declared in specs/tour/problem.yaml:LINE)",
    "tour/unary --set 'moves=knight\n'": "--set moves=knight : moves must be one line of at "
    "most 1000 printable characters; declared in specs/tour/problem.yaml:LINE",
    "tour/unary --set closed=no": "--set closed=no: closed must be true or false; "
    "declared in specs/tour/problem.yaml:LINE",
    "symmetric --set rows=4 --set turn=90": "specs/symmetric/binary.yaml:LINE: "
    "rotation_orbit: rows and cols must be equal for a rotation by 90 degrees (got 4 x 8); "
    "rotate by 180 degrees, or try 8 x 8",
    "latin/direct -n 3 --set givens=12": "--set givens=12: givens must have an entry for each "
    "cell, or none (got 2 entries for 9 cells); add or remove entries "
    "(declared in specs/latin/problem.yaml:LINE)",
    "latin/direct -n 3 --set givens=12......4": "--set givens=12......4: givens must be at most 3 "
    "(got 4 in row 3, column 3); give 3 or less (declared in specs/latin/problem.yaml:LINE)",
    "sudoku/direct -n 2 --set givens=12-.": "--set givens=12-.: '-' in entry 3 is not an entry; "
    "write a digit, or one of . 0 _ * for an open square (declared in "
    "specs/sudoku/problem.yaml:LINE)",
    "colouring/direct": "specs/colouring/problem.yaml:LINE: the parameter 'graph' must be set; "
    "add --set graph=...",
    f"hamilton/unary --set graph={CUBE} --set start=9": "--set start=9: the graph has no "
    "vertex '9'; its vertices are 1 to 8",
    f"hamilton/unary --set graph={CUBE} -n 8": "-n 8: hamilton/unary has no parameter 'n'; choose "
    "from: amo, closed, distance, graph, no_two_cycles, one_direction, parity, start",
}


@pytest.mark.parametrize("arguments, line", COMMANDS.items(), ids=lambda text: text[:50])
def test_invalid_options_are_one_line(arguments, line, refused):
    error = re.sub(r"(specs/\S+.yaml):\d+", r"\1:LINE", refused(*shlex.split(arguments)))
    assert error == f"boardsat: {line}"


USAGE = {
    "": "the following arguments are required: COMMAND; see `boardsat --help`",
    "cfn tour": "no command 'cfn'; did you mean 'cnf'?",
    "--verbose": "no option '--verbose'; did you mean '--version'? (see `boardsat --help`)",
    "cnf": "the following arguments are required: PROBLEM; see `boardsat cnf --help`",
    "cnf queens -n": "-n: expected one argument; see `boardsat cnf --help`",
    "size queens --jsn": "no option '--jsn'; did you mean '--json'? (see `boardsat size --help`)",
    "size queens --zero=1": "no option '--zero'; see `boardsat size --help`",
    "list tour more": "unrecognized arguments: more; see `boardsat list --help`",
    "solve queens --sovler cadical": "no option '--sovler'; did you mean '--solver'? "
    "(see `boardsat solve --help`)",
    "archive verfy x": "ACTION must be one of create, submit, verify (got 'verfy'); "
    "see `boardsat archive --help`",
    "help slove": "no command 'slove'; did you mean 'solve'?",
    "cnf queens --projection all": "--projection must be one of ind, none, show (got 'all'); "
    "see `boardsat cnf --help`",
    "cnf queens --three-cnf maybe": "--three-cnf must be one of auto, chain, equivalences "
    "(got 'maybe'); see `boardsat cnf --help`",
    "list tuor": "no problem 'tuor'; did you mean 'tour'? (a spec file ends in .yaml)",
    "list no.yaml": "no.yaml: cannot read the spec: No such file or directory; "
    "give a readable YAML file",
}


@pytest.mark.parametrize("arguments, line", USAGE.items(), ids=str)
def test_usage_errors_are_one_line(arguments, line, boardsat):
    outcome = boardsat(*shlex.split(arguments))
    assert (outcome.code, outcome.out) == (2, b"")
    assert one_line(outcome.err) == f"boardsat: {line}"


def test_missing_projection_is_rejected(boardsat, tmp_path):
    spec = tmp_path / "plain.yaml"
    spec.write_text("title: x\nvariables: {X: {}}\nconstraints: [{clause: X}]\n")
    # All variables, as without such lines.
    outcome = boardsat("cnf", spec, "--projection", "ind").out.splitlines()
    assert outcome[-3:] == [b"c ind 1 0", b"p cnf 1 1", b"1 0"]
    # The model counting competition has a word for it.
    outcome = boardsat("cnf", spec, "--projection", "show").out.splitlines()
    assert outcome[0] == b"c t mc" and outcome[-2:] == [b"p cnf 1 1", b"1 0"]


# Graph files.

LIST, DIMACS = "give a DIMACS .col", "write `p edge VERTICES EDGES`, then `e U V` lines"
GRAPH_FILES = {
    b"": (1, "the file has no edge", LIST),
    b"# nothing\n": (1, "the file has no edge", LIST),
    b"1 2\n\xff\xfe\n": (2, "the graph file is not UTF-8 text", LIST),
    b"1 2\n2 3 4\n": (2, "'2 3 4' is not an edge", LIST),
    b"1 2\n2\n": (2, "'2' is not an edge", LIST),
    b"1 2\n2 -3\n": (2, "'-3' is not a vertex number", LIST),
    b"1 2\n2 3.5\n": (2, "'3.5' is not a vertex number", LIST),
    b"1 2\n2 99999999999\n": (2, "'99999999999' is not a vertex number", LIST),
    b"1 2\n2 00000000000000000000000000000009\n": (2, "'0000000", LIST),
    b"1 2\n2 " + b"9" * 5000 + b"\n": (2, "'9999999", LIST),
    b"1 2\n3 3\n": (2, "the edge joins a vertex to itself", "remove it"),
    b"a b\nb 3\n": (1, "'a' is a name, but other vertices have numbers", "use one or the other"),
    b"a -> b\nb c\n": (2, "all lines must have an arrow", "write `u -> v` in each"),
    b"a b\nb *\n": (2, "'*' is neither a number nor a name", "names begin with a letter"),
    b"a b\nb " + b"c" * 101 + b"\n": (
        2,
        "the name of a vertex",
        "use 1 to 100 printable characters",
    ),
    b"p edge 999999999 0\n": (0, "the graph needs too much memory: at least 250 times", "use "),
    b"<html><body>404 Not Found</body></html>\n": (1, "'<html><body>404", LIST),
    b"p cnf 3 2\n1 2 0\n": (1, "'p cnf 3 2' is not a line of a DIMACS graph", DIMACS),
    b"p edge 3\ne 1 2\n": (1, "'p edge 3' is not a line of a DIMACS graph", DIMACS),
    b"c a\np edge 3 1\ne 1 2\ne 1 4\n": (4, "there is no vertex 4", "the vertices are 1 to 3"),
    b"p edge 3 1\ne 0 2\n": (2, "there is no vertex 0", "the vertices are 1 to 3"),
    b"p edge 3 1\ne 1 2 3\n": (2, "'e 1 2 3' is not a line of a DIMACS graph", DIMACS),
    b"p edge 3 1\nhello\n": (2, "'hello' is not a line of a DIMACS graph", DIMACS),
    b"p edge 3 1\np edge 3 1\n": (2, "'p edge 3 1' is not a line of a DIMACS graph", DIMACS),
    b"e 1 2\np edge 3 1\n": (1, "'e 1 2' is not a line of a DIMACS graph", DIMACS),
    b"p edge x 1\ne 1 2\n": (1, "'x' is not a vertex number", LIST),
    b"p edge 0 0\n": (1, "the graph must have at least 1 vertex (got 0)", LIST),
    b"DIMENSION : 3\nEDGE_DATA_FORMAT : ADJ_LIST\n": (
        2,
        "EDGE_DATA_FORMAT must be EDGE_LIST (got ADJ_LIST)",
        "list",
    ),
    b"EDGE_DATA_SECTION\n1 2\n-1\n": (1, "the DIMENSION line is missing", LIST),
    b"DIMENSION: 3\nEDGE_DATA_SECTION\n1 2 3\n": (
        3,
        "'1 2 3' is not an edge",
        "write `U V` for each edge, and `-1` after the last",
    ),
    b"DIMENSION: 3\nEDGE_DATA_SECTION\n1 x\n": (3, "'x' is not a vertex number", LIST),
    b"DIMENSION: 3\nEDGE_DATA_SECTION\n1 4\n-1\n": (
        3,
        "there is no vertex 4",
        "the vertices are 1 to 3",
    ),
    b"DIMENSION: 3\nEDGE_DATA_SECTION\n1 1\n-1\n": (
        3,
        "the edge joins a vertex to itself",
        "remove",
    ),
}


@pytest.mark.parametrize("data", GRAPH_FILES, ids=lambda data: repr(data[:30]))
def test_malformed_graph_file_error_names_the_line(data, refused, tmp_path):
    line, fault, remedy = GRAPH_FILES[data]
    file = tmp_path / "graph.col"
    file.write_bytes(data)
    error = refused("colouring", "--enc", "direct", "--set", f"graph={file}")
    location = f"{file}:{line}" if line else f"{file}"
    assert error.startswith(f"boardsat: {location}: {fault}")
    assert error.split("; ", 1)[1].startswith(remedy)


def test_unreadable_graph_file_is_one_line(refused, tmp_path):
    for path, fault in (("no.col", "No such file or directory"), (".", "Is a directory")):
        file = tmp_path / path
        line = f"boardsat: {file}: cannot read the graph: {fault}; give a readable file"
        assert refused("colouring", "--enc", "direct", "--set", f"graph={file}") == line


def test_endless_graph_file_is_rejected(refused, monkeypatch):
    monkeypatch.setattr("boardsat.generators.graphs.file_formats.MAX_FILE_BYTES", 10**6)
    line = (
        "boardsat: /dev/zero: a graph file must have at most 1,000,000 bytes; use a smaller graph"
    )
    assert refused("colouring", "--enc", "direct", "--set", "graph=/dev/zero") == line
