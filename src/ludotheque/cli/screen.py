"""What the terminal shows of a match: the board, who sits where, moves, the log and the result.

Everything shown to a seat comes through `Match.seen`, `Match.shown` and `Match.view`: what it may not know is not
there to be shown.
"""

import re
from collections import Counter
from collections.abc import Sequence

from rich import box as boxes
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludotheque import Match
from ludotheque.cli.messages import Markup, Messages
from ludotheque.game import AnyGame
from ludotheque.match import Actor, Event
from ludotheque.pictures.output.plain import sketch
from ludotheque.pictures.output.registry import has_picture, picture_of
from ludotheque.pictures.output.titles import translated_markup

CELL = re.compile(r"[a-z]\d+")
FEW = 30  # moves listed without being asked
NEWS = 12  # events told without being asked


def board(messages: Messages, game: AnyGame, state: tuple[object, ...]) -> RenderableType:
    """The position of a state or a view."""
    drawn = translated_markup(sketch(game)(state), game.stem, messages.lang)
    return Padding(Text.from_markup(drawn), (1, 2))


def name(messages: Messages, match: Match, actor: Actor) -> Markup:
    """Who that is: the role played now, and the seat. Some roles depend on how many play (`"2.0"`)."""
    if actor == "luck":
        return messages("luck")
    called = _role_name(messages, match, match.role(actor))
    return messages("seat", number=actor) if called is None else messages("role", role=called, number=actor)


def _role_name(messages: Messages, match: Match, role: int) -> Markup | None:
    stem = match.game.stem
    return messages.of(stem, "seats", f"{match.seats}.{role}") or messages.of(stem, "seats", str(role))


def person(messages: Messages, match: Match, actor: Actor) -> Markup:
    """Who that is over the whole match: in a series roles change, and only the seat stays."""
    return messages("seat", number=actor) if actor != "luck" and match.legs > 1 else name(messages, match, actor)


def event(messages: Messages, match: Match, happened: Event) -> str:
    """What somebody did."""
    actor, text = happened
    return f"[dim]{person(messages, match, actor)}[/] {escape(messages.written(match, text))}"


def news(messages: Messages, match: Match, before: Sequence[Event], now: Sequence[Event]) -> str:
    """What has come to light since: the events that are new, the last ones if they are many."""
    left = Counter(now) - Counter(before)
    fresh: list[str] = []
    for happened in reversed(now):
        if left[happened]:
            left[happened] -= 1
            fresh.append(event(messages, match, happened))
    many = ["…"] if len(fresh) > NEWS else []
    return "[dim] · [/]".join([*many, *reversed(fresh[:NEWS])])


def standing(messages: Messages, match: Match) -> str:
    """The leg, and the scores so far unless they depend on something hidden."""
    leg = [messages("play", "leg", leg=match.leg + 1, legs=match.legs)] if match.legs > 1 else []
    if match.seats == 1 or match.seen(None) != match.state:
        return "".join(leg)
    points = [f"{name(messages, match, seat)} {number}" for seat, number in enumerate(match.scores)]
    points += [f"{called} {number}" for called, number in _unowned(messages, match)]
    return "[dim] · [/]".join([*leg, *points])


def task(messages: Messages, match: Match, actor: Actor) -> str:
    """What the actor has to do now."""
    stem = match.game.stem
    phase = match.game.phase(match.state, match.role(actor))
    return messages.of(stem, "phases", phase) or messages("play", "move")


def listed(
    messages: Messages, match: Match, moves: Sequence[str], wanted: Sequence[str] | None = None
) -> RenderableType:
    """Moves with their numbers; a long list is folded unless it was wanted."""
    numbers = {text: number for number, text in enumerate(moves, 1)}
    shown = moves if len(moves) <= FEW else moves[: FEW - 6]
    width = len(str(len(moves)))
    texts = shown if wanted is None else wanted
    cells = [f"[dim]{numbers[text]:{width}}[/] {escape(messages.written(match, text))}" for text in texts]
    columns = Columns(cells, padding=(0, 3), equal=True)
    if wanted is not None or len(shown) == len(moves):
        return columns
    example = next((cell for text in reversed(moves) for cell in CELL.findall(text)), moves[-1])
    return Group(columns, messages("play", "more", number=len(moves) - len(shown), example=example))


def log(messages: Messages, match: Match, seat: int | None) -> str:
    """The log as the seat may read it."""
    shown = match.shown(seat)
    lines = [f"[dim]{number:4}[/]  {event(messages, match, happened)}" for number, happened in enumerate(shown, 1)]
    return "\n".join(lines) or messages("play", "no-log")


def result(messages: Messages, match: Match) -> RenderableType:
    """How it ended, and why."""
    if match.seats == 1:
        return messages("result", "solved" if match.solved else "unsolved")
    table = Table(box=boxes.SIMPLE, show_header=False, pad_edge=False)
    for seat, points in enumerate(match.scores):
        star = "[yellow]★[/]" if seat in match.winners and not match.draw else ""
        table.add_row(star, person(messages, match, seat), str(points))
    for called, points in _unowned(messages, match):
        table.add_row("", called, str(points))
    legs = [messages("result", "legs", legs=match.legs)] if match.legs > 1 else []
    return Group(*_gave_up(messages, match), _verdict(messages, match), *_reason(messages, match), table, *legs)


def _unowned(messages: Messages, match: Match) -> list[tuple[Markup, int]]:
    """Roles that nobody plays, but whose score counts."""
    roles = picture_of(match.game).unowned(match.end_state) if has_picture(match.game) else ()
    scores = match.game.scores(match.end_state)
    return [(_role_name(messages, match, role) or Markup(str(role + 1)), scores[role]) for role in roles]


def _reason(messages: Messages, match: Match) -> list[Markup]:
    """Why it ended so, in the game's own words."""
    step = None
    if match.ending is None and match.legs == 1 and has_picture(match.game):
        step = picture_of(match.game).reason(match.end_state)
    if step is None:
        return []
    values = {key.rpartition(":")[2]: _value(messages, match, key, value) for key, value in step.values}
    sentence = messages.of(match.game.stem, "ends", step.sentence, **values)
    return [] if sentence is None else [sentence]


def _value(messages: Messages, match: Match, key: str, value: str) -> str:
    return _role_name(messages, match, int(value)) or value if key.startswith("seat:") else value


def _gave_up(messages: Messages, match: Match) -> list[str]:
    seat = match.ending.seat if match.ending else None
    return [] if seat is None else [messages("result", "resigned", who=Markup(person(messages, match, seat)))]


def _verdict(messages: Messages, match: Match) -> str:
    winners = Markup(", ".join(person(messages, match, seat) for seat in match.winners))
    if match.draw:
        return messages("result", "agreed" if match.ending else "draw")
    if not winners:
        return messages("result", "nobody")
    return messages("result", "won" if len(match.winners) == 1 else "shared", who=winners)
