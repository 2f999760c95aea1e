"""Web push: a few encrypted words to a browser that is not open, by way of its maker's push service.

The words are encrypted for the browser alone (RFC 8291, `http_ece`) and signed with the house's own key (RFC 8292,
`py_vapid`), both the parts that `pywebpush` is made of. The sending is ours: the address comes from a browser, that
is, from anybody, and must not lead us into our own network. Only https, only the usual port, only a name, only addresses
of the open internet, and the very address that was looked at is the one we connect to. Nothing that is answered is followed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import ipaddress
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from .database import Connection

PATIENCE = 10.0  # seconds for one of them, in all
TTL = 24 * 3600  # seconds that a push service keeps it for a browser that is off
LONGEST_ENDPOINT = 1000
GONE = (404, 410)  # the browser does not want any more


class BadEndpoint(Exception):
    """An address we do not send to."""


@dataclass(frozen=True)
class Subscription:
    """A browser that wants to be told."""

    endpoint: str
    p256dh: bytes  # its public key
    auth: bytes  # and a secret that only it and we have
    language: str


def new_key() -> bytes:
    """A key for a house."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32, "big")


def house_push_key(db: Connection, fresh: bytes) -> bytes:
    """The key with which all servers of this house sign, also after a restart."""
    db.execute("UPDATE house SET push = ? WHERE push IS NULL", (fresh,))
    return bytes(db.execute("SELECT push FROM house").fetchone()[0])


def base64url(data: bytes) -> str:
    """Bytes as browsers write them in addresses."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """The same, read."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Push:
    """Sends to browsers, in the name of this house."""

    def __init__(self, key: bytes, contact: str, local: bool = False) -> None:
        self._signer = Vapid02.from_raw(base64url(key).encode())
        self._contact = contact
        self._local = local  # for tests: to this machine only, without https
        self._tls = ssl.create_default_context()

    @property
    def public_key(self) -> str:
        """What a browser must know of us to let us send."""
        encoding, form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        return base64url(self._signer.public_key.public_bytes(encoding, form))

    def check(self, subscription: Subscription) -> None:
        """Refuses what cannot be sent to: call before it is stored."""
        self._parts(subscription.endpoint)
        if len(subscription.auth) != 16 or len(subscription.p256dh) != 65:
            raise BadEndpoint
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), subscription.p256dh)
        except ValueError:
            raise BadEndpoint from None

    async def send(self, to: Subscription, words: bytes, topic: str) -> bool:
        """Sends; false if that browser is gone for good. `topic`: a later one with the same replaces it while it waits."""
        parts = self._parts(to.endpoint)
        body = await asyncio.to_thread(self._encrypted, to, words)
        async with asyncio.timeout(PATIENCE):
            address = await self._address(parts)
            tls = {"ssl": self._tls, "server_hostname": parts.hostname} if parts.scheme == "https" else {}
            reader, writer = await asyncio.open_connection(address, port_of(parts), **tls)  # type: ignore[arg-type]
            try:
                writer.write(self._head(parts, len(body), topic) + body)
                await writer.drain()
                return status_in(await reader.readline()) not in GONE
            finally:
                writer.close()
                with contextlib.suppress(OSError, ssl.SSLError):
                    await writer.wait_closed()

    def _parts(self, endpoint: str) -> SplitResult:
        """An address taken apart, if it may be one of a push service."""
        try:
            parts = urlsplit(endpoint)
            port, name = parts.port, parts.hostname or ""
        except ValueError:
            raise BadEndpoint from None
        plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
        if len(endpoint) > LONGEST_ENDPOINT or not plain or parts.username or parts.password or not name:
            raise BadEndpoint
        if self._local and parts.scheme == "http" and name == "127.0.0.1":
            return parts
        if parts.scheme != "https" or port not in (None, 443) or "." not in name or _number(name) is not None:
            raise BadEndpoint
        return parts

    async def _address(self, parts: SplitResult) -> str:
        """Where to connect to: an address of the open internet, all of those that the name has."""
        name = parts.hostname or ""
        if self._local and parts.scheme == "http":
            return name
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(name, port_of(parts), type=socket.SOCK_STREAM)
        addresses = [str(address[0]) for *_, address in found]
        if not addresses or not all(is_open_internet(address) for address in addresses):
            raise BadEndpoint
        return addresses[0]

    def _encrypted(self, to: Subscription, words: bytes) -> bytes:
        mine = ec.generate_private_key(ec.SECP256R1())
        found: bytes = http_ece.encrypt(words, private_key=mine, dh=to.p256dh, auth_secret=to.auth, version="aes128gcm")
        return found

    def _head(self, parts: SplitResult, size: int, topic: str) -> bytes:
        place = parts.netloc
        signed = self._signer.sign({"sub": self._contact, "aud": f"{parts.scheme}://{place}"})
        short = base64url(hashlib.sha256(topic.encode()).digest()[:18])
        lines = [
            f"POST {parts.path or '/'}{'?' + parts.query if parts.query else ''} HTTP/1.1",
            f"Host: {place}",
            f"Authorization: {signed['Authorization']}",
            f"TTL: {TTL}",
            f"Topic: {short}",
            "Urgency: high",
            "Content-Encoding: aes128gcm",
            "Content-Type: application/octet-stream",
            f"Content-Length: {size}",
            "Connection: close",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


def port_of(parts: SplitResult) -> int:
    """The port of an address."""
    return parts.port or (443 if parts.scheme == "https" else 80)


def status_in(line: bytes) -> int:
    """The status in the first line of an answer; 0 if it is none."""
    words = line.split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def is_open_internet(address: str) -> bool:
    """Whether an address is one of the open internet: not this machine, nor a network behind it."""
    number = _number(address.partition("%")[0])
    if number is None:
        return False
    mapped = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    number = mapped or number
    return number.is_global and not number.is_multicast and getattr(number, "teredo", None) is None
