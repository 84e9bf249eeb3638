"""Comments and blank lines of DIMACS files, read in bulk, and limits on them.

They do not affect the formula, and a gigabyte of them compresses to a megabyte. So a reader skips
them faster than it reads clauses, stores a bounded number of bytes, and limits their total size.
"""

from __future__ import annotations

import re
from functools import cache

from boardsat.adapters.dimacs.faults import Fault, FaultLog
from boardsat.adapters.dimacs.text import MAX_REPEATS

MAX_COMMENT_BYTES = 32 << 20
"""Memory for stored comments. Further comments are dropped."""

LINE_OVERHEAD_BYTES = 64
"""Memory of a stored line in addition to its bytes."""

MAX_SKIPPED_BYTES = 2 << 30
"""Files with more comments and blank lines are rejected."""


@cache
def filler_pattern(
    after_header: bool,
    in_trailer: bool,
    *,
    allow_blank: bool,
    allow_form: bool,
    allow_after_header: bool,
    allow_carriage_return: bool,
) -> re.Pattern[bytes]:
    """Return the pattern of up to MAX_REPEATS comments or blank lines without a new fault.

    The options allow faults that were noted before: blank lines, comments of an unusual form,
    comments after the header, carriage returns.
    """
    end = rb"\r?\n" if allow_carriage_return else rb"\n"
    within = rb"[^\n\0]" if allow_carriage_return else rb"[^\n\r\0]"
    if in_trailer:
        return re.compile(rb"(?:\n+|[ \t]*(?:[0%%][ \t]*)?%b){1,%d}" % (end, MAX_REPEATS))
    forms = [rb"c p %b*" % within] if after_header else []
    if allow_after_header or not after_header:
        forms += [rb"c %b*" % within, rb"c"]
        forms += [rb"[ \t]*c%b*" % within] if allow_form else []
    forms += [rb"[ \t]*"] if allow_blank else []
    empty = rb"\n+|" if allow_blank else b""
    return re.compile(rb"(?:%b(?:%b)%b){1,%d}" % (empty, b"|".join(forms), end, MAX_REPEATS))


def comments_in(text: bytes, plain: bool) -> list[str]:
    """Return the comments of whole lines, without `c `; plain lines have no indent or CR."""
    if plain:
        lines = text.decode("utf-8", "backslashreplace").split("\n")
        return [line[2:] for line in lines if line[:1] == "c"]
    return [comment(line) for line in text.split(b"\n") if line.strip(b" \t\r")]


def comment(line: bytes) -> str:
    """Return the text of a comment line, without its `c `."""
    line = line.removesuffix(b"\r").replace(b"\r", b" ").lstrip(b" \t")
    text = line.removeprefix(b"c").removeprefix(b" ")
    return text.decode("utf-8", "backslashreplace")


class CommentReader(FaultLog):
    """Comments of one file before and after its header, stored up to a limit."""

    def __init__(self, name: str, strict: bool) -> None:
        super().__init__(name, strict)
        self.has_header = False
        self.comments: list[str] = []
        self.later_comments: list[str] = []
        self._fragments: list[bytes] = []  # of the comment that is being read
        self._stored_bytes = 0
        self._skipped_bytes = 0  # of comments and blank lines

    def _store_comments(self, text: bytes) -> None:
        """Store the comments of whole lines, up to the limit."""
        is_plain = not {Fault.COMMENT_FORM, Fault.CARRIAGE_RETURN} & self.noted
        comments = comments_in(text, is_plain)
        self._stored_bytes += len(text) + LINE_OVERHEAD_BYTES * len(comments)
        if self._stored_bytes > MAX_COMMENT_BYTES:
            self._note_dropped()
        else:
            (self.later_comments if self.has_header else self.comments).extend(comments)

    def _note_dropped(self) -> None:
        limit = MAX_COMMENT_BYTES >> 20
        self._note(Fault.DROPPED_COMMENTS, f"comments beyond {limit} MB are ignored")

    def _count_skipped(self, size: int) -> None:
        self._skipped_bytes += size
        if self._skipped_bytes > MAX_SKIPPED_BYTES:
            limit = MAX_SKIPPED_BYTES >> 30
            self._fail(f"comments and blank lines exceed {limit} GB", "remove them")

    def _add_fragment(self, text: bytes) -> None:
        """Store a part of a comment, up to the limit."""
        self._count_skipped(len(text))
        self._stored_bytes += len(text)
        if self._stored_bytes <= MAX_COMMENT_BYTES:
            self._fragments.append(text)
        else:
            self._note_dropped()

    def _end_comment(self) -> None:
        self._stored_bytes += LINE_OVERHEAD_BYTES
        if self._stored_bytes <= MAX_COMMENT_BYTES:
            comments = self.later_comments if self.has_header else self.comments
            comments.append(comment(b"".join(self._fragments)))
        self._fragments.clear()
