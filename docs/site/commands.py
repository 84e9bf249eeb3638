"""Command-line reference docs/commands.md, generated from the parsers.

`python docs/site/commands.py` writes it again after a command or an option was changed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from markdown_text import escaped, table

from boardsat.cli import build_parser
from boardsat.commands import names
from boardsat.terminal.exit_codes import SHARED_EXIT_CODES

PAGE = Path(__file__).parents[1] / "commands.md"


def page() -> str:
    """All commands, in Markdown."""
    parser = build_parser(names())
    commands = _commands_of(parser)
    parts = [
        "# The command line",
        "Made from the parsers: `boardsat COMMAND --help` says the same in the terminal.",
        table(("command", "what it does"), [_line(command) for command in commands]),
        "Every command takes `--help`; `boardsat --version` prints the version. All commands"
        " share these exit codes:",
        _exit_codes(SHARED_EXIT_CODES.items()),
        *(part for command in commands for part in _command(command, "##")),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _line(parser: argparse.ArgumentParser) -> tuple[str, str]:
    summary = (parser.description or "").splitlines()[0]
    return f"[`{parser.prog}`](#{parser.prog.replace(' ', '-')})", escaped(summary)


def _commands_of(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return the parsers of the subcommands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            # An alias has the parser of its command.
            return [*dict.fromkeys(action.choices.values())]
    return []


def _command(parser: argparse.ArgumentParser, level: str) -> list[str]:
    return [
        f"{level} {parser.prog}",
        _prose(_sentence(parser.description or "")),
        f"```text\n{_usage(parser)}\n```",
        _options(parser),
        _exit_codes(_own_codes(parser.epilog or "")),
        *(part for action in _commands_of(parser) for part in _command(action, level + "#")),
    ]


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return the usage line, formatted for the width of the page."""
    formatter = argparse.HelpFormatter(parser.prog, width=76)
    formatter.add_usage(parser.usage, parser._actions, [], prefix="")
    # Later versions of Python colour it for a terminal.
    return re.sub(r"\x1b\[[\d;]*m", "", formatter.format_help()).rstrip()


def _prose(text: str) -> str:
    """Lines that stand further in are examples to be typed."""
    blocks = []
    for inside, lines in _runs(text.splitlines()):
        if inside:
            blocks.append("```sh\n" + "\n".join(line.strip() for line in lines) + "\n```")
        else:
            blocks.append(escaped("\n".join(lines)).strip())
    return "\n\n".join(block for block in blocks if block)


def _sentence(text: str) -> str:
    """Return a phrase of a help text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "\n")) else ".")


def _runs(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Lines that follow each other, together while they are all indented or all not."""
    run: list[str] = []
    for line in lines:
        if run and line.startswith("    ") != run[-1].startswith("    "):
            yield run[-1].startswith("    "), run
            run = []
        run.append(line)
    if run:
        yield run[-1].startswith("    "), run


def _options(parser: argparse.ArgumentParser) -> str:
    rows = [
        (_names(action), _meaning(parser, action))
        for action in parser._actions
        if action.dest != "help" and not isinstance(action, argparse._SubParsersAction)
    ]
    return table(("option", "what it says"), rows) if rows else ""


def _names(action: argparse.Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return f"`{value}`"
    return ", ".join(
        f"`{word} {value}`" if value else f"`{word}`" for word in action.option_strings
    )


def _value(action: argparse.Action) -> str:
    """Return the metavar or the choices of an option or argument."""
    if action.nargs == 0:
        return ""
    shown = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    word = shown if isinstance(shown, str) else " ".join(shown)
    return f"[{word}]" if action.nargs == "?" else word


def _meaning(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    if not action.required and action.default not in (None, False, [], "-", argparse.SUPPRESS):
        text += f" (default: `{action.default}`)" if "default" not in text else ""
    return escaped(text.strip())


def _own_codes(epilog: str) -> list[tuple[int, str]]:
    """Return the exit codes that are specific to the command."""
    found = [(int(code), text) for code, text in re.findall(r"^ +(\d+)  (.+)$", epilog, re.M)]
    return [(code, text) for code, text in found if SHARED_EXIT_CODES.get(code) != text]


def _exit_codes(codes: Iterable[tuple[int, str]]) -> str:
    rows = [(str(code), escaped(text)) for code, text in codes]
    return table(("exit code", "what it means"), rows) if rows else ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
