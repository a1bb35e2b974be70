"""Whose entropy is in the luck of a table, in words: what the promise of fair luck rests on."""

from ludotheque.web.models import Seat
from ludotheque.web.words import listed, say


def added(seats: list[Seat], names: list[str], lang: str) -> str:
    """Who added entropy after they had seen the commitment, and which people did not.

    Computer players never do. Of seats from before it was noted nobody knows, so nothing is said.
    """
    did = [names[seat.number] for seat in seats if seat.added]
    did_not = [names[seat.number] for seat in seats if seat.added is False and seat.kind == Seat.Kind.PERSON]
    if not did and not any(seat.free or seat.added is None for seat in seats):
        return say("luck-added-nobody", lang)
    told = {"luck-added": did, "luck-added-not": did_not}
    return " ".join([say(sentence, lang, names=listed(who, lang)) for sentence, who in told.items() if who])
