"""Luck is fair, repeatable, and depends on all that it should depend on."""

import hashlib
import hmac
import json
from collections import Counter

import pytest

from ludotheque.luck import DIGEST_VALUES, Luck, fresh_seed


def test_a_draw_can_be_recomputed_by_hand() -> None:
    luck = Luck("seed", "table 1", ("mine", "yours"))
    message = b'["table 1", ["mine", "yours"], 3, 0]'
    value = int.from_bytes(hmac.new(b"seed", message, hashlib.sha256).digest())
    assert luck.draw(3, [1] * 6) == value % 6
    assert luck.commitment == hashlib.sha256(b"seed").hexdigest()


def test_everything_decides_but_the_commitment() -> None:
    def draws(luck: Luck) -> list[int]:
        return [luck.draw(number, [1] * 1000) for number in range(8)]

    luck = Luck("seed", "table", ("mine",))
    others = [
        Luck("seed2", "table", ("mine",)),
        Luck("seed", "table2", ("mine",)),
        Luck("seed", "table", ("m", "ine")),
    ]
    assert draws(luck) == draws(Luck("seed", "table", ("mine",)))
    assert all(draws(other) != draws(luck) for other in others)


def test_draws_follow_their_weights() -> None:
    luck = Luck("a seed for this test")
    found = Counter(luck.draw(number, [1, 2, 0, 3]) for number in range(6000))
    assert found[2] == 0
    assert found[0] == pytest.approx(1000, rel=0.12)
    assert found[1] == pytest.approx(2000, rel=0.12)
    assert found[3] == pytest.approx(3000, rel=0.12)


def test_no_modulo_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values beyond the last whole multiple of the total are drawn again."""
    values = iter([DIGEST_VALUES - 1, DIGEST_VALUES - DIGEST_VALUES % 6, 13])
    monkeypatch.setattr(Luck, "_value", lambda *_: next(values))
    assert DIGEST_VALUES % 6
    assert Luck("x").draw(0, [1] * 6) == 1


def test_seeds_are_fresh() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100
    assert json.loads(json.dumps(fresh_seed())) != fresh_seed()
    assert len(fresh_seed()) == 64
