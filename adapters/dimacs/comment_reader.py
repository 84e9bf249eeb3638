"""Comments and blank lines of DIMACS files, read in bulk, and limits on them.

They say nothing about the formula, and a gigabyte of them packs into a megabyte. So a reader passes
over them faster than over clauses, keeps a bounded part, and goes on for a bounded length.
"""

from __future__ import annotations

import re
from functools import cache

from boardsat.adapters.dimacs.faults import Complaints, Fault
from boardsat.adapters.dimacs.text import RUN

MAX_COMMENT_BYTES = 32 << 20
"""Further comments are dropped."""

LINE_OVERHEAD_BYTES = 64
"""Memory of a stored line in addition to its bytes."""

MAX_SKIPPED_BYTES = 2 << 30
"""Files with more comments and blank lines are rejected."""


@cache
def faultless(
    headed: bool, trailer: bool, blank: bool, odd: bool, after: bool, carriage: bool
) -> re.Pattern[bytes]:
    """Return the pattern of up to RUN comments or blank lines without a new fault.

    After the header, after the trailer; and where it is known already that there are blank lines,
    comments of an odd form, comments after the header, carriage returns.
    """
    end = rb"\r?\n" if carriage else rb"\n"
    within = rb"[^\n\0]" if carriage else rb"[^\n\r\0]"
    if trailer:
        return re.compile(rb"(?:\n+|[ \t]*(?:[0%%][ \t]*)?%b){1,%d}" % (end, RUN))
    forms = [rb"c p %b*" % within] if headed else []
    if after or not headed:
        forms += [rb"c %b*" % within, rb"c"]
        forms += [rb"[ \t]*c%b*" % within] if odd else []
    forms += [rb"[ \t]*"] if blank else []
    empty = rb"\n+|" if blank else b""
    return re.compile(rb"(?:%b(?:%b)%b){1,%d}" % (empty, b"|".join(forms), end, RUN))


def comments_in(text: bytes, plain: bool) -> list[str]:
    """Return the comments of whole lines, without `c `; plain lines have no indent or CR."""
    if plain:
        lines = text.decode("utf-8", "backslashreplace").split("\n")
        return [line[2:] for line in lines if line[:1] == "c"]
    return [comment(line) for line in text.split(b"\n") if line.strip(b" \t\r")]


def comment(line: bytes) -> str:
    """Return the text of a comment line."""
    line = line.removesuffix(b"\r").replace(b"\r", b" ").lstrip(b" \t")
    text = line.removeprefix(b"c").removeprefix(b" ")
    return text.decode("utf-8", "backslashreplace")


class Comments(Complaints):
    """Comments of one file before and after its header, up to a limit."""

    def __init__(self, name: str, strict: bool) -> None:
        super().__init__(name, strict)
        self.headed = False
        self.comments: list[str] = []
        self.later_comments: list[str] = []
        self._comment: list[bytes] = []
        self._kept = 0
        self._passed = 0  # bytes of comments and blank lines

    def _keep_all(self, text: bytes) -> None:
        odd = {Fault.COMMENT_FORM, Fault.CARRIAGE_RETURN} & self.noted
        found = comments_in(text, plain=not odd)
        self._kept += len(text) + LINE_OVERHEAD_BYTES * len(found)
        if self._kept > MAX_COMMENT_BYTES:
            self._note_kept()
        else:
            (self.later_comments if self.headed else self.comments).extend(found)

    def _note_kept(self) -> None:
        self._note(Fault.KEPT, f"more comments than {MAX_COMMENT_BYTES >> 20} MB hold")

    def _count_passed(self, size: int) -> None:
        self._passed += size
        if self._passed > MAX_SKIPPED_BYTES:
            what = f"more comments and blank lines than {MAX_SKIPPED_BYTES >> 30} GB hold"
            self._fail(what, "remove them")

    def _keep(self, text: bytes) -> None:
        """Store a part of a comment, up to the limit."""
        self._count_passed(len(text))
        self._kept += len(text)
        if self._kept <= MAX_COMMENT_BYTES:
            self._comment.append(text)
        else:
            self._note_kept()

    def _end_comment(self) -> None:
        self._kept += LINE_OVERHEAD_BYTES
        if self._kept <= MAX_COMMENT_BYTES:
            comments = self.later_comments if self.headed else self.comments
            comments.append(comment(b"".join(self._comment)))
        self._comment.clear()
