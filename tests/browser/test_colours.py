"""What decided stays to be seen, results say why, and a seat has one colour: chip, pieces and curve."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page

from browser.people import Look, Person, both_sizes, everywhere, visit, wherever_words_fit
from browser.scenes import Scene

Invite = Callable[..., Person]
Scenes = dict[tuple[str, str], Scene]

LOSS = {
    "en": "Both lose: Mushroom, the third colour, has all sixteen toppings on the pizza.",
    "fr": "Les deux joueurs perdent\N{NO-BREAK SPACE}: Champignon, la troisième couleur, a ses seize ingrédients "
    "sur la pizza.",
}
# What the pieces of each seat are on the picture; in second legs roles have changed.
PIECES = {
    ("replay", "pizza"): [".seat0", ".seat1", ".seat2"],
    ("replay-both-lose", "pizza"): [".seat0", ".seat1"],
    ("replay", "pegs"): [".pegs-blue", ".pegs-white"],
    ("replay", "tricolore"): [".tricolore-gold", ".tricolore-silver", ".tricolore-black"],
    ("replay", "hundsgemein"): [f".hundsgemein-seat{seat}" for seat in range(4)],
    ("replay", "hepta"): [".face.role0", ".face.role1"],
    ("replay", "tfortwo"): [".toadstool-cap", ".drilled"],
    ("replay-series", "hepta"): [".face.role1", ".face.role0"],
    ("replay-series", "tfortwo"): [".drilled", ".toadstool-cap"],
}
FILLS = """(all) => {
  const there = all.filter((one) => one.isConnected && !one.closest('#leaving'));
  return [...new Set(there.map((one) => getComputedStyle(one).fill))];
}"""
GREY = """(all) => {
  for (const one of all) for (const part of ['fill', 'stroke']) {
    if (getComputedStyle(one)[part] !== 'none') one.style[part] = part === 'fill' ? '#777' : '#000';
  }
}"""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
STROKE = "(one) => getComputedStyle(one).stroke"


@pytest.fixture(scope="module")
def every_scene(made_scenes: list[Scene]) -> Scenes:
    return {(scene.name, scene.game): scene for scene in made_scenes}


def faint(page: Page) -> int:
    """How many old knives are seen on the board, less than the usual."""
    group = page.locator("#board .pizza-faint")
    if not group.count():
        assert not page.locator("#board .pizza-slice").count() or page.locator("#board .knife").count() == 3
        return 0
    assert float(group.evaluate("(one) => getComputedStyle(one).opacity")) < 0.7
    assert page.locator("#board .pizza-slice").count() >= 4
    return group.locator(".pizza-blade").count()


@everywhere
def test_knives_stay_until_the_next_cut(invite: Invite, look: Look) -> None:
    ada, bob = invite(*look), invite(*look)
    bob.join(ada.set_table("pizza", seats=2), "Bob")
    for person in (ada, bob, ada):  # two toppings, and that of the third colour
        person.play_something()
    assert faint(ada.page) == 0
    for person in (ada, bob):
        person.play_something()
    for person in (ada, bob):
        person.page.wait_for_selector("#board .pizza-faint")
        assert faint(person.page) == 3
    bob.play_something()  # the first of the second round
    ada.wait_for_turn()
    assert faint(ada.page) == faint(bob.page) == 3
    ada.play_something()  # luck lays the third colour's next knife
    ada.page.wait_for_selector("#board #knife-2")
    assert faint(ada.page) == 0
    ada.page.click("[data-step=back]")  # of the slider: before the die
    ada.page.wait_for_selector("#board .pizza-faint")
    assert faint(ada.page) == 3
    ada.page.click("[data-step=last]")
    ada.page.wait_for_selector("#board .pizza-faint", state="detached")
    assert ada.page.locator("#board #knife-2").count() == 1


@everywhere
def test_a_replay_shows_them_and_all_knives_at_the_end(invite: Invite, every_scene: Scenes, look: Look) -> None:
    ada = invite(*look)
    scene = every_scene["replay-both-lose", "pizza"]
    visit(ada.page, ada.site, scene)
    assert ada.page.locator("#board .knife").count() == 3
    assert faint(ada.page) == 0
    ada.go(f"{scene.path}?step=0")
    ada.page.wait_for_selector("#run:visible")
    for step in range(1, 8):  # two toppings, the die, a third one, two cuts, and the next topping
        ada.page.click("[data-step=on]")
        ada.page.wait_for_selector(f"#log-{step}[aria-current]")
        ada.page.wait_for_function(
            "(many) => document.querySelectorAll('#board .pizza-faint').length === many", arg=int(step >= 6)
        )
        assert faint(ada.page) == (3 if step >= 6 else 0)


@wherever_words_fit
def test_both_lose_and_are_told_why(invite: Invite, every_scene: Scenes, look: Look) -> None:
    ada = invite(*look)
    visit(ada.page, ada.site, every_scene["both-lose", "pizza"])
    assert ada.page.inner_text("#todo") == ada.page.inner_text("#after h2") == LOSS[look.lang]
    assert ada.page.locator("#board .knife").count() == 3
    for name in ("both-lose", "replay-both-lose"):
        visit(ada.page, ada.site, every_scene[name, "pizza"])
        assert ada.page.inner_text(".unowned .score") == "16"
        assert ada.page.locator(".unowned .chip").is_visible()
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= look.width


def test_the_third_colour_is_in_the_list_from_the_start(invite: Invite) -> None:
    ada, bob = invite(360, 740), invite(lang="fr")
    bob.join(ada.set_table("pizza", seats=2), "Bob")
    for person, name in ((ada, "Mushroom"), (bob, "Champignon")):
        person.page.wait_for_selector(".unowned .score")
        assert person.page.inner_text(".unowned .score") == "2"
        assert name in person.page.inner_text(".unowned .who")
        person.page.click("#words-table summary")
        person.page.wait_for_selector(f"#words-table tr:last-child td:has-text('{name} 2')")


@both_sizes
def test_a_seat_has_one_colour(invite: Invite, every_scene: Scenes, size: tuple[int, int]) -> None:
    """In every game, by day and by night."""
    ada = invite(*size)
    for (name, game), pieces in PIECES.items():
        visit(ada.page, ada.site, every_scene[name, game])
        for theme in THEMES:
            ada.page.emulate_media(color_scheme=theme)
            seats_have_one_colour(ada, pieces, f"{name} {game} {theme}")


def seats_have_one_colour(ada: Person, pieces: list[str], where: str) -> None:
    """Chip, pieces and curve; those of no two seats are alike."""
    lines = [one.evaluate(STROKE) for one in ada.page.locator("#curve polyline").all()]
    samples = [one.evaluate(STROKE) for one in ada.page.locator(".legend line:not(.curve-edge)").all()]
    assert lines == samples, where
    assert len(set(lines)) == len(lines) == len(pieces), where
    chips = ada.page.locator(".place:not(.unowned) :not([hidden]) > .chip").all()
    for seat, (line, chip, piece) in enumerate(zip(lines, chips, pieces, strict=True)):
        assert line in chip.locator("*").evaluate_all(FILLS), f"{where}: chip of seat {seat}"
        on_board = ada.page.locator("#board svg").locator(piece)
        assert on_board.evaluate_all(FILLS) == [line], f"{where}: pieces of seat {seat}"


@pytest.mark.parametrize("key", ["hepta", "tfortwo"])
def test_a_person_keeps_the_colour_when_roles_change(invite: Invite, every_scene: Scenes, key: str) -> None:
    """Through the slider, from the second leg to the first: the pieces are another role's, the colour stays."""
    ada = invite()
    scene, (mine, theirs) = every_scene["second-leg", key], PIECES["replay-series", key]
    visit(ada.page, ada.site, scene)
    board = ada.page.locator("#board svg")
    (colour,) = board.locator(mine).evaluate_all(FILLS)
    chip = ada.page.locator("#place-0 .chip *")
    assert colour in chip.evaluate_all(FILLS)
    (others,) = board.locator(theirs).evaluate_all(FILLS)
    assert others != colour
    ada.wait_for_script()
    steps = int(ada.page.get_attribute("#history input", "max") or 0)
    for _ in range(steps):
        ada.page.click("[data-step=back]")
        if "role0-seat1" not in (board.get_attribute("class") or ""):
            break
    assert board.locator(theirs).evaluate_all(FILLS) == [colour], "what was the other's role is mine"
    assert board.locator(mine).evaluate_all(FILLS) == [others]


def test_emblems_differ_by_more_than_colour(invite: Invite, every_scene: Scenes) -> None:
    """Without any colour no two chips of a table are alike."""
    ada = invite()
    for key in PIECES:
        visit(ada.page, ada.site, every_scene[key])
        ada.page.locator(".chip *").evaluate_all(GREY)
        pictures = [chip.screenshot() for chip in ada.page.locator(".place :not([hidden]) > .chip").all()]
        assert len(set(pictures)) == len(pictures), key
