"""Images of solvers: docker/NAME is built as boardsat/NAME, and rebuilt when its content changes.

The build context consists of names and bytes alone: modes, owners and times differ between a
checkout and an installed package, and must not change the image.
"""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docker.errors import APIError, BuildError, ImageNotFound

from boardsat.adapters.runtimes import child_python
from boardsat.adapters.runtimes.container import IMAGE_FOLDER, image_names
from boardsat.adapters.runtimes.engine import (
    LOG_REMEDY,
    VERSION_LABEL,
    query_engine,
    remove_stale_containers_once,
    short_text,
    translate_engine_errors,
)
from boardsat.adapters.runtimes.engine_socket import EngineError
from boardsat.base import files, scratch
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.locks import lock_folder

CONTENT_LABEL = "boardsat.content"
BUILD_SECONDS = 3600.0
"""Time limit in seconds of a build, which usually takes minutes."""
SDISTS_FILE = "sdists.sha256"
"""File in docker/NAME that lists the sdists its build needs from PyPI, as lines of `sha256sum`."""


@dataclass(frozen=True)
class Image:
    """Image in the engine."""

    name: str
    tag: str
    version: str
    """Version of the package of the solver; empty if the image has no label for it."""
    size: int
    """Size in bytes."""
    built: bool
    """True if this call of `build` has built the image."""


def content_hash(folder: Path) -> str:
    """Return the SHA-256 of all names and contents in a folder, each preceded by its length."""
    digest = hashlib.sha256()
    for name, content in _files(folder):
        for text in (name.encode(), content):
            digest.update(len(text).to_bytes(8) + text)
    return digest.hexdigest()


def tag_of(name: str) -> str:
    """Return the tag of the image with the current content of docker/NAME."""
    return f"boardsat/{name}:{content_hash(_folder(name))[:12]}"


def find(name: str) -> Image | None:
    """Return the image with the current content of docker/NAME. None if the engine lacks it."""
    content, tag = content_hash(_folder(name)), tag_of(name)
    with translate_engine_errors():
        try:
            return query_engine(
                lambda client: _read_image(client.images.get(tag), name, tag, content)
            )
        except ImageNotFound:
            return None


def build(name: str) -> Image:
    """Return the image of docker/NAME, tagged as `latest`; build it if the engine lacks it.

    Raises
    ------
    SolverError
        There is no folder of this name, or the build failed.
    EngineError
        The engine cannot be used.
    """
    folder, tag = _folder(name), tag_of(name)
    remove_stale_containers_once()
    # Another process that builds the same image is waited for; then the image exists.
    with lock_folder(folder, wait=True), translate_engine_errors():
        present = find(name)
        if present is None:
            _build(folder, tag, content_hash(folder))
        query_engine(lambda client: client.api.tag(tag, f"boardsat/{name}", "latest"))
        image = find(name)
        if image is None:
            raise EngineError(f"the engine has no image {tag}, although it built it", LOG_REMEDY)
        return replace(image, built=present is None)


def _folder(name: str) -> Path:
    if name not in image_names():
        raise SolverError(f"no image {name!r}", f"choose from: {', '.join(image_names())}")
    return IMAGE_FOLDER / name


def _read_image(image: Any, name: str, tag: str, content: str) -> Image | None:
    """Return the description of an image; None if its label has another content hash."""
    if image.labels.get(CONTENT_LABEL) != content:
        return None
    version = str(image.labels.get(VERSION_LABEL, ""))
    return Image(name, tag, version, int(image.attrs["Size"]), built=False)


def _files(folder: Path) -> list[tuple[str, bytes]]:
    """Return the names and contents of all files in a folder, sorted by name."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*")}
    return [(name, file.read_bytes()) for name, file in sorted(files.items()) if file.is_file()]


def _build(folder: Path, tag: str, content: str) -> None:
    context = _context([*_files(folder), *_sources(folder)])
    try:
        query_engine(
            lambda client: client.images.build(
                fileobj=context,
                custom_context=True,
                tag=tag,
                labels={CONTENT_LABEL: content},
                # The only network of an engine without a bridge; names resolve as on the host.
                network_mode="host",
                rm=True,
                forcerm=True,
            ),
            BUILD_SECONDS,
        )
    except BuildError as error:
        raise _build_error(folder, str(error.msg), _last_lines(error.build_log)) from None
    except APIError as error:
        raise _build_error(folder, short_text(error), "no command was run") from None


def _build_error(folder: Path, reason: str, log: str) -> BoardsatError:
    return SolverError(
        f"the build failed: {reason} | {log}",
        f"correct the Dockerfile, or if the base image is missing run {IMAGE_FOLDER / 'engine'}",
        f"docker/{folder.name}",
    )


def _sources(folder: Path) -> list[tuple[str, bytes]]:
    """Return the names and contents of the sdists that the build of a folder needs."""
    sdists = folder / SDISTS_FILE
    lines = sdists.read_text("utf-8").splitlines() if sdists.is_file() else []
    return [(name, fetch_sdist(name, digest)) for digest, name in map(str.split, lines)]


def _context(files: Iterable[tuple[str, bytes]]) -> io.BytesIO:
    """Return the build context as a tar file in memory."""
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as archive:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755
            archive.addfile(member, io.BytesIO(content))
    context.seek(0)
    return context


def _last_lines(log: Iterable[dict[str, Any]], number: int = 3) -> str:
    """Return the last lines that commands of the build have printed."""
    text = _COLOUR.sub("", "".join(str(entry.get("stream", "")) for entry in log))
    lines = [line for line in text.splitlines() if not _BUILDER_LINE.match(line)]
    return " | ".join(lines[-number:])


_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_BUILDER_LINE = re.compile(r"\s*$| ---> |Removing intermediate container")
"""Line that the builder itself prints, not a command of the build."""


DOWNLOAD_SECONDS = 300
"""Time limit in seconds of a download of a few megabytes."""


def fetch_sdist(name: str, digest: str) -> bytes:
    """Return an sdist from the cache or from PyPI.

    Parameters
    ----------
    name : str
        File name: project and version.
    digest : str
        SHA-256 of the content.

    Raises
    ------
    SolverError
        The sdist cannot be downloaded, or has another content.
    """
    cached = files.read_cached(name)
    if _has_digest(cached, digest):
        return cached
    content = _download(name, digest)
    files.store_cached(name, content)
    return content


def _has_digest(content: bytes, digest: str) -> bool:
    return hashlib.sha256(content).hexdigest() == digest


def _download(name: str, digest: str) -> bytes:
    project, _, version = name.removesuffix(".tar.gz").rpartition("-")
    with scratch.folder() as folder:
        requirements = folder / "requirements.txt"
        # With the digest, pip does not run code of the sdist before it has checked the content.
        scratch.write(requirements, [f"{project}=={version} --hash=sha256:{digest}\n".encode()])
        options = ["--quiet", "--no-deps", "--no-binary", project, "--dest", str(folder)]
        options += ["--requirement", str(requirements)]
        fault = _run_pip(child_python.module_command("pip", "download", *options))
        sdist = folder / name
        content = sdist.read_bytes() if sdist.is_file() else b""
    if not _has_digest(content, digest):
        raise SolverError(
            f"cannot be fetched from PyPI: {fault or f'its sha256 is not {digest}'}",
            f"put the file into {files.user_cache_folder()}",
            name,
        )
    return content


def _run_pip(command: Sequence[str]) -> str:
    """Run pip; return its error, empty if it succeeded."""
    try:
        process = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=DOWNLOAD_SECONDS,
            check=False,
            env=child_python.child_environment(),
        )
    except subprocess.TimeoutExpired:
        return f"pip took more than {DOWNLOAD_SECONDS} s"
    if not process.returncode:
        return ""
    errors = [line for line in process.stderr.splitlines() if "error" in line.lower()]
    return " ".join(errors[-1:]) or f"pip exited with {process.returncode}"
