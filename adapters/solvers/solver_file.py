"""Reader of solver files: YAML descriptions of solvers, checked and limited in size and depth."""

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
MAX_FILE_BYTES = 2**16
MAX_DEPTH = 10
"""Maximum depth of lists and mappings; a valid file has one mapping."""
MAX_NUMBER = 3600
"""Maximum of the numbers in a file: seconds of a trial, or a uniformity factor."""

_ENUMERATIONS = {
    "dialect": ("dialect", PARSERS.keys()),
    "reads": ("input format", tuple(InputFormat)),
    "projection": ("projection comment", ("ind", "project")),
}
"""Keys with a choice of values: for each key the noun in messages, and the choices."""

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
"""Keys that require another key."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_REMEDY = "see docs/adding-a-solver.md"
_TEXT_TAG = "tag:yaml.org,2002:str"


def read_solver(path: Path, location: str, check: bool = True) -> Solver:
    """Return the solver that a file describes; raise InputError if the file is invalid.

    Templates need not be checked in files of boardsat, as the tests do that.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unreadable(str(error.strerror), location) from None
    if len(content) > MAX_FILE_BYTES:
        fault = f"the solver file is larger than {MAX_FILE_BYTES:,} bytes"
        raise InputError(fault, _REMEDY, location)
    return parse_solver(path.stem, content, location, check)


def _unreadable(fault: str, location: str) -> InputError:
    return InputError(f"cannot read the solver: {fault}", _REMEDY, location)


# Many commands read every solver, some at each of their runs.
@lru_cache(maxsize=128)
def parse_solver(name: str, content: bytes, location: str, check: bool = True) -> Solver:
    """Return the solver that the content of a file describes, under the given name."""
    entries = _Entries(location, _root(content, location))
    texts = {**_DEFAULTS, **entries.texts}
    for key, (noun, choices) in _ENUMERATIONS.items():
        if texts[key] not in choices:
            raise entries.error(key, f"no {noun} {texts[key]!r}", suggest(texts[key], choices))
    capabilities = _capabilities(entries)
    trial_seconds, factor = (int(texts.get(key, 0)) for key in _NUMBERS)
    if bool(factor) != (Capability.ALMOST_SAMPLE in capabilities):
        capability = f"`can: {Capability.ALMOST_SAMPLE}`"
        if factor:
            raise entries.error("factor", f"`factor` requires {capability}", _REMEDY)
        raise entries.error("can", f"{capability} requires `factor`", _REMEDY)
    proof_formats = _proof_formats(entries, capabilities)
    if check:
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
    names = entries.texts["can"].split()
    if unknown := set(names) - set(Capability):
        name = min(unknown)
        raise entries.error("can", f"no capability {name!r}", suggest(name, Capability))
    return frozenset(map(Capability, names))


def _proof_formats(
    entries: _Entries, capabilities: frozenset[Capability]
) -> tuple[ProofFormat, ...]:
    """Return the proof formats in order of preference; empty unless a prover or proof checker."""
    names = entries.texts.get("proofs", "").split()
    if unknown := set(names) - set(ProofFormat):
        name = min(unknown)
        raise entries.error("proofs", f"no proof format {name!r}", suggest(name, ProofFormat))
    proving = capabilities & {Capability.PROVE, Capability.CHECK}
    if names and not proving:
        raise entries.error("proofs", "`proofs` requires `can: prove` or `can: check`", _REMEDY)
    if proving and not names:
        remedy = f"the proof formats are: {', '.join(ProofFormat)}"
        raise entries.error("can", f"`can: {min(proving)}` requires `proofs`", remedy)
    return tuple(map(ProofFormat, names))


def _root(content: bytes, location: str) -> yaml.MappingNode:
    """Return the mapping of a file as YAML nodes, which preserve locations and spelling."""
    try:
        text = content.decode("utf-8")
        _check_depth(text)
        root = yaml.compose(text, _Loader)
    except (UnicodeDecodeError, yaml.YAMLError):
        raise _unreadable("not YAML", location) from None
    if not isinstance(root, yaml.MappingNode):
        raise InputError("the solver file is not a mapping", _REMEDY, location)
    return root


def _check_depth(text: str) -> None:
    """Raise YAMLError above MAX_DEPTH: deep nesting overflows the stack of libyaml."""
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
        keys = _REQUIRED | _OPTIONAL | _DEFAULTS.keys() | _NUMBERS.keys()
        if unknown := self.texts.keys() - keys:
            fault = f"unknown keys: {', '.join(sorted(unknown))[:200]}"
            raise self.error(min(unknown), fault, _REMEDY)
        if missing := _REQUIRED - self.texts.keys():
            raise self.error("", f"missing keys: {', '.join(sorted(missing))}", _REMEDY)
        for key, required_key in _DEPENDENCIES.items():
            if key in self.texts and required_key not in self.texts:
                raise self.error(key, f"`{key}` requires `{required_key}`", _REMEDY)
        if not self.texts.keys() & {"command", "embedded", "sampling"}:
            raise self.error("", "one of `command`, `embedded`, `sampling` is required", _REMEDY)

    def _add(self, key: str, node: yaml.Node, line: int) -> None:
        self.lines[key] = line
        if key in self.texts:
            raise self.error(key, f"`{key[:40]}` appears twice", "remove one")
        if key in _NUMBERS:
            self._check_number(key, node)
        elif not isinstance(node, yaml.ScalarNode) or node.tag != _TEXT_TAG:
            raise self.error(key, f"`{key[:40]}` must be a text", "put it in quotes")
        if not node.value.strip() or "\0" in node.value:
            raise self.error(key, f"`{key[:40]}` is empty", "remove the key, or write a text")
        self.texts[key] = node.value

    def _check_number(self, key: str, node: yaml.Node) -> None:
        digits = node.value if isinstance(node, yaml.ScalarNode) else ""
        if not (digits.isascii() and digits.isdecimal() and 0 < int(digits[:6]) <= MAX_NUMBER):
            fault = f"`{key}` must be {_NUMBERS[key]} from 1 to {MAX_NUMBER}"
            raise self.error(key, f"{fault} (got {digits[:40]!r})" if digits else fault)

    def error(self, key: str, fault: str, remedy: str = "") -> InputError:
        """Return an error at the line of a key; at the file if it has no such key."""
        line = f":{self.lines[key]}" if key in self.lines else ""
        return InputError(fault, remedy, f"{self.location}{line}")


def _check_templates(entries: _Entries) -> None:
    """Raise InputError if a template is invalid or names a worker that does not exist."""
    for key in _TEMPLATES:
        if key not in entries.texts:
            continue
        try:
            worker = command_templates.check_template(entries.texts[key])[0]
        except InputError as error:
            raise entries.error(key, f"`{key}`: {error}") from None
        if key in _WORKER_FOLDERS:
            workers = [path.stem for path in _WORKER_FOLDERS[key].glob("[a-z]*.py")]
            if worker not in workers:
                raise entries.error(key, f"no worker {worker!r}", suggest(worker, workers))
