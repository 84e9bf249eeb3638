"""A solver is data: one YAML file in adapters/solvers, found by its name, or a file anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from boardsat.adapters.solvers import command_templates
from boardsat.adapters.solvers.capabilities import (
    Ability,
    ProofKind,
    Reads,
    RuntimeName,
)
from boardsat.adapters.solvers.output_parsers import DIALECTS
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import suggest

FOLDER = Path(__file__).parent
WORKERS = Path(__file__).parent.parent / "runtimes" / "workers"
SAMPLERS = Path(__file__).parent.parent / "samplers"

PROJECTIONS = {"ind", "project"}
LARGEST = 2**16
"""Bytes of such a file."""
DEEPEST = 10
"""Lists and mappings inside each other; a good file has one mapping."""
LONGEST = 3600
"""Seconds of a trial, and the largest number in such a file."""

_NEEDED = {"title", "dialect", "can"}
_TEMPLATES = ("command", "version", "embedded", "incremental", "sampling")
_FIRST_WORDS = {"embedded": WORKERS, "sampling": SAMPLERS}
"""Templates, and the folder that has a file for their first word."""
_OPTIONAL = {
    *_TEMPLATES,
    *("program", "image", "package", "library", "additions", "problems", "proofs"),
}
_NUMBERS = {"trial": "a number of seconds", "factor": "a factor"}
_DEFAULTS = {"reads": Reads.FORMULA.value, "projection": "ind"}
_GOES_WITH = {
    "command": "program",
    "image": "command",
    "version": "command",
    "embedded": "package",
    "incremental": "embedded",
    "sampling": "package",
    "additions": "package",
}
"""A key, and one without which it means nothing."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SEE = "see docs/adding-a-solver.md"
_TEXT = "tag:yaml.org,2002:str"


@dataclass(frozen=True)
class Solver:
    name: str
    title: str
    dialect: str
    can: frozenset[Ability]
    program: str = ""
    """What it is called on PATH and in its image."""
    command: str = ""
    """A Jinja2 template of the command line: program, and the words of a task."""
    image: str | None = None
    """The folder in docker/ that its image is built from."""
    version: str | None = None
    """A template of the command that tells its version."""
    embedded: str | None = None
    """A template like `command`, whose first word is a file of runtimes/workers."""
    incremental: str | None = None
    """The same for cuts/incremental.py, which finds and adds the cuts of a lazy formula."""
    sampling: str | None = None
    """The same for drawing models at random: its first word is a file of samplers."""
    package: str = ""
    """What must be installed for `embedded`, and has its version."""
    library: str = ""
    """Which of several solvers in that package."""
    additions: str = ""
    """Methods and other solvers that the worker uses besides the library; part of the version.
    Empty if the library alone gives the answer."""
    reads: Reads = Reads.FORMULA
    projection: str = "ind"
    """The comment that tells it what to count over: `c ind`, or `c project` after the header."""
    problems: frozenset[str] = frozenset()
    """Those that it is for; empty for all."""
    proofs: tuple[ProofKind, ...] = ()
    """The kinds of proof that it writes or checks; the first is the one it usually writes."""
    trial: int = 0
    """Seconds of CPU time that it is given where nobody names a counter or sampler; 0: none."""

    factor: int = 0
    """How far the probability of a model that it draws may be from that of any; 0: not at all."""

    @property
    def counts(self) -> bool:
        return bool(self.can & {Ability.COUNT, Ability.ESTIMATE})

    @property
    def samples(self) -> bool:
        return bool(self.can & {Ability.SAMPLE, Ability.ALMOST_SAMPLE})

    @property
    def runtimes(self) -> tuple[RuntimeName, ...]:
        """Those that its file says something for; whether they are here is another question."""
        said = {
            RuntimeName.DOCKER: self.image,
            RuntimeName.NATIVE: self.command,
            RuntimeName.EMBEDDED: self.embedded or self.sampling,
        }
        return tuple(name for name, entry in said.items() if entry)

    def takes_seed(self, runtime: str) -> bool:
        """Whether its command lines there have a place for one."""
        inside = runtime == RuntimeName.EMBEDDED
        lines = (self.embedded, self.incremental) if inside else (self.command,)
        return all("seed" in command_templates.names_in(line) for line in lines if line)

    def command_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.command, **words)

    def embedded_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.embedded or "", **words)

    def incremental_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.incremental or "", **words)

    def sampling_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.sampling or "", **words)

    def version_line(self) -> tuple[str, ...] | None:
        return self._render(self.version) if self.version else None

    def _render(self, template: str, **words: object) -> tuple[str, ...]:
        own = {"program": self.program, "library": self.library}
        return command_templates.render(template, {**own, **words})


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Solver:
    """A solver by its name, or by the path of a YAML file."""
    if name.endswith(".yaml"):
        return _read(Path(name), name)
    # Not by the list of all: a campaign asks before each of its runs.
    path = FOLDER / f"{name}.yaml"
    if path.parent != FOLDER or "\0" in name or not path.is_file():
        raise InputError(f"no solver {name!r}", suggest(name, names()))
    return _read(path, f"adapters/solvers/{name}.yaml")


def checker_of(kind: ProofKind) -> Solver:
    """Who checks proofs of a kind: the first whose file says so."""
    for name in names():
        solver = load(name)
        if Ability.CHECK in solver.can and kind in solver.proofs:
            return solver
    raise InputError(f"nothing here checks {kind.words}", "write another kind of proof")


def _read(path: Path, place: str) -> Solver:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise _unreadable(str(error.strerror), place) from None
    if len(content) > LARGEST:
        raise InputError("too large for a solver", _SEE, place)
    return _solver(path.stem, content, place)


def _unreadable(fault: str, place: str) -> BoardsatError:
    return InputError(f"cannot read the solver: {fault}", _SEE, place)


# Many commands look at every solver, some at each of their runs.
@lru_cache(maxsize=128)
def _solver(name: str, content: bytes, place: str) -> Solver:
    """What a file says."""
    entries = _Entries(place, _root(content, place))
    words = {**_DEFAULTS, **entries.texts}
    for key, known in (
        ("dialect", DIALECTS.keys()),
        ("reads", tuple(Reads)),
        ("projection", PROJECTIONS),
    ):
        if words[key] not in known:
            raise entries.error(key, f"no {key} {words[key]!r}", suggest(words[key], known))
    can = words.pop("can").split()
    if unknown := set(can) - set(Ability):
        word = min(unknown)
        raise entries.error("can", f"it cannot {word!r}", suggest(word, Ability))
    reads = Reads(words.pop("reads"))
    problems = frozenset(words.pop("problems", "").split())
    trial, factor = (int(words.pop(key, 0)) for key in _NUMBERS)
    if bool(factor) != (Ability.ALMOST_SAMPLE in can):
        raise entries.error(
            "factor" if factor else "can",
            "`factor` is for those that can `almost-sample`, and they need it",
            _SEE,
        )
    proofs = _proofs(entries, words.pop("proofs", ""), {*can})
    _check_templates(entries)
    return Solver(
        name=name,
        can=frozenset(map(Ability, can)),
        reads=reads,
        problems=problems,
        proofs=proofs,
        trial=trial,
        factor=factor,
        **words,
    )


def _proofs(entries: _Entries, told: str, can: set[str]) -> tuple[ProofKind, ...]:
    """Its kinds of proof, in their order, if it has to do with proofs."""
    kinds = told.split()
    if unknown := set(kinds) - set(ProofKind):
        word = min(unknown)
        raise entries.error("proofs", f"no kind of proof {word!r}", suggest(word, ProofKind))
    if bool(kinds) != bool(can & {Ability.PROVE, Ability.CHECK}):
        raise entries.error(
            "proofs" if kinds else "can",
            "`proofs` is for those that can `prove` or `check`, and they need it",
            f"the kinds are: {', '.join(ProofKind)}",
        )
    return tuple(map(ProofKind, kinds))


def _root(content: bytes, place: str) -> yaml.MappingNode:
    """The mapping in a file, its values not read yet: they keep their places and their spelling."""
    try:
        text = content.decode("utf-8")
        _refuse_depth(text)
        root = yaml.compose(text, _Loader)
    except (UnicodeDecodeError, yaml.YAMLError):
        raise _unreadable("not YAML", place) from None
    if not isinstance(root, yaml.MappingNode):
        raise InputError("not a mapping", _SEE, place)
    return root


def _refuse_depth(text: str) -> None:
    """Deep nesting overflows the stack of libyaml, and takes long before it does."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError("nested too deep")


class _Entries:
    """The texts of a file by their keys, and where they stand."""

    def __init__(self, place: str, root: yaml.MappingNode) -> None:
        self.place = place
        self.lines: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        for key, value in root.value:
            self._add(str(key.value), value, key.start_mark.line + 1)
        known = _NEEDED | _OPTIONAL | _DEFAULTS.keys() | _NUMBERS.keys()
        if wrong := (self.texts.keys() - known) or (_NEEDED - self.texts.keys()):
            fault = f"unknown or missing keys: {', '.join(sorted(wrong))[:200]}"
            raise self.error(min(wrong), fault, _SEE)
        for key, other in _GOES_WITH.items():
            if key in self.texts and other not in self.texts:
                raise self.error(key, f"`{key}` without `{other}`", _SEE)
        if not self.texts.keys() & {"command", "embedded", "sampling"}:
            raise self.error("", "neither `command` nor `embedded` nor `sampling`", _SEE)

    def _add(self, key: str, value: yaml.Node, line: int) -> None:
        self.lines[key] = line
        if key in self.texts:
            raise self.error(key, f"`{key[:40]}` appears twice", "leave one out")
        if key in _NUMBERS:
            self._check_number(key, value)
        elif not isinstance(value, yaml.ScalarNode) or value.tag != _TEXT:
            raise self.error(
                key, f"`{key[:40]}` is not a text", "write one, in quotes where it needs them"
            )
        if not value.value.strip() or "\0" in value.value:
            raise self.error(key, f"`{key[:40]}` is empty", "leave it out, or write a value")
        self.texts[key] = value.value

    def _check_number(self, key: str, value: yaml.Node) -> None:
        digits = value.value if isinstance(value, yaml.ScalarNode) else ""
        if not (digits.isascii() and digits.isdecimal() and 0 < int(digits[:6]) <= LONGEST):
            raise self.error(
                key, f"`{key}` is not {_NUMBERS[key]}", f"write one from 1 to {LONGEST}"
            )

    def error(self, key: str, fault: str, remedy: str) -> BoardsatError:
        line = f":{self.lines[key]}" if key in self.lines else ""
        return InputError(fault, remedy, f"{self.place}{line}")


def _check_templates(entries: _Entries) -> None:
    for key in _TEMPLATES:
        if key not in entries.texts:
            continue
        try:
            first = command_templates.check(entries.texts[key])[0]
        except BoardsatError as error:
            raise entries.error(key, f"`{key}`: {error}", "") from None
        if key in _FIRST_WORDS:
            workers = [path.stem for path in _FIRST_WORDS[key].glob("[a-z]*.py")]
            if first not in workers:
                raise entries.error(key, f"no worker {first!r}", suggest(first, workers))
