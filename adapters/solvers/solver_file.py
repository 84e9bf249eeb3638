"""Solver files: the YAML description of a solver, read with bounds and checked."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers import command_templates
from boardsat.adapters.solvers.output_parsers import PARSERS
from boardsat.adapters.solvers.solver import (
    Capability,
    InputFormat,
    Solver,
    SolverLibrary,
    SolverProgram,
)
from boardsat.base.errors import InputError
from boardsat.base.text import suggest

_ADAPTERS = Path(__file__).parent.parent
PROJECTIONS = {"ind", "project"}
MAX_FILE_BYTES = 2**16
MAX_DEPTH = 10
"""Maximum depth of lists and mappings; a valid file has one mapping."""
MAX_NUMBER = 3600
"""Largest number in a file: seconds of a trial."""

_REQUIRED = {"title", "dialect", "can"}
_TEMPLATES = ("command", "version", "embedded", "incremental", "sampling")
_WORKER_FOLDERS = {
    "embedded": _ADAPTERS / "workers",
    "sampling": _ADAPTERS / "samplers",
}
"""Templates whose first word is a module, and the folder of these modules."""
_OPTIONAL = {
    *_TEMPLATES,
    *("program", "image", "package", "library", "additions", "problems", "proofs"),
}
_NUMBERS = {"trial": "a number of seconds", "factor": "a factor"}
_DEFAULTS = {"reads": InputFormat.CNF.value, "projection": "ind"}
_DEPENDENCIES = {
    "command": "program",
    "image": "command",
    "version": "command",
    "embedded": "package",
    "incremental": "embedded",
    "sampling": "package",
    "additions": "package",
}
"""Keys that mean nothing without another key."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_REMEDY = "see docs/adding-a-solver.md"
_TEXT_TAG = "tag:yaml.org,2002:str"


def read_solver(path: Path, location: str) -> Solver:
    """Return the solver that a file describes; raise InputError at the location if invalid."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unreadable(str(error.strerror), location) from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError("too large for a solver", _REMEDY, location)
    return parse_solver(path.stem, content, location)


def _unreadable(fault: str, location: str) -> InputError:
    return InputError(f"cannot read the solver: {fault}", _REMEDY, location)


# Many commands read every solver, some at each of their runs.
@lru_cache(maxsize=128)
def parse_solver(name: str, content: bytes, location: str) -> Solver:
    """Return the solver of this name that the content of a file describes."""
    entries = _Entries(location, _root(content, location))
    texts = {**_DEFAULTS, **entries.texts}
    for key, choices in (
        ("dialect", PARSERS.keys()),
        ("reads", tuple(InputFormat)),
        ("projection", PROJECTIONS),
    ):
        if texts[key] not in choices:
            raise entries.error(key, f"no {key} {texts[key]!r}", suggest(texts[key], choices))
    capabilities = _capabilities(entries)
    trial_seconds, factor = (int(texts.get(key, 0)) for key in _NUMBERS)
    if bool(factor) != (Capability.ALMOST_SAMPLE in capabilities):
        raise entries.error(
            "factor" if factor else "can",
            "`factor` is for those that can `almost-sample`, and they need it",
            _REMEDY,
        )
    proof_formats = _proof_formats(entries, capabilities)
    _check_templates(entries)
    return Solver(
        name=name,
        title=texts["title"],
        output_format=texts["dialect"],
        capabilities=capabilities,
        input_format=InputFormat(texts["reads"]),
        projection=texts["projection"],
        problems=frozenset(texts.get("problems", "").split()),
        proof_formats=proof_formats,
        trial_seconds=trial_seconds,
        uniformity_factor=factor,
        program=_program(texts),
        library=_library(texts),
    )


def _program(texts: dict[str, str]) -> SolverProgram | None:
    if "program" not in texts:
        return None
    return SolverProgram(
        texts["program"],
        texts.get("command", ""),
        texts.get("version", ""),
        texts.get("image", ""),
    )


def _library(texts: dict[str, str]) -> SolverLibrary | None:
    if "package" not in texts:
        return None
    return SolverLibrary(
        texts["package"],
        texts.get("library", ""),
        texts.get("embedded", ""),
        texts.get("incremental", ""),
        texts.get("sampling", ""),
        texts.get("additions", ""),
    )


def _capabilities(entries: _Entries) -> frozenset[Capability]:
    words = entries.texts["can"].split()
    if unknown := set(words) - set(Capability):
        word = min(unknown)
        raise entries.error("can", f"it cannot {word!r}", suggest(word, Capability))
    return frozenset(map(Capability, words))


def _proof_formats(
    entries: _Entries, capabilities: frozenset[Capability]
) -> tuple[ProofFormat, ...]:
    """Return the proof formats in their order; only provers and checkers have some."""
    words = entries.texts.get("proofs", "").split()
    if unknown := set(words) - set(ProofFormat):
        word = min(unknown)
        raise entries.error("proofs", f"no kind of proof {word!r}", suggest(word, ProofFormat))
    if bool(words) != bool(capabilities & {Capability.PROVE, Capability.CHECK}):
        raise entries.error(
            "proofs" if words else "can",
            "`proofs` is for those that can `prove` or `check`, and they need it",
            f"the kinds are: {', '.join(ProofFormat)}",
        )
    return tuple(map(ProofFormat, words))


def _root(content: bytes, location: str) -> yaml.MappingNode:
    """Return the mapping of a file as nodes, which keep their locations and spelling."""
    try:
        text = content.decode("utf-8")
        _check_depth(text)
        root = yaml.compose(text, _Loader)
    except (UnicodeDecodeError, yaml.YAMLError):
        raise _unreadable("not YAML", location) from None
    if not isinstance(root, yaml.MappingNode):
        raise InputError("not a mapping", _REMEDY, location)
    return root


def _check_depth(text: str) -> None:
    """Raise YAMLError if the nesting is too deep: it overflows the stack of libyaml."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise yaml.YAMLError("nested too deep")


class _Entries:
    """Texts of a file by their keys, and their lines."""

    def __init__(self, location: str, root: yaml.MappingNode) -> None:
        self.location = location
        self.lines: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        for key, node in root.value:
            self._add(str(key.value), node, key.start_mark.line + 1)
        known = _REQUIRED | _OPTIONAL | _DEFAULTS.keys() | _NUMBERS.keys()
        if wrong := (self.texts.keys() - known) or (_REQUIRED - self.texts.keys()):
            fault = f"unknown or missing keys: {', '.join(sorted(wrong))[:200]}"
            raise self.error(min(wrong), fault, _REMEDY)
        for key, other in _DEPENDENCIES.items():
            if key in self.texts and other not in self.texts:
                raise self.error(key, f"`{key}` without `{other}`", _REMEDY)
        if not self.texts.keys() & {"command", "embedded", "sampling"}:
            raise self.error("", "neither `command` nor `embedded` nor `sampling`", _REMEDY)

    def _add(self, key: str, node: yaml.Node, line: int) -> None:
        self.lines[key] = line
        if key in self.texts:
            raise self.error(key, f"`{key[:40]}` appears twice", "leave one out")
        if key in _NUMBERS:
            self._check_number(key, node)
        elif not isinstance(node, yaml.ScalarNode) or node.tag != _TEXT_TAG:
            raise self.error(
                key, f"`{key[:40]}` is not a text", "write one, in quotes where it needs them"
            )
        if not node.value.strip() or "\0" in node.value:
            raise self.error(key, f"`{key[:40]}` is empty", "leave it out, or write a value")
        self.texts[key] = node.value

    def _check_number(self, key: str, node: yaml.Node) -> None:
        digits = node.value if isinstance(node, yaml.ScalarNode) else ""
        if not (digits.isascii() and digits.isdecimal() and 0 < int(digits[:6]) <= MAX_NUMBER):
            raise self.error(
                key, f"`{key}` is not {_NUMBERS[key]}", f"write one from 1 to {MAX_NUMBER}"
            )

    def error(self, key: str, fault: str, remedy: str) -> InputError:
        line = f":{self.lines[key]}" if key in self.lines else ""
        return InputError(fault, remedy, f"{self.location}{line}")


def _check_templates(entries: _Entries) -> None:
    for key in _TEMPLATES:
        if key not in entries.texts:
            continue
        try:
            first = command_templates.check_template(entries.texts[key])[0]
        except InputError as error:
            raise entries.error(key, f"`{key}`: {error}", "") from None
        if key in _WORKER_FOLDERS:
            workers = [path.stem for path in _WORKER_FOLDERS[key].glob("[a-z]*.py")]
            if first not in workers:
                raise entries.error(key, f"no worker {first!r}", suggest(first, workers))
