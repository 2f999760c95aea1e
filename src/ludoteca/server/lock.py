"""One server a file: an advisory lock on a file beside the database.

The lock belongs to the open file, so the system lets go of it when the process ends, however it ends: after a `kill -9`
the next server starts at once, and nobody has to delete anything. (The lock file itself stays: deleting it would let two
servers lock two files of one name.) Over NFS the lock holds if the server's lock service runs, but SQLite's write-ahead
log does not work there at all: keep the database on a disk of the machine.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
from typing import BinaryIO

from ludoteca.core.errors import BadData

AFTER_THE_PID = 1 << 20  # Windows locks bytes, and locked ones cannot be read: this one lies behind what is written


class Lock:
    """Held from its making until `release`, or the end of the process."""

    def __init__(self, database: pathlib.Path) -> None:
        path = database.resolve().with_name(database.resolve().name + ".lock")
        self._file = _opened(path)
        try:
            _lock(self._file)
        except BlockingIOError:
            holder = self._file.read(32).decode("ascii", "replace").strip()
            self._file.close()
            by = f" (process {holder})" if holder else ""
            raise BadData(
                f"Another server{by} has {database} open already. End it first, or choose another file with --database.",
                "store_in_use",
            ) from None
        except OSError as error:
            self._file.close()
            raise BadData(
                f"{path} cannot be locked ({error.strerror}): keep the games on a disk of this machine.",
                "store_no_lock",
            ) from None
        self._file.seek(0)
        self._file.truncate()
        self._file.write(b"%d\n" % os.getpid())

    def release(self) -> None:
        """Lets others open the database."""
        with contextlib.suppress(OSError):
            self._file.truncate(0)
        self._file.close()


def _opened(path: pathlib.Path) -> BinaryIO:
    return open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(AFTER_THE_PID)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
