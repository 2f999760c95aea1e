"""Who does not read: how long the other side of a socket has taken nothing of what waits for it.

What the web server has written lies in the system's buffer until the other side's system has room for it. Linux tells how
much that is; elsewhere nobody knows before our own buffer fills, and then the pings find out who is not there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

if sys.platform == "linux":
    import fcntl
    import termios

    def held_by_system(file: int) -> int:
        """Bytes written to a socket that the other side has not acknowledged (SIOCOUTQ, tcp(7))."""
        try:
            return int.from_bytes(fcntl.ioctl(file, termios.TIOCOUTQ, bytes(4)), sys.byteorder)
        except OSError:  # closed meanwhile
            return 0

else:

    def held_by_system(file: int) -> int:
        """Nobody can tell here."""
        return 0


class Unread:
    """One socket's other side, as far as it takes what it is sent."""

    def __init__(self, now: float) -> None:
        self._since = now  # when it last took something, or had nothing to take
        self._taken = 0
        self._sent = 0
        self._nothing_waits = True

    def seconds(self, sent: int, waiting: Callable[[], int], now: float) -> float:
        """For how long something waits and nothing was taken; `sent` bytes in all, `waiting` tells how many are there."""
        if self._nothing_waits and sent == self._sent:
            return 0.0  # nothing new: the system need not be asked
        left = waiting()
        if self._nothing_waits or sent - left > self._taken or not left:
            self._since = now
        self._sent, self._taken, self._nothing_waits = sent, sent - left, not left
        return now - self._since if left else 0.0
