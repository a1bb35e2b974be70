"""What a move of Tricolore does to the picture, and how the score came about."""

from ludotheque.board.bits import cells
from ludotheque.board.triangle import WAYS
from ludotheque.games.tricolore import BEGINS, BOARD, ENDS, GOAL, SPINS, State, owner, play, start
from ludotheque.pictures.kit.picture import AnimationStep, Story
from ludotheque.pictures.tricolore.track import captured_by

TURNS = {1: "turn-right", WAYS - 1: "turn-left"}


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """The pawn moves or turns, then whatever it captures goes to the tray."""
    ((actor, move),) = news
    prey = cells(captured_by(before, after, actor))
    first = before.taken[actor] + 1
    return [_played(move), *(_capture(before, cell, actor, number) for number, cell in enumerate(prey, first))]


def score_steps(state: State, story: Story) -> list[AnimationStep]:
    """Every capture, in the order of the moves."""
    here, told = start(state.seats, quiet=state.limit), []
    for number, (actor, move) in enumerate(story, 1):
        after = play(here, actor, move)
        for cell in cells(captured_by(here, after, actor)):
            taken = ("seat:owner", str(owner(here, cell))), ("cell", BOARD.names[cell])
            values = (("number", str(number)), ("seat:taker", str(actor)), *taken)
            told.append(AnimationStep("show", f"tray-{actor}", sentence="capture", values=values))
        here = after
    return told


def reason(state: State) -> AnimationStep | None:
    """Three captures, or too long without any."""
    if max(state.taken) >= GOAL:
        return AnimationStep("show", f"tray-{state.taken.index(max(state.taken))}", sentence="goal")
    values = (("quiet", str(state.limit)), ("captures", str(max(state.taken))))
    return AnimationStep("show", "quiet", sentence="quiet" if max(state.taken) else "quiet-none", values=values)


def _played(move: int) -> AnimationStep:
    begin, end = BOARD.names[BEGINS[move]], BOARD.names[ENDS[move]]
    if SPINS[move]:
        return AnimationStep("turn", f"pawn-{begin}", 0, f"pawn-{end}", TURNS[SPINS[move]], (("cell", begin),))
    return AnimationStep("move", f"pawn-{begin}", 0, f"pawn-{end}", "step", (("cell", begin), ("end", end)))


def _capture(before: State, cell: int, actor: int, number: int) -> AnimationStep:
    name = BOARD.names[cell]
    values = (("cell", name), ("seat:owner", str(owner(before, cell))))
    return AnimationStep("move", f"pawn-{name}", 1, f"captured-{actor}-{number}", "capture", values)
