"""What the server writes about itself: lines with time and level, to standard error.

ERROR: something of the house is broken, with a traceback. WARNING: somebody should look at it some day. INFO: what comes and
goes, and what clients do wrong, without a traceback: that is their fault, not ours.
"""

from __future__ import annotations

import logging

from ludoteca.core.errors import BadData

LEVELS = ("debug", "info", "warning", "error")
THEIR_FAULT = (
    "Invalid HTTP request",
    "Invalid UTF-8",
    "Unsupported upgrade",
    "Exceeded concurrency",
)  # uvicorn's words


class TheirFault(logging.Filter):
    """Says at INFO, and without a traceback, what uvicorn says louder of bad clients."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.getMessage().startswith(THEIR_FAULT):
            return True
        logging.getLogger("ludoteca.door").info(record.getMessage())
        return False


def set_up(level: str) -> None:
    """For a process that is a server and nothing else."""
    if level.lower() not in LEVELS:
        raise BadData(f"LUDOTECA_LOG can be {', '.join(LEVELS)}; not «{level}».", "bad_setting")
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z")
    logging.getLogger("ludoteca").setLevel(level.upper())
    logging.getLogger("uvicorn.error").addFilter(TheirFault())
