"""The laws that every game obeys, ours and other people's, to be run on a game of one's own.

    import pytest
    from ludotheque.testing import LAWS, variants

    @pytest.mark.parametrize("variant", variants("yours"), ids=str)
    @pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
    def test_my_game_obeys(law, variant):
        law(variant)

A law plays random games, the same ones every time, and raises `LawBroken` with what is wrong and the moves that led
there. It needs nothing but the library. What the site sends is held to the same in `ludotheque.testing.wire`, which
needs the site's packages.
"""

from ludotheque.testing.laws import LawBroken
from ludotheque.testing.rules import RULES
from ludotheque.testing.secrecy import SECRECY
from ludotheque.testing.variants import Variant, variants

__all__ = ["LAWS", "LawBroken", "Variant", "variants"]

LAWS = (*RULES, *SECRECY)
