"""Problems, encodings, switches, shapes and transforms at random: counted as by brute force.

An input is JSON: a spec, its settings, and what is done to the formula. The spec is of a problem
that is counted here by trying everything (tests hold others against CNFgen or published counts), or
has random constraints of every type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, permutations, product
from random import Random
from typing import Any

from helpers.board_geometry import LEAPERS, Pair, oracle
from helpers.formulas import counted_variables, non_lazy_specs, solutions

from boardsat.generators import Formula, InputError, Spec, build, find, parse
from boardsat.generators import transform as transformed
from boardsat.generators.sections.parameters import parameters_of
from fuzz.judging import scratch
from fuzz.target import Target
from fuzz.targets import _constraints

MAX_MODELS = 400
"""Maximum number of models to enumerate; larger counts are not distinguished."""

FLAT = ("grid", "cylinder", "torus", "moebius", "klein")
SIZES: dict[str, list[dict[str, int]]] = {
    **{
        shape: [{"rows": r, "cols": c} for r in range(1, 5) for c in range(1, 6) if r * c <= 12]
        for shape in FLAT
    },
    "box": [{"layers": a, "rows": b, "cols": c} for a, b, c in product((1, 2), (1, 2), (1, 2, 3))],
    "hexagon": [{"side": 1}, {"side": 2}],
    "cube": [{"side": 1}],
}
MOVES = [name for name in LEAPERS if name not in ("0,5+wazir", "antelope", "giraffe")]


def fresh(chance: Random) -> bytes:
    return draw_constraints(chance) if chance.random() < 0.5 else draw_problem(chance)


def draw_constraints(chance: Random) -> bytes:
    entry = _constraints.fresh(chance)
    settings = switches(_spec(entry), chance)
    # Transforms are not defined on xor lines.
    transform = {} if settings.get("xor") == "native" else transforms(chance) | {"symmetry": False}
    return json.dumps({"constraints": entry, "set": settings, "transform": transform}).encode()


def draw_problem(chance: Random) -> bytes:
    makers: dict[str, Callable[[Random], dict[str, Any]]] = {
        "tour": on_board,
        "symmetric": symmetric,
        "hamilton": lambda c: {"edges": graph(c, 6)},
        "colouring": lambda c: {"edges": graph(c, 5), "colours": c.randint(1, 3)},
        "queens": lambda c: {"n": c.randint(1, 6)},
        "latin": lambda c: {"n": c.randint(1, 3)},
        "sudoku": lambda c: {"n": c.choice((1, 2))},
        "pigeonhole": lambda c: {"pigeons": c.randint(1, 4), "holes": c.randint(1, 4)},
    }
    spec = chance.choice([spec for spec in non_lazy_specs() if spec.split("/")[0] in makers])
    settings = switches(find(spec), chance) | makers[spec.split("/")[0]](chance)
    return json.dumps({"spec": spec, "set": settings, "transform": transforms(chance)}).encode()


def transforms(chance: Random) -> dict[str, Any]:
    return {
        "propagate": chance.random() < 0.3,
        "three_cnf": chance.choice((None, None, "auto", "chain", "equivalences")),
        "shuffle": chance.choice((None, None, chance.randrange(2**64))),
        "symmetry": chance.random() < 0.3,
    }


def switches(spec: Spec, chance: Random) -> dict[str, Any]:
    """Return random values of parameters that select encodings or redundant constraints."""
    settings = {}
    for parameter in parameters_of(spec):
        if parameter.choices and parameter.name not in ("shape", "turn") and chance.random() < 0.6:
            settings[parameter.name] = chance.choice(sorted(parameter.choices))
    return settings


def on_board(chance: Random) -> dict[str, Any]:
    shape = chance.choice([*FLAT, "grid", "grid", "box", "hexagon", "cube"])
    size = chance.choice(SIZES[shape])
    settings = {"shape": shape, **size, "moves": chance.choice(MOVES)}
    places = number_of_places(shape, size)
    if chance.random() < 0.3 and places > 3:
        settings["holes"] = ",".join(
            map(str, sorted(chance.sample(range(1, places), chance.randint(1, 2))))
        )
    return settings


def symmetric(chance: Random) -> dict[str, Any]:
    rows, cols = chance.choice(((2, 2), (2, 4), (3, 4), (4, 2), (4, 3), (2, 3), (2, 6)))
    return {"rows": rows, "cols": cols, "moves": chance.choice(MOVES)}


def graph(chance: Random, max_vertices: int) -> list[Pair]:
    """At least one edge, and no vertex without any."""
    vertices = range(chance.randint(2, max_vertices))
    pairs = [(u, v) for u in vertices for v in vertices if u < v]
    chosen = {pair for pair in pairs if chance.random() < 0.6}
    for v in vertices:
        if not any(v in pair for pair in chosen):
            chosen.add(chance.choice([pair for pair in pairs if v in pair]))
    return sorted(chosen)


def number_of_places(shape: str, size: dict[str, int]) -> int:
    if shape == "hexagon":
        return 3 * size["side"] * (size["side"] - 1) + 1
    if shape == "cube":
        return 6 * size["side"] ** 2
    number = 1
    for side in size.values():
        number *= side
    return number


def check(data: bytes) -> None:
    if not data:
        return
    document = json.loads(data)
    if "constraints" in document:
        return check_constraints(**document)
    settings = dict(document["set"])
    if "edges" in settings:
        path = scratch() / "graph.txt"
        path.write_text("".join(f"{u + 1} {v + 1}\n" for u, v in settings.pop("edges")))
        settings["graph"] = path
    if "side" in settings:
        settings["n"] = settings.pop("side")
    built, transform = build(find(document["spec"]), settings), dict(document["transform"])
    expected = objects(document["spec"].split("/")[0], document["set"])
    models_per_solution = (built.header.objects or {}).get("models_per_solution", 1)
    if transform.get("symmetry"):
        # Boards without any are refused.
        with suppress(InputError):
            return check_classes(transformed(built, **transform), expected * models_per_solution)
        transform["symmetry"] = False
    num_models = num_solutions(transformed(built, **transform))
    assert min(num_models, MAX_MODELS) == min(expected * models_per_solution, MAX_MODELS), (
        num_models,
        expected,
        models_per_solution,
    )


def _spec(entry: dict[str, Any]) -> Spec:
    return parse(json.dumps(_constraints.document(entry)))


def check_constraints(
    constraints: dict[str, Any], set: dict[str, Any], transform: dict[str, Any]
) -> None:
    """Check that the formula has the same solutions as the constraints, each once."""
    built = build(_spec(constraints), set)
    expected = list(_constraints.solutions(constraints))
    formula = transformed(built, **transform)
    models = list(islice(solutions(formula, counted_variables(formula)), len(expected) + 1))
    assert len(models) == len(expected)
    if not any(transform.values()):
        ids = {
            variable.name: range(variable.first, variable.first + variable.count)
            for variable in formula.header.variables
        }
        integers = set.get("int", "order")
        actual = [_constraints.assigned(constraints, ids, integers, true) for true in models]
        assert sorted(actual) == sorted(expected)


def num_solutions(formula: Formula) -> int:
    """Return the number of solutions, at most MAX_MODELS + 1."""
    return sum(1 for _ in islice(solutions(formula, counted_variables(formula)), MAX_MODELS + 1))


def check_classes(broken: Formula, expected: int) -> None:
    """Check the number of orbits by Burnside's lemma, from the fixed points of each symmetry."""
    assert broken.fixed_point_formulas is not None
    kinds, classes = broken.fixed_point_formulas(), num_solutions(broken)
    if classes > MAX_MODELS or expected >= MAX_MODELS:
        return
    unchanged = sum(kind.elements * num_solutions(kind.formula) for kind in kinds)
    actual = classes * (1 + sum(kind.elements for kind in kinds)) - unchanged
    assert actual == expected, (actual, expected, classes)


def objects(problem: str, settings: dict[str, Any]) -> int:
    """Return the number of objects, by brute force."""
    match problem:
        case "tour":
            return sum(1 for _ in islice(tours_on(settings), MAX_MODELS))
        case "symmetric":
            turned = [
                o for o in tours_on({"shape": "grid", **settings}) if is_symmetric(o, settings)
            ]
            return len(turned)
        case "hamilton":
            edges = settings["edges"]
            near = {(u, v) for a, b in edges for u, v in ((a, b), (b, a))}
            return sum(
                1 for _ in islice(tours(1 + max(map(max, edges)), near, settings, 0), MAX_MODELS)
            )
        case "colouring":
            edges = settings["edges"]
            colourings = product(range(settings["colours"]), repeat=1 + max(map(max, edges)))
            return sum(all(colours[u] != colours[v] for u, v in edges) for colours in colourings)
        case "queens":
            return sum(
                len({c + r for r, c in enumerate(p)})
                == len({c - r for r, c in enumerate(p)})
                == len(p)
                for p in permutations(range(settings["n"]))
            )
        case "latin":
            return (0, 1, 2, 12, 576)[settings["n"]]
        case "sudoku":
            return (0, 1, 288)[settings["n"]]
        case "pigeonhole":
            return pigeons(settings)
    raise AssertionError(problem)


def pigeons(settings: dict[str, Any]) -> int:
    """Return the number of placements of pigeons in different holes, by brute force."""
    holes = range(settings["holes"])
    subsets = [{h for h in holes if bits >> h & 1} for bits in range(1, 2 ** len(holes))]
    is_functional = settings.get("functional") in (True, "true")
    choices = [s for s in subsets if len(s) == 1] if is_functional else subsets
    return _apart(settings["pigeons"], choices, set())


def _apart(num_left: int, choices: Sequence[set[int]], occupied: set[int]) -> int:
    if not num_left:
        return 1
    return sum(_apart(num_left - 1, choices, occupied | c) for c in choices if not c & occupied)


def tours_on(settings: dict[str, Any]) -> Iterator[tuple[int, ...]]:
    """Yield the tours: closed ones once, open ones from the first square."""
    shape = settings["shape"]
    keys = ("layers", "rows", "cols", "side")
    size = {key: settings[key] for key in keys if key in settings}
    holes = {int(token) for token in str(settings.get("holes", "")).split(",") if token}
    cells = [p for p in range(number_of_places(shape, size)) if p not in holes]
    number = {cell: i for i, cell in enumerate(cells)}
    near = {
        (number[i], number[j])
        for i, j in oracle(shape, size, settings["moves"])
        if i in number and j in number
    }
    return tours(len(cells), near, settings, 0)


def tours(
    cells: int, near: set[Pair], settings: dict[str, Any], start: int
) -> Iterator[tuple[int, ...]]:
    closed = settings.get("closed", True) in (True, "true")
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        if len(path) < cells:
            stack += [(*path, c) for c in range(cells) if c not in path and (path[-1], c) in near]
        elif not closed or (cells > 2 and (path[-1], start) in near and path[1] < path[-1]):
            yield path


def is_symmetric(order: tuple[int, ...], settings: dict[str, Any]) -> bool:
    """Return whether a rotation by 180 degrees maps the cycle to itself with its direction."""
    cells = settings["rows"] * settings["cols"]
    following = dict(zip(order, (*order[1:], order[0]), strict=True))
    return all(following[cells - 1 - i] == cells - 1 - j for i, j in following.items())


def seeds() -> list[bytes]:
    return [fresh(Random(number)) for number in range(20)]


TARGET = Target(seeds, check, fresh=fresh, are_valid=True)
