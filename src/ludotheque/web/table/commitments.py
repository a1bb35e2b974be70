"""The luck of tables that are not set yet: published first, so that everybody's entropy comes after it.

A promise is the id of a table to be and its seed. Both follow from the secret key and nothing is stored: whoever
asks for promises fills no disk. A promise is kept once, since a table's id is unique. For a rematch, seats store the
commitment they added to: a new secret key promises something else, and what was added before does not count for that.
"""

import base64
import secrets
from typing import NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import salted_hmac

from ludotheque.luck import Luck

TICKET_AGE_S = 120  # a page asks when its form is sent, and sends it at once
ID_BYTES = 12
SALT = "ludotheque.luck"
BETWEEN = "."  # the id and the commitment in a ticket; no id has one


class Promise(NamedTuple):
    """What a table to be will be called, and the seed of its luck."""

    table: str
    seed: str

    @property
    def commitment(self) -> str:
        return Luck(self.seed).commitment


def fresh() -> tuple[str, Promise]:
    """A promise for whoever is about to set a table, and the ticket by which they claim it."""
    promise = _promise(secrets.token_urlsafe(ID_BYTES), settings.SECRET_KEY)
    return TimestampSigner(salt=SALT).sign(f"{promise.table}{BETWEEN}{promise.commitment}"), promise


def of_ticket(ticket: str) -> Promise | None:
    """The promise that a ticket claims; None if it is not ours, too old, or of another secret key."""
    try:
        table, _, commitment = TimestampSigner(salt=SALT).unsign(ticket, max_age=TICKET_AGE_S).partition(BETWEEN)
    except BadSignature:
        return None
    promise = _promise(table, settings.SECRET_KEY)
    return promise if promise.commitment == commitment else None


def of_rematch(table: str) -> list[Promise]:
    """The promises for the match that follows: first the one that is published now, then of older keys."""
    return [_after(table, key) for key in dict.fromkeys([settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])]


def _after(table: str, key: str) -> Promise:
    digest = salted_hmac(SALT, f"after {table}", key, algorithm="sha256").digest()
    return _promise(base64.urlsafe_b64encode(digest[:ID_BYTES]).decode(), key)


def _promise(table: str, key: str) -> Promise:
    return Promise(table, salted_hmac(SALT, f"seed of {table}", key, algorithm="sha256").hexdigest())
