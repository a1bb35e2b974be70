"""Why something cannot be picked: in words, for every game, and from nothing but what the seat may know."""

from collections.abc import Iterator
from random import Random

import pytest

import ludotheque
from ludotheque import Match, words
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.web.screen import moves
from ludotheque.web.screen.reasons import Reason, reason
from test_pictures import ids
from variants import Variant, everything

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)
EVENTS = (0, 9, 26)  # after which somebody touches things
TOUCHED = 8  # of them


def touched(match: Match, seat: int) -> list[str]:
    """Some of what there is to touch on the picture."""
    found = ids(render_match(match, seat))
    return Random(match.length).sample(found, min(TOUCHED, len(found)))


def positions(variant: Variant) -> Iterator[tuple[Match, int]]:
    """A random match at a few moments, each with a seat to move."""
    random, match = Random(str(variant)), variant.match(1)
    for number in range(max(EVENTS) + 1):
        if match.over:
            return
        actor = random.choice(match.to_act)
        if number in EVENTS and isinstance(actor, int):
            yield match, actor
        match.play(actor, random.choice(match.moves(actor)))


@every_variant
def test_everything_can_be_asked_about(variant: Variant) -> None:
    """Nothing that can be picked is refused, and whatever is refused has a sentence in every language."""
    for match, seat in positions(variant):
        legal = [picks for _, picks, *_ in moves.picks(match, seat, "en", match.moves(seat))]
        for element in touched(match, seat):
            for begin in ((), legal[0][:1]):
                asked = [reason(match, seat, begin, [element], lang) for lang in words.LANGUAGES]
                assert len({found and found.element for found in asked}) == 1
                assert all(found is None or found.say for found in asked)
                possible = any(picks[: len(begin) + 1] == (*begin, element) for picks in legal)
                instead = any(picks[:1] == (element,) for picks in legal)
                assert asked[0] is None or not possible
                assert asked[0] or not begin or possible or instead, "nothing is dropped without a word"


@every_variant
def test_a_reason_gives_nothing_away(variant: Variant) -> None:
    """Whatever lies behind the same view, the same click is answered alike."""
    for number, (match, seat) in enumerate(positions(variant)):
        role, view = match.role(seat), match.seen(seat)
        other = match.copy()
        hidden = match.game.guess(view, role, Random(number))
        other._snapshots[-1] = other._snapshots[-1]._replace(state=hidden)  # what nobody can know
        if set(other.moves(seat)) != set(match.moves(seat)):
            continue  # the page knows its legal moves
        for element in touched(match, seat):
            for begin in ((), moves.picks(match, seat, "en", match.moves(seat))[0][1][:1]):
                assert reason(match, seat, begin, [element], "en") == reason(other, seat, begin, [element], "en")


AWAY = {"drop", "bin"}  # where anything can be put
USED = {"piece-used", "card-used"}  # refusals of what is laid already: its place in the tray is empty


@every_variant
def test_exactly_what_has_no_place_among_the_moves_fits_nowhere(variant: Variant) -> None:
    """What leads nowhere, or only to where anything can be put away, is told; and nothing else is."""
    for match, seat in positions(variant):
        picture, view, role = picture_of(match.game), match.seen(seat), match.role(seat)
        legal = [match.game.numbers[text] for text in match.moves(seat)]
        leads = [picture.picks(view, role, move) for move in legal]
        placed = {first for first, *rest in leads if not AWAY.issuperset(rest)}
        assert set(picture.stuck(view, role, legal)) == in_hand(match, seat) - placed


def in_hand(match: Match, seat: int) -> set[str]:
    """What lies there and could go to a place in this phase, if only there were room for it."""
    game, view, role = match.game, match.seen(seat), match.role(seat)
    there, found = set(ids(render_match(match, seat))), set[str]()
    for move in (move for span in game.spans(view, role) for move in range(*span)):
        first, *rest = picture_of(game).picks(view, role, move) or ("",)
        is_laid = not game.legal(view, role, move) and game.refusal(view, role, move) in USED
        if not is_laid and rest and rest[0] in there - AWAY:
            found.add(first)
    return found & there


def asked(match: Match, seat: int, *picks: str, lang: str = "en") -> Reason | None:
    *begin, touched = picks
    return reason(match, seat, begin, [touched], lang)


def blocked() -> tuple[Match, int, int]:
    """A match with a blocker on d4, who is to move, and who is not."""
    match = ludotheque.game("hepta").match(seed=1)
    match.play(match.to_act[0], "d4")
    (mine,) = match.to_act
    assert isinstance(mine, int)
    return match, mine, 1 - mine


def test_a_reason_names_what_is_in_the_way() -> None:
    match, mine, other = blocked()
    assert asked(match, mine, "cell-d4") == Reason("There is a blocker on that cell already.", "cell-d4")
    assert asked(match, other, "cell-a1") == Reason("It is not your turn.", "")
    assert asked(match, mine, "cell-a1") is None
    assert asked(match, mine, "nothing") is None


def test_the_reason_is_found_below_what_lies_on_top() -> None:
    match, mine, _ = blocked()
    found = reason(match, mine, [], ["blocker-d4", "cell-d4"], "fr")
    assert found == Reason(words.say("hepta", "fr", "refusals", "occupied"), "cell-d4")


def test_a_place_wants_a_piece_first() -> None:
    match = ludotheque.game("tricolore").match(3, seed=1)
    text = next(text for text in match.moves(0) if "-" in text)
    begin, end = text.split("-")
    assert asked(match, 0, f"space-{end}") == Reason("First touch what should go there.", f"space-{end}")
    far = asked(match, 0, f"pawn-{begin}", f"space-{begin}")
    assert far == Reason("It cannot go there.", f"space-{begin}")


def test_other_peoples_fleas_are_theirs() -> None:
    match = ludotheque.game("hundsgemein").match(2, seed=1)
    theirs = next(element for element in ids(render_match(match, 0)) if element.startswith("open-1-"))
    mine = match.to_act[0]
    assert mine == 0
    assert asked(match, 0, theirs) == Reason("That belongs to another player.", theirs)


def test_what_has_nothing_to_do_with_what_is_in_hand_has_a_reason_too() -> None:
    match = ludotheque.game("hundsgemein").match(2, seed=1)
    there = ids(render_match(match, 0))
    mine, theirs = (next(element for element in there if element.startswith(f"open-{seat}-")) for seat in (0, 1))
    for element in (*(element for element in there if element.startswith("dog-")), "tray-0", "tray-1", "stock-0"):
        assert asked(match, 0, mine, element) == Reason("It cannot go there.", element)
    assert asked(match, 0, mine, theirs) == Reason("That belongs to another player.", theirs)
    found = reason(match, 0, [mine], ["tray-1", theirs], "en")
    assert found == Reason("That belongs to another player.", theirs), (
        "what can be said is said before what is always true"
    )
    assert reason(match, 0, [mine], [], "en") is None, "beside everything"


def test_what_can_be_picked_instead_is_not_refused() -> None:
    match = ludotheque.game("pegs").match(2, seed=1)
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        match.play(0, cell)
    assert "done" in match.moves(1)
    assert asked(match, 1, "cell-a2", "done") is None
    assert asked(match, 1, "cell-a2", "cell-a1") is not None
