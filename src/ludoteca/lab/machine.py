"""The machine on which something is measured: its cores, how busy it is, how long its disk takes."""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Sequence

TICKS = os.sysconf("SC_CLK_TCK")  # a second
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]

# Who has which; where there are too few, some have one together.
OF_SERVERS = CORES[0], CORES[1 % len(CORES)]
OF_POSTGRES = CORES[-2] if len(CORES) > 2 else CORES[-1]
OF_PLAYERS = CORES[-1]


def pin(core: int, process: int = 0) -> None:
    """Keeps a process (this one) on a core, where the system has such a thing. Whoever it starts inherits that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, {core})


def busy() -> float:
    """Seconds that the whole machine has worked so far, all cores and programs together."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    idle = int(fields[3]) + int(fields[4])
    return (sum(map(int, fields[:8])) - idle) / TICKS


def processor_time(process: int) -> float:
    """Seconds of processor time that a process has had so far."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(process: int) -> list[int]:
    """The processes that it has started and that are there."""
    lists = pathlib.Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for found in lists for child in found.read_text().split()]


def ms(times: Sequence[float], share: float = 0.99) -> float:
    """The time within which this share was through, in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000 if times else float("inf")


def disk(folder: pathlib.Path) -> str:
    """How long this disk takes to keep a promise: every move waits for that."""
    times = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    return f"The disk: a sync takes {ms(times, 0.5):.1f} ms, one in a hundred {ms(times):.1f} ms."
