"""Solver files: whatever is wrong in one is told in a line with its place, and nothing hangs."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.solver_runs import boardsat

from boardsat.adapters import solvers
from boardsat.adapters.solvers import command_templates
from boardsat.base.errors import BoardsatError

SAT = str(Path(__file__).parents[1] / "recorded" / "sat.cnf")

GOOD = {
    "title": "for a test",
    "program": "sat",
    "command": "'{{ program }} {{ file }}'",
    "dialect": "competition",
    "can": "decide",
}


def written(folder: Path, **changes: str | None) -> str:
    """The path of a solver file that is good but for these entries; None leaves one out."""
    entries = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    path = folder / "mine.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in entries.items()))
    return str(path)


def test_a_good_file_is_read(tmp_path: Path) -> None:
    solver = solvers.load(written(tmp_path))
    assert (solver.name, solver.capabilities, solver.input_format) == (
        "mine",
        {"decide"},
        "formula",
    )
    assert solver.command_line(file="a b.cnf") == ("sat", "a b.cnf")


@pytest.mark.parametrize("key", sorted(GOOD))
@pytest.mark.parametrize(
    "value", ["[decide]", "{a: b}", "5", "1.5", "true", "", "null", "2001-99-99"]
)
def test_a_value_of_another_type_is_told_with_its_line(
    key: str, value: str, tmp_path: Path
) -> None:
    path = written(tmp_path, **{key: value})
    said = boardsat("solve", SAT, "--solver", path)
    assert said.code == 2
    line = list(GOOD).index(key) + 1
    assert said.one_line().startswith(f"boardsat: {path}:{line}: `{key}` ")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{{ program", "a broken template"),
        ("{{ program }} {{ fiel }}", "'fiel' is undefined"),
        ("{% if proof %}{{ prof }}{% endif %}{{ file }}", "'prof' is undefined"),
        ("{% if seed is not none %}{{ sed }}{% endif %}{{ file }}", "'sed' is undefined"),
        ('{{ program }} "{{ file }}', "No closing quotation"),
        ("{% for i in range(10**9) %}x{% endfor %}", "Call in a template"),
        ("{% for a in 'xx' %}{% for b in 'xx' %}x{% endfor %}{% endfor %}", "For in a template"),
        ("{{ 'a' * 3000000000 }}", "'*' is for numbers"),
        ("{{ 9 ** 9 ** 9 ** 9 }}", "Pow in a template"),
        ("{{ '%3000000000d' % 1 }}", "Mod in a template"),
        ("{{ 'a'.ljust(3000000000) }}", "Call in a template"),
        ("{{ 'a'|center(3000000000) }}", "Filter in a template"),
        ("{{ file.__class__ }}", "Getattr in a template"),
        ("{{ lipsum }}", "'lipsum' is undefined"),
        ("{{ program }} {{ self }}", "'self' is undefined"),
        ("{{ program }} {{ cycler.__init__.__globals__ }}", "Getattr in a template"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "Call in a template"),
        ("{{ program }} {{ '\\u0000' }}", "a zero byte"),
        ("{{ 1 // 0 }}", "zero"),
        ("{{ file + 1 }}", "a broken template"),
        ("{{ program }} '{{ file }}'", "a value inside quotes"),
        ("{{ program }} {{ '' * 1e400 }}", "a number that is too large"),
        ("{{ " + "(" * 900 + "1" + ")" * 900 + " }}", "broken"),
        ("x" * 5000, "5,000 characters"),
        ("{% if false %}x{% endif %}", "an empty command line"),
        ("{% include '/etc/passwd' %}", "Include in a template"),
    ],
    ids=lambda text: text[:30],
)
def test_a_template_that_is_broken_or_does_too_much(
    text: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(BoardsatError) as error:
        solvers.load(written(tmp_path, command=f"'{text.replace(chr(39), chr(39) * 2)}'"))
    assert complaint in str(error.value)
    assert str(error.value).startswith(f"{tmp_path}/mine.yaml:3: `command`: ")
    assert "\n" not in str(error.value)


def test_templates_may_calculate() -> None:
    words = {**command_templates.SAMPLE_VARIABLES, "seconds": 60}
    assert command_templates.render("{{ seconds * 1000 + 1 }}", words) == ("60001",)


def test_a_template_that_fails_only_for_some_words_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, program="sh", command='"{{ program }} {{ 1 // (seed or 1) }}"')
    solvers.load(path)
    path = written(tmp_path, program="sh", command='"{{ program }} {{ 1 // (models - 3) }}"')
    solver = solvers.load(path)
    with pytest.raises(BoardsatError, match=r"a broken template: .*zero"):
        solver.command_line(models=3)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"command": None}, "neither `command` nor `embedded`"),
        ({"program": None}, ":2: `command` without `program`"),
        ({"embedded": "pysat"}, ":6: `embedded` without `package`"),
        ({"incremental": "x"}, ":6: `incremental` without `embedded`"),
        (
            {"embedded": "pysta x", "package": "python-sat"},
            "no worker 'pysta'; did you mean 'pysat'",
        ),
        ({"embedded": "_python_sat x", "package": "python-sat"}, "no worker '_python_sat'"),
        ({"sampling": "_splitmix64 x", "package": "python-sat"}, "no worker '_splitmix64'"),
        ({"can": "fly"}, ":5: it cannot 'fly'"),
        ({"dialect": "klingon"}, ":4: no dialect 'klingon'"),
        ({"reads": "minds"}, ":6: no reads 'minds'"),
        ({"tilte": "x"}, ":6: unknown or missing keys: tilte"),
        ({"title": None}, "unknown or missing keys: title"),
    ],
)
def test_keys_that_do_not_fit_together(
    changes: dict[str, str | None], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(BoardsatError) as error:
        solvers.load(written(tmp_path, **changes))
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff\xfe\xff", "not YAML"),
        (b"[" * 5000, "not YAML"),
        (b"a: [", "not YAML"),
        (b"x" * 70000, "too large"),
        (b"a: x\na: y\n", "twice"),
        (b"--- a\n--- b\n", "not YAML"),
        (b"", "not a mapping"),
    ],
    ids=lambda content: content[:8],
)
def test_a_file_that_is_none(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(BoardsatError, match=complaint):
        solvers.load(str(path))


def test_a_library_that_python_sat_does_not_have_is_an_error(tmp_path: Path) -> None:
    """And not the crash of a run, which would be an answer like any other."""
    pytest.importorskip("pysat")
    without = {"command": None, "program": None, "package": "python-sat"}
    for changes in (
        {"embedded": "'pysat minisat2 {{ file }}'"},
        {"embedded": "'preprocessed {{ library }} {{ file }}'", "library": "minisat2"},
    ):
        path = written(tmp_path, **without, **changes)
        said = boardsat("solve", SAT, "--solver", path, "--runtime", "embedded")
        assert said.code == 2
        line = "mine cannot run here (embedded: no library 'minisat2' in python-sat); did you mean"
        assert said.one_line().startswith(f"boardsat: {line} 'minisat22'?")
    path = written(tmp_path, **without, embedded="'pysat m22 {{ file }}'")
    assert boardsat("solve", SAT, "--solver", path, "--runtime", "embedded").code == 10


@pytest.mark.parametrize("value", ["five", "-1", "0", "1.5", "[5]", "99999999999", "''"])
def test_a_trial_is_a_number_of_seconds(value: str, tmp_path: Path) -> None:
    assert solvers.load(written(tmp_path, trial="5")).trial_seconds == 5
    with pytest.raises(
        BoardsatError, match=r"mine\.yaml:6: `trial` is not a number of seconds; write"
    ):
        solvers.load(written(tmp_path, trial=value))
