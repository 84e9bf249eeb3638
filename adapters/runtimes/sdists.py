"""Source packages, fetched with pip as this machine has it configured, and kept by digest.

A container that builds an image has neither the index nor the certificates of this machine.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import scratch

PATIENCE = 300
"""Seconds for a download, which is of a few megabytes."""


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "boardsat"


def fetch(name: str, digest: str) -> bytes:
    """The sdist of this file name and sha256, from the cache or from the index."""
    kept = cache() / name
    content = _content(kept, digest) or _download(name, digest)
    if not kept.is_file() or kept.read_bytes() != content:
        _keep(kept, content)
    return content


def _content(file: Path, digest: str) -> bytes:
    content = file.read_bytes() if file.is_file() else b""
    return content if hashlib.sha256(content).hexdigest() == digest else b""


def _download(name: str, digest: str) -> bytes:
    project, _, version = name.removesuffix(".tar.gz").rpartition("-")
    with scratch.folder() as folder:
        wanted = folder / "requirements.txt"
        # With the digest here, pip runs nothing of the sdist before it has checked it.
        scratch.put(wanted, [f"{project}=={version} --hash=sha256:{digest}\n".encode()])
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", project, "--dest", str(folder), "--requirement", str(wanted)]
        fault = _run(command)
        content = _content(folder / name, digest)
    if not content:
        raise AdapterError(
            f"cannot be fetched from PyPI: {fault or 'its sha256 is another'}",
            f"put the file into {cache()}",
            name,
        )
    return content


def _run(command: list[str]) -> str:
    """Nothing, or what went wrong."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return f"pip took more than {PATIENCE} s"
    said = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return " ".join(said[-1:]) or f"pip exited with {done.returncode}" if done.returncode else ""


def _keep(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Named by the process, then renamed: another one never sees half a file.
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(file)
