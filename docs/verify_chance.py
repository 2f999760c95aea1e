#!/usr/bin/env python3
"""Checks the chance of a finished game of Ludoteca. Needs Python 3.9 and nothing else: read it, then believe it.

    python verify_chance.py game.json               # the record of a game: the page and /api/tables/…/record give it
    python verify_chance.py game.json HASH          # … and HASH is the fingerprint you wrote down before the deal
    python verify_chance.py chance_vectors.json     # known answers, for those who write a verifier of their own

What it proves: the secret opened at the end is the one whose hash was shown before the deal, and every number that was
drawn, in the deal and in each step of the game, follows from that secret, from what the players threw in, and from the
number of the step. So nobody chose a card or a die, and nobody without the secret could foretell one. What it leaves to
`ludoteca verify`, which knows the rules: that the game drew these numbers and no others, and what it made of them.

    root     = HMAC-SHA256(secret, "ludoteca chance 1" + 00 + entropy of chair 0 + 00 + entropy of chair 1 …)
    key(n)   = HMAC-SHA256(root, n)                    n: 0 for the deal, then the step's number; n and b in 8 bytes
                                                       (steps are counted without those that were taken back)
    block(b) = HMAC-SHA256(key(n), b)                  four numbers of 8 bytes; all numbers begin with the highest byte
    draw     = number mod bound; numbers from the last multiple of the bound up to 2^64 are skipped

A shuffle of s pieces draws below s, s - 1, … 2; the first of these changes places with the last piece, and so on.
"""

import hashlib
import hmac
import json
import sys


class Wrong(Exception):
    """Something is not as it was said to be."""


def sha256_hmac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def root_key(secret, entropy):
    return sha256_hmac(secret, b"ludoteca chance 1" + b"".join(b"\0" + share.encode() for share in entropy))


def step_key(root, number):
    return sha256_hmac(root, number.to_bytes(8, "big"))


def numbers(key):
    block = 0
    while True:
        digest = sha256_hmac(key, block.to_bytes(8, "big"))
        for place in range(0, 32, 8):
            yield int.from_bytes(digest[place : place + 8], "big")
        block += 1


def draw(stream, bound):
    limit = 2**64 - 2**64 % bound
    return next(number for number in stream if number < limit) % bound


def read_draws(text):
    """`4/6 2/6`: a 4 and a 2, both drawn below 6."""
    found = [tuple(map(int, pair.split("/"))) for pair in text.split()]
    if any(len(pair) != 2 or pair[1] < 1 for pair in found):
        raise ValueError(text)
    return found


def check_step(root, number, text):
    """Draws again what a step is said to have drawn; returns it."""
    stream = numbers(step_key(root, number))
    claimed = read_draws(text)
    for place, (value, bound) in enumerate(claimed, 1):
        found = draw(stream, bound)
        if found != value:
            where = f"in step {number}" if number else "in the deal"
            raise Wrong(f"Draw {place} {where} is said to be {value} of {bound}; it should be {found}.")
    return claimed


def check_shuffles(shuffles, drawn):
    """The deal begins with these shuffles."""
    drawn = iter(drawn)
    for shuffle in shuffles:
        order = list(range(len(shuffle["order"])))
        for last in range(len(order) - 1, 0, -1):
            value, bound = next(drawn, (0, 0))
            if bound != last + 1:
                raise Wrong(f"The shuffle «{shuffle['name']}» is not among the draws of the deal.")
            order[last], order[value] = order[value], order[last]
        if order != shuffle["order"]:
            raise Wrong(f"The shuffle «{shuffle['name']}» lies in another order than the one that was drawn.")


def steps_that_stand(decisions):
    """How many steps the game had in the end. An action of -1 - n takes back all steps after row n, and is none itself."""
    standing = [0]  # after each row
    for number, (_, action) in enumerate(decisions, 1):
        if action < -number:
            raise Wrong(f"Row {number} takes back to a row that is not there yet.")
        standing.append(standing[-1] + 1 if action >= 0 else standing[-1 - action])
    return standing[-1]


def check_record(record, noted=None):
    """Raises Wrong, or returns a sentence."""
    fair = record["fair"]
    if fair.get("chance") != "keyed":
        raise Wrong("This game was dealt from a single seed, by an earlier server: use `ludoteca verify`.")
    secret = bytes.fromhex(fair["server_seed"])
    if hashlib.sha256(secret).hexdigest() != fair["commitment"]:
        raise Wrong("The opened secret does not have the fingerprint that the record says was shown before the deal.")
    if noted is not None and noted.lower() != fair["commitment"]:
        raise Wrong("The fingerprint of this record is not the one you wrote down before the deal.")
    steps = [step["seq"] for step in fair["draws"]]
    if steps != sorted(set(steps)) or steps[:1] != [0] or steps[-1] > steps_that_stand(record["decisions"]):
        raise Wrong("The steps with draws are not the deal and steps of this game, each once and in order.")
    root = root_key(secret, fair["entropy"])
    drawn = [check_step(root, step["seq"], step["drawn"]) for step in fair["draws"]]
    check_shuffles(fair["shuffles"], drawn[0])
    count, shares = sum(map(len, drawn)), sum(bool(share) for share in fair["entropy"])
    return f"All {count} draws, in the deal and {len(drawn) - 1} steps, follow from the secret and {shares} shares."


def check_vectors(vectors):
    for vector in vectors:
        secret = bytes.fromhex(vector["secret"])
        root = root_key(secret, vector["entropy"])
        if hashlib.sha256(secret).hexdigest() != vector["commitment"] or root.hex() != vector["root"]:
            raise Wrong(f"Commitment or root of {vector['secret'][:8]}… is another.")
        for step in vector["steps"]:
            if step_key(root, step["seq"]).hex() != step["key"]:
                raise Wrong(f"The key of step {step['seq']} is another.")
            check_step(root, step["seq"], step["drawn"])
    return f"All {len(vectors)} vectors agree."


def main(path, noted=None):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        print(check_vectors(data["vectors"]) if "vectors" in data else check_record(data, noted))
        return 0
    except Wrong as wrong:
        print(f"Wrong: {wrong}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"This is not the record of a finished game: {error!r}.")
        return 2


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
