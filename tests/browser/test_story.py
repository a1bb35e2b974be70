"""Nothing races past: what happened is shown beat by beat, as long as it takes to read, before one's turn begins."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from playwright.sync_api import expect

import ludotheque
from browser.people import AT_A_DESK, ON_A_TELEPHONE, Look, Person, everywhere
from ludotheque.web.screen import narration
from ludotheque.web.screen.narration import Teller

Invite = Callable[..., Person]
BASE_MS, CHARACTER_MS = 450, 30  # reading time at the usual pace
NAMES = ["Ada", "Bob", "Cleo", "Dan"]
TOPPINGS = ("a1", "g4", "b1")
BOB_CUTS = re.compile("Bob .*(cut|coupe)")

RECORD = """() => {
  window.seen = [];
  let last = "", free = performance.now(), since = [free, free];
  // Between two tasks of the page: what happens next cannot have begun before.
  const note = () => { free = performance.now(); setTimeout(note); };
  note();
  const happening = () => document.querySelector("#happened")?.textContent.trim() ?? "";
  let now = happening();
  new MutationObserver(() => {
    if (happening() === now) return;
    now = happening();
    since = [free, performance.now()];
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  const look = () => {
    const happened = document.querySelector("#happened");
    const seen = {
      say: happened.textContent.trim(),
      told: happened.classList.contains("telling"),
      knives: document.querySelectorAll("#board .pizza-blade").length,  // at the end faint ones take over
      lit: document.querySelectorAll("#board .lit").length > 0,
      over: document.querySelector("#after") !== null,
      mine: document.querySelector("#todo.mine") !== null,
      pieces: document.querySelectorAll('#board [id^="piece"]').length,
      moving: document.getAnimations().filter((one) => one.effect.getTiming().duration > 1).length > 0,
      noted: [...document.querySelectorAll(".place :is(.to-move, .chosen)")].some((note) => note.checkVisibility({
        visibilityProperty: true })),
      hidden: [...document.querySelectorAll('#board [id^="topping"]')]
        .filter((topping) => getComputedStyle(topping).opacity === "0").map((topping) => topping.id),
    };
    const text = JSON.stringify(seen);
    if (text !== last) window.seen.push({ at: performance.now(), since, ...seen });
    last = text;
    requestAnimationFrame(look);
  };
  look();
}"""


class Seen(NamedTuple):
    """A sentence that was shown: how long, and what the page was like meanwhile."""

    say: str
    ms: float
    frames: list[dict[str, Any]]

    @property
    def is_told(self) -> bool:
        return any(frame["told"] for frame in self.frames)

    def always(self, name: str) -> bool:
        return all(frame[name] for frame in self.frames)

    def never(self, name: str) -> bool:
        return not any(frame[name] for frame in self.frames)


def seen(person: Person) -> list[Seen]:
    """The sentences in the order they were shown; the last one is still there."""
    frames = person.page.evaluate("window.seen")
    now, shown = person.page.evaluate("performance.now()"), list[list[dict[str, Any]]]()
    for frame in frames:
        if shown and shown[-1][-1]["say"] == frame["say"]:
            shown[-1].append(frame)
        else:
            shown.append([frame])
    begins = [begin_of(part) for part in shown]
    ends = [*(latest for _, latest in begins[1:]), now]
    return [Seen(part[0]["say"], end - begin[0], part) for part, begin, end in zip(shown, begins, ends, strict=True)]


def begin_of(part: list[dict[str, Any]]) -> tuple[float, float]:
    """Between which moments the page began to say it: before the task in which it did, and after."""
    earliest, latest = part[0]["since"]
    return earliest, latest


def wait_for_story(person: Person) -> None:
    """Until a story was told and the turn has begun."""
    person.page.wait_for_selector("#happened.telling")
    person.page.wait_for_selector("#board .lit")
    person.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def reading_ms(sentence: str) -> float:
    """How long it is shown at least."""
    return BASE_MS + CHARACTER_MS * len(sentence)


def find(shown: list[Seen], sentence: str) -> Seen:
    return next(part for part in shown if part.say == sentence)


def type_move(person: Person, move: str) -> None:
    """Play a move by its name, in the table in words."""
    person.wait_for_turn()
    before = person.version
    if person.page.get_attribute("#words-table", "open") is None:
        person.page.click("#words-table > summary")
    person.page.fill("#typed [name=move]", move)
    person.page.press("#typed [name=move]", "Enter")
    person.wait_for_change(before)


def cuts(lang: str = "en") -> tuple[list[str], list[narration.Beat]]:
    """Three cuts after the first toppings that turn something in two slices or more, and how Ada is told of them."""
    for lines in product(range(1, 7), repeat=3):
        match = ludotheque.game("pizza").match(seats=3, seed=1)
        for seat, cell in enumerate(TOPPINGS):
            match.play(seat, cell)
        for seat, line in enumerate(lines):
            match.play(seat, f"cut {line}")
        (scene,) = narration.story(match, Teller(0, NAMES[:3], lang))
        if sum(bool(beat["say"]) for beat in scene["beats"]) > 2:
            return [f"cut {line}" for line in lines], scene["beats"]
    raise AssertionError("nothing is ever turned over")


def pizza(invite: Invite, look: Look = AT_A_DESK, **options: str) -> list[Person]:
    """Ada takes her time; Bob and Cleo hurry. All have added a topping, and Ada and Bob have chosen a cut."""
    ada = invite(*look, hurried=False)
    address = ada.set_table("pizza", seats=3, **options)
    people = [ada, invite(), invite()]
    for person, name in zip(people[1:], NAMES[1:3], strict=True):
        person.join(address, name)
    for person, cell in zip(people, TOPPINGS, strict=True):
        type_move(person, cell)
    for person, cut in zip(people[:2], cuts()[0][:2], strict=True):
        type_move(person, cut)
    expect(ada.page.locator("#happened:not(.telling)")).to_have_text(BOB_CUTS)  # what comes next is another story
    return people


def finish_round(people: list[Person]) -> list[Seen]:
    """Cleo cuts, and the two who are next add their toppings at once; what Ada sees until it is her turn."""
    ada, bob, cleo = people
    ada.page.evaluate(RECORD)
    type_move(cleo, cuts()[0][2])
    bob.play_something()
    cleo.play_something()
    wait_for_story(ada)
    return seen(ada)


@everywhere
def test_every_happening_is_shown_for_as_long_as_it_takes_to_read(invite: Invite, look: Look) -> None:
    shown = finish_round(pizza(invite, look))
    told = [part for part in shown if part.is_told and part.say != shown[0].say]
    expected = [beat for beat in cuts()[1] if beat["say"]]
    assert len(told) == len(expected) + 1, "the knives, each slice, and Bob's topping; Cleo's waits for Ada's move"
    for part in told:
        assert part.ms >= reading_ms(part.say), part.say
        assert part.never("lit"), "the turn has not begun"
        assert part.never("mine")
    for part in told[: len(expected)]:
        assert part.always("knives"), "nobody's next topping wipes the knives"
    flipped = {str(motion["what"]) for motion in expected[-1]["motions"]}  # type: ignore[call-overload,index]
    for part in told[: len(expected) - 1]:
        assert all(flipped <= set(frame["hidden"]) for frame in part.frames[1:]), "what turns last turns last"
    assert not any(flipped & set(frame["hidden"]) for frame in told[-1].frames[1:])
    assert "Cleo" in shown[-1].say, "the last, quiet scene lets the turn begin"


@everywhere
def test_switched_off_motion_means_held_pictures(invite: Invite, look: Look) -> None:
    people = pizza(invite, look)
    with people[0].page.expect_navigation():
        people[0].page.click("[name=motion]")
    people[0].wait_for_script()
    shown = finish_round(people)
    expected = [beat for beat in cuts(look.lang)[1] if beat["say"]]
    flipped = {str(motion["what"]) for motion in expected[-1]["motions"]}  # type: ignore[call-overload,index]
    for number, beat in enumerate(expected):
        part = find(shown, beat["say"])
        assert part.ms >= reading_ms(part.say)
        assert part.never("moving")
        turned = [frame["at"] for frame in part.frames if not flipped & set(frame["hidden"])]
        if number < len(expected) - 1:  # a picture may change a frame before its sentence
            assert not turned or turned[0] - begin_of(part.frames)[0] >= reading_ms(part.say), "held, not skipped"
        else:
            assert turned


@everywhere
def test_a_tap_or_a_key_goes_on(invite: Invite, look: Look) -> None:
    people = pizza(invite, look)
    ada = people[0]
    ada.page.select_option("#prefs [name=pace]", "slow")
    ada.page.clock.install()
    ada.page.reload()
    ada.wait_for_script()
    assert ada.page.input_value("#prefs [name=pace]") == "slow", "kept for the visitor"
    ada.page.clock.pause_at(ada.page.evaluate("Date.now()") / 1000 + 60)  # by itself nothing goes on any more
    type_move(people[2], cuts()[0][2])
    ada.page.wait_for_selector("[data-go-on]")
    assert ada.page.inner_text("#story") == ("Go on" if look.lang == "en" else "Continuer")
    beats = cuts()[1]
    for number in range(len(beats)):
        before = ada.page.inner_text("#happened")
        if number % 3 == 0:
            ada.page.click("#board svg")
        elif number % 3 == 1:
            ada.page.keyboard.press("Enter")
        else:
            ada.page.click("[data-go-on]")
        if number + 1 < len(beats) and beats[number + 1]["say"]:
            expect(ada.page.locator("#happened")).not_to_have_text(before)
    ada.page.wait_for_selector("[data-go-on]", state="hidden")
    assert before in ada.page.inner_text("#happened"), "in the end the whole of it"


def test_whoever_has_scrolled_down_can_read_what_is_told(invite: Invite) -> None:
    people = pizza(invite, ON_A_TELEPHONE)
    ada = people[0]
    ada.page.evaluate("document.querySelector('#board').scrollIntoView({ block: 'start' })")
    assert ada.page.evaluate("document.querySelector('#status').getBoundingClientRect().top") < 0
    type_move(people[2], cuts()[0][2])
    ada.page.wait_for_selector("#happened.telling")
    expect(ada.page.locator("#happened")).to_be_in_viewport(ratio=1)


@everywhere
def test_the_last_round_is_shown_again(invite: Invite, look: Look) -> None:
    people = pizza(invite, look)
    ada = people[0]
    shown = [part.say for part in finish_round(people) if part.is_told]
    ada.page.evaluate("window.seen.length = 0")
    ada.page.click("#again")
    assert ada.page.locator("#board .lit").count() == 0
    wait_for_story(ada)
    again = [part.say for part in seen(ada) if part.is_told]
    assert [sentence for sentence in shown if sentence in again] == [part for part in again if part in shown]
    assert again[-1].startswith("Cleo "), "the last scene, too"
    ada.page.reload()
    ada.wait_for_turn()
    ada.page.evaluate(RECORD)
    ada.page.click("#again")
    wait_for_story(ada)
    assert [part.say for part in seen(ada) if part.is_told][-1] == again[-1], "after a reload the last move"


def test_the_end_is_not_given_away(invite: Invite) -> None:
    people = pizza(invite, rounds="1")
    ada = people[0]
    ada.page.evaluate(RECORD)
    type_move(people[2], cuts()[0][2])
    ada.page.wait_for_selector("#after", timeout=60_000)
    told = [part for part in seen(ada) if part.is_told]
    assert len(told) >= 3
    assert all(part.never("over") for part in told)
    frames = [frame for part in told for frame in part.frames]
    assert not any(frame["told"] and frame["noted"] for frame in frames), "whose turn it was is no news"


def test_whoever_looks_back_is_not_disturbed(invite: Invite) -> None:
    people = pizza(invite)
    ada = people[0]
    ada.page.click("[data-step=back]")
    ada.page.wait_for_selector("#log [aria-current]")
    type_move(people[2], cuts()[0][2])
    ada.page.wait_for_selector("#happened:has-text('replaces')")
    assert ada.page.is_hidden("#story")
    ada.page.click("[data-step=last]")
    people[1].play_something()
    people[2].play_something()
    ada.wait_for_turn()


@everywhere
def test_old_knives_stay_until_one_has_chosen_the_next_cut(invite: Invite, look: Look) -> None:
    ada, bob, cleo = pizza(invite, look)
    faint, knives = ada.page.locator("#board .pizza-faint"), ada.page.locator("#board [id^=knife]")
    type_move(cleo, cuts()[0][2])
    for person in (bob, cleo, ada):
        person.play_something()
    ada.page.wait_for_selector("#board [id^=line-].lit")
    expect(faint).to_have_count(1)
    bob.play_something()
    ada.page.wait_for_selector("#place-1 .chosen")
    expect(faint).to_have_count(1)
    assert ada.page.locator("#board [id^=line-].lit").count() == 6, "one guesses with the old knives in sight"
    ada.play_something()
    expect(knives).to_have_count(1)
    expect(faint).to_have_count(0)


@everywhere
def test_the_last_flea_of_everybody_stays_marked(invite: Invite, look: Look) -> None:
    ada = invite(*look, hurried=False)
    address = ada.set_table("hundsgemein", seats=4)
    others = [invite() for _ in range(3)]
    for person, name in zip(others, NAMES[1:], strict=True):
        person.join(address, name)
    ada.play_something()
    ada.page.evaluate(RECORD)
    cells = []
    for number, person in enumerate(others):
        person.wait_for_turn()
        person.page.click("#words-table > summary")
        placements = person.page.locator("#all-moves button[value*='@']")
        move = str(placements.nth(5 + 9 * number).get_attribute("value"))
        type_move(person, move)
        cells.append(move.partition("@")[2])
    wait_for_story(ada)
    marked = ada.page.evaluate("[...document.querySelectorAll('#board .last')].map((one) => one.id)")
    assert {f"block-{cell}" for cell in cells} <= set(marked)
    for name, cell in zip(NAMES[1:], cells, strict=True):
        told = next(part for part in seen(ada) if name in part.say and cell in part.say)
        assert name == "Dan" or told.ms >= reading_ms(told.say), "the last stays until one moves"


@everywhere
def test_the_end_of_a_leg_is_an_event(invite: Invite, look: Look) -> None:
    ada = invite(*look, hurried=False)
    ada.go("/games/hepta")
    ada.page.check(".setup [name=way][value=screen]")
    ada.page.click(".setup .main-button")
    ada.page.wait_for_selector("#board svg")
    ada.wait_for_script()
    player, leg = ("Player", "Leg 1:") if look.lang == "en" else ("Joueur", "Manche 1")
    assert [f"{player} {number}" in ada.page.inner_text(f"#place-{number - 1}") for number in (1, 2)] == [True, True]
    roles = [ada.page.inner_text(f"#place-{seat} .role") for seat in range(2)]
    ada.page.evaluate(RECORD)
    while ada.page.locator("#story:not([hidden])").count() == 0:
        ada.wait_for_turn()
        before = ada.page.locator("#log b").count()
        while ada.page.locator("#log b").count() == before and ada.page.locator("#story:not([hidden])").count() == 0:
            if ada.page.locator("#bar .main-button").count():
                ada.page.locator("#bar .main-button").click()
            elif ada.page.locator("#board .lit, #bar button").count():
                ada.touch(before * 3)
            ada.page.wait_for_timeout(30)
    wait_for_story(ada)
    told = [part for part in seen(ada) if part.is_told][-3:]
    assert all(part.ms >= reading_ms(part.say) for part in told)
    assert leg in told[1].say
    assert [bool(part.frames[-1]["pieces"]) for part in told] == [True, True, False], (
        "the finished board, then the new"
    )
    assert [ada.page.inner_text(f"#place-{seat} .role") for seat in range(2)] == roles[::-1]
    assert f"{player} 1" in ada.page.inner_text("#place-0"), "the role has changed, the name has not"
    ada.page.click("[data-step=back]")
    ada.page.wait_for_selector("#board [id^=piece]", state="attached")
    ada.page.click("[data-step=on]")
    ada.page.wait_for_selector("#board [id^=piece]", state="detached")
