"""The secret key that signs cookies, and the keys that are still accepted. No Django here: settings read this.

The file holds one key; once keys have been rotated it is JSON, newest first. A new key is accepted at once and signs
a little later, so that no process signs what another does not know yet. An old one is accepted until its time is
over; whoever comes meanwhile gets a cookie of the new one (`visitors.py`).
"""

import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

KEY_BYTES = 50
SIGNS_AFTER_S = 30  # running processes look every few seconds


class SecretKey(NamedTuple):
    """A key, with the times (Unix) from which it signs, and until which it is accepted; 0 is no end."""

    text: str
    signs_from: float = 0
    until: float = 0


class Keys(NamedTuple):
    """The key that signs, and all that are accepted, that one included; none if there is only one."""

    signing: str
    accepted: list[str]


def fresh() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def load(file: Path) -> list[SecretKey]:
    """The keys of the file, newest first; none if there is no file."""
    text = file.read_text(encoding="utf-8").strip() if file.is_file() else ""
    if not text.startswith('[["'):  # as earlier versions wrote it, and as it is until keys are rotated
        return [SecretKey(text)] if text else []
    return [SecretKey(*entry) for entry in json.loads(text)]


def in_force(keys: list[SecretKey], now: float) -> Keys:
    """Which of them count at this time."""
    valid = [key for key in keys if not key.until or key.until > now]
    signing = next((key for key in valid if key.signs_from <= now), valid[0])
    return Keys(signing.text, [key.text for key in valid] if len(valid) > 1 else [])


def rotated(keys: list[SecretKey], now: float, keep_s: float) -> list[SecretKey]:
    """A new key before these, which are accepted for so many seconds more at most. With 0 only the new one counts."""
    signs_from = now + SIGNS_AFTER_S if keep_s else now
    ends = [min(key.until or now + keep_s, now + keep_s) for key in keys]
    old = [key._replace(until=end) for key, end in zip(keys, ends, strict=True) if keep_s and end > now]
    return [SecretKey(fresh(), signs_from), *old]


def forget_ended(file: Path, now: float) -> None:
    """Take keys that are no longer accepted out of the file."""
    keys = load(file)
    left = [key for key in keys if not key.until or key.until > now]
    if left != keys:
        write(file, left)


def from_environment() -> bool:
    """Whether the keeper keeps the key elsewhere, and changes it there."""
    return bool(os.environ.get("LUDOTHEQUE_SECRET_KEY"))


def write(file: Path, keys: list[SecretKey]) -> None:
    """Replace the file at once, readable by its owner only."""
    made = file.with_name(f".{file.name}")
    made.touch(mode=0o600)
    made.write_text(json.dumps(keys), encoding="utf-8")
    made.replace(file)
