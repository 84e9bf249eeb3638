"""A folder docker/NAME becomes the image boardsat/NAME, rebuilt when its content changes.

The build context is made here, of names and bytes alone: modes, owners and times differ between a
checkout and an installed package, and must not make another image.
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
    VERSION_LABEL,
    query_engine,
    remove_stale_containers_once,
    short_text,
    translate_engine_errors,
)
from boardsat.adapters.runtimes.engine_socket import EngineError
from boardsat.base import scratch, user_cache
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.locks import lock_folder

CONTENT_LABEL = "boardsat.content"
BUILD_SECONDS = 3600.0
"""Seconds for a build, which takes minutes."""
SDISTS = "sdists.sha256"
"""In a folder, what its build needs from PyPI: lines of `sha256sum`."""


@dataclass(frozen=True)
class Image:
    """An image in the engine; `built` tells whether this call has built it."""

    name: str
    tag: str
    version: str
    size: int
    built: bool


def content_hash(folder: Path) -> str:
    """Of all names and bytes in the folder; the length before each keeps them apart."""
    digest = hashlib.sha256()
    for name, content in _files(folder):
        for part in (name.encode(), content):
            digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def tag_of(name: str) -> str:
    """The tag of the image with the content that the folder now has."""
    return f"boardsat/{name}:{content_hash(_folder(name))[:12]}"


def find(name: str) -> Image | None:
    """The image with the content that docker/NAME now has, if the engine has it."""
    content, tag = content_hash(_folder(name)), tag_of(name)
    with translate_engine_errors():
        try:
            return query_engine(lambda client: _seen(client.images.get(tag), name, tag, content))
        except ImageNotFound:
            return None


def build(name: str) -> Image:
    """The image of docker/NAME: the one that is there, or a new one. It is also the `latest`."""
    folder, tag = _folder(name), tag_of(name)
    remove_stale_containers_once()
    # Whoever wants the same at the same time waits, and then finds it.
    with lock_folder(folder, wait=True), translate_engine_errors():
        present = find(name)
        if present is None:
            _build(folder, tag, content_hash(folder))
        query_engine(lambda client: client.api.tag(tag, f"boardsat/{name}", "latest"))
        image = find(name)
        if image is None:
            raise EngineError(f"the engine has no image {tag}, although it built it", "see its log")
        return replace(image, built=present is None)


def _folder(name: str) -> Path:
    if name not in image_names():
        raise SolverError(f"no image {name!r}", f"choose from: {', '.join(image_names())}")
    return IMAGE_FOLDER / name


def _seen(image: Any, name: str, tag: str, content: str) -> Image | None:
    if image.labels.get(CONTENT_LABEL) != content:
        return None
    version = str(image.labels.get(VERSION_LABEL, ""))
    return Image(name, tag, version, int(image.attrs["Size"]), built=False)


def _files(folder: Path) -> list[tuple[str, bytes]]:
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
                # An engine without a bridge has no other; with one, names resolve as outside.
                network_mode="host",
                rm=True,
                forcerm=True,
            ),
            BUILD_SECONDS,
        )
    except BuildError as error:
        raise _failed(folder, str(error.msg), _last_lines(error.build_log)) from None
    except APIError as error:
        raise _failed(folder, short_text(error), "nothing was run") from None


def _failed(folder: Path, why: str, log: str) -> BoardsatError:
    return SolverError(
        f"the build failed: {why} | {log}",
        f"correct the Dockerfile, or if the base image is missing run {IMAGE_FOLDER / 'engine'}",
        f"docker/{folder.name}",
    )


def _sources(folder: Path) -> list[tuple[str, bytes]]:
    listed = folder / SDISTS
    lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
    return [(name, fetch_sdist(name, digest)) for digest, name in map(str.split, lines)]


def _context(files: Iterable[tuple[str, bytes]]) -> io.BytesIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755
            archive.addfile(member, io.BytesIO(content))
    packed.seek(0)
    return packed


def _last_lines(log: Iterable[dict[str, Any]], number: int = 3) -> str:
    text = _COLOUR.sub("", "".join(str(entry.get("stream", "")) for entry in log))
    return " | ".join([line for line in text.splitlines() if not _CHATTER.match(line)][-number:])


_COLOUR = re.compile(r"\x1b\[[\d;]*m")
# What the builder says of its own doings.
_CHATTER = re.compile(r"\s*$| ---> |Removing intermediate container")


DOWNLOAD_SECONDS = 300
"""Seconds for a download, which is of a few megabytes."""


def fetch_sdist(name: str, digest: str) -> bytes:
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
            timeout=DOWNLOAD_SECONDS,
            check=False,
            env=child_python.child_environment(),
        )
    except subprocess.TimeoutExpired:
        return f"pip took more than {DOWNLOAD_SECONDS} s"
    said = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return " ".join(said[-1:]) or f"pip exited with {done.returncode}" if done.returncode else ""
