"""Solver files: each fault is reported in one line with its location, and nothing hangs."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.solver_runs import boardsat

from boardsat.adapters import solvers
from boardsat.adapters.solvers import command_templates
from boardsat.base.errors import BoardsatError

SAT = str(Path(__file__).parents[1] / "recorded" / "sat.cnf")

VALID_ENTRIES = {
    "title": "for a test",
    "program": "sat",
    "command": "'{{ program }} {{ file }}'",
    "dialect": "competition",
    "can": "decide",
}


def solver_file(folder: Path, **changes: str | None) -> str:
    """Write a valid solver file with these entries changed, None removes one; return its path."""
    entries = {
        key: value for key, value in {**VALID_ENTRIES, **changes}.items() if value is not None
    }
    path = folder / "mine.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in entries.items()))
    return str(path)


def test_valid_solver_file_is_read(tmp_path: Path) -> None:
    solver = solvers.load(solver_file(tmp_path))
    assert (solver.name, solver.capabilities, solver.input_format) == (
        "mine",
        {"decide"},
        "formula",
    )
    assert solver.command_line(file="a b.cnf") == ("sat", "a b.cnf")


@pytest.mark.parametrize("name", solvers.names())
def test_solver_file_of_boardsat_is_valid(name: str) -> None:
    """Its templates are not checked at each start."""
    path = solvers.FOLDER / f"{name}.yaml"
    assert solvers.load(str(path)) == solvers.load(name)


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_template_without_conditions_is_rendered_as_jinja2_does(seed: int | None) -> None:
    variables = {"library": "it's", "file": "a b.cnf", "seed": seed, "count": True, "delta": 0.2}
    template = "pysat {{ library }} --file={{file}} {{ count }}{{ delta }} {{ seed }}"
    rendered = command_templates.render(template, variables)
    assert rendered == command_templates.render(template + "{% if 1 %}{% endif %}", variables)
    number = [] if seed is None else [str(seed)]
    assert rendered == ("pysat", "it's", "--file=a b.cnf", "True0.2", *number)


@pytest.mark.parametrize("key", sorted(VALID_ENTRIES))
@pytest.mark.parametrize(
    "value", ["[decide]", "{a: b}", "5", "1.5", "true", "", "null", "2001-99-99"]
)
def test_solver_file_value_that_is_not_a_text_is_reported_with_its_line(
    key: str, value: str, tmp_path: Path
) -> None:
    path = solver_file(tmp_path, **{key: value})
    run = boardsat("solve", SAT, "--solver", path)
    assert run.code == 2
    line = list(VALID_ENTRIES).index(key) + 1
    assert run.one_line().startswith(f"boardsat: {path}:{line}: `{key}` ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{{ program", "the template is invalid"),
        ("{{ program }} {{ fiel }}", "no variable 'fiel'"),
        ("{% if proof %}{{ prof }}{% endif %}{{ file }}", "no variable 'prof'"),
        ("{% if seed is not none %}{{ sed }}{% endif %}{{ file }}", "no variable 'sed'"),
        ('{{ program }} "{{ file }}', "No closing quotation"),
        ("{% for i in range(10**9) %}x{% endfor %}", "a template may not use Call"),
        (
            "{% for a in 'xx' %}{% for b in 'xx' %}x{% endfor %}{% endfor %}",
            "a template may not use For",
        ),
        ("{{ 'a' * 3000000000 }}", "'*' is for numbers"),
        ("{{ 9 ** 9 ** 9 ** 9 }}", "a template may not use Pow"),
        ("{{ '%3000000000d' % 1 }}", "a template may not use Mod"),
        ("{{ 'a'.ljust(3000000000) }}", "a template may not use Call"),
        ("{{ 'a'|center(3000000000) }}", "a template may not use Filter"),
        ("{{ file.__class__ }}", "a template may not use Getattr"),
        ("{{ lipsum }}", "no variable 'lipsum'"),
        ("{{ program }} {{ self }}", "no variable 'self'"),
        ("{{ program }} {{ cycler.__init__.__globals__ }}", "a template may not use Getattr"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "a template may not use Call"),
        ("{{ program }} {{ '\\u0000' }}", "a zero byte"),
        ("{{ 1 // 0 }}", "zero"),
        ("{{ file + 1 }}", "the template is invalid"),
        ("{{ program }} '{{ file }}'", "a value is inserted inside quotes"),
        ("{{ program }} {{ '' * 1e400 }}", "a number in the template is too large"),
        ("{{ " + "(" * 900 + "1" + ")" * 900 + " }}", "the template is invalid"),
        ("x" * 5000, "5,000 characters"),
        ("{% if false %}x{% endif %}", "the command line is empty"),
        ("{% include '/etc/passwd' %}", "a template may not use Include"),
    ],
    ids=lambda text: text[:30],
)
def test_invalid_template_is_rejected_in_one_line(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(BoardsatError) as error:
        solvers.load(solver_file(tmp_path, command=f"'{text.replace(chr(39), chr(39) * 2)}'"))
    assert fault in str(error.value)
    assert str(error.value).startswith(f"{tmp_path}/mine.yaml:3: `command`: ")
    assert "\n" not in str(error.value)


def test_template_with_arithmetic_is_rendered() -> None:
    variables = {**command_templates.SAMPLE_VARIABLES, "seconds": 60}
    assert command_templates.render("{{ seconds * 1000 + 1 }}", variables) == ("60001",)


def test_template_that_fails_for_some_values_is_reported_in_one_line(tmp_path: Path) -> None:
    path = solver_file(tmp_path, program="sh", command='"{{ program }} {{ 1 // (seed or 1) }}"')
    solvers.load(path)
    path = solver_file(tmp_path, program="sh", command='"{{ program }} {{ 1 // (models - 3) }}"')
    solver = solvers.load(path)
    with pytest.raises(BoardsatError, match=r"the template is invalid: .*zero"):
        solver.command_line(models=3)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"command": None}, "one of `command`, `embedded`, `sampling` is required"),
        ({"program": None}, ":2: `command` requires `program`"),
        ({"embedded": "pysat"}, ":6: `embedded` requires `package`"),
        ({"incremental": "x"}, ":6: `incremental` requires `embedded`"),
        (
            {"embedded": "pysta x", "package": "python-sat"},
            "no worker 'pysta'; did you mean 'pysat'",
        ),
        ({"embedded": "_formula_file x", "package": "python-sat"}, "no worker '_formula_file'"),
        ({"sampling": "_splitmix64 x", "package": "python-sat"}, "no worker '_splitmix64'"),
        ({"can": "fly"}, ":5: no capability 'fly'"),
        ({"dialect": "klingon"}, ":4: no dialect 'klingon'"),
        ({"reads": "minds"}, ":6: no input format 'minds'"),
        ({"tilte": "x"}, ":6: unknown keys: tilte"),
        ({"title": None}, "missing keys: title"),
    ],
)
def test_solver_file_with_inconsistent_keys_is_rejected(
    changes: dict[str, str | None], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(BoardsatError) as error:
        solvers.load(solver_file(tmp_path, **changes))
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\xff\xfe\xff", "not YAML"),
        (b"[" * 5000, "not YAML"),
        (b"a: [", "not YAML"),
        (b"x" * 70000, "larger than 65,536 bytes"),
        (b"a: x\na: y\n", "twice"),
        (b"--- a\n--- b\n", "not YAML"),
        (b"", "not a mapping"),
    ],
    ids=lambda content: content[:8],
)
def test_malformed_solver_file_is_rejected(content: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(BoardsatError, match=fault):
        solvers.load(str(path))


def test_unknown_library_of_python_sat_is_reported_before_the_run(tmp_path: Path) -> None:
    """A crash of the run would be recorded like an answer."""
    pytest.importorskip("pysat")
    entries = {"command": None, "program": None, "package": "python-sat"}
    for changes in (
        {"embedded": "'pysat minisat2 {{ file }}'"},
        {"embedded": "'preprocessed {{ library }} {{ file }}'", "library": "minisat2"},
    ):
        path = solver_file(tmp_path, **entries, **changes)
        run = boardsat("solve", SAT, "--solver", path, "--runtime", "embedded")
        assert run.code == 2
        line = "mine cannot run here (embedded: no library 'minisat2' in python-sat); did you mean"
        assert run.one_line().startswith(f"boardsat: {line} 'minisat22'?")
    path = solver_file(tmp_path, **entries, embedded="'pysat m22 {{ file }}'")
    assert boardsat("solve", SAT, "--solver", path, "--runtime", "embedded").code == 10


@pytest.mark.parametrize("value", ["five", "-1", "0", "1.5", "[5]", "99999999999", "''"])
def test_invalid_trial_of_solver_file_is_rejected(value: str, tmp_path: Path) -> None:
    assert solvers.load(solver_file(tmp_path, trial="5")).trial_seconds == 5
    with pytest.raises(
        BoardsatError, match=r"mine\.yaml:6: `trial` must be a number of seconds from 1 to 3600"
    ):
        solvers.load(solver_file(tmp_path, trial=value))
