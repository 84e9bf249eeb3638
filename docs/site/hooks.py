"""Hooks of MkDocs: generated pages, and links to files outside docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import problems
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

ROOT = Path(__file__).parents[2]
# Files that people look for at the top of a repository.
BESIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}


def on_config(config: MkDocsConfig) -> None:
    """Make anchors as GitHub does, and list a page for every shipped problem in the reference."""
    # A link to a heading then works in the repository and on the site.
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    assert config.nav is not None
    (reference,) = [part["Reference"] for part in config.nav if "Reference" in part]
    reference.append({"Problems": [{name: f"specs/{name}.md"} for name in problems.pages()]})


def on_files(files: Files, config: MkDocsConfig) -> None:
    made = {f"specs/{name}.md": _from_below(text) for name, text in problems.pages().items()}
    made |= {page: _from_the_top((ROOT / name).read_text()) for name, page in BESIDE.items()}
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))


def _from_the_top(text: str) -> str:
    """Return a link of a top-level file relative to docs/."""
    return re.sub(r"\]\(docs/", "](", text)


def _from_below(text: str) -> str:
    """Return a link to another page relative to a folder of docs/."""
    return re.sub(r"\]\(([\w-]+\.md)", r"](../\1", text)


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    text = re.sub(r"\]\(\.\./specs/(\w+)/(\w+)\.yaml\)", r"](specs/\1.md#\2)", markdown)
    for name, uri in BESIDE.items():
        text = text.replace(f"](../{name})", f"]({uri})").replace(f"]({name})", f"]({uri})")
    return re.sub(r"^```(\w+)([^\n]*)$", _fence, text, flags=re.M)


def _fence(found: re.Match[str]) -> str:
    """Words for the tests behind the language of a block are not for MkDocs; these are."""
    language = "text" if found[1] == "tour" else found[1]
    return " ".join([f"```{language}", *re.findall(r'(?:title|hl_lines)="[^"]*"', found[2])])
