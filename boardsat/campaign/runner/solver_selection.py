"""The solvers that run: each where it can, with its version and a hash of all that it does."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import choose, runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import AUTO, Ability, RuntimeName
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators.choices import split

ALL = "all"


@dataclass(frozen=True)
class Choice:
    """A solver, and where it runs."""

    name: str
    solver: Solver
    runtime: RuntimeName
    version: str
    setup: str
    """A hash of all that decides what is run."""
    image: str | None
    """The digest of its image."""
    proves: bool


@dataclass(frozen=True)
class Skipped:
    """What has no part in it, and why."""

    name: str
    reason: str


def choices(names: str, wanted: str = AUTO) -> tuple[list[Choice], list[Skipped]]:
    """The solvers, each where it can run; under `all` those that cannot are left out."""
    checker = can_check_proofs()
    chosen: list[Choice] = []
    skipped: list[Skipped] = []
    for name in solvers.names() if names == ALL else split(names, "--solvers"):
        solver = solvers.load(name)
        if not solver.can & {Ability.DECIDE, Ability.COUNT, Ability.ESTIMATE}:
            if names != ALL:
                raise InputError(f"{name} neither decides nor counts", "choose another solver")
            continue
        try:
            chosen.append(choice(name, wanted, checker))
        except BoardsatError as error:
            if names != ALL:
                raise
            skipped.append(Skipped(name, str(error)))
    if not chosen:
        raise InputError("no solver can run here", "build the images with `boardsat images`")
    return chosen, skipped


def can_check_proofs() -> bool:
    try:
        return bool(choose(solvers.load("drat-trim")))
    except BoardsatError:
        return False


def choice(name: str, wanted: str, checker: bool) -> Choice:
    """The solver where it can run; with a checker of proofs it is to write them."""
    solver = solvers.load(name)
    where = choose(solver, wanted)
    image = None
    if where is RuntimeName.DOCKER:
        from boardsat.adapters.runtimes.container import image_digest

        image = image_digest(solver)
    about = repr(replace(solver, can=frozenset(), problems=frozenset()))
    setup = hashlib.sha256(f"{about} {image or ''}".strip().encode()).hexdigest()
    proves = checker and Ability.PROVE in solver.can and where is not RuntimeName.EMBEDDED
    return Choice(name, solver, where, runtime(where).version(solver), setup, image, proves)
