"""The names a house answers to.

A page elsewhere can make its own name lead to this machine and then talk to us as if it were ours; its name in `Host`
gives it away. An address in numbers cannot be made to lead elsewhere, so every such address is fine.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from .settings import Settings

NAME = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")


class Hosts:
    """The machine's own names and those that the settings give."""

    def __init__(self, settings: Settings) -> None:
        own = socket.gethostname().lower()
        given = [urlsplit(origin).hostname or "" for origin in settings.origins.replace(",", " ").split()]
        given += settings.hosts.lower().replace(",", " ").split()
        self._names = {"localhost", own, f"{own}.local", settings.host.lower(), *given} - {""}
        self._any = "*" in self._names

    def has(self, host: str) -> bool:
        """Whether this value of `Host` names the house."""
        name = name_in(host)
        known = self._any or name in self._names or name.endswith(".localhost") or is_address(name)
        return bool(name) and known


def name_in(host: str) -> str:
    """The name in a value of `Host`, without the port; nothing, if it is none."""
    found = NAME.fullmatch(host.lower())
    return found[1].removesuffix(".") if found is not None else ""


def is_address(name: str) -> bool:
    """Whether a name is an address in numbers."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
