"""The commands: the same bytes as the library, sizes that are true, help that runs."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shlex
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from helpers import processes
from helpers.formulas import shipped, text_of
from helpers.instances import case_name, cases_of, formula_of, options_of, specs, sweep

from boardsat import cli, commands
from boardsat.generators import encodings, find, size, write
from boardsat.generators.schema import PROBLEM_GROUPS
from boardsat.generators.spec.catalogue import (
    HEADLINES,
    contents,
    display_path,
    encodings_of,
    headlines,
    problems,
    read_entries,
)
from boardsat.terminal import progress
from boardsat.terminal.table import table

ROOT = Path(__file__).parents[2]

ALONE = {"cnf", "help", "asp", "list", "size", "solvers"}
"""Commands whose examples need no answer of a solver and no engine."""


@pytest.mark.parametrize(("spec", "share"), sweep(0))
def test_cnf_and_size_agree_with_library(spec, share, boardsat, tmp_path):
    library, command = tmp_path / "library.cnf", tmp_path / "command.cnf"
    forms = cycle(["ind", "show", "none"] if find(spec).counting.projection else ["none"])
    for case, form in zip(cases_of(spec, share), forms, strict=False):
        write(formula_of(case), str(library), form)
        arguments = (*options_of(case), "--projection", form)
        outcome = boardsat("cnf", *arguments, "-o", command)
        assert outcome.code == 0 and outcome.err == "", case_name(case)
        text = command.read_text("ascii")
        assert text == library.read_text("ascii"), case_name(case)
        sizes_are_true(json.loads(boardsat("size", *arguments, "--json").out), text)


def sizes_are_true(sizes: dict[str, Any], text: str) -> None:
    clauses = [line.split()[:-1] for line in text.splitlines() if line[0] not in "cp"]
    variables, number = re.search(r"^p cnf (\d+) (\d+)$", text, re.M).groups()
    assert sizes["variables"] == int(variables)
    assert sizes["clauses"] == int(number) == len(clauses)
    assert sizes["unit_clauses"] == sum(len(clause) == 1 for clause in clauses)
    assert sizes["literals"] == sum(map(len, clauses))
    assert sizes["bytes"] == len(text)
    for key in ("clauses", "unit_clauses", "literals"):
        assert sizes[key] == sum(family[key] for family in sizes["constraints"])
    fresh = sum(family["variables"] for family in sizes["constraints"])
    assert sizes["variables"] == sizes["spec_variables"] + fresh


def test_cnf_summary_has_file_and_sizes(boardsat, tmp_path):
    outcome = boardsat("cnf", "tour", "--enc", "unary", "-n", 8, "-o", f"{tmp_path}/")
    assert re.fullmatch(
        rf"{tmp_path}/tour-8x8-closed-unary.cnf: 4,055 variables, 127,237 clauses, "
        r"[\d,]+ bytes, [\d.]+ s\n",
        outcome.out.decode(),
    )
    assert size(formula_of(("tour/unary", {"n": "8"}, "plain")))["name"] == "tour-8x8-closed-unary"


@pytest.mark.parametrize("command", commands.names())
def test_help_examples_of_every_command_run(command, boardsat, tmp_path, monkeypatch):
    outcome = boardsat(command, "--help")
    assert outcome.code == 0 and b"usage: boardsat" in outcome.out
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "my.yaml").write_text(
        "title: t\nparams: {n: 2}\nvariables: {X: {for: i in range(n)}}\n"
        "constraints:\n  - at_least_one: X[i] for i in range(n)\n"
    )
    examples = re.findall(r"^ .*(boardsat .*)$", commands.load(command).__doc__, re.M)
    assert examples
    for example in examples if command in ALONE else []:
        tokens = shlex.split(example.split("|")[0])
        assert boardsat(*tokens[1:]).code == 0, example


def test_list_contains_all_problems_and_encodings(boardsat):
    listed = json.loads(boardsat("list", "--json").out)
    assert [f"{entry['problem']}/{entry['encoding']}" for entry in listed] == specs()
    for entry in listed:
        spec = find(f"{entry['problem']}/{entry['encoding']}")
        assert entry["title"] and entry["count_preserving"] == spec.counting.is_count_preserving
        assert all(p["description"] for p in entry["parameters"]), entry["problem"]
    lines = boardsat("list").out.decode().splitlines()
    assert len(lines) <= 24
    assert sorted(name for line in lines[:-1] for name in line[18:].split()) == problems()
    assert {line[:18].strip() for line in lines[:-1]} - {""} <= set(PROBLEM_GROUPS)


@pytest.mark.parametrize("problem", ["hitori", "polyominoes/placements"])
def test_list_long_default_is_below_the_table(boardsat, problem):
    text = boardsat("list", problem).out.decode()
    rows = [line.split()[:2] for line in text.splitlines()]
    name = next(row[0] for row in rows if row[1:] == ["(below)"])
    grid = text.partition(f"default of {name}:\n")[2].splitlines()
    assert len(grid) >= 5 and set("".join(grid[:5])) & set("1F")
    assert max(map(len, text.splitlines())) <= 80


def test_list_headlines_equal_parsed_specs():
    """Titles and the rest are found without YAML, which would take too long."""
    for path in (ROOT / "specs").glob("*/*.yaml"):
        entries = read_entries(display_path(path.parent.name, path.stem), path.read_bytes())
        expected = {key: entries[key].text for key in HEADLINES if key in entries}
        assert headlines(path.read_text()) == expected
    for listed in contents():
        specs = [find(listed.name, encoding) for encoding in encodings_of(listed.name)]
        assert {spec.description.group for spec in specs} == {listed.group} != {""}
        assert all(spec.description.title.startswith(listed.title) for spec in specs)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("title: A b # c\ncite: x\n", {"title": "A b", "cite": "x"}),
        ('title: "A: \\"b\\" # c"\n', {"title": 'A: "b" # c'}),
        ("title: 'it''s'\nabout: >-\n  one\n\n  two\nparams:\n  cite: no\n", None),
        ("about: one\n  two\n  three # four\ntitle: |\n  A\n  B\n", None),
    ],
)
def test_headlines_of_all_yaml_forms_are_parsed(text, read):
    entries = read_entries("spec.yaml", text.encode())
    assert headlines(text) == {key: entries[key].text for key in HEADLINES if key in entries}
    assert read is None or headlines(text) == read


@pytest.mark.parametrize(
    ("term", "expected"),
    [("PIGEON", "pigeonhole"), ("binary pigeonhole", "binary_pigeonhole"), ("Bezzel", "queens")],
)
def test_list_search_matches_names_titles_and_citations(term, expected, boardsat):
    lines = boardsat("list", "--search", term).out.decode().splitlines()
    assert expected in [line.split()[0] for line in lines[:-1]]
    assert not any(line.startswith("sudoku") for line in lines)
    json_output = json.loads(boardsat("list", "--search", term, "--json").out)
    assert {entry["problem"] for entry in json_output} == {line.split()[0] for line in lines[:-1]}


def test_list_shared_parameters_are_printed_once(boardsat):
    listed = json.loads(boardsat("list", "tour", "--json").out)
    text = boardsat("list", "tour").out.decode()
    assert text.count("rows of the board") == 1
    parameters, encodings = text.split("encodings (--enc NAME):")
    for entry in listed:
        assert len(re.findall(rf"\b{entry['encoding']}\*?(?=,|$)", encodings, re.M)) == 1
        for parameter in entry["parameters"]:
            name = parameter["name"]
            assert len(re.findall(rf"^  {name} |[ ,] {name}(?=,|$)", parameters, re.M)) == 1
    assert "c3" in parameters and "a1" in parameters


@pytest.mark.parametrize("problem", problems())
def test_list_problem_fits_a_screen(problem, boardsat):
    assert (
        len(boardsat("list", problem).out.decode().splitlines()) <= 22
        or len(encodings_of(problem)) == 1
    )


@pytest.mark.parametrize("arguments", ["", "tour", "hamilton", "sudoku", "queens", "tour/unary"])
def test_list_fits_a_narrow_terminal(arguments, boardsat):
    text = boardsat("list", *arguments.split()).out.decode()
    assert max(map(len, text.splitlines())) < 80
    assert not arguments or text.count("\n") < 50


def test_list_encoding_is_complete(boardsat):
    (entry,) = json.loads(boardsat("list", "tour/unary", "--json").out)
    text = " ".join(boardsat("list", "tour/unary").out.decode().split())
    for phrase in (entry["title"], entry["about"], entry["cite"], "(count-preserving)"):
        assert " ".join(phrase.split()) in text
    for parameter in entry["parameters"]:
        assert f"{parameter['description']} [" in text
    assert f"[{', '.join(encodings.names('amo'))}]" in text and "[1..1000]" in text


def test_setting_is_read_from_a_file(boardsat, tmp_path):
    (tmp_path / "givens").write_text("1...\n....\n....\n....\n")
    by_file = boardsat("cnf", "latin/direct", "-n", 4, "--set", f"givens=@{tmp_path}/givens")
    by_word = boardsat("cnf", "latin/direct", "-n", 4, "--set", "givens=1" + 15 * ".")
    assert by_file.out == by_word.out and by_file.code == 0


def test_progress_bar_is_drawn_only_on_a_terminal(boardsat, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "BAR_DELAY_SECONDS", 0)
    arguments = ["cnf", "queens", "-n", 30, "-o", tmp_path / "x.cnf"]
    assert boardsat(*arguments).err == ""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        boardsat(*arguments)
        terminal.flush()
        assert b"MB" in os.read(ours, 1000)


def test_spec_file_outside_the_catalogue_is_accepted(tmp_path):
    (tmp_path / "my.yaml").write_text(
        "title: t\nparams: {n: 3}\nvariables: {X: {for: i in range(n)}}\n"
        "constraints:\n  - exactly_one: X[i] for i in range(n)\n"
    )
    command = [sys.executable, "-m", "boardsat", "cnf", "my.yaml", "-n", "5", "-o", "x.cnf"]
    outcome = processes.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert outcome.stdout.startswith("x.cnf: 5 variables, 11 clauses")


def test_size_of_constraints_sums_to_the_file():
    formula = shipped("tour/unary", n=6)
    body = text_of(formula).split(b"\np cnf ")[1].split(b"\n", 1)[1].splitlines(keepends=True)
    for family in size(formula)["constraints"]:
        lines, body = body[: family["clauses"]], body[family["clauses"] :]
        assert sum(map(len, lines)) == family["bytes"]
    assert body == []


def test_size_table_ends_with_the_total(boardsat):
    lines = boardsat("size", "tour", "--enc", "unary", "-n", "8").out.decode().splitlines()
    total = size(shipped("tour/unary", n=8))
    keys = ("variables", "clauses", "unit_clauses", "literals", "bytes")
    assert lines[0].split() == ["variables", "clauses", "unit", "clauses", "literals", "bytes"]
    assert lines[-1].split() == ["tour-8x8-closed-unary", *(f"{total[key]:,}" for key in keys)]


def test_list_json_has_parameters(boardsat):
    keys = {"problem", "encoding", "title", "cite", "about", "count_preserving", "projection"}
    keys |= {"default_for", "group"}
    inner = {"name", "type", "default", "min", "max", "choices", "description"}
    for entry in json.loads(boardsat("list", "--json").out):
        assert entry.keys() == keys | {"parameters"}
        assert all(parameter.keys() == inner for parameter in entry["parameters"])


def test_list_accepts_a_spec_file(boardsat, tmp_path):
    spec = tmp_path / "my.yaml"
    spec.write_text("title: mine\nparams: {rows: 3}\nvariables: {}\nconstraints: []\n")
    text = boardsat("list", spec).out.decode()
    assert text.startswith("my: mine") and "rows" in text


def test_spec_file_can_extend_a_built_in_spec(boardsat, tmp_path):
    spec = tmp_path / "camels.yaml"
    spec.write_text(
        "title: Camels\nextends: tour/unary\nparams: {moves: {type: text, default: camel}}\n"
    )
    ours = boardsat("cnf", spec, "-n", 6).out.split(b"\nc board ")[1]
    theirs = boardsat("cnf", "tour/unary", "-n", 6, "--set", "moves=camel").out
    assert ours == theirs.split(b"\nc board ")[1]


@pytest.mark.parametrize(
    "variables, arguments",
    [
        ("N=8 ENC=unary", "tour --enc unary -n 8 -o out/"),
        ("", "tour -o out/"),
        ("N=5..7 ENC=binary,hve", "tour --enc binary,hve -n 5..7 -o out/"),
        ("PROBLEM=queens N=5 OUT=x.cnf.gz", "queens -n 5 -o x.cnf.gz"),
        (
            "ENC=binary 'SET=rows=5 cols=6 closed=false' OPTIONS=--three-cnf",
            "tour --enc binary --set rows=5 --set cols=6 --set closed=false --three-cnf -o out/",
        ),
    ],
)
def test_make_targets_run_the_commands(variables, arguments):
    command = ["make", "-n", "cnf", *shlex.split(variables)]
    outcome = processes.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    ran = [line.split() for line in outcome.stdout.splitlines() if "boardsat cnf" in line]
    assert [line[1:] for line in ran] == [["cnf", *arguments.split()]]


def test_make_count_selects_the_counter_by_default():
    for settings, expected in (("N=6", "-n 6"), ("N=6 COUNTER=ganak", "-n 6 --counter ganak")):
        command = ["make", "-n", "count", *settings.split()]
        outcome = processes.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        [line] = [line for line in outcome.stdout.splitlines() if "boardsat count" in line]
        assert line.split()[1:] == ["count", "tour", *expected.split()]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_grows_and_is_erased(monkeypatch):
    monkeypatch.setattr(progress, "BAR_DELAY_SECONDS", 0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.Progress(10**6) as bar:
        for _ in range(40):
            bar.advance(10**6)
    output = sys.stderr.getvalue()
    assert re.match(r"\r\[#* *\] +\d+%  \d+ MB", output)
    percentages = [int(percent) for percent in re.findall(r"(\d+)%", output)]
    assert percentages == sorted(percentages) and percentages[-1] == 99, (
        "it cannot know when all is done"
    )
    assert output.endswith("\r\x1b[K")


def test_progress_bar_is_omitted_for_stdout_and_small_files(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "BAR_DELAY_SECONDS", 0)
    with progress.Progress(10**6, quiet=True) as bar:
        bar.advance(10**6)
    monkeypatch.setattr(progress, "BAR_DELAY_SECONDS", 1000)
    assert cli.main(["cnf", "queens", "-o", str(tmp_path / "x.cnf")]) == 0
    assert sys.stderr.getvalue() == ""


def test_three_cnf_without_value_is_auto(boardsat):
    plain = boardsat("cnf", "queens", "-n", 5, "--three-cnf").out
    assert plain == boardsat("cnf", "queens", "-n", 5, "--three-cnf", "auto").out
    assert plain != boardsat("cnf", "queens", "-n", 5).out


def test_table_aligns_columns():
    assert table(["a", "number"], [["x", "1"], ["yy", "1,000"]], total=True) == (
        "a   number\n--  ------\nx        1\n--  ------\nyy   1,000"
    )
    assert table(["a", "b"], []) == "a  b\n-  -"
    assert table(["x" * 999 + "y"], []).splitlines()[0] == "x" * 98 + "..." + "x" * 97 + "y"
