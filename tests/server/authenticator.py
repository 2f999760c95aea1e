"""An authenticator for tests: makes passkeys and signs with them, as a browser would hand it over."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

Json = dict[str, Any]
THERE = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV  # somebody is, and has shown who


@dataclass
class Authenticator:
    """One passkey, once it is made."""

    origin: str  # of the page that asks it
    counter: int = 0  # 0: does not count, as those that travel between devices
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    user: bytes = b""

    def make(self, options: Json) -> Json:
        """Answers a request for a new passkey."""
        self.user = websafe_decode(options["user"]["id"])
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]  # the library has no type for it
        made = AttestedCredentialData.create(Aaguid(b"\0" * 16), self.id, public)
        data = AuthenticatorData.create(
            self._house(options["rp"]["id"]), THERE | AuthenticatorData.FLAG.AT, self.counter, made
        )
        attestation = AttestationObject.create("none", data, {})
        return self._answer(
            clientDataJSON=self._client_data("webauthn.create", options), attestationObject=bytes(attestation)
        )

    def sign(self, options: Json) -> Json:
        """Answers a challenge."""
        data = AuthenticatorData.create(self._house(options["rpId"]), THERE, self.counter)
        client = self._client_data("webauthn.get", options)
        signed = self.key.sign(bytes(data) + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            clientDataJSON=client, authenticatorData=bytes(data), signature=signed, userHandle=self.user
        )

    def _house(self, name: str) -> bytes:
        return hashlib.sha256(name.encode()).digest()

    def _client_data(self, kind: str, options: Json) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, **response: bytes) -> Json:
        name = websafe_encode(self.id)
        encoded = {key: websafe_encode(value) for key, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": encoded, "clientExtensionResults": {}}
