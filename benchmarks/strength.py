"""The strength of our players: a ladder of levels, the baselines, and OpenSpiel's MCTS bot at the same game.

    scripts/benchmark strength [--games 200] [--only hepta] [--minutes 30] [--speeds] [--write docs/strength.md]

Pairings are played in turn, a batch of games each, so that a run that is stopped has results for all of them; the
same command resumes it. Results are kept in `benchmarks/strength.json`: for each pairing the result of every game,
and a fingerprint of the players' settings. Games of other settings are dropped.

Players are named as in `ludotheque arena`; `spiel0.2` is OpenSpiel's bot through our adapter, with that many seconds
a move, like the player it meets. Time is processor time, so that other load on the machine does not matter.
"""

import argparse
import hashlib
import inspect
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as spiel_mcts

import ludotheque
from ludotheque import Box, Match
from ludotheque.adapters.openspiel import SpielState, register
from ludotheque.game import AnyGame
from ludotheque.search import heuristics
from ludotheque.search.arena import Contest, Played, Player, contest, player, verdict
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective
from ludotheque.search.levels import LEVELS, levels
from ludotheque.search.mcts import search
from ludotheque.search.scratch import SearchParams, new_scratch
from ludotheque.search.tree import new_tree

Kept: TypeAlias = dict[str, dict[str, object]]

MAX_SIMULATIONS = 10_000  # of level 5: with its whole budget the games would take days
LADDER = (("random", "5"), ("greedy", "5"), ("1", "2"), ("2", "3"), ("3", "4"), ("4", "5"))
SEQUENTIAL = ("hepta", "tfortwo", "tricolore", "pegs")
SECONDS_PER_MOVE = 0.2  # against OpenSpiel's bot
TRIAL_SIMULATIONS = 4  # to measure how long one takes
UNLIMITED_SIMULATIONS = 1 << 40
BATCH_GAMES = 20  # of a pairing before it is the next one's turn
SPEEDS = "simulations a second"  # their key in the results
KEPT = Path(__file__).with_name("strength.json")
HEAD = """# Strength of the computer players

Written by `scripts/benchmark strength`, which can be stopped and resumed; every game's result is in
`benchmarks/strength.json`. Seats are rotated. The share is what the stronger player named first won of all games, a
shared win counted in parts, with a margin of error of 95 %. At tables for more than two it sits alone against
copies of the other, and the share wanted is 1.5 times its fair share. Games of several legs are played in full.
Time is processor time. Level 5 plays with at most 10,000 simulations a move here, though in most games it has more,
up to 40,000: with all of them, these games would take days.
{more}
| game | seats | players | games | share | × fair | wanted | reached |
|---|--:|---|--:|--:|--:|--:|---|
"""
SPEEDS_HEAD = """
Simulations a second of the tree search alone, from the first position, with playouts to the end. The players'
playouts are shorter or longer, and worth more: in Pizza Theory, a simulation of the strongest level evaluates all
joint cuts.

| game | seats | our simulations/s | OpenSpiel's, through the adapter |
|---|--:|--:|--:|"""


@dataclass(frozen=True)
class Pairing:
    """One line of the page: the game, the players, and the share to reach."""

    box: Box
    seats: int
    players: tuple[str, str]
    games: int

    @property
    def wanted(self) -> float:
        """The share to reach."""
        weaker = self.players[0]
        if weaker in ("random", "greedy") or weaker.startswith("spiel"):
            return 0.95 if weaker == "random" else 0.9
        return 0.65 if self.seats == 2 else 1.5 / self.seats

    @property
    def name(self) -> str:
        return f"{self.box.key}-{self.seats} {' '.join(self.players)}"

    @property
    def settings(self) -> str:
        """A fingerprint of the players' settings: levels and heuristics, not the search."""
        table = levels(self.box.rules, self.seats)
        strengths = [table[int(name)] if name.isdecimal() else (name, table[LEVELS[-1]]) for name in self.players]
        known = heuristics.knowledge(self.box.rules)
        code = inspect.getsource(known) if known else ""
        digest = hashlib.sha256(repr((strengths, code)).encode())
        learned = Path(known.__file__ or "").with_suffix(".npy") if known else None
        if learned and learned.exists():
            digest.update(learned.read_bytes())
        return digest.hexdigest()[:12]

    @property
    def contest(self) -> Contest:
        return Contest(self.box.rules, self.seats, self.players, self.games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="for each pairing")
    parser.add_argument("--spiel-games", type=int, default=100, help="against OpenSpiel's bot")
    parser.add_argument("--only", default="", help="steps whose name begins so: hepta, pizza-3, 'pizza-3 random'")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which no more batches are begun")
    parser.add_argument("--speeds", action="store_true", help="measure simulations a second, too")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--keep", type=Path, default=KEPT, help="where results are kept")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    everything = list(pairings(wanted.games, wanted.spiel_games))
    ladder = [pairing for pairing in everything if pairing.name.startswith(wanted.only)]
    end = time.monotonic() + 60 * wanted.minutes
    for most in range(BATCH_GAMES, max(wanted.games, wanted.spiel_games) + BATCH_GAMES, BATCH_GAMES):
        for pairing in ladder:
            if time.monotonic() < end:
                climb(pairing, min(most, pairing.games), wanted.keep, wanted.jobs)
    if wanted.speeds:
        keep_all(recalled(wanted.keep) | {SPEEDS: speeds()}, wanted.keep)
    if wanted.write:
        wanted.write.write_text(page(everything, wanted.keep), encoding="utf-8")


def pairings(games: int, spiel_games: int) -> Iterator[Pairing]:
    """All pairings, the most telling first."""
    tables = [(box, seats) for box in ludotheque.games() for seats in box.seats if seats > 1]
    for weaker, stronger in LADDER:
        for box, seats in tables:
            strongest = f"{min(MAX_SIMULATIONS, levels(box.rules, seats)[LEVELS[-1]].simulations)}n"
            yield Pairing(box, seats, (weaker, strongest if stronger == "5" else stronger), games)
    for box, seats in tables:
        if box.key in SEQUENTIAL:
            yield Pairing(box, seats, (f"spiel{SECONDS_PER_MOVE:g}", f"{SECONDS_PER_MOVE:g}s"), spiel_games)


def climb(pairing: Pairing, games: int, keep: Path, jobs: int) -> None:
    """Play a pairing up to so many games and keep the results."""
    done = played(pairing, keep)
    if len(done) >= games:
        return
    part = Contest(pairing.box.rules, pairing.seats, pairing.players, games)
    begin = time.monotonic()
    done += list(contest(part, None, jobs, make=seated, done={each.number for each in done}))
    remember(pairing, done, keep)
    print(f"{row(pairing, done)}  {time.monotonic() - begin:.0f} s", flush=True)


def played(pairing: Pairing, keep: Path) -> list[Played]:
    """The games of a pairing that are kept and were played by these players."""
    found = recalled(keep).get(pairing.name)
    if found is None or found["settings"] != pairing.settings:
        return []
    return [Played(number, tuple(shares), moves) for number, shares, moves in found["games"]]  # type: ignore[attr-defined]


def remember(pairing: Pairing, done: list[Played], keep: Path) -> None:
    games = sorted([each.number, [round(share, 3) for share in each.shares], each.moves] for each in done)
    keep_all(recalled(keep) | {pairing.name: {"settings": pairing.settings, "games": games}}, keep)


def keep_all(kept: Kept, keep: Path) -> None:
    lines = (f"{json.dumps(name)}: {json.dumps(kept[name], separators=(',', ':'))}" for name in sorted(kept))
    keep.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def recalled(keep: Path) -> Kept:
    found: Kept = json.loads(keep.read_text(encoding="utf-8")) if keep.exists() else {}
    return found


def page(ladder: list[Pairing], keep: Path) -> str:
    """The ladder game by game, and speeds."""
    order = sorted(ladder, key=lambda pairing: (pairing.box.key, pairing.seats))
    results = {pairing: played(pairing, keep) for pairing in order}
    open_ = sum(len(done) < pairing.games for pairing, done in results.items())
    more = f"{open_} of {len(order)} steps have not had all their games yet.\n" if open_ else ""
    rows = [row(pairing, done) for pairing, done in results.items()]
    return "\n".join([HEAD.format(more=more).rstrip("\n"), *rows, *speed_table(keep)]) + "\n"


def row(pairing: Pairing, done: list[Played]) -> str:
    weaker, stronger = ("5" if name.endswith("n") else name for name in pairing.players)
    head = f"| {pairing.box.key} | {pairing.seats} | {stronger} against {weaker} | {len(done)}"
    if not done:
        return f"{head} | – | – | {100 * pairing.wanted:.0f} % | not played yet |"
    found = verdict(pairing.contest, done)
    reached = "yes" if found.share >= pairing.wanted else "no"
    return (
        f"{head} | {100 * found.share:.1f} % ± {100 * found.margin:.1f} | {found.times_fair:.2f} "
        f"| {100 * pairing.wanted:.0f} % | {reached if len(done) >= pairing.games else f'{reached} so far'} |"
    )


def seated(name: str, seed: int) -> Player:
    """A player of ours, or OpenSpiel's."""
    if name.startswith("spiel"):
        return partial(spiel_move, seconds=float(name.removeprefix("spiel")), seed=seed)
    return player(name, seed)


def spiel_move(match: Match, _seat: int, *, seconds: float, seed: int) -> str | None:
    """The move of OpenSpiel's MCTS bot with as many simulations as fit in its time, by a trial run."""
    game = pyspiel.load_game(register(match.game), {"seats": match.seats})
    state = game.state_of(match)
    begin = time.process_time()
    spiel_bot(game, TRIAL_SIMULATIONS, seed).step(state)
    spent = time.process_time() - begin
    simulations = max(int((seconds - spent) * TRIAL_SIMULATIONS / spent), TRIAL_SIMULATIONS)
    action: int = spiel_bot(game, simulations, seed).step(state)
    return match.game.texts[action]


def spiel_bot(game: pyspiel.Game, simulations: int, seed: int) -> spiel_mcts.MCTSBot:
    random = np.random.RandomState(seed % 2**32)
    return spiel_mcts.MCTSBot(
        game, 1.4, simulations, spiel_mcts.RandomRolloutEvaluator(1, random), random_state=random
    )


def speed_table(keep: Path) -> list[str]:
    """Simulations a second from the start, ours and theirs, if they have been measured."""
    found = cast("dict[str, tuple[int, int | None]]", recalled(keep).get(SPEEDS, {}))
    lines = [SPEEDS_HEAD]
    for name, (ours, theirs) in found.items():
        key, seats = name.rsplit("-", 1)
        lines.append(f"| {key} | {seats} | {ours:,.0f} | {f'{theirs:,.0f}' if theirs else '–'} |")
    return lines if found else []


def speeds() -> dict[str, object]:
    return {
        f"{box.key}-{seats}": (
            round(our_speed(box, seats)),
            round(their_speed(box.rules, seats)) if box.key in SEQUENTIAL else None,
        )
        for box in ludotheque.games()
        for seats in box.seats
        if seats > 1
    }


def our_speed(box: Box, seats: int) -> float:
    run, state = machine(box.rules).build(search), box.match(seats, seed=1).state
    tree, scratch = new_tree(100_000, 1_000_000, sealed=True), new_scratch(1)
    objective = Objective(seats, 0.1, 10.0, 0.0, 0.0, 1)
    run(tree, scratch, state, 10, UNLIMITED_SIMULATIONS, objective, SearchParams())
    begin = time.process_time()
    return run(tree, scratch, state, 20_000, UNLIMITED_SIMULATIONS, objective, SearchParams()) / (
        time.process_time() - begin
    )


def their_speed(rules: AnyGame, seats: int) -> float:
    game = pyspiel.load_game(register(rules), {"seats": seats})
    state: SpielState = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    begin = time.process_time()
    spiel_bot(game, 50, 1).step(state)
    return 50 / (time.process_time() - begin)


if __name__ == "__main__":
    main()
