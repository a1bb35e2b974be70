"""Matches in a row; to take some, touch the first that you take."""

from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.svg import circle, group, line, title
from nim import State

ROW = 21


def draw(state: State, _seat: int, _story: Story) -> str:
    return "".join(_match(number) for number in range(state.left))


def picks(state: State, _actor: int, move: int) -> tuple[str, ...]:
    return (f"match-{state.left - move}",)


def ghost(state: State, _actor: int, move: int) -> str:
    return group((_match(state.left - taken - 1) for taken in range(move + 1)), class_="ghost")


def steps(before: State, news: Story, _after: State) -> list[AnimationStep]:
    ((_, move),) = news
    told = AnimationStep("go", f"match-{before.left}", sentence="take", values=(("number", str(move + 1)),))
    return [told, *(AnimationStep("go", f"match-{before.left - more}") for more in range(1, move + 1))]


def text(state: State) -> str:
    return "[red]|[/]" * state.left or "–"


def _match(number: int) -> str:
    row, place = divmod(number, ROW)
    x, y = 30 + 40 * place, 60 + 150 * row
    stick = line(x, y, x, y + 90, class_="nim-stick")
    return group([title(f"match {number + 1}"), stick, circle(x, y, 9, class_="seat0")], id=f"match-{number + 1}")


PICTURE = Picture(size=(860, 460), draw=draw, picks=picks, ghost=ghost, steps=steps, text=text)
