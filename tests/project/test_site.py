"""The pages of docs/ hang together: links, navigation, examples, and what is made from the code."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from helpers import documents, processes
from helpers.formulas import catalogue

from boardsat.cli import build_parser
from boardsat.commands import names as command_names

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "site"))
import commands  # noqa: E402
import gallery  # noqa: E402
import problems  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
PAGES_WITH_OUTPUT = [
    path
    for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
    if re.search(r"^```(console|python)$", path.read_text(), re.M)
]
LINK = re.compile(r'(?:\]\(|^\[[^\]\n]+\]: *|(?:src|href)=")([^)\s"]+)', re.M)
"""Target of an inline link or image, of a reference definition, or of an HTML attribute."""
BOARD = re.compile(r"^(?:[.Q](?: [.Q])*\n)+", re.M)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _prose(text: str) -> str:
    """Without blocks of code, where brackets are no links."""
    return re.sub(r"`[^`\n]+`", "", documents.BLOCK.sub("", text))


def _anchors(text: str) -> set[str]:
    """Anchors of the headings of a page by GitHub's rules; docs/site/hooks.py sets them for MkDocs.

    The second of two equal headings has the anchor `name-1` on GitHub and `name_1` on the site, so
    that neither is an anchor here.
    """
    headings = re.findall(r"^#+ (.+)$", documents.BLOCK.sub("", text), re.M)
    titles = (re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in titles
    }


def _faults(path: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    faults = []
    for link in LINK.findall(_prose(text)):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve()
        if not (target.exists() and target.is_relative_to(ROOT)):
            faults.append(f"{link}: no such file")
        elif anchor and anchor not in _anchors(target.read_text() if name else text):
            faults.append(f"{link}: no such heading")
    return faults


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_links_of_pages_have_targets(path):
    assert _faults(path, path.read_text()) == []


def test_broken_link_is_detected():
    text = """# A page: `--set x=NAME`, [linked](index.md)
[a](index.md) [b](#a-page---set-xname-linked) [c](absent.md) [d](index.md#absent) `[e](f.md)`
[f](absent.md "Title") ![g](images/absent.svg) <img src="images/absent.png"> [h](../../outside.md)

[i]: absent-reference.md
"""
    assert _faults(DOCS / "x.md", text) == [
        "absent.md: no such file",
        "index.md#absent: no such heading",
        "absent.md: no such file",
        "images/absent.svg: no such file",
        "images/absent.png: no such file",
        "../../outside.md: no such file",
        "absent-reference.md: no such file",
    ]


def _pages_of(entry: object) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    inner = entry.values() if isinstance(entry, dict) else entry
    return [page for child in inner for page in _pages_of(child)]


def test_navigation_contains_every_page_once():
    listed = _pages_of(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])
    generated = ["changelog.md", "contributing.md"]
    assert sorted(listed) == sorted([*generated, *(path.name for path in DOCS.glob("*.md"))])


@pytest.fixture(scope="module")
def python() -> Iterator[documents.Say]:
    """For all pages: most of what a page takes would be the start of its own."""
    with documents.session() as say:
        yield say


@pytest.mark.parametrize("path", PAGES_WITH_OUTPUT, ids=_name)
def test_console_blocks_show_actual_output(path, python, tmp_path):
    page = path.read_text()
    for step, printed in documents.run(page, tmp_path, python):
        command = f"PYTHONPATH=tests python -m helpers.documents {_name(path)}"
        assert documents.timeless(printed) == documents.timeless(step.output), command
    for picture in documents.pictures(page):
        assert (tmp_path / Path(picture).name).read_bytes() == (path.parent / picture).read_bytes()


def test_tutorial_boards_are_checked():
    """The rules of the puzzle once more, for the boards that the page shows after its spec."""
    first, *boards = [
        [line.split() for line in text.splitlines()]
        for text in BOARD.findall((DOCS / "tutorial.md").read_text())
    ]
    assert len(first) == 6
    assert len(boards) == 3
    for rows in boards:
        squares = [(r, c) for r in range(len(rows)) for c in range(len(rows))]
        queens = [(r, c) for r, c in squares if rows[r][c] == "Q"]
        assert len(queens) == 5
        assert all(any(_attacks(queen, square) for queen in queens) for square in squares)


def _attacks(queen: tuple[int, int], square: tuple[int, int]) -> bool:
    down, right = queen[0] - square[0], queen[1] - square[1]
    return down == 0 or right == 0 or abs(down) == abs(right)


@pytest.mark.slow
@pytest.mark.parametrize("settings, models", [([], 4860), (["-n", 11, "--set", "apart=true"], 2)])
def test_tutorial_counts_are_correct(settings, models, boardsat, tmp_path):
    *_, spec = (
        step
        for step in documents.steps((DOCS / "tutorial.md").read_text())
        if isinstance(step, documents.Source)
    )
    (tmp_path / spec.name).write_text(spec.text)
    outcome = boardsat("count", tmp_path / spec.name, *settings, "--counter", "enumeration")
    assert outcome.out.decode().startswith(f"{models:,} placements")


def _parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    inner = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    # An alias has the parser of its command.
    subparsers = dict.fromkeys(sub for action in inner for sub in action.choices.values())
    return [parser, *(p for sub in subparsers for p in _parsers(sub))]


def test_command_reference_is_complete():
    page = commands.PAGE.read_text("utf-8")
    assert page == commands.page(), "python docs/site/commands.py"
    sections = dict(re.findall(r"^##+ (boardsat [^\n]+)\n(.*?)(?=^##|\Z)", page, re.M | re.S))
    _, *parsers = _parsers(build_parser(command_names()))
    assert sorted(sections) == sorted(parser.prog for parser in parsers)
    for parser in parsers:
        text = sections[parser.prog]
        for action in parser._actions:
            options = [] if action.dest == "help" else action.option_strings
            assert [token for token in options if not re.search(f"`{token}[` ]", text)] == []


def test_problem_pages_contain_every_spec():
    pages = problems.pages()
    assert {name.split("/")[0] for name in catalogue()} == pages.keys()
    for path in (ROOT / "specs").glob("*/*.yaml"):
        page = pages[path.parent.name]
        assert path.read_text().rstrip() in page and f"\n## {path.stem}\n" in page


def test_citation_file_matches_package():
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (package["version"], package["license"])


def _build_command() -> list[str]:
    """Command of `make docs` that builds the site, with the interpreter of the tests."""
    dry_run = processes.run(
        ["make", "-n", "docs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (arguments,) = re.findall(r"-m (mkdocs build.*)", dry_run.stdout)
    return [sys.executable, "-m", *arguments.split()]


@pytest.mark.slow
def test_site_build_with_broken_links_fails(tmp_path):
    pytest.importorskip("material", reason="`make docs` installs it")
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for name in ("specs", "CHANGELOG.md", "CONTRIBUTING.md"):
        (tmp_path / name).symlink_to(ROOT / name)
    with (tmp_path / "docs/explain.md").open("a") as page:
        page.write("\n[a](absent.md) [b](index.md#absent) [c](#absent)\n")
    built = processes.run(_build_command(), cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 1
    links = re.findall(r"^WARNING -  Doc file 'explain.md' .*?link '(.*?)'", built.stderr, re.M)
    assert sorted(links) == ["#absent", "absent.md", "index.md#absent"]


@pytest.mark.slow
def test_site_build_has_no_warnings_or_external_requests(tmp_path):
    pytest.importorskip("material", reason="`make docs` installs it")
    processes.run([*_build_command(), "--site-dir", tmp_path], cwd=ROOT, check=True)
    pages = sorted(tmp_path.rglob("*.html"))
    assert {tmp_path / name for name in ("index.html", "commands.html", "specs/tour.html")} <= {
        *pages
    }
    fetched = re.compile(r"<(?:script|link|img)[^>]+(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
    assert [address for page in pages for address in fetched.findall(page.read_text())] == []
    assert (tmp_path / "search/search_index.js").exists()


@pytest.mark.slow
def test_gallery_pictures_are_up_to_date() -> None:
    entries = gallery.entries()
    assert len(entries) > 3
    for problem, settings in entries:
        drawn = (gallery.FOLDER / f"{problem}.svg").read_text("utf-8")
        assert drawn == gallery.picture(problem, settings), problem


def test_console_blocks_reject_missing_programs(tmp_path: Path) -> None:
    bare = documents.environment(bare=True)
    assert documents.printed("(echo here) 2>&1", tmp_path, bare) == "here\n"
    for line in ("no-such-program", "no-such-program; echo done"):
        with pytest.raises(AssertionError, match="is not on a bare machine"):
            documents.printed(f"({line}) 2>&1", tmp_path, bare)
