"""Lists for people: moves in words and in the visitor's language, the set-up in one line, notation on request."""

import re
from collections.abc import Callable

import pytest

from browser.people import AT_A_DESK, ON_A_TELEPHONE, Look, Person, both_sizes, everywhere, wherever_words_fit

Invite = Callable[..., Person]

BLOCKERS = ("d4", "a1", "g7", "b6", "e2", "f5", "c3")

SEVERAL_WAYS = """() => {
  const { moves } = JSON.parse(document.getElementById('live').textContent);
  const paths = moves.map(([, picks]) => picks.slice(0, 2).join());
  return paths.find((path, number) => paths.indexOf(path) !== number).split(',');
}"""


def type_moves(person: Person, *moves: str) -> None:
    if not person.page.locator("#words-table[open]").count():
        person.page.click("#words-table > summary")
    for move in moves:
        version = person.version
        person.page.fill("#typed input[name=move]", move)
        person.page.press("#typed input[name=move]", "Enter")
        person.wait_for_change(version)


def lines(person: Person) -> list[str]:
    """What the list shows of moves, without what is folded away."""
    shown = person.page.locator("#log .log > li:not(.none, .note)").all()
    return [re.sub(r"\s+", " ", line.inner_text()).strip() for line in shown]


@pytest.mark.parametrize(
    ("look", "first", "summary", "chosen", "laid"),
    [
        (
            AT_A_DESK,
            "Ada puts a blocker on d4.",
            "Set-up: 7 blockers on d4, a1, g7, b6, e2, f5, c3",
            "Player 2 takes the L pieces.",
            "Player 2 lays a piece on a2-a3-b2.",
        ),
        (
            ON_A_TELEPHONE,
            "Ada pose un bloqueur en d4.",
            "Mise en place : 7 bloqueurs en d4, a1, g7, b6, e2, f5, c3",
            "Joueur 2 prend les pièces L.",
            "Joueur 2 pose une pièce en a2-a3-b2.",
        ),
    ],
)
def test_a_list_is_in_words_and_its_set_up_folded(  # noqa: PLR0917 - what is wanted in each language
    invite: Invite, look: Look, first: str, summary: str, chosen: str, laid: str
) -> None:
    ada = invite(*look)
    ada.set_table("hepta", "screen")
    type_moves(ada, BLOCKERS[0])
    assert lines(ada) == [first], "nothing is folded while the set-up goes on"
    roles = ada.page.locator("#log .log > li.note").inner_text()
    assert re.search(r"(Leg|Manche) 1\W+Ada \(.+\), (Player|Joueur) 2 \(.+\)", roles), roles
    type_moves(ada, *BLOCKERS[1:], "L", "a2-a3-b2")
    assert lines(ada) == [summary, chosen, laid]
    assert not ada.page.locator("#log-1").is_visible()
    # Its steps are there: unfolded, and by the slider.
    ada.page.click("#log details summary")
    ada.page.locator("#log-1").wait_for(state="visible")
    type_moves(ada, "d1-e1-f1")
    assert ada.page.locator("#log-1").is_visible(), "what was unfolded stays so"
    ada.page.click("#log-2 a")
    ada.page.wait_for_selector("#log-2[aria-current]")
    assert ada.page.locator("#board [id^=blocker-]").count() == 2
    # In a replay, too.
    ada.page.click("[data-step=last]")
    for _ in range(2):
        ada.page.click("[data-sure]")
    with ada.page.expect_navigation():
        ada.page.click("#to-replay")
    ada.page.wait_for_selector("#log .folded")
    assert summary in lines(ada)
    assert any(chosen in line for line in lines(ada))
    assert chosen in ada.page.locator("#log").inner_text()


@wherever_words_fit
def test_notation_is_a_switch(invite: Invite, look: Look) -> None:
    shown, written = {"en": ("cuts along line", "cut 3"), "fr": ("coupe selon", "couper 3")}[look.lang]
    ada = invite(*look)
    ada.set_table("pizza", "screen")
    type_moves(ada, "a1", "g4", "b1")
    for cut in ("couper 3", "cut 3", "Couper 3"):
        ada.page.click("#handover a")
        ada.wait_for_turn()
        type_moves(ada, cut)
    ada.page.wait_for_function("word => document.querySelector('#log').innerText.includes(word)", arg=shown)
    assert written not in ada.page.locator("#log").inner_text()
    ada.page.check("#prefs [name=notation]")
    assert [line for line in lines(ada) if line.endswith(written)][:1]
    assert shown not in ada.page.locator("#log").inner_text()
    assert ada.page.locator("#log").evaluate("log => log.scrollWidth <= log.clientWidth"), "nothing sticks out"
    ada.page.reload()
    ada.page.wait_for_selector("#log-6")
    assert written in ada.page.locator("#log").inner_text(), "it is remembered"
    ada.page.uncheck("#prefs [name=notation]")
    assert shown in ada.page.locator("#log").inner_text()


@both_sizes
def test_nothing_is_english_in_french(invite: Invite, size: tuple[int, int]) -> None:
    ada = invite(*size, "fr")
    ada.set_table("pizza", "screen")
    type_moves(ada, "a1", "g4", "b1")
    ada.page.click("#handover a")
    ada.wait_for_turn()
    assert ada.page.locator(".pizza-role").all_text_contents() == ["1er", "2e", "3e"]
    ada.page.click("#all-moves summary")
    assert ada.page.locator(".all-moves button").all_inner_texts() == [f"couper {cut}" for cut in range(1, 7)]
    assert "couper 4" in ada.page.locator("#typed .hints").inner_text()
    ada.page.locator(".all-moves button").first.click()
    ada.page.wait_for_selector("#handover")
    ada.page.click("#handover a")
    ada.wait_for_turn()
    ada.page.fill("#typed input[name=move]", "trancher 3")
    ada.page.press("#typed input[name=move]", "Enter")
    ada.page.wait_for_selector("#mistake:not(:empty)")
    assert "couper 1" in ada.page.inner_text("#mistake"), "an example, as it is written here"


@everywhere
def test_buttons_say_what_they_do(invite: Invite, look: Look) -> None:
    wanted = {"en": ("Place it here", "Take the piece off"), "fr": ("Poser ici", "Reprendre la pièce")}[look.lang]
    ada = invite(*look)
    ada.go("/puzzles/hepta-solo/a1-b3-c5-d7-e2-f4-g6")
    ada.page.wait_for_selector(".board .lit")
    for part in ada.page.evaluate(SEVERAL_WAYS):  # a piece, then a place where it can be turned
        box = ada.page.locator(f"#{part}").bounding_box()
        assert box
        ada.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ada.page.wait_for_selector("#bar .main-button")
    assert ada.page.inner_text("#bar .main-button") == wanted[0]
    assert not re.search(r"\w\d-\w\d", ada.page.inner_text("#bar"))
    live = ada.page.evaluate("JSON.parse(document.getElementById('live').textContent).moves")
    assert {move[3] for move in live} == {wanted[0]}
    ada.page.click("#bar .main-button")
    ada.page.wait_for_selector("[id^=piece-]")
    ada.page.reload()
    live = ada.page.evaluate("JSON.parse(document.getElementById('live').textContent).moves")
    assert {move[3] for move in live} == set(wanted)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_count_has_a_name(invite: Invite, lang: str) -> None:
    ada = invite(360, 740, lang)
    ada.set_table("tricolore", "screen")
    bar = " ".join(ada.page.locator("#quiet text").all_text_contents())
    assert bar == {"en": "moves without a capture 0 of 120", "fr": "coups sans prise 0 sur 120"}[lang]
