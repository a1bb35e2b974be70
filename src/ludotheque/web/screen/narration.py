"""What happened last, step by step, as one seat may know it: as sentences, and as an order of animations."""

from itertools import pairwise

from ludotheque.game import LUCK, Json
from ludotheque.match import Match
from ludotheque.pictures.kit.picture import AnimationStep, Story
from ludotheque.pictures.output.registry import picture_of
from ludotheque.web.words import said, say, seat_name


def happened(match: Match, seat: int | None) -> list[tuple[int, AnimationStep]]:
    """The steps from before the last move to now, each with the role of who acted; luck's answer is part of it."""
    events = match.events
    since = next((n for n, (actor, _) in enumerate(reversed(events), 1) if actor != "luck"), 0)
    stages = [match.before(number) for number in range(since, -1, -1)]
    found: list[tuple[int, AnimationStep]] = []
    for before, after in pairwise(stages):
        actor = before.role(events[before.length][0])
        order = 1 + max((step.order for _, step in found), default=-1)
        steps = _steps(before, after, seat)
        found += [(actor, step._replace(order=step.order + order) if order else step) for step in steps]
    return found


def _steps(before: Match, after: Match, seat: int | None) -> list[AnimationStep]:
    if before.leg != after.leg:  # another match begins
        return []
    news = after.story(seat, since=before.length)
    if not after.game.tells_all:  # then others may have come out, too
        news = _news(before.story(seat), after.story(seat))
    if not news:  # somebody has chosen, and that is all one may know
        return [AnimationStep("show", "", sentence="chosen")]
    return picture_of(after.game).steps(before.seen(seat), news, after.seen(seat))


def _news(known: Story, told: Story) -> Story:
    """What the second story has more than the first: the last move, and what was sealed until now."""
    if len(told) < len(known):  # the rest was forgotten
        return told[-1:]
    rest = list(known)
    return tuple(entry for entry in told if not (rest and rest[0] == entry and rest.pop(0)))


def motions(steps: list[tuple[int, AnimationStep]]) -> list[Json]:
    """What the page shows of it, in order: {kind, what, to, order, svg}."""
    moving = [step for _, step in steps if step.kind != "show"]
    return [
        {"kind": step.kind, "what": step.element, "to": step.to, "order": step.order, "svg": step.svg}
        for step in sorted(moving, key=lambda step: step.order)
    ]


def takes(steps: list[tuple[int, AnimationStep]]) -> bool:
    """Whether somebody lost something: it was turned over, went, or was carried off after the move itself."""
    return any(
        step.sentence and (step.kind in ("flip", "go") or (step.kind == "move" and step.order > 0))
        for _, step in steps
    )


def sentences(
    match: Match, steps: list[tuple[int, AnimationStep]], names: list[str], lang: str, table: str = "steps"
) -> list[str]:
    """What happened, in words; `names` are those of the people, by seat."""
    spoken = []
    for actor, step in sorted(steps, key=lambda found: found[1].order):
        sentence = said(match.game.stem, lang, table, step.sentence) if step.sentence else None
        if sentence is not None:
            values = {"seat": _who(match, actor, names, lang)}
            for name, value in step.values:
                values[name.rpartition(":")[2]] = _value(match, name, value, names, lang)
            spoken.append(sentence.format(**values))
    return list(dict.fromkeys(spoken))


def _value(match: Match, name: str, value: str, names: list[str], lang: str) -> str:
    if name.startswith("seat:"):
        return _who(match, int(value), names, lang)
    if name.startswith("seats:"):
        parts = [part.split(" ") for part in value.split(", ") if part]
        return ", ".join(f"{_who(match, int(role), names, lang)} {number}" for role, number in parts) or "–"
    return value


def _who(match: Match, role: int, names: list[str], lang: str) -> str:
    """The name of whoever has this role; a role nobody plays goes by its own name."""
    if role == LUCK:
        return say("luck", lang)
    seat = next((seat for seat in range(match.seats) if match.role(seat) == role), None)
    return names[seat] if seat is not None else seat_name(match.game.stem, match.seats, role, lang)
