"""Draw docs/images/packages.svg: the packages, and the order in which `boardsat solve` uses them.

`python docs/site/packages.py` draws it again after a package was added, moved or renamed.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs/images/packages.svg"
TITLE = "The packages of boardsat, and the order in which `boardsat solve` uses them"

WIDTH, HEIGHT = 920, 588
FONT = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"
DARK, GREY, BLUE = "#222", "#555", "#2b5c8a"
HALVES = {
    "boardsat": (
        "#eef3f8",
        "#9db4ca",
        "joins the halves: command line, Python interface, workflows",
    ),
    "generators": ("#f6f1e7", "#c9b88f", "spec to DIMACS; knows no solver"),
    "adapters": ("#eef5ec", "#a3c19b", "DIMACS to board; knows no encoding"),
    "boardsat/base": ("#f2f2f2", "#b5b5b5", "no domain knowledge, imported by all"),
}
"""Fill, border and description of each group."""
GROUPS = {
    "boardsat": (10, 10, 900, 130),
    "generators": (10, 158, 370, 336),
    "adapters": (540, 158, 370, 336),
    "boardsat/base": (10, 512, 900, 66),
}
"""Left, top, width and height."""
BOXES = [
    ("boardsat/commands", 24, 48, 150, "1", "options, one file each"),
    ("boardsat/instance", 196, 48, 166, "2", "problem, spec or file"),
    ("boardsat/workflows", 384, 48, 350, "3", "solve, count, sample, explain, validate"),
    ("boardsat/terminal", 756, 48, 140, "12", "lines, colours"),
    ("boardsat/campaign", 384, 94, 166, "", "plan, store, runs"),
    ("boardsat/archive", 568, 94, 166, "", "instances with evidence"),
    ("generators/spec", 24, 200, 342, "4", "YAML to a spec, in which all is still text"),
    ("generators/sections", 24, 248, 162, "5", "one for each section"),
    ("generators/language", 204, 248, 162, "", "expressions, columns"),
    ("generators/boards", 24, 296, 162, "", "one for each shape"),
    ("generators/algorithms", 204, 296, 162, "", "on boards and graphs"),
    ("generators/constraints", 24, 344, 162, "6", "one for each type"),
    ("generators/encodings", 204, 344, 162, "", "bounds, sums, integers"),
    ("generators/transforms", 24, 392, 342, "", "formula to formula"),
    ("generators/dimacs", 24, 440, 162, "7", "header and clauses"),
    ("generators/formats", 204, 440, 162, "", "CNF, WCNF, OPB, KNF"),
    ("adapters/rendering", 554, 200, 162, "", "text and SVG"),
    ("adapters/rules", 734, 200, 162, "11", "of every problem"),
    ("adapters/views", 554, 248, 162, "10", "model to solution"),
    ("adapters/boards", 734, 248, 162, "", "once more, for checks"),
    ("adapters/lazy_cuts", 554, 296, 162, "", "cuts while solving"),
    ("adapters/proofs", 734, 296, 162, "", "checked proofs"),
    ("adapters/runtimes", 554, 344, 162, "9", "containers, programs"),
    ("adapters/solvers", 734, 344, 162, "", "one file each, parsers"),
    ("adapters/counters", 554, 392, 162, "", "counts, samplers"),
    ("adapters/heuristics", 734, 392, 162, "", "board solvers"),
    ("adapters/dimacs", 554, 440, 162, "8", "reader, header, checks"),
    ("adapters/formats", 734, 440, 162, "", "the other formats"),
]
"""Package, left, top, width, step of `boardsat solve`, and content."""
BASE = "errors, text, limits, files, scratch folders, locks, JSON data, registry"
FILE = (396, 420, 128, 56)


def text(x: float, y: float, size: float, words: str, fill: str = DARK, more: str = "") -> str:
    """Return one line of text."""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{more}>{escape(words)}</text>'


def rectangle(x: int, y: int, width: int, height: int, fill: str, border: str) -> str:
    """Return a rectangle with rounded corners."""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" '
        f'stroke="{border}"/>'
    )


def arrow(*points: tuple[int, int]) -> str:
    """Return an arrow along points."""
    path = "L".join(f"{x} {y}" for x, y in points)
    return (
        f'<path d="M{path}" stroke="{BLUE}" stroke-width="2" fill="none" marker-end="url(#tip)"/>'
    )


def group(name: str) -> str:
    """Return the frame of a half, with its name and description."""
    x, y, width, height = GROUPS[name]
    fill, border, about = HALVES[name]
    bold = ' font-weight="bold"'
    lines = [
        rectangle(x, y, width, height, fill, border),
        text(x + 14, y + 24, 15, f"{name}/", DARK, bold),
        text(x + 30 + 9.2 * len(name), y + 24, 12, about, GREY),
    ]
    return "\n".join(lines)


def box(package: str, x: int, y: int, width: int, step: str, about: str) -> str:
    """Return a package, with the number of its step."""
    bold = ' font-weight="bold"'
    lines = [
        rectangle(x, y, width, 42, "#ffffff", "#b7a98c"),
        text(x + 10, y + 18, 13, package.rpartition("/")[2], DARK, bold),
        text(x + 10, y + 34, 11, about, GREY),
    ]
    if step:
        middle = ' text-anchor="middle" font-weight="bold"'
        lines += [
            f'<circle cx="{x + width - 14}" cy="{y + 14}" r="10" fill="{BLUE}"/>',
            text(x + width - 14, y + 18, 11, step, "#fff", middle),
        ]
    return "\n".join(lines)


def picture() -> str:
    """Return the SVG."""
    x, y, width, height = FILE
    middle = ' text-anchor="middle"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="{FONT}" role="img">',
        f"<title>{escape(TITLE)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{BLUE}"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *map(group, GROUPS),
        *(box(*entry) for entry in BOXES),
        rectangle(x, y, width, height, "#fff8dc", "#8a6d2b"),
        text(x + width / 2, y + 24, 13, "DIMACS file", DARK, middle + ' font-weight="bold"'),
        text(x + width / 2, y + 42, 11, "header and clauses", GREY, middle),
        arrow((380, 448), (394, 448)),
        arrow((524, 448), (538, 448)),
        arrow((195, 140), (195, 156)),
        arrow((725, 156), (725, 142)),
        text(24, 562, 13, BASE),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
