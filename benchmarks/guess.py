"""How well the strongest player's cut can be guessed.

    scripts/benchmark guess [--games 30] [--write docs/benchmarks/guess.md]

Players of level 5 meet each other. Whoever knows how they think, and all they have seen, can say how likely each of
their cuts is; the likeliest is what to guess. Beside it stands what an equilibrium would give away, each outcome
judged as it stands: where one cut is best whatever the others do, it can be guessed, too.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple, cast

from joblib import delayed

import ludotheque
from ludotheque import Match
from ludotheque.game import moves
from ludotheque.games.pizza import CUT, State
from ludotheque.luck import Luck
from ludotheque.search import opponent_model, sealed
from ludotheque.search.heuristics import Objective
from ludotheque.search.heuristics.pizza import PROFILE, unseal
from ludotheque.search.parallel import results
from ludotheque.search.players import PlayerMemory, think_for

LISTED_ROUNDS = 6  # later ones are counted with the last
HEAD = """# Predictability of cuts

Written by `scripts/benchmark guess`: {games} games among players of level 5 for each number of seats, {simulations:,}
simulations a move. For each round: the mean probability of the most probable of the six cuts, and what it would be in
an equilibrium of the same matrix game, each outcome valued without further search.

| seats | round | cuts | most probable cut | in an equilibrium |
|--:|--:|--:|--:|--:|
"""


class Cut(NamedTuple):
    """In which round, how likely the likeliest was, and in an equilibrium."""

    round: int
    ours: float
    equilibrium: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30, help="for each number of seats")
    parser.add_argument("--simulations", type=int, default=1000, help="for each move")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    asked = parser.parse_args()
    page = HEAD.format(games=asked.games, simulations=asked.simulations)
    print(page, end="")
    for seats in (2, 3):
        tasks = [delayed(cuts)(seats, number, asked.simulations) for number in range(asked.games)]
        for line in rows(seats, [cut for found in results(tasks, asked.jobs) for cut in found]):
            print(line, flush=True)
            page += f"{line}\n"
    if asked.write:
        asked.write.write_text(page, encoding="utf-8")


def cuts(seats: int, number: int, simulations: int) -> list[Cut]:
    """All cuts of a game."""
    match = Match(ludotheque.game("pizza").rules, seats, Luck(f"guess {number}"))
    memories, found = [PlayerMemory() for _ in range(seats)], list[Cut]()
    while not match.over:
        seat = match.to_act[0]
        assert isinstance(seat, int)
        state = cast("State", match.state)
        thought = think_for(match, seat, simulations=simulations, seed=number, memory=memories[seat])
        if state.phase == CUT:
            ours = max(option.attention for option in thought.candidates)
            found.append(Cut(state.round, ours, equilibrium(unseal(state), seat)))
        assert thought.move is not None
        match.play(seat, thought.move)
    return found


def equilibrium(state: State, seat: int) -> float:
    """How likely the likeliest cut of a seat is in an equilibrium of what the cuts would leave."""
    rules, seats = ludotheque.game("pizza").rules, list(range(state.seats))
    after = opponent_model.outcomes(rules, state, seats, [moves(rules, state, each) for each in seats])
    worth = opponent_model.estimates(
        rules, after, Objective(state.seats, PROFILE.points_weight, PROFILE.points_scale, 0.0, 0.0, 1)
    )
    return float(sealed.equilibrium(worth[seats])[seat].max())


def rows(seats: int, found: list[Cut]) -> list[str]:
    by_round = defaultdict[int, list[Cut]](list)
    for cut in found:
        by_round[min(cut.round, LISTED_ROUNDS - 1)].append(cut)
    lines = []
    for number, alike in sorted(by_round.items()):
        ours, theirs = (100 * sum(part) / len(alike) for part in list(zip(*alike, strict=True))[1:])
        name = f"{number + 1}" if number < LISTED_ROUNDS - 1 else f"{LISTED_ROUNDS} and later"
        lines.append(f"| {seats} | {name} | {len(alike)} | {ours:.0f} % | {theirs:.0f} % |")
    return lines


if __name__ == "__main__":
    main()
