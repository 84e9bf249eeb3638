"""The pictures of the gallery, drawn from the specs by the commands on its page."""

from __future__ import annotations

import re
from pathlib import Path

import boardsat

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "gallery.md"
FOLDER = DOCS / "images/gallery"
COMMAND = re.compile(r"`boardsat solve (\w+)((?: --set \w+=[\w.,]+)*) --svg")


def entries() -> list[tuple[str, dict[str, str]]]:
    """Return the problems on the page, with their settings."""
    found = COMMAND.findall(PAGE.read_text("utf-8"))
    return [(name, dict(re.findall(r"--set (\w+)=(\S+)", words))) for name, words in found]


def picture(problem: str, settings: dict[str, str]) -> str:
    return boardsat.solve(problem, runtime="embedded", **settings).to_svg()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for problem, settings in entries():
        (FOLDER / f"{problem}.svg").write_text(picture(problem, settings), "utf-8")


if __name__ == "__main__":
    main()
