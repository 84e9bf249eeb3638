"""Comments and blank lines: many of them at once, and how much of them is kept.

They say nothing about the formula, and a gigabyte of them packs into a megabyte. So a reader passes
over them faster than over clauses, keeps a bounded part, and goes on for a bounded length.
"""

from __future__ import annotations

import re
from functools import cache

from boardsat.adapters.dimacs.faults import Complaints, Fault
from boardsat.adapters.dimacs.text import RUN

MAX_COMMENT_BYTES = 32 << 20
"""Of comments, so many bytes are kept."""

LINE_OVERHEAD_BYTES = 64
"""What a line costs beside its bytes."""

MAX_SKIPPED_BYTES = 2 << 30
"""Of comments and blank lines, so many bytes are passed over: more is no file of formulas."""


@cache
def faultless(
    headed: bool, trailer: bool, blank: bool, odd: bool, after: bool, carriage: bool
) -> re.Pattern[bytes]:
    """Pattern of up to RUN lines that hold nothing and have no fault that is not noted yet.

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
    """Those of whole lines, without their `c `; plain are those with neither indent nor return."""
    if plain:
        lines = text.decode("utf-8", "backslashreplace").split("\n")
        return [line[2:] for line in lines if line[:1] == "c"]
    return [comment(line) for line in text.split(b"\n") if line.strip(b" \t\r")]


def comment(line: bytes) -> str:
    """The text of one."""
    line = line.removesuffix(b"\r").replace(b"\r", b" ").lstrip(b" \t")
    text = line.removeprefix(b"c").removeprefix(b" ")
    return text.decode("utf-8", "backslashreplace")


class Comments(Complaints):
    """Those of one file, before its header and after it, as far as there is room."""

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
        """Keep a part of a comment, if there is room."""
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
