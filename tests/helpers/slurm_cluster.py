"""Slurm cluster of one node for tests, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from getpass import getuser
from pathlib import Path

from helpers import processes
from helpers.requirements import require_program, skip_or_fail
from helpers.solver_runs import wait_until

CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def slurm() -> Iterator[Path]:
    """Run a Slurm cluster of one node; yield its slurm.conf, for SLURM_CONF."""
    for name in ("munged", "slurmctld", "slurmd", "sbatch"):
        require_program(name)
    if os.geteuid():
        skip_or_fail("slurmd", "a node of Slurm is started by root")
    # Not the folder of a test: the name of a socket is short.
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    started: list[subprocess.Popen[bytes]] = []
    try:
        conf = _conf(folder)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        folder.chmod(0o755)
        munge_files = {
            name: f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")
        }
        munge = [
            "munged",
            "-F",
            "--force",
            f"--socket={folder}/munge.socket",
            *munge_files.values(),
        ]
        started.append(_start(folder, munge, conf))
        wait_until((folder / "munge.socket").exists)
        started.append(_start(folder, ["slurmctld", "-D"], conf))
        started.append(_start(folder, ["slurmd", "-D"], conf))
        wait_until(lambda: "idle" in asked(conf, "sinfo", "-h", "-o", "%T"))
        yield conf
    finally:
        for process in reversed(started):
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def asked(conf: Path, *command: str) -> str:
    """Return the output of a command of Slurm."""
    environment = {**os.environ, "SLURM_CONF": str(conf)}
    outcome = processes.run(command, capture_output=True, text=True, env=environment)
    return str(outcome.stdout)


def _conf(folder: Path) -> Path:
    for name in ("state", "spool"):
        (folder / name).mkdir()
    conf = folder / "slurm.conf"
    controller, daemon = _free_ports(2)
    conf.write_text(
        CONF.format(
            host=socket.gethostname(),
            user=getuser(),
            folder=folder,
            controller=controller,
            daemon=daemon,
            cpus=min(2, os.cpu_count() or 1),
        )
    )
    return conf


def _free_ports(number: int) -> list[int]:
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [server.getsockname()[1] for server in servers]
    for server in servers:
        server.close()
    return ports


def _start(folder: Path, command: list[str], conf: Path) -> subprocess.Popen[bytes]:
    with (folder / f"{command[0]}.out").open("wb") as file:
        return subprocess.Popen(
            command,
            stdout=file,
            stderr=file,
            env={**os.environ, "SLURM_CONF": str(conf)},
            start_new_session=True,
        )
