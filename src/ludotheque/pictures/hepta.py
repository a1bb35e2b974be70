"""Hepta to be seen."""

from ludotheque.games.hepta import State
from ludotheque.pictures.terminal import square


def text(state: State) -> str:
    def mark(cell: int) -> str:
        if state.blockers >> cell & 1:
            return "[blue]◉ [/]"
        if state.eyes >> cell & 1:
            return "[white on dark_orange3]▮▮[/]"
        if state.ells >> cell & 1:
            return "[white on dodger_blue3]▙▖[/]"
        return "[dim]· [/]"

    left = f"I {state.eyes_left}  L {state.ells_left}"
    return f"{square(mark)}\n\n   {left}"
