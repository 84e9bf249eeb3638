"""Misbehaving container engines: an error of one line within a bounded time, not a traceback."""

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
"""Time limit in seconds of a query to a misbehaving engine, lower than outside of tests."""

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
WRONG = {"Id": 5, "StatusCode": "x", "State": [], "Config": 3, "Labels": 7}

ALWAYS: dict[str, Behaviour] = {
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

IN_ONE_STAGE: dict[str, Behaviour] = {
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
    """Return a function that starts an engine and selects it; low time limits if it misbehaves."""

    def start_engine(changes: dict[str, Behaviour], limit: float = LIMIT) -> FakeEngine:
        for module, name in (
            ((engine_socket, "QUERY_SECONDS"), (engine, "CHANGE_SECONDS")) if changes else ()
        ):
            monkeypatch.setattr(module, name, limit)
        context = fake_engine(tmp_path, changes)
        started = context.__enter__()
        request.addfinalizer(lambda: context.__exit__(None, None, None))
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        for cached in (engine._connection, engine.remove_stale_containers_once):
            cached.cache_clear()
            request.addfinalizer(cached.cache_clear)
        return started

    return start_engine


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 3 1\n1 2 3 0\n")
    return path


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fail if a test takes far longer than the time limits, also on a busy machine."""
    start_time = time.monotonic()
    yield
    assert time.monotonic() - start_time < 20


def solve(formula: Path, runtime: str) -> CommandOutput:
    return boardsat("solve", formula, "--runtime", runtime, "--timeout", 20)


def test_fake_engine_that_behaves_gives_an_answer(engine_with: Start, formula: Path) -> None:
    """The other tests would prove nothing without this."""
    started = engine_with({})
    output = solve(formula, "docker")
    assert output.code == 10 and ", docker, " in output.out
    assert any(line.startswith("DELETE ") for line in started.requests)


@pytest.mark.parametrize("fault", mostly_slow(ALWAYS, ("silence", "garbage", "wrong types")))
def test_misbehaving_engine_is_reported_in_one_line(
    fault: str, engine_with: Start, formula: Path
) -> None:
    engine_with({".*": ALWAYS[fault]})
    output = solve(formula, "docker")
    assert output.code == 2 and "(docker: the engine " in output.one_line()
    assert "set DOCKER_HOST" in output.err and "\x1b" not in output.err
    # Without --runtime another runtime is selected, and the answer has the reason.
    output = solve(formula, "auto")
    assert output.code == 10 and " (the engine " in output.out.splitlines()[0]


@pytest.mark.parametrize("fault", mostly_slow(IN_ONE_STAGE, ("silence", "wrong types")))
@pytest.mark.parametrize("stage", mostly_slow(STAGES, ("image", "attach")))
def test_engine_misbehaving_in_one_stage_is_reported_in_one_line(
    stage: str, fault: str, engine_with: Start, formula: Path
) -> None:
    engine_with({STAGES[stage]: IN_ONE_STAGE[fault]})
    output = solve(formula, "docker")
    if output.code == 10:
        # These replies are not needed.
        assert (stage, fault) in {(s, h) for s in ("image", "send", "start") for h in IN_ONE_STAGE}
    else:
        assert output.code == 2 and output.one_line()


@pytest.mark.parametrize("fault", mostly_slow(IN_ONE_STAGE, ("a fault",)))
def test_answer_is_valid_if_the_engine_does_not_remove_the_container(
    fault: str, engine_with: Start, formula: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The version is in the cache.
    monkeypatch.setattr(versions, "cached_version", lambda *_: "1.7.3")
    wrong_types = IN_ONE_STAGE["wrong types"]
    engine_with({r"DELETE": IN_ONE_STAGE[fault], r"GET .*/containers/json": wrong_types}, limit=2)
    assert solve(formula, "docker").code == 10


@pytest.mark.parametrize("fault", mostly_slow(IN_ONE_STAGE, ("an end",)))
@pytest.mark.parametrize("arguments", [("clean",), ("images", "cadical")], ids=" ".join)
def test_clean_and_images_report_a_misbehaving_engine_in_one_line(
    arguments: tuple[str, ...], fault: str, engine_with: Start
) -> None:
    engine_with({r"GET .*/(images|containers)/": IN_ONE_STAGE[fault]}, limit=1)
    output = boardsat(*arguments)
    assert output.code == 2 and output.one_line()


@pytest.mark.parametrize("fault", mostly_slow(IN_ONE_STAGE, ("drips",)))
def test_solvers_lists_the_fault_of_the_engine(fault: str, engine_with: Start) -> None:
    engine_with({r"GET .*/images/": IN_ONE_STAGE[fault]}, limit=1)
    output = boardsat("solvers")
    assert (output.code, output.err) == (0, "") and "the engine " in output.out


def test_silent_engine_is_queried_once(engine_with: Start) -> None:
    started = engine_with({r"GET .*/images/": stay_silent})
    assert boardsat("solvers").code == 0
    assert len([line for line in started.requests if "/images/" in line]) == 1


# Stale containers.


@pytest.mark.parametrize(
    "arguments", [("solvers",), ("images", "cadical"), ("clean",)], ids=" ".join
)
def test_only_containers_of_ended_processes_of_this_machine_are_removed(
    arguments: tuple[str, ...], engine_with: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "cached_version", lambda *_: "1.7.3")
    host, *fields = process_id.own_process_id().split(".")
    names = {
        "d" * 64: ".".join((host, *fields[:-1], "1")),
        "a" * 64: process_id.own_process_id(),
        "b" * 64: ".".join(("elsewhere", *fields[:-1], "1")),
        "c" * 64: "vm 17 100",
    }
    listed = [{"Id": key, "Labels": {engine.CONTAINER_LABEL: name}} for key, name in names.items()]
    started = engine_with({r"GET .*/containers/json": answer_with(listed)}, limit=60)
    boardsat(*arguments)
    removed = [line for line in started.requests if line.startswith("DELETE ")]
    assert len(removed) == 1 and f"/containers/{'d' * 64}?v=True" in removed[0]
    queries = [line for line in started.requests if "/containers/json" in line]
    assert len(queries) == 1 and engine.CONTAINER_LABEL in queries[0]


# Concurrent builds.


@pytest.mark.slow
def test_image_requested_by_several_threads_is_built_once(engine_with: Start) -> None:
    name = container.image_names()[0]
    labels = {images.CONTENT_LABEL: images.content_hash(container.IMAGE_FOLDER / name)}
    existing = answer_with({**IMAGE, "Config": {"Labels": labels}})
    built = threading.Event()

    def inspect(connection: socket.socket) -> None:
        (existing if built.is_set() else answer_with({"message": "no such image"}, "404 No"))(
            connection
        )

    def build(connection: socket.socket) -> None:
        assert not built.is_set()
        # Long enough for another thread to find no image and begin to build it.
        time.sleep(0.5)
        built.set()
        answer_with({"stream": f"Successfully built {'0' * 12}\n"})(connection)

    started = engine_with(
        {r"GET .*/images/": inspect, r"POST .*/build": build, r"POST .*/tag": NO_CONTENT}, 60
    )
    with ThreadPoolExecutor(3) as threads:
        results = list(threads.map(images.build, [name] * 3))
    assert sorted(result.built for result in results) == [False, False, True]
    assert len([line for line in started.requests if "/build" in line]) == 1
