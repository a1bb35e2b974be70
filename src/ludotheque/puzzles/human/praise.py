"""What a solver deserves to hear at the end."""

from ludotheque.match import Match
from ludotheque.puzzles.pegs_solo import State, places_of

PROMISED, FEWEST = 11, 10  # cards of Pegs alone: what the makers promised, and what is possible


def praise(match: Match) -> str | None:
    """For Pegs alone, solved: the name of the sentence, under [puzzles.hints], that so few cards deserve."""
    state = match.state
    if not match.solved or not isinstance(state, State):
        return None
    cards = len(places_of(state))
    return "praise-ten" if cards <= FEWEST else "praise-eleven" if cards == PROMISED else None
