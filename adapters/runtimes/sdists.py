"""Source packages, fetched with pip as this machine has it configured, and kept by digest.

A container that builds an image has neither the index nor the certificates of this machine.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence

from boardsat.adapters.runtimes import child_python
from boardsat.base import scratch, user_cache
from boardsat.base.errors import SolverError

PATIENCE = 300
"""Seconds for a download, which is of a few megabytes."""


def fetch(name: str, digest: str) -> bytes:
    """The sdist of this file name and sha256, from the cache or from the index."""
    kept = user_cache.content(name)
    if _is(kept, digest):
        return kept
    content = _download(name, digest)
    user_cache.keep(name, content)
    return content


def _is(content: bytes, digest: str) -> bool:
    return hashlib.sha256(content).hexdigest() == digest


def _download(name: str, digest: str) -> bytes:
    project, _, version = name.removesuffix(".tar.gz").rpartition("-")
    with scratch.folder() as folder:
        wanted = folder / "requirements.txt"
        # With the digest here, pip runs nothing of the sdist before it has checked it.
        scratch.write(wanted, [f"{project}=={version} --hash=sha256:{digest}\n".encode()])
        options = ["--quiet", "--no-deps", "--no-binary", project, "--dest", str(folder)]
        options += ["--requirement", str(wanted)]
        fault = _run(child_python.module_command("pip", "download", *options))
        found = folder / name
        content = found.read_bytes() if found.is_file() else b""
    if not _is(content, digest):
        raise SolverError(
            f"cannot be fetched from PyPI: {fault or 'its sha256 is another'}",
            f"put the file into {user_cache.folder()}",
            name,
        )
    return content


def _run(command: Sequence[str]) -> str:
    """Nothing, or what went wrong."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env=child_python.child_environment(),
        )
    except subprocess.TimeoutExpired:
        return f"pip took more than {PATIENCE} s"
    said = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return " ".join(said[-1:]) or f"pip exited with {done.returncode}" if done.returncode else ""
