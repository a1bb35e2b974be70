"""`ludotheque perft`, and the counting behind it."""

import pytest

import ludotheque
from cli.terminal import Run, random_match
from ludotheque.match import Match
from ludotheque.search import perft as search
from ludotheque.search.perft import perft, perfts


def by_playing(match: Match, depth: int) -> int:
    """Sequences counted in the simplest way there is: by playing them all."""
    if depth == 0:
        return 1
    actors = match.to_act[:1] if match.game.sealed(match.state) else match.to_act
    found = 0
    for actor in actors:
        for text in match.moves(actor):
            again = Match(match.game, match.seats, None, match.options)
            for event in match.events:
                again.enter(event)
            again.play(actor, text)
            found += by_playing(again, depth - 1)
    return found


def after(key: str, texts: str, seats: int, **options: object) -> Match:
    match = ludotheque.game(key).match(seats, luck=None, **options)  # type: ignore[arg-type]
    for text in texts.split(","):
        actor = next(actor for actor in match.to_act if text in match.moves(actor))
        match.play(actor, text)
    return match


DEALT = ",".join(f"dog {dog}" for dog in ("Rex", "Fifi", "Daisy", "Zorro") * 3) + ",flip A,flip B,flip A,flip B"


@pytest.mark.parametrize(
    ("match", "depth"),
    [
        (after("hepta", "a1,b1,c1,d1,e1,f1", 2, legs=1), 2),
        (after("pizza", "d4,d2,roll 4", 2), 3),
        (after("pizza", "d4,d2,c4", 3), 3),
        (after("hundsgemein", f"{DEALT},A@a1,flip A", 2, referee="table"), 2),
    ],
)
def test_counts_what_can_be_played(match: Match, depth: int) -> None:
    for deep in range(1, depth + 1):
        assert perft(match.game, match.state, deep) == by_playing(match, deep)


def test_the_end_of_a_leg_ends_every_sequence() -> None:
    match = random_match("tfortwo", legs=1)
    assert perft(match.game, match.state, 1) == 0
    before = random_match("tfortwo", legs=1, moves=len(match.events) - 2)
    assert perft(before.game, before.state, 3) == by_playing(before, 3)
    assert perft(before.game, before.state, 3) < by_playing(random_match("tfortwo", moves=len(before.events)), 3)


def test_machine_code_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludotheque.game("hepta").rules
    slow = list(perfts(game, game.start(2), 2))
    monkeypatch.setattr(search, "COMPILE_ABOVE", 0)
    assert list(perfts(game, game.start(2), 4)) == [*slow, 49 * 48 * 47, 49 * 48 * 47 * 46]


def test_prints_depths_and_counts_and_nothing_else(run: Run) -> None:
    result = run("perft", "hepta", "--depth", "3")
    assert result.stdout == "1 49\n2 2352\n3 110544\n"
    assert result.stderr == ""


def test_options_and_moves_may_be_mixed(run: Run) -> None:
    counted = run("perft", "pizza", "--seats", "2", "d4", "--rounds", "9", "--depth=2", "d2", "roll 4").stdout
    match = after("pizza", "d4,d2,roll 4", 2)
    assert counted == f"1 {by_playing(match, 1)}\n2 {by_playing(match, 2)}\n"


def test_luck_counts_each_outcome_once(run: Run) -> None:
    assert run("perft", "hundsgemein", "--depth", "2").stdout == "1 4\n2 16\n"


def test_secret_choices_are_taken_in_seat_order(run: Run) -> None:
    assert run("perft", "pizza", "--depth", "2", "d4", "d2", "c4").stdout == "1 6\n2 36\n"


def test_open_simultaneity_counts_every_actor(run: Run) -> None:
    words = ["hundsgemein", "--seats", "2", "--referee=table", *f"{DEALT},A@a1,flip A".split(","), "--depth", "1"]
    match = after("hundsgemein", f"{DEALT},A@a1,flip A", 2, referee="table")
    assert run("perft", *words).stdout == f"1 {sum(len(match.moves(actor)) for actor in match.to_act)}\n"


@pytest.mark.parametrize(("move", "said"), [("z9", "A move looks like this"), ("I", "first")])
def test_moves_that_cannot_be_played_are_refused(run: Run, move: str, said: str) -> None:
    assert said in run("perft", "hepta", move, "--depth", "1", code=2).stderr


def test_refusals_are_translated(run: Run) -> None:
    assert "Un coup s’écrit ainsi" in run("perft", "hepta", "z9", "--depth", "1", "--lang", "fr", code=2).stderr
