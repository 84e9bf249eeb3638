"""The flow goes one way: who may import whom, what a small command loads, and where files are."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Set
from functools import cache

import pytest
from helpers import processes, syntax_trees
from helpers.fake_engine import answer_with, fake_engine
from helpers.syntax_trees import ROOT, nodes

sys.path.insert(0, str(ROOT / "docs/site"))
import modules as module_page
import packages as package_picture

GENERATORS, ADAPTERS, BASE = "boardsat.generators", "boardsat.adapters", "boardsat.base"
OTHER_CODE = ("tests", "bench", "examples", "docs")
BARE = {"generators", "adapters", "specs"}
"""Installed, these names would belong to other packages."""


@pytest.fixture(scope="module")
def files() -> dict[str, ast.Module]:
    return syntax_trees.files()


@cache
def imports(tree: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """Anywhere in it."""
    return [node for node in nodes(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(tree: ast.AST) -> set[str]:
    """The modules of everything that is imported anywhere in it; relative ones begin with a dot."""
    names: set[str] = set()
    for node in imports(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            module = "." * node.level + (node.module or "")
            # `from boardsat import adapters` imports a module too.
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return names


def tops(tree: ast.AST) -> set[str]:
    return {name.partition(".")[0] for name in imported(tree)}


def is_of(package: str, module: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def may_import(path: str, module: str) -> bool:
    """Generators and adapters know neither each other nor what joins them, base none of them."""
    allowed = {"generators": (GENERATORS, BASE), "adapters": (ADAPTERS, BASE)}
    half = "boardsat/base" if path.startswith("boardsat/base/") else path.partition("/")[0]
    importable = (allowed | {"boardsat/base": (BASE,)}).get(half)
    return (
        importable is None
        or not is_of("boardsat", module)
        or any(is_of(name, module) for name in importable)
    )


def test_imports_follow_package_directions(files):
    wrong = {
        path: names
        for path, tree in files.items()
        if (
            names := {
                name
                for name in imported(tree) - {"boardsat"}
                if name.startswith(".") or not may_import(path, name)
            }
        )
    }
    assert wrong == {}


def module_of(path: str) -> str:
    """The name that a file is imported by."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if is_of("boardsat", name) else f"boardsat.{name}"


def own(tree: ast.AST, modules: Set[str]) -> set[str]:
    """The modules of ours that it imports: x.lazy of `from boardsat.x import lazy`."""
    submodules = {
        inner if (inner := f"{node.module}.{alias.name}") in modules else str(node.module)
        for node in imports(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    plain = (node.names for node in imports(tree) if isinstance(node, ast.Import))
    return modules & (submodules | {alias.name for names in plain for alias in names})


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """The names along a way that leads back to its beginning, or none."""
    visited: set[str] = set()
    path: list[str] = []

    def walk(name: str) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in visited:
            return []
        path.append(name)
        cycle_found = next(
            (cycle for successor in sorted(graph[name]) if (cycle := walk(successor))), []
        )
        path.pop()
        visited.add(name)
        return cycle_found

    return next((cycle for name in sorted(graph) if (cycle := walk(name))), [])


def test_module_imports_are_acyclic(files):
    """Neither at its top, nor inside its functions, nor for its types alone."""
    modules = {module_of(path): tree for path, tree in files.items()}
    graph = {name: own(tree, modules.keys()) - {name} for name, tree in modules.items()}
    assert cycle_in(graph) == []


def package_of(path: str) -> str:
    """Return the package of a module, with subpackages folded in.

    generators/encodings/amo/ladder.py is in generators/encodings, generators/builder.py by itself;
    every workflow is a package.
    """
    depth = 3 if path.startswith("boardsat/workflows/") else 2
    return "/".join(path.split("/")[:depth])


TANGLED = {
    ("boardsat/commands", "boardsat/cli.py"),
}
"""Imports that close a cycle: `help` prints the parser that finds the commands."""


def test_package_imports_are_acyclic(files):
    modules = {module_of(path): path for path in files}
    graph: dict[str, set[str]] = defaultdict(set)
    for path, tree in files.items():
        packages = {package_of(modules[name]) for name in own(tree, modules.keys())}
        package = package_of(path)
        graph[package] |= {
            name for name in packages if name != package and (package, name) not in TANGLED
        }
    assert cycle_in(graph) == []


def test_cycle_of_imports_is_detected():
    assert cycle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_modules_are_imported_as_boardsat_only(files):
    paths = (path for folder in OTHER_CODE for path in (ROOT / folder).rglob("*.py"))
    # Parsing all of them takes a second: most lines tell by themselves that they do not do it.
    suspect = re.compile(rf"^\s*(?:from|import)\b(?: |.*[ ,])(?:{'|'.join(BARE)})\b", re.M)
    trees = files | {
        str(path.relative_to(ROOT)): ast.parse(text)
        for path in paths
        if suspect.search(text := path.read_text())
    }
    assert {path: names for path, tree in trees.items() if (names := tops(tree) & BARE)} == {}


def test_installed_texts_do_not_mention_make(files):
    """An installed package has none."""
    mentions = [
        (path, node.lineno)
        for path, tree in files.items()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and re.search(r"Makefile|`make [a-z]", str(node.value))
    ]
    assert mentions == []


def test_every_module_begins_with_a_docstring(files):
    assert [path for path, tree in files.items() if not ast.get_docstring(tree)] == []


TWINS = {
    "Board": "the board that is encoded, and the one that checks answers, share no code",
    "Pieces": "as boards",
    "Header": "what is written into a file, and what is read from any file, share no code",
    "Variable": "as headers",
    "Formula": "the one for programs wraps the one of the generators",
}
"""Classes of one name, and why there are two."""


def test_modules_page_is_up_to_date():
    assert module_page.PAGE.read_text("utf-8") == module_page.page(), "python docs/site/modules.py"


def test_packages_picture_shows_existing_packages():
    assert package_picture.PICTURE.read_text("utf-8") == package_picture.picture(), (
        "python docs/site/packages.py"
    )
    drawn = [entry[0] for entry in package_picture.BOXES]
    assert [package for package in drawn if not (ROOT / package / "__init__.py").exists()] == []


def test_architecture_page_names_existing_files():
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    paths = re.findall(r"`([\w./]+/[\w.]+\.(?:py|yaml))`", page)
    assert len(paths) > 20
    assert [
        p for p in paths if not any((ROOT / at / p).is_file() for at in ("", "generators"))
    ] == []


def test_class_names_are_unique(files):
    paths_of = defaultdict(list)
    for path, tree in files.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                paths_of[node.name].append(path)
    assert {
        name: paths for name, paths in paths_of.items() if len(paths) > 1
    }.keys() == TWINS.keys()


def test_board_shapes_define_no_inner_functions(files):
    """A shape returns values only, without closures or callbacks."""
    functions = (ast.FunctionDef, ast.Lambda)
    assert [
        f"{path}:{inner.lineno}"
        for path, tree in files.items()
        if path.startswith("generators/boards/")
        for outer in nodes(tree)
        if isinstance(outer, ast.FunctionDef)
        for inner in ast.walk(outer)
        if inner is not outer and isinstance(inner, functions)
    ] == []


def test_no_code_parses_error_messages(files):
    """The kind of an error is a type or an enum; its text is for people."""
    text_fields = {"fault", "reason", "remedy"}
    assert [
        f"{path}:{node.lineno}"
        for path, tree in files.items()
        for node in nodes(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Attribute) and side.attr in text_fields
    ] == []


ENTRANCE = "boardsat.api"
NAMESAKES = {
    "board_of": "the board of a spec, and that of the header of a file, share no code",
    "counted": "a count that is going on, and a number with its noun",
}
"""Functions of one name that are imported from two modules, and why."""


def test_imported_function_names_are_unique(files):
    """A call such as `model_of(...)` is unambiguous for a reader."""
    modules = {module_of(path): tree for path, tree in files.items()}
    defined = {
        name: {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for name, tree in modules.items()
    }
    modules_of = defaultdict(set)
    for tree in modules.values():
        for node in nodes(tree):
            # The public interface reuses the names of the functions it exports.
            if isinstance(node, ast.ImportFrom) and node.module != ENTRANCE:
                for alias in node.names:
                    if alias.asname is None and alias.name in defined.get(str(node.module), ()):
                        modules_of[alias.name].add(node.module)
    twice = {name: sorted(places) for name, places in modules_of.items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if name not in NAMESAKES} == {}


def test_docker_import_is_never_tried(files):
    """The folder docker/ of a checkout is a namespace package, so `import docker` never fails."""
    attempts = (
        (path, node)
        for path, tree in files.items()
        for node in nodes(tree)
        if isinstance(node, ast.Try)
    )
    assert [path for path, attempt in attempts if "docker" in tops(attempt)] == []


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a command has loaded at its end."""
    program = (
        "import sys; from boardsat.cli import main; main(sys.argv[1:]);"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    outcome = processes.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    return set(outcome.stderr.split())


DOCKER_SDK = {"docker", "requests", "urllib3"}
SLOW_MODULES = {
    *("argcomplete", "asyncio", "concurrent.futures", "difflib", "distributed", "email", "http"),
    *("importlib.metadata", "matplotlib", "multiprocessing", "networkx", "polars", "pysat"),
    *("sqlite3", "unittest", "xml.etree", "zstandard", *DOCKER_SDK),
}
"""Third-party and slow standard modules that no small command needs before its solver runs."""
SUBPROCESS = {"subprocess", "tempfile", "hashlib", "random"}
PARSING = {"dataclasses", "datetime", "inspect", "json", "numpy", "jinja2", "yaml"}
"""Modules that no command needs to show its options: what comes after that imports them."""
SOLVING = {f"{ADAPTERS}.{name}" for name in ("boards", "dimacs", "runtimes", "views")}


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["--help"], PARSING | SUBPROCESS),
        (["cnf", "--help"], PARSING | SUBPROCESS),
        (["list"], {"numpy", "jinja2", "subprocess"}),
        (["size", "queens", "-n", "4"], {"subprocess"} | SOLVING),
        (["cnf", "queens", "-n", "4"], {"subprocess"} | SOLVING),
        (["solve", "queens", "-n", "4", "--runtime", "embedded"], set()),
    ],
)
def test_small_command_does_not_import_slow_modules(arguments, modules):
    """Starting takes longer than the work of a small command."""
    assert loaded(*arguments) & (SLOW_MODULES | modules) == set()


def test_incremental_solver_imports_little():
    """A small board is solved in less time than most modules take to import."""
    program = "import sys, boardsat.adapters.lazy_cuts.incremental_solver; print(*sys.modules)"
    outcome = processes.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    unneeded = {"dataclasses", "numpy", "subprocess", f"{ADAPTERS}.runtimes"}
    assert set(outcome.stdout.split()) & (SLOW_MODULES | unneeded) == set()


def test_embedded_solve_does_not_import_docker(tmp_path, monkeypatch):
    with fake_engine(tmp_path, {"GET .*/images/": answer_with(NO_IMAGE, "404 Not Found")}):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
        assert loaded("solve", "queens", "-n", "4") & DOCKER_SDK == set()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'nothing'}")
    assert loaded("solve", "queens", "-n", "4") & DOCKER_SDK == set()


NO_IMAGE = {"message": "No such image: boardsat/cadical:latest"}


def test_subprocesses_of_tests_have_timeouts():
    """Subprocesses run by processes.run, or communicate with an explicit timeout."""
    waiting = re.compile(r"\bsubprocess\.(run|call|check_\w+|getoutput)\(|\bos\.(system|popen)\(")
    folders = (path for path in (ROOT / "tests").iterdir() if path.name not in ("fuzz", "snapshot"))
    texts = {path.name: path.read_text() for folder in folders for path in folder.glob("*.py")}
    assert [name for name, text in texts.items() if waiting.search(text)] == []
