"""Whether the analysis of matches contradicts itself, and whether it is the same when it is made again.

    scripts/benchmark analysis [--games 50] [--levels 3,4] [--only hepta] [--minutes 30] [--write FILE.md]

Players of these levels, 3 to 5 if nothing is said, play matches of every duel. Each is analysed as on the web, and
once more in a fresh process. A flagged move (a slip or worse) is contradicted if the next evaluation does not fall by
what the move is said to have cost. Then the flagged moves alone are judged with four times the simulations.

Results are kept in `analysis.jsonl` beside this file, a line for each match; the same command goes on from there.
Lines of other settings are ignored.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from joblib import delayed

import ludotheque
from ludotheque import Match
from ludotheque.search.analysis import LEAST_COST, MARGIN, JudgedMove, local_judge, simulations_for, walk
from ludotheque.search.arena import player
from ludotheque.search.levels import evaluation_simulations
from ludotheque.search.parallel import results

KEPT = Path(__file__).with_suffix(".jsonl")
CLOSER = 4  # times the simulations, to confirm what was flagged
ROUNDING = 1e-9
TARGET_PERCENT = 1
AGAIN = "--again"  # reads a record, writes its analysis: how the fresh process is called
HEAD = """# Contradictions of the analysis

Written by `scripts/benchmark analysis`: matches among players of the levels {levels}, analysed as on the web. A
move is *flagged* if it is said to have cost at least {least} points in a hundred. It is *contradicted* if the
evaluation of the next position has not fallen by that cost, give or take {margin} points: as the page shows it or,
where luck or others' secret choices come in between, as it was before those were known. *Unsure* are moves after
which the evaluation fell by more than the best move can account for: nothing is claimed of them. *Confirmed* are
flagged moves that still cost at least half of it with {closer} times the simulations. *Same* are analyses that came
out alike, to the last digit, in another process. Seconds are processor time for one analysis. At most {target} % may
be contradicted.

| game | seats | matches | moves | flagged | contradicted | unsure | confirmed | same | simulations | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


@dataclass(frozen=True)
class Result:
    """What became of one match. `settings` are those of the evaluations."""

    game: str
    seats: int
    number: int
    settings: str
    moves: int
    flagged: int
    contradicted: int
    unsure: int
    confirmed: int
    same: bool
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="matches for each game and number of seats")
    parser.add_argument("--levels", default="3,4,5", help="of the players, who change seats from match to match")
    parser.add_argument("--only", default="", help="duels whose name begins so: hepta, pizza-3")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which no more matches are begun")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--keep", type=Path, default=KEPT, help="where results are kept")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    duels = [(box.key, seats) for box in ludotheque.games() for seats in box.seats if seats > 1]
    chosen = [duel for duel in duels if "{}-{}".format(*duel).startswith(wanted.only)]
    end = time.time() + 60 * wanted.minutes
    done = {(each.game, each.seats, each.number) for each in recalled(wanted.keep, wanted.levels)}
    missing = [(*duel, number) for number in range(wanted.games) for duel in chosen if (*duel, number) not in done]
    for found in results([delayed(one_match)(*each, wanted.levels, end) for each in missing], wanted.jobs):
        if found is not None:
            with wanted.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found)) + "\n")
            print(found, flush=True)
    complete = [each for each in recalled(wanted.keep, wanted.levels) if each.number < wanted.games]
    text = page(duels, complete, wanted.levels)
    print(text)
    if wanted.write:
        wanted.write.write_text(text, encoding="utf-8")


def one_match(key: str, seats: int, number: int, levels: str, end: float) -> Result | None:
    """Play, analyse and compare; nothing if time is up."""
    if time.time() > end:
        return None
    match = played(key, seats, number, levels.split(","))
    begin = time.process_time()
    steps = list(walk(match, local_judge(simulations_for(match))))
    seconds = time.process_time() - begin
    command = [sys.executable, __file__, AGAIN]
    again = subprocess.run(command, input=match.save(), capture_output=True, text=True, check=True)  # noqa: S603
    flagged = [step for step in steps if step.kind]
    return Result(
        key,
        seats,
        number,
        settings(key, seats, levels),
        len(steps),
        len(flagged),
        sum(contradicted(match, steps, step) for step in flagged),
        sum(step.unsure for step in steps),
        sum(confirmed(match, step) for step in flagged),
        again.stdout == written(steps),
        round(seconds, 2),
    )


def played(key: str, seats: int, number: int, levels: Sequence[str]) -> Match:
    """A match among players of these levels, in turn."""
    match = ludotheque.game(key).match(seats, seed=f"analysis {number}")
    names = [levels[(number + seat) % len(levels)] for seat in range(seats)]
    players = [player(level, number * 11 + seat) for seat, level in enumerate(names)]
    while not match.over:
        for seat in match.to_act:
            assert isinstance(seat, int)
            text = players[seat](match, seat)
            if text is not None:
                match.play(seat, text)
                break
    return match


def contradicted(match: Match, steps: Sequence[JudgedMove], step: JudgedMove) -> bool:
    """Whether the evaluation after a move did not fall by what the move is said to have cost."""
    following = next((each for each in steps if each.number == step.number + 1 and each.leg == step.leg), None)
    seen_by_all = match.game.is_open and following is not None and following.hopes
    after = following.hopes if following and seen_by_all else step.after
    return abs(step.hopes[step.seat] - after[step.seat] - step.cost) > MARGIN + ROUNDING


def confirmed(match: Match, step: JudgedMove) -> bool:
    """Whether a closer look finds at least half of the cost."""
    before = match.before(match.length - step.number)
    closer = local_judge(CLOSER * simulations_for(match))(before, step.seat, step.move)
    return closer.cost >= step.cost / 2


def written(steps: Sequence[JudgedMove]) -> str:
    return json.dumps([asdict(step) for step in steps])


def settings(key: str, seats: int, levels: str) -> str:
    return f"{levels} {evaluation_simulations(ludotheque.game(key).rules, seats)} {MARGIN} {LEAST_COST}"


def recalled(keep: Path, levels: str) -> list[Result]:
    """The results kept that belong to today's settings."""
    lines = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    found = [Result(**json.loads(line)) for line in lines]
    return [each for each in found if each.settings == settings(each.game, each.seats, levels)]


def page(duels: Sequence[tuple[str, int]], found: Sequence[Result], levels: str) -> str:
    head = HEAD.format(
        levels=levels.replace(",", ", "),
        least=round(100 * LEAST_COST),
        margin=round(100 * MARGIN),
        closer=CLOSER,
        target=TARGET_PERCENT,
    )
    return head + "".join(f"{row}\n" for row in rows(duels, found))


def rows(duels: Sequence[tuple[str, int]], found: Sequence[Result]) -> Iterator[str]:
    for key, seats in duels:
        alike = [each for each in found if (each.game, each.seats) == (key, seats)]
        if alike:
            simulations = evaluation_simulations(ludotheque.game(key).rules, seats)
            yield row(f"{key} | {seats}", alike, f"{simulations:,}")
    yield row("**all** | ", found, "")


def row(name: str, found: Sequence[Result], simulations: str) -> str:
    number, flagged = max(len(found), 1), sum(each.flagged for each in found)
    cells = [
        name,
        str(len(found)),
        str(sum(each.moves for each in found)),
        str(flagged),
        share(sum(each.contradicted for each in found), flagged),
        str(sum(each.unsure for each in found)),
        share(sum(each.confirmed for each in found), flagged),
        share(sum(each.same for each in found), len(found)),
        simulations,
        f"{sum(each.seconds for each in found) / number:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "–"


def analyse_again() -> None:
    """Analyse the record on standard input, in this process."""
    match = ludotheque.load(sys.stdin.read())
    sys.stdout.write(written(list(walk(match, local_judge(simulations_for(match))))))


if __name__ == "__main__":
    if sys.argv[1:] == [AGAIN]:
        analyse_again()
    else:
        main()
