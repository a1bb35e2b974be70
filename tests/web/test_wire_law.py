"""The law of secrets for what the site sends, for every game on the shelf, and for two that break it."""

from pathlib import Path

import pytest

import example
from ludotheque import shelf
from ludotheque.games import hundsgemein
from ludotheque.shelf import Box
from ludotheque.testing import LawBroken, variants
from ludotheque.testing.wire import what_a_view_hides_is_not_sent
from testing.test_breaks import not_forgetting, uncovered
from variants import Variant, everything


@pytest.mark.parametrize("variant", everything(), ids=str)
def test_what_a_view_hides_is_not_sent(variant: Variant) -> None:
    what_a_view_hides_is_not_sent(variant)


def test_a_dealt_hand_is_not_sent_and_its_leaky_twin_is_found(tmp_path: Path) -> None:
    with example.on_the_shelf(tmp_path, "kuhn"):
        game = shelf.game("kuhn").rules
        (right,), (leaky,) = variants(Box(game)), variants(Box(uncovered(game)))
        what_a_view_hides_is_not_sent(right)
        with pytest.raises(LawBroken, match="by the screen in en"):
            what_a_view_hides_is_not_sent(leaky)


def test_a_log_that_does_not_forget_is_found() -> None:
    leaky = next(variants(Box(not_forgetting(hundsgemein.GAME))))
    with pytest.raises(LawBroken):
        what_a_view_hides_is_not_sent(leaky)
