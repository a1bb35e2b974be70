"""The options of a game, wherever they stand behind it."""

import pytest

import ludotheque
from cli.terminal import Run
from ludotheque.cli.messages import CommandError
from ludotheque.cli.options import read

HUNDSGEMEIN = ludotheque.game("hundsgemein")
PEGS_SOLO = ludotheque.game("pegs-solo")


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ([], {}),
        (["--expert"], {"expert": True}),
        (["--no-expert"], {"expert": False}),
        (["--expert", "no"], {"expert": False}),
        (["--expert=TRUE"], {"expert": True}),
        (["--no-expert=true"], {"expert": False}),
        (["--referee", "table", "--expert"], {"referee": "table", "expert": True}),
        (["--expert", "--referee=table"], {"referee": "table", "expert": True}),
    ],
)
def test_options_are_read(given: list[str], values: dict[str, object]) -> None:
    assert read(HUNDSGEMEIN, given) == (values, [])


def test_other_words_stay_in_order() -> None:
    assert read(HUNDSGEMEIN, ["dog Rex", "--expert", "A@c3"]) == ({"expert": True}, ["dog Rex", "A@c3"])


def test_cells_are_read() -> None:
    assert read(PEGS_SOLO, ["--pegs", "b2-a1", "--cards", "10"]) == ({"pegs": ("a1", "b2"), "cards": 10}, [])


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (["--expert=maybe"], "flag"),
        (["--referee", "nobody"], "choice"),
        (["--referee"], "no-value"),
        (["--refere", "table"], "option-near"),
        (["--colour"], "option"),
        (["-x"], "option"),
    ],
)
def test_wrong_options_are_complained_of(given: list[str], kind: str) -> None:
    with pytest.raises(CommandError) as caught:
        read(HUNDSGEMEIN, given)
    assert caught.value.names == ("wrong", kind)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "hepta", "--legs", "0"], "from 1 to 100"),
        (["random", "hepta", "--rounds", "3"], "--legs"),
        (["random", "hepta", "--seats", "3"], "2"),
        (["random", "hepta", "--games", "many"], "from 1 on"),
        (["random", "hundsgemein", "--owners", "both"], "hidden, open"),
        (["random", "hundsgemein", "--expert=x"], "true or false"),
        (["random", "pegs-solo", "--pegs", "z9"], "different cells"),
        (["random", "pegs", "--legs", "2"], "nor any other"),
        (["random", "hepta", "d4"], "“d4”"),
        (["perft", "hepta", "--depth", "0"], "from 1 to 99"),
    ],
)
def test_a_wrong_option_tells_what_is_accepted(run: Run, words: list[str], said: str) -> None:
    assert said in run(*words, code=2).stderr
    assert run(*words, "--lang", "fr", code=2).stderr != run(*words, code=2).stderr
