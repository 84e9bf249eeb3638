"""Graph files of a benchmark, and the check of a Hamiltonian cycle; no code of boardsat is used.

The reader and the check are independent of the program that they measure.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SUFFIXES = (".col", ".hcp")


@dataclass(frozen=True)
class GraphFile:
    """Undirected graph in a DIMACS (.col) or TSPLIB (.hcp) file, with vertices from 1."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def number(self) -> int:
        """Last number in the name; -1 if there is none."""
        numbers = re.findall(r"\d+", self.name)
        return int(numbers[-1]) if numbers else -1

    @cached_property
    def sha256(self) -> str:
        """Hash of the graph, which a .col and an .hcp file of it share."""
        edges = " ".join(f"{u} {v}" for u, v in sorted(self.edges))
        return hashlib.sha256(f"{self.vertices} {edges}".encode()).hexdigest()

    @cached_property
    def vertices(self) -> int:
        label = "p" if self.path.suffix == ".col" else "DIMENSION"
        for line in self._lines:
            if line.startswith(label):
                return int(re.findall(r"\d+", line)[0])
        raise ValueError(f"{self.path.name}: no number of vertices")

    @cached_property
    def edges(self) -> frozenset[tuple[int, int]]:
        """Edges with the smaller vertex first."""
        if self.path.suffix == ".col":
            pairs = [line.split()[1:3] for line in self._lines if line.startswith("e ")]
        else:
            start = self._lines.index("EDGE_DATA_SECTION") + 1
            pairs = [line.split() for line in self._lines[start : self._lines.index("-1", start)]]
        return frozenset((min(int(u), int(v)), max(int(u), int(v))) for u, v in pairs)

    @cached_property
    def _lines(self) -> list[str]:
        return [line.strip() for line in self.path.read_text().splitlines()]

    def has_cycle(self, cycle: Sequence[int]) -> bool:
        """Return whether a sequence of vertices is a Hamiltonian cycle of the graph."""
        if sorted(cycle) != list(range(1, self.vertices + 1)) or len(cycle) < 3:
            return False
        steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        return all((min(u, v), max(u, v)) in self.edges for u, v in steps)


def graph_files(source: Path, scratch: Path) -> list[GraphFile]:
    """Return the graphs of a file, a folder or a tar archive, in the order of their numbers.

    A folder without graph files may contain an archive, graphs.tar.xz. Archives are extracted to
    the scratch folder.
    """
    if source.is_dir() and not any(_graph_paths(source)):
        source = source / "graphs.tar.xz"
    if source.suffix in SUFFIXES:
        return [GraphFile(source)]
    if source.is_file():
        # Written under the name alone, as the filters of tarfile need Python 3.11.4.
        with tarfile.open(source) as archive:
            for member in archive:
                if content := archive.extractfile(member):
                    (scratch / Path(member.name).name).write_bytes(content.read())
        source = scratch
    return sorted(map(GraphFile, _graph_paths(source)), key=lambda file: (file.number, file.name))


def _graph_paths(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def parse_selection(text: str) -> set[int] | None:
    """Return the numbers of a selection as `1-473/8, 501, 601-699`; None if the text is empty.

    A range may have a step, as in crontab files: `1-473/8` is 1, 9, 17, ..., 473.
    """
    numbers: set[int] = set()
    for item in re.split(r"[,\s]+", text.strip()):
        match = re.fullmatch(r"(\d+)(?:-(\d+)(?:/([1-9]\d*))?)?", item)
        if item and not match:
            raise ValueError(f"a selection has numbers and ranges as 1-473/8 (got {item!r})")
        if match:
            first, last, step = match[1], match[2] or match[1], match[3] or "1"
            numbers.update(range(int(first), int(last) + 1, int(step)))
    return numbers or None
