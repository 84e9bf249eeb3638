"""Engines that hang, drip, lie or hang up: one line within a bounded time, never a traceback."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers.fake_engine import (
    IMAGE,
    NO_CONTENT,
    Behaviour,
    FakeEngine,
    answer_with,
    fake_engine,
    send_bytes,
    send_slowly,
    stay_silent,
)
from helpers.formulas import mostly_slow
from helpers.solver_runs import CommandOutput, boardsat

from boardsat.adapters.runtimes import container, engine, engine_socket, images, versions
from boardsat.base import process_id

LIMIT = 0.3
"""Seconds for an answer of a bad one; in use there are more."""

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
WRONG = {"Id": 5, "StatusCode": "x", "State": [], "Config": 3, "Labels": 7}

ANYWHERE: dict[str, Behaviour] = {
    "silence": stay_silent,
    "a dripping head": send_slowly(HEAD * 1000),
    "a dripping body": send_slowly(HEAD + b"Content-Length: 100000\r\n\r\n" + b" " * 1000),
    "endless beginnings": send_slowly(b"HTTP/1.1 100 Continue\r\n\r\n" * 10000, 0.0001),
    "an end at once": send_bytes(b""),
    "garbage": send_bytes(b"\x00\xff\x1b[31mhello\r\n" * 9),
    "a page": answer_with(b"<html>hello</html>", kind="text/html"),
    "a list": answer_with([]),
    "a number": answer_with(3),
    "null": answer_with(None),
    "nothing known": answer_with({}),
    "wrong types": answer_with({"ApiVersion": 3}),
    "a fault": answer_with({"message": "no \x1b[31m way"}, "500 Oops"),
    "a redirection": send_bytes(b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"),
    "no content": NO_CONTENT,
    "half an answer": answer_with({"a": 1}, length=5000),
    "no chunks": send_bytes(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello"),
}

SOMEWHERE: dict[str, Behaviour] = {
    "silence": stay_silent,
    "drips": send_slowly(HEAD * 1000),
    "a list": answer_with(["a"]),
    "wrong types": answer_with(WRONG),
    "a fault": answer_with({"message": [1]}, "500 Oops"),
    "an end": send_bytes(b""),
}
STAGES = {
    "image": r"GET .*/images/",
    "create": r"POST .*/create",
    "inspect": r"GET .*/containers/a+/json",
    "send": r"PUT",
    "attach": r"POST .*/attach",
    "start": r"POST .*/start",
    "wait": r"POST .*/wait",
}


Start = Callable[..., FakeEngine]


@pytest.fixture
def engine_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Start:
    """Starts an engine, and lets it be the one that is asked; with little patience if it is bad."""

    def begin(changes: dict[str, Behaviour], limit: float = LIMIT) -> FakeEngine:
        for module, name in (
            ((engine_socket, "QUERY_SECONDS"), (engine, "CHANGE_SECONDS")) if changes else ()
        ):
            monkeypatch.setattr(module, name, limit)
        opened = fake_engine(tmp_path, changes)
        found = opened.__enter__()
        request.addfinalizer(lambda: opened.__exit__(None, None, None))
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        for known in (engine._connection, engine.remove_stale_containers_once):
            known.cache_clear()
            request.addfinalizer(known.cache_clear)
        return found

    return begin


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 3 1\n1 2 3 0\n")
    return path


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < 20, "far more than any limit, on a busy machine too"


def solved(formula: Path, where: str) -> CommandOutput:
    return boardsat("solve", formula, "--runtime", where, "--timeout", 20)


def test_a_good_one_is_believed(engine_with: Start, formula: Path) -> None:
    """Or else what follows would show nothing."""
    found = engine_with({})
    said = solved(formula, "docker")
    assert said.code == 10 and ", docker, " in said.out
    assert any(line.startswith("DELETE ") for line in found.requests)


@pytest.mark.parametrize("how", mostly_slow(ANYWHERE, ("silence", "garbage", "wrong types")))
def test_one_that_is_none(how: str, engine_with: Start, formula: Path) -> None:
    engine_with({".*": ANYWHERE[how]})
    said = solved(formula, "docker")
    assert said.code == 2 and "(docker: the engine " in said.one_line()
    assert "set DOCKER_HOST" in said.err and "\x1b" not in said.err
    # Only where no runtime was asked for is there another, and it is said why.
    said = solved(formula, "auto")
    assert said.code == 10 and " (the engine " in said.out.splitlines()[0]


@pytest.mark.parametrize("how", mostly_slow(SOMEWHERE, ("silence", "wrong types")))
@pytest.mark.parametrize("stage", mostly_slow(STAGES, ("image", "attach")))
def test_one_that_begins_well(stage: str, how: str, engine_with: Start, formula: Path) -> None:
    engine_with({STAGES[stage]: SOMEWHERE[how]})
    said = solved(formula, "docker")
    if said.code == 10:
        # What it need not say may be wrong.
        assert (stage, how) in {(s, h) for s in ("image", "send", "start") for h in SOMEWHERE}
    else:
        assert said.code == 2 and said.one_line()


@pytest.mark.parametrize("how", mostly_slow(SOMEWHERE, ("a fault",)))
def test_one_that_removes_nothing_takes_no_answer_away(
    how: str, engine_with: Start, formula: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It was asked before, when all was well.
    monkeypatch.setattr(versions, "cached_version", lambda *_: "1.7.3")
    lying = SOMEWHERE["wrong types"]
    engine_with({r"DELETE": SOMEWHERE[how], r"GET .*/containers/json": lying}, limit=2)
    assert solved(formula, "docker").code == 10


@pytest.mark.parametrize("how", mostly_slow(SOMEWHERE, ("an end",)))
@pytest.mark.parametrize("words", [("clean",), ("images", "cadical")], ids=" ".join)
def test_other_commands(words: tuple[str, ...], how: str, engine_with: Start) -> None:
    engine_with({r"GET .*/(images|containers)/": SOMEWHERE[how]}, limit=1)
    said = boardsat(*words)
    assert said.code == 2 and said.one_line()


@pytest.mark.parametrize("how", mostly_slow(SOMEWHERE, ("drips",)))
def test_a_list_of_solvers_says_why(how: str, engine_with: Start) -> None:
    engine_with({r"GET .*/images/": SOMEWHERE[how]}, limit=1)
    said = boardsat("solvers")
    assert (said.code, said.err) == (0, "") and "the engine " in said.out


def test_one_that_was_silent_is_not_waited_for_again(engine_with: Start) -> None:
    found = engine_with({r"GET .*/images/": stay_silent})
    assert boardsat("solvers").code == 0
    assert len([line for line in found.requests if "/images/" in line]) == 1


# What others left.


@pytest.mark.parametrize("words", [("solvers",), ("images", "cadical"), ("clean",)], ids=" ".join)
def test_only_what_ended_processes_of_this_machine_left_goes(
    words: tuple[str, ...], engine_with: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "cached_version", lambda *_: "1.7.3")
    host, *rest = process_id.own_process_id().split(".")
    names = {
        "d" * 64: ".".join((host, *rest[:-1], "1")),
        "a" * 64: process_id.own_process_id(),
        "b" * 64: ".".join(("elsewhere", *rest[:-1], "1")),
        "c" * 64: "vm 17 100",
    }
    listed = [{"Id": key, "Labels": {engine.CONTAINER_LABEL: name}} for key, name in names.items()]
    found = engine_with({r"GET .*/containers/json": answer_with(listed)}, limit=60)
    boardsat(*words)
    removed = [line for line in found.requests if line.startswith("DELETE ")]
    assert len(removed) == 1 and f"/containers/{'d' * 64}?v=True" in removed[0]
    asked = [line for line in found.requests if "/containers/json" in line]
    assert len(asked) == 1 and engine.CONTAINER_LABEL in asked[0]


# Two at once.


@pytest.mark.slow
def test_two_that_want_the_same_image_build_it_once(engine_with: Start) -> None:
    name = container.image_names()[0]
    labels = {images.CONTENT_LABEL: images.content_hash(container.IMAGE_FOLDER / name)}
    there = answer_with({**IMAGE, "Config": {"Labels": labels}})
    built = threading.Event()

    def look(near: socket.socket) -> None:
        (there if built.is_set() else answer_with({"message": "no such image"}, "404 No"))(near)

    def build(near: socket.socket) -> None:
        assert not built.is_set()
        # As long as the other would need to look, find nothing, and begin as well.
        time.sleep(0.5)
        built.set()
        answer_with({"stream": f"Successfully built {'0' * 12}\n"})(near)

    found = engine_with(
        {r"GET .*/images/": look, r"POST .*/build": build, r"POST .*/tag": NO_CONTENT}, 60
    )
    with ThreadPoolExecutor(3) as several:
        told = list(several.map(images.build, [name] * 3))
    assert sorted(image.built for image in told) == [False, False, True]
    assert len([line for line in found.requests if "/build" in line]) == 1
