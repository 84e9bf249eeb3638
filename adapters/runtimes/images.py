"""A folder docker/NAME becomes the image boardsat/NAME, rebuilt when its content changes.

The build context is made here, of names and bytes alone: modes, owners and times differ between a
checkout and an installed package, and must not make another image.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Never plain `import docker`: in a checkout without the SDK that succeeds, with the folder docker/.
from docker.client import DockerClient
from docker.errors import APIError, BuildError, DockerException, ImageNotFound
from docker.models.images import Image as EngineImage
from requests import RequestException

from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import sdists
from boardsat.adapters.runtimes.engine import START, why

FOLDER = (Path(__file__).parent.parent.parent / "docker").resolve()
"""In a checkout a link to the folder at its top, in an installed package a copy."""

CONTENT_LABEL = "boardsat.content"
VERSION_LABEL = "org.opencontainers.image.version"
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


def names() -> list[str]:
    return sorted(file.parent.name for file in FOLDER.glob("*/Dockerfile"))


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
    with engine() as client:
        image = _present(client, tag_of(name), content_hash(_folder(name)))
        return _told(name, image, built=False) if image else None


def build(name: str) -> Image:
    """The image of docker/NAME: the one that is there, or a new one. It is also the `latest`."""
    folder, tag = _folder(name), tag_of(name)
    content = content_hash(folder)
    with engine() as client:
        present = _present(client, tag, content)
        image = present or _build(client, folder, tag, content)
        image.tag(f"boardsat/{name}", "latest")
        return _told(name, image, built=present is None)


@contextmanager
def engine() -> Iterator[DockerClient]:
    """The Docker engine that the environment names; what it refuses is an AdapterError."""
    try:
        client = DockerClient.from_env()
    except DockerException as error:
        raise AdapterError(f"no Docker engine answers ({_reason(error)})", why(error)[1]) from None
    try:
        yield client
    except APIError as error:
        raise AdapterError(f"the Docker engine refuses: {_reason(error)}") from None
    except RequestException as error:
        raise AdapterError(
            f"the Docker engine does not answer any more ({_reason(error)})", START
        ) from None
    finally:
        client.close()


def _folder(name: str) -> Path:
    if name not in names():
        raise AdapterError(f"no image {name!r}", f"choose from: {', '.join(names())}")
    return FOLDER / name


def _told(name: str, image: EngineImage, built: bool) -> Image:
    version = image.labels.get(VERSION_LABEL, "")
    return Image(name, tag_of(name), version, image.attrs["Size"], built)


def _files(folder: Path) -> list[tuple[str, bytes]]:
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*")}
    return [(name, file.read_bytes()) for name, file in sorted(files.items()) if file.is_file()]


def _present(client: DockerClient, tag: str, content: str) -> EngineImage | None:
    try:
        image = client.images.get(tag)
    except ImageNotFound:
        return None
    return image if image.labels.get(CONTENT_LABEL) == content else None


def _build(client: DockerClient, folder: Path, tag: str, content: str) -> EngineImage:
    try:
        image, _ = client.images.build(
            fileobj=_context([*_files(folder), *_sources(folder)]),
            custom_context=True,
            tag=tag,
            labels={CONTENT_LABEL: content},
            # An engine without a bridge has no other; with one, names resolve as they do outside.
            network_mode="host",
            rm=True,
            forcerm=True,
        )
    except (APIError, BuildError) as error:
        log = _last_lines(error.build_log) if isinstance(error, BuildError) else "nothing was run"
        raise AdapterError(
            f"the build failed: {_reason(error)} | {log}",
            f"correct the Dockerfile, or if the base image is missing run {FOLDER / 'engine'}",
            f"docker/{folder.name}",
        ) from None
    return image


def _sources(folder: Path) -> list[tuple[str, bytes]]:
    listed = folder / SDISTS
    lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
    return [(name, sdists.fetch(name, digest)) for digest, name in map(str.split, lines)]


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


def _reason(error: Exception) -> str:
    return str(getattr(error, "explanation", None) or getattr(error, "msg", None) or error)
