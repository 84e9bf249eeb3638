"""DIMACS files to arrays of literals: streamed, checked, with the exact line of a fault.

Strict is what every solver reads the same way: comments, one header `p cnf VARIABLES CLAUSES`, then
one clause a line with its 0, exact counts, line feeds alone. After the header only `c p ` comments
may stand, which the model counting competition puts there. Lenient takes what is found in the wild
and notes the first fault of each kind. Garbage is an error to both.

CryptoMiniSat reads xor lines among the clauses: `x1 -2 3 0` asks for an odd number of true ones.
Whoever reads clauses by chunks() knows none, so it refuses them; pieces() gives both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.faults import Fault
from boardsat.adapters.dimacs.lines import MAX_CLAUSE_LENGTH, Lines
from boardsat.adapters.dimacs.text import CHUNK, RUN, DimacsError, Sink, opened, shown_name
from boardsat.adapters.dimacs.tokens import Tokens, scan

__all__ = [
    "CHUNK",
    "Cnf",
    "DimacsError",
    "Fault",
    "Literals",
    "Piece",
    "Summary",
    "open_cnf",
    "validate",
]

Literals = NDArray[np.int32]

_NONE = np.empty(0, dtype=np.int32)
_COMMENT = re.compile(rb"^((?:c.*\n){1,%d})" % RUN, re.MULTILINE)
_XOR_LINE = re.compile(rb"^((?:x.*\n){1,%d})" % RUN, re.MULTILINE)
_XOR_MARK = re.compile(rb"^x", re.MULTILINE)
# With more comments than this among its clauses, a block is not read part by part.
_MANY = 16
# Fewer bytes than this are read by lines before numpy has begun.
_SMALL = 512


class Piece(NamedTuple):
    """Whole clauses, or whole xor lines, each ended by 0."""

    literals: Literals
    is_xor: bool = False


class Summary(NamedTuple):
    """What a file declares and what was found in it."""

    name: str
    variables: int  # declared
    clauses: int  # declared
    actual_variables: int  # the largest variable in a clause
    actual_clauses: int  # with xor lines
    literals: int
    lines: int
    bytes: int  # of text, decompressed
    notes: tuple[str, ...]
    grave: tuple[str, ...] = ()  # those notes that leave in doubt which formula was meant
    xor_lines: int = 0


class Cnf:
    """One file being read: header and comments at once, clauses by chunks().

    variables and clauses are those the header declares; comments are the lines before it, without
    their 'c '. Complete only after the last chunk are later_comments (such as `p show 1 2 0`),
    notes (what strict reading would have refused, the first of each kind) and summary().
    """

    def __init__(self, name: str, blocks: Iterator[bytes], strict: bool) -> None:
        self._lines = lines = Lines(name, strict)
        self._blocks = self._counted(blocks)
        self._bytes = 0
        self._tail: list[Literals] = []  # of a clause whose end is in a later block
        self._held = 0  # literals in it
        self._sums: list[Literals] = []  # xor lines of the present block
        self._rest: bytes | None = self._read_header()
        self.name = name
        self.variables = lines.variables
        self.clauses = lines.clauses
        self.comments = lines.comments
        self.later_comments = lines.later_comments
        self.notes = lines.notes

    def summary(self) -> Summary:
        seen = self._lines
        return Summary(
            name=self.name,
            variables=self.variables,
            clauses=self.clauses,
            actual_variables=seen.largest,
            actual_clauses=seen.clauses_seen,
            literals=seen.literals_seen,
            lines=seen.line - 1,
            bytes=self._bytes,
            notes=tuple(self.notes),
            grave=tuple(seen.grave),
            xor_lines=seen.xor_lines,
        )

    def chunks(self) -> Iterator[Literals]:
        """The clauses, each ended by 0, whole clauses in each array; a file can be read once."""
        for piece in self.pieces():
            if piece.is_xor:
                raise DimacsError(
                    "it has xor lines, which are no clauses",
                    "write it again with parity encoded by clauses, --set xor=chain",
                    self.name,
                )
            yield piece.literals

    def pieces(self) -> Iterator[Piece]:
        """The same with xor lines: those of a block come after its clauses."""
        if self._rest is None:
            raise ValueError(f"{self.name}: the clauses were read already; open the file again")
        rest, self._rest = self._rest, None
        yield from self._pieces(self._read(rest))
        for block in self._blocks:
            yield from self._pieces(self._read(block))
        yield from self._pieces(np.array(self._lines.finish(), dtype=np.int32))

    def _pieces(self, literals: Literals) -> Iterator[Piece]:
        for whole in self._whole(literals):
            yield Piece(whole)
        sums, self._sums = [*self._sums, np.array(self._lines.take_sums(), dtype=np.int32)], []
        yield from (Piece(lines, is_xor=True) for lines in sums if len(lines))

    def _counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self._bytes += len(block)
            yield block

    def _read_header(self) -> bytes:
        """Read up to the header; what follows it in its block is returned."""
        for block in self._blocks:
            after = self._lines.head(block)
            if self._lines.headed:
                return block[after:]
        self._lines.finish_header()
        return b""

    def _read(self, block: bytes) -> Literals:
        """The block's literals; comments are read apart, so that the rest can be scanned."""
        if b"\nx" in block or block.startswith(b"x"):
            return self._read_with_sums(block)
        parts = _COMMENT.split(block) if b"c" in block else [block]
        if len(parts) > 2 * _MANY:
            return self._read_mixed(block, b"".join(parts[::2]), b"".join(parts[1::2]))
        read = [self._read_part(part) for part in parts if part]
        return read[0] if len(read) == 1 else np.concatenate([*read, _NONE])

    def _read_mixed(self, block: bytes, clauses: bytes, comments: bytes) -> Literals:
        """Of a block with comments all over: its clauses at once, if there is no fault to note."""
        literals = self._scan(clauses) if self._lines.is_filler(comments) else None
        read = self._lines.read(block if literals is None else comments)
        return np.array(read, dtype=np.int32) if literals is None else literals

    def _read_with_sums(self, block: bytes) -> Literals:
        """Of a block with xor lines: these at once and its clauses at once, if there is no fault.

        A clause over a line's end could have an xor line inside, so that is left to the lines.
        """
        parts = _XOR_LINE.split(block)
        clauses, lines = b"".join(parts[::2]), b"".join(parts[1::2])
        seen = self._lines
        room = seen.clauses_seen + block.count(b"\n") <= seen.clauses
        simple = room and seen.at_line_start and not seen.is_open and Fault.SPAN not in seen.noted
        sums = self._scan_sums(lines) if simple else None
        literals = None if sums is None else self._scan(clauses) if clauses else _NONE
        if sums is None or literals is None:
            return np.array(seen.read(block), dtype=np.int32)
        seen.skip_xor_lines(sums.lines, sums.literals, sums.largest)
        self._sums.append(sums.literals)
        return literals

    def _scan_sums(self, lines: bytes) -> Tokens[np.int32] | None:
        """The tokens of xor lines, or None if they have a fault, even one that was noted."""
        tokens = None if b" \n" in lines or not lines else scan(_XOR_MARK.sub(b"", lines))
        if tokens is None or not tokens.one_clause_a_line():
            return None
        ends = np.flatnonzero(tokens.literals == 0)
        empty = bool((np.diff(ends, prepend=-1) == 1).any())
        return None if empty or tokens.largest > self._lines.variables else tokens

    def _read_part(self, part: bytes) -> Literals:
        literals = self._scan(part) if len(part) > _SMALL else None
        if literals is None:
            literals = np.array(self._lines.read(part), dtype=np.int32)
        return literals

    def _scan(self, block: bytes) -> Literals | None:
        """The block's literals, or None if it has a fault that is not noted yet.

        It is then read by lines: slower by far, but that knows the line of each fault, so here we
        need only see that there is one.
        """
        seen = self._lines
        if not (seen.at_line_start and block.endswith(b"\n")):
            return None
        if Fault.TAB in seen.noted:
            block = block.replace(b"\t", b" ")
        if Fault.CARRIAGE_RETURN in seen.noted:
            block = block.replace(b"\r", b" ")
        tokens = scan(block)
        if tokens is None:
            return None
        faults = set()
        clauses = tokens.lines
        if not tokens.one_clause_a_line():
            clauses = int(np.count_nonzero(tokens.literals == 0))
            layout = zip((Fault.SPAN, Fault.SEVERAL, Fault.BLANK), tokens.layout(), strict=True)
            faults |= {fault for fault, found in layout if found}
        if tokens.largest > seen.variables:
            faults.add(Fault.BEYOND)
        if seen.clauses_seen + clauses > seen.clauses:
            faults.add(Fault.MORE)
        if not faults <= seen.noted:
            return None
        seen.skip(tokens.lines, clauses, tokens.literals, tokens.largest)
        return tokens.literals

    def _whole(self, literals: Literals) -> Iterator[Literals]:
        """The whole clauses so far; the beginning of the next one is kept."""
        if not len(literals):
            return
        if literals[-1] == 0:
            end = len(literals)
        else:
            zeros = np.flatnonzero(literals == 0)
            end = int(zeros[-1]) + 1 if len(zeros) else 0
        if end:
            yield np.concatenate([*self._tail, literals[:end]]) if self._tail else literals[:end]
            self._tail = []
        if end < len(literals):
            self._tail.append(literals[end:])
            self._held = self._held + len(literals) if not end else len(literals) - end
            if self._held > MAX_CLAUSE_LENGTH:
                self._lines.fail_long_clause()


@contextmanager
def open_cnf(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    chunk: int = CHUNK,
    raw: Sink | None = None,
    text: Sequence[Sink] = (),
    name: str | None = None,
) -> Iterator[Cnf]:
    """Open a DIMACS file (.gz, .xz, .zst by its ending; '-' is standard input) up to its header.

    What else is to be known of all its bytes comes from the same read: `raw` is shown those on
    disk, `text` what they stand for. Errors call the file by its path, or by another `name`.
    """
    with opened(path, chunk, raw, name) as blocks:
        yield Cnf(shown_name(name or path), _shown_to(text, blocks) if text else blocks, strict)


def _shown_to(sinks: Sequence[Sink], blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        for sink in sinks:
            sink.update(block)
        yield block


def validate(path: str | os.PathLike[str], *, strict: bool = True, chunk: int = CHUNK) -> Summary:
    """Read all of a file; DimacsError at its first fault."""
    with open_cnf(path, strict=strict, chunk=chunk) as cnf:
        for _ in cnf.pieces():
            pass
        return cnf.summary()
