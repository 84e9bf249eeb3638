"""Dask cluster for tests: a scheduler and workers, each a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from helpers.requirements import skip_or_fail
from helpers.solver_runs import wait_until


@dataclass
class DaskCluster:
    folder: Path
    address: str = ""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, module: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"dask-{len(self.started)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                stdout=file,
                stderr=file,
                env={**os.environ, **environment},
                cwd=self.folder,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def worker(
        self, *arguments: str, resources: str = "run=1", **environment: str
    ) -> subprocess.Popen[bytes]:
        resource_options = ("--resources", resources) if resources else ()
        always = ("--nthreads", "1", "--no-dashboard", *resource_options)
        return self.start("dask_worker", self.address, *always, *arguments, **environment)

    def settle(self) -> None:
        """Wait until every worker is there."""
        for number in range(1, len(self.started)):
            log = self.folder / f"dask-{number}.log"
            wait_until(lambda log=log: "Registered to" in log.read_text())

    def end(self) -> None:
        for process in reversed(self.started):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def need_dask() -> None:
    if find_spec("distributed") is None:
        skip_or_fail("dask", "the extra `cluster` is not installed")


@contextmanager
def scheduler(folder: Path) -> Iterator[DaskCluster]:
    need_dask()
    cluster, file = DaskCluster(folder), folder / "scheduler.json"
    try:
        cluster.start(
            "dask_scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"),
            *("--scheduler-file", str(file)),
        )
        wait_until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        cluster.address = json.loads(file.read_text())["address"]
        yield cluster
    finally:
        cluster.end()
