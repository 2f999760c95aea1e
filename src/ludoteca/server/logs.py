"""What the server writes about itself: lines with time and level, to standard error, for people or for programs.

ERROR: something of the house is broken, with a traceback. WARNING: somebody should look at it some day. INFO: what comes and
goes, and what clients do wrong, without a traceback: that is their fault, not ours.

With `LUDOTECA_LOG_FORMAT=json` each line is an object that also says which request or command it belongs to, and which
table. No line has a secret: neither cookies nor invitations nor tokens nor seeds.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from contextvars import ContextVar
from typing import Any

from ludoteca.core.errors import BadData

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")
TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
TIME = "%Y-%m-%dT%H:%M:%S"
THEIR_FAULT = (
    "Invalid HTTP request",
    "Invalid UTF-8",
    "Unsupported upgrade",
    "Exceeded concurrency",
    "ASGI callable returned without completing handshake",  # gone before they were greeted
)  # uvicorn's words

NAMED = re.compile(r"[A-Za-z0-9_.:-]{1,64}")  # what somebody else's name of a request, or of a table, may look like
# We write none of these; what other people's libraries say in an error is looked through nevertheless.
SECRET = re.compile(
    r"((?:\bludoteca|\binvite)=|\bbearer\s+|://[^\s:/@]*:(?=[^\s/@]*@)|seed[\"']?\s?[:=]\s?b?[\"']?(?=[\w+/-]{12}))[^\s&;,\"'@]+",
    re.IGNORECASE,
)  # cookies, invitations, tokens, passwords in addresses of databases, seeds


# ── What a line is about ─────────────────────────────────────


# What is being done now; whatever is written meanwhile belongs to it. Each request, each socket and each turn of a bot is a
# task of its own, and so has values of its own. (Three plain variables: each command sets one, which takes 0.3 µs.)
REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
COMMAND: ContextVar[str | None] = ContextVar("command", default=None)
TABLE: ContextVar[str | None] = ContextVar("table", default=None)
ABOUT = (REQUEST, COMMAND, TABLE)


def new_request(name: str | None) -> str:
    """The request gets this name, if it is a decent one, or one of ours; which."""
    request = name if name is not None and NAMED.fullmatch(name) else secrets.token_hex(8)
    REQUEST.set(request)
    return request


def at_table(table: str) -> None:
    """The rest of this request or connection, or this turn of a bot, is about a table, and so far about no command."""
    TABLE.set(table if NAMED.fullmatch(table) else None)
    COMMAND.set(None)


def obeying(command: str | None) -> None:
    """A command of somebody's own name begins, or (None) something without a name."""
    COMMAND.set(command)


# ── How it is written ────────────────────────────────────────


class Text(logging.Formatter):
    """For people."""

    def __init__(self) -> None:
        super().__init__(TEXT, f"{TIME}%z")

    def format(self, record: logging.LogRecord) -> str:
        return veiled(super().format(record))


class Json(logging.Formatter):
    """For programs: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": f"{time.strftime(TIME, time.gmtime(record.created))}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": veiled(record.getMessage()),
        }
        for about in ABOUT:  # lines are written where they are made, so it is still the same
            if (value := about.get()) is not None:
                line[about.name] = veiled(value)
        if record.exc_info:
            line["error"] = veiled(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def veiled(text: str) -> str:
    """Without what looks like a secret."""
    return SECRET.sub(r"\1…", text)


class TheirFault(logging.Filter):
    """Says at INFO, and without a traceback, what uvicorn says louder of bad clients."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.getMessage().startswith(THEIR_FAULT):
            return True
        logging.getLogger("ludoteca.door").info(record.getMessage())
        return False


def set_up(level: str, form: str = "text") -> None:
    """For a process that is a server and nothing else."""
    if level.lower() not in LEVELS:
        raise BadData(f"LUDOTECA_LOG can be {', '.join(LEVELS)}; not «{level}».", "bad_setting")
    if form.lower() not in FORMATS:
        raise BadData(f"LUDOTECA_LOG_FORMAT can be {' or '.join(FORMATS)}; not «{form}».", "bad_setting")
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form.lower() == "json" else Text())
    logging.basicConfig(handlers=[handler])
    logging.getLogger("ludoteca").setLevel(level.upper())
    logging.getLogger("uvicorn.error").addFilter(TheirFault())
