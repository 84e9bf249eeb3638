"""A core of this host for one worker alone, whoever else looks for one here.

Workers of a cluster start without knowing of each other. What claims a core is a socket without a
file, so it is free again when its process has ended, however that ended.
"""

from __future__ import annotations

import os
import socket

_claimed: list[socket.socket] = []
"""Open for as long as this process lives."""


def claim() -> int | None:
    """The first core that nobody of our user has claimed; None where all are taken."""
    for core in sorted(os.sched_getaffinity(0)):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0boardsat-{os.getuid()}-core-{core}")
        except OSError:
            held.close()
            continue
        _claimed.append(held)
        return core
    return None
