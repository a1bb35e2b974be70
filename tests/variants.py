"""Every way to play every game on the shelf."""

import ludotheque
from ludotheque.testing.variants import Variant, variants

__all__ = ["Variant", "duels", "everything", "share", "variants"]


def everything() -> list[Variant]:
    return [variant for box in ludotheque.games() for variant in variants(box)]


def duels() -> list[Variant]:
    return [variant for variant in everything() if variant.seats > 1]


def share(variant: Variant, games: int) -> int:
    """This variant's share of so many games of the whole game."""
    return games // len(list(variants(variant.box)))
