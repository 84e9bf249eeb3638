"""Streaming reader of DIMACS CNF: arrays of literals, with the exact line of a fault.

Strict DIMACS is what every solver reads alike: comments, one header `p cnf VARIABLES CLAUSES`, then
one clause a line with its 0, exact counts, line feeds alone. After the header only `c p ` comments
are allowed, which the model counting competition puts there. Lenient reading accepts the deviations
that occur in practice and notes the first of each kind. Other text is an error in both modes.

XOR lines are an extension of CryptoMiniSat: `x1 -2 3 0` requires an odd number of true literals.
chunks() yields clauses and rejects XOR lines; pieces() yields both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.lines import MAX_CLAUSE_LENGTH, CnfLineReader, Fault
from boardsat.adapters.dimacs.text import (
    BLOCK_BYTES,
    MAX_REPEATS,
    DimacsError,
    Sink,
    open_blocks,
    shown_name,
)
from boardsat.adapters.dimacs.tokens import Tokens, scan

Literals = NDArray[np.int32]

_EMPTY = np.empty(0, dtype=np.int32)
_COMMENT = re.compile(rb"^((?:c.*\n){1,%d})" % MAX_REPEATS, re.MULTILINE)
_XOR_LINE = re.compile(rb"^((?:x.*\n){1,%d})" % MAX_REPEATS, re.MULTILINE)
_XOR_MARK = re.compile(rb"^x", re.MULTILINE)
# Runs of comments in a block up to which the clauses between them are scanned one by one.
_MAX_COMMENT_RUNS = 16
# Scanning fewer bytes takes longer than reading them by lines.
_MIN_SCAN_BYTES = 512


class Piece(NamedTuple):
    """Whole clauses, or whole XOR lines, each terminated by 0."""

    literals: Literals
    is_xor: bool = False


class Summary(NamedTuple):
    """Declared and actual sizes of a file, and its faults."""

    name: str
    variables: int
    """Number of variables that the header declares."""
    clauses: int
    """Number of clauses that the header declares."""
    actual_variables: int
    """Largest variable of a clause."""
    actual_clauses: int
    """Number of clauses and XOR lines in the file."""
    literals: int
    lines: int
    bytes: int
    """Bytes of the text, decompressed."""
    notes: tuple[str, ...]
    """First deviation of each kind from strict DIMACS."""
    ambiguities: tuple[str, ...] = ()
    """Notes of faults that make the intended formula uncertain."""
    xor_lines: int = 0


class Cnf:
    """Open DIMACS file after its header. Its clauses are read once, by chunks() or pieces().

    `later_comments`, `notes` and `summary()` are complete only after the last clause.

    Attributes
    ----------
    variables, clauses : int
        Numbers that the header declares.
    comments : list of str
        Comments before the header, without their `c `.
    later_comments : list of str
        Comments after the header, such as `p show 1 2 0`.
    notes : list of str
        First deviation of each kind from strict DIMACS.
    """

    def __init__(self, name: str, blocks: Iterator[bytes], strict: bool) -> None:
        self._lines = lines = CnfLineReader(name, strict)
        self._blocks = self._count_bytes(blocks)
        self._bytes = 0
        self._tail: list[Literals] = []  # of a clause whose end is in a later block
        self._tail_length = 0  # in literals
        self._xor_arrays: list[Literals] = []  # XOR lines scanned in the current block
        self._first_block: bytes | None = self._read_header()
        self.name = name
        self.variables = lines.variables
        self.clauses = lines.clauses
        self.comments = lines.comments
        self.later_comments = lines.later_comments
        self.notes = lines.notes

    def summary(self) -> Summary:
        """Return the sizes and faults of the file, as far as it has been read."""
        lines = self._lines
        return Summary(
            name=self.name,
            variables=self.variables,
            clauses=self.clauses,
            actual_variables=lines.max_variable,
            actual_clauses=lines.num_clauses,
            literals=lines.num_literals,
            lines=lines.line - 1,
            bytes=self._bytes,
            notes=tuple(self.notes),
            ambiguities=tuple(lines.ambiguities),
            xor_lines=lines.num_xor_lines,
        )

    def chunks(self) -> Iterator[Literals]:
        """Yield the clauses as int32 arrays, each clause terminated by 0.

        No clause spans two arrays. A file can be iterated only once.

        Raises
        ------
        DimacsError
            The file is malformed or has XOR lines.
        """
        for piece in self.pieces():
            if piece.is_xor:
                raise DimacsError(
                    "XOR lines are not supported here",
                    "write the formula again with parity encoded by clauses, --set xor=chain",
                    self.name,
                )
            yield piece.literals

    def pieces(self) -> Iterator[Piece]:
        """Yield clauses and XOR lines, those of a block after its clauses; see chunks()."""
        if self._first_block is None:
            raise ValueError(f"{self.name}: the clauses were read already; open the file again")
        block, self._first_block = self._first_block, None
        yield from self._pieces(self._read(block))
        for block in self._blocks:
            yield from self._pieces(self._read(block))
        yield from self._pieces(np.array(self._lines.finish(), dtype=np.int32))

    def _pieces(self, literals: Literals) -> Iterator[Piece]:
        for clauses in self._whole_clauses(literals):
            yield Piece(clauses)
        xor_lines = np.array(self._lines.take_xor_literals(), dtype=np.int32)
        arrays, self._xor_arrays = [*self._xor_arrays, xor_lines], []
        yield from (Piece(array, is_xor=True) for array in arrays if len(array))

    def _count_bytes(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self._bytes += len(block)
            yield block

    def _read_header(self) -> bytes:
        """Read up to the end of the header; return the remainder of its block."""
        for block in self._blocks:
            end = self._lines.read_header(block)
            if self._lines.has_header:
                return block[end:]
        self._lines.finish_header()
        return b""

    def _read(self, block: bytes) -> Literals:
        """Return the literals of a block, scanning the clauses between comments."""
        if b"\nx" in block or block.startswith(b"x"):
            return self._read_with_xor_lines(block)
        segments = _COMMENT.split(block) if b"c" in block else [block]
        if len(segments) > 2 * _MAX_COMMENT_RUNS:
            return self._read_mixed(block, b"".join(segments[::2]), b"".join(segments[1::2]))
        arrays = [self._read_segment(segment) for segment in segments if segment]
        return arrays[0] if len(arrays) == 1 else np.concatenate([*arrays, _EMPTY])

    def _read_mixed(self, block: bytes, clauses: bytes, comments: bytes) -> Literals:
        """Return the literals of a block with many comments; scan it if it has no new fault."""
        literals = self._scan(clauses) if self._lines.is_filler(comments) else None
        by_lines = self._lines.read(block if literals is None else comments)
        return np.array(by_lines, dtype=np.int32) if literals is None else literals

    def _read_with_xor_lines(self, block: bytes) -> Literals:
        """Return the clauses of a block and store its XOR lines, scanned unless there is a fault.

        An XOR line could be inside a clause that spans lines, so such blocks are read by lines.
        """
        segments = _XOR_LINE.split(block)
        clauses, xor_lines = b"".join(segments[::2]), b"".join(segments[1::2])
        lines = self._lines
        can_scan = (
            lines.num_clauses + block.count(b"\n") <= lines.clauses
            and lines.is_at_line_start
            and not lines.is_in_clause
            and Fault.SPAN not in lines.noted
        )
        xors = self._scan_xor_lines(xor_lines) if can_scan else None
        literals = None if xors is None else self._scan(clauses) if clauses else _EMPTY
        if xors is None or literals is None:
            return np.array(lines.read(block), dtype=np.int32)
        lines.count_block(xors.lines, xors.lines, xors.literals, xors.max_magnitude)
        lines.num_xor_lines += xors.lines
        self._xor_arrays.append(xors.literals)
        return literals

    def _scan_xor_lines(self, text: bytes) -> Tokens[np.int32] | None:
        """Return the tokens of XOR lines, or None if they have a fault, even a noted one."""
        tokens = None if b" \n" in text or not text else scan(_XOR_MARK.sub(b"", text))
        if tokens is None or not tokens.has_one_clause_a_line():
            return None
        ends = np.flatnonzero(tokens.literals == 0)
        has_empty = bool((np.diff(ends, prepend=-1) == 1).any())
        return None if has_empty or tokens.max_magnitude > self._lines.variables else tokens

    def _read_segment(self, segment: bytes) -> Literals:
        literals = self._scan(segment) if len(segment) > _MIN_SCAN_BYTES else None
        if literals is None:
            literals = np.array(self._lines.read(segment), dtype=np.int32)
        return literals

    def _scan(self, block: bytes) -> Literals | None:
        """Return the literals of a block, or None if it has a fault that is not noted yet.

        A block with a new fault is read again line by line, which is far slower but locates the
        fault. So this method only detects that there is one.
        """
        lines = self._lines
        if not (lines.is_at_line_start and block.endswith(b"\n")):
            return None
        if Fault.TAB in lines.noted:
            block = block.replace(b"\t", b" ")
        if Fault.CARRIAGE_RETURN in lines.noted:
            block = block.replace(b"\r", b" ")
        tokens = scan(block)
        if tokens is None:
            return None
        faults = set()
        num_clauses = tokens.lines
        if not tokens.has_one_clause_a_line():
            num_clauses = int(np.count_nonzero(tokens.literals == 0))
            layout = zip((Fault.SPAN, Fault.SEVERAL, Fault.BLANK), tokens.layout(), strict=True)
            faults |= {fault for fault, occurs in layout if occurs}
        if tokens.max_magnitude > lines.variables:
            faults.add(Fault.BEYOND)
        if lines.num_clauses + num_clauses > lines.clauses:
            faults.add(Fault.MORE)
        if not faults <= lines.noted:
            return None
        lines.count_block(tokens.lines, num_clauses, tokens.literals, tokens.max_magnitude)
        return tokens.literals

    def _whole_clauses(self, literals: Literals) -> Iterator[Literals]:
        """Yield the clauses that are complete; store the beginning of the next one."""
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
            self._tail_length = len(literals) - end + (0 if end else self._tail_length)
            if self._tail_length > MAX_CLAUSE_LENGTH:
                self._lines.fail_long_clause()


@contextmanager
def open_cnf(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    block_bytes: int = BLOCK_BYTES,
    raw: Sink | None = None,
    text: Sequence[Sink] = (),
    name: str | None = None,
) -> Iterator[Cnf]:
    """Open a DIMACS file and read it up to its header.

    Parameters
    ----------
    path : str or path-like
        File, decompressed if its suffix is .gz, .xz or .zst; `-` is standard input.
    strict : bool
        Raise at the first deviation from strict DIMACS. False: note deviations.
    block_bytes : int
        Approximate size of the blocks in which the file is read.
    raw : Sink, optional
        Observer of the bytes on disk, such as a hash. The file is read only once.
    text : sequence of Sink
        Observers of the decompressed text.
    name : str, optional
        Name of the file in errors. Default: its path.

    Yields
    ------
    Cnf
        File whose clauses are yet to be read.

    Raises
    ------
    DimacsError
        The file cannot be read, or its header is missing or malformed.
    """
    with open_blocks(path, block_bytes, raw, name) as blocks:
        yield Cnf(shown_name(name or path), _observed(text, blocks) if text else blocks, strict)


def _observed(sinks: Sequence[Sink], blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        for sink in sinks:
            sink.update(block)
        yield block


def validate(
    path: str | os.PathLike[str], *, strict: bool = True, block_bytes: int = BLOCK_BYTES
) -> Summary:
    """Read a whole file and return its summary; raise DimacsError at the first fault."""
    with open_cnf(path, strict=strict, block_bytes=block_bytes) as cnf:
        for _ in cnf.pieces():
            pass
        return cnf.summary()
