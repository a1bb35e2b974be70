"""Laws that hold for every game on the shelf, at every number of seats, with every option."""

import pickle

import pytest

import ludotheque
from ludotheque.testing import LAWS
from ludotheque.testing.laws import Law
from variants import Variant, everything


@pytest.mark.parametrize("variant", everything(), ids=str)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_game_obeys(law: Law, variant: Variant) -> None:
    law(variant)


def test_games_say_whether_choices_are_sealed() -> None:
    """Also in another process, which gets a pickled copy."""
    assert {box.key for box in ludotheque.games() if box.rules.has_sealed} == {"pizza"}
    assert pickle.loads(pickle.dumps(ludotheque.game("pizza").rules)).has_sealed  # noqa: S301 - our own
    assert not pickle.loads(pickle.dumps(ludotheque.game("hepta").rules)).has_sealed  # noqa: S301
