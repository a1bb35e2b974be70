"""Every game's picture: well-formed, without secrets, and leading by picks to every move and to no two at once."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from random import Random

import pytest

from ludotheque import Match, words
from ludotheque.game import NOBODY, moves
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from variants import Variant, everything

MAX_PICTURE_CHARS = 60_000  # characters

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


def walk(variant: Variant, events: int = 60) -> Iterator[Match]:
    """A random match, again and again as it goes on."""
    random, match = Random(str(variant)), variant.match(1)
    for _ in range(events):
        yield match
        if match.over:
            return
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))


def ids(svg: str) -> list[str]:
    return [element.attrib["id"] for element in ET.fromstring(svg).iter() if "id" in element.attrib]  # noqa: S314


@every_variant
def test_pictures_are_well_formed_small_and_with_unique_ids(variant: Variant) -> None:
    for match in walk(variant):
        for seat in (None, *range(match.seats)):
            svg = render_match(match, seat)
            assert len(svg) < MAX_PICTURE_CHARS
            found = ids(svg)
            assert len(set(found)) == len(found)


@every_variant
def test_picks_lead_to_exactly_one_move_each(variant: Variant) -> None:
    for match in walk(variant, 30):
        picture = picture_of(match.game)
        for seat in match.to_act:
            assert isinstance(seat, int)
            view, role = match.seen(seat), match.role(seat)
            there = set(ids(render_match(match, seat)))
            found = {move: picture.picks(view, role, move) for move in moves(match.game, match.state, role)}
            assert len(set(found.values())) == len(found)
            beginnings = {picks[:length] for picks in found.values() for length in range(1, len(picks))}
            assert beginnings.isdisjoint(found.values())
            for move, picks in found.items():
                assert picks
                for number, pick in enumerate(picks):
                    last = number == len(picks) - 1
                    assert pick in there or (last and pick.startswith("way-")), match.game.texts[move]
                ET.fromstring(f"<g>{picture.ghost(view, role, move)}</g>")  # noqa: S314


@every_variant
def test_what_is_has_fixed_picks_depends_on_the_move_alone(variant: Variant) -> None:
    known: dict[int, tuple[tuple[str, ...], str]] = {}
    for match in walk(variant):
        picture = picture_of(match.game)
        for seat in match.to_act if picture.fixed_picks else ():
            view, role = match.seen(seat if isinstance(seat, int) else None), match.role(seat)
            for move in moves(match.game, match.state, role):
                found = picture.picks(view, role, move), picture.ghost(view, role, move)
                assert known.setdefault(move, found) == found


@every_variant
def test_pictures_show_nothing_a_seat_may_not_know(variant: Variant) -> None:
    """Any state behind the same view gives the same picture: what is drawn came through the view."""
    for number, match in enumerate(walk(variant)):
        game, picture = match.game, picture_of(match.game)
        for seat in (None, *range(match.seats)):
            role = NOBODY if seat is None else match.role(seat)
            view = match.seen(seat)
            other = game.view(game.guess(view, role, Random(number)), role)
            assert picture.draw(other, role, match.story(seat)) == picture.draw(view, role, match.story(seat))


@every_variant
def test_terminal_pictures_can_be_shown(variant: Variant) -> None:
    from rich.text import Text

    for match in walk(variant):
        plain = Text.from_markup(picture_of(match.game).text(match.seen(None))).plain
        assert max(len(line) for line in plain.splitlines()) <= 80


@every_variant
def test_steps_tell_the_difference_between_two_pictures(variant: Variant) -> None:
    """What appears and goes by the steps is what is new and missing in the picture, and each step has its words."""
    random, match = Random(str(variant)), variant.match(1, by_hand=True)
    for _ in range(80):
        if match.over:
            break
        seat = random.choice((None, *range(match.seats)))
        leg, before, told, there = match.leg, match.seen(seat), len(match.shown(seat)), ids(render_match(match, seat))
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        news = match.story(seat)[told:] if len(match.shown(seat)) >= told else match.story(seat)[-1:]
        if match.leg == leg and news:
            steps = picture_of(match.game).steps(before, news, match.seen(seat))
            _fits(steps, set(there), set(ids(render_match(match, seat))))
            _can_be_told(match.game.stem, steps)


def _fits(steps: list[AnimationStep], before: set[str], after: set[str]) -> None:
    appeared = {step.element for step in steps if step.kind == "appear"} | {step.to for step in steps if step.to}
    gone = {step.element for step in steps if step.kind in {"go", "move", "turn", "flip"}}
    assert steps
    assert after - before <= appeared
    assert before - after <= gone
    assert gone <= before | appeared
    assert {step.element for step in steps if step.kind == "show"} <= before | after
    assert [step.order for step in steps] == sorted(step.order for step in steps)


def _can_be_told(stem: str, steps: list[AnimationStep]) -> None:
    assert any(step.sentence for step in steps)
    for step in steps:
        for lang in words.LANGUAGES if step.sentence else ():
            values = {name.removeprefix("seat:"): value for name, value in step.values}
            assert words.say(stem, lang, "steps", step.sentence, seat="Ada", **values)
