"""Nothing is missing: every game has all its pages and ways to play; every word that is shown is in our words."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.utils.dates import MONTHS, WEEKDAYS, WEEKDAYS_ABBR

import ludotheque
from ludotheque import move_words, words
from ludotheque.lessons import tasks
from ludotheque.pictures.output import diagrams
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.web.models import Replay, Table
from ludotheque.web.pages import previews
from ludotheque.web.replays import analysis
from ludotheque.web.replays.finished import find
from ludotheque.web.screen import fragments, move_list, position
from ludotheque.web.table import seating
from web.people import browser, seated

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
both = pytest.mark.parametrize("lang", words.LANGUAGES)


@pytest.fixture(autouse=True)
def nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    yield
    Replay.objects.all().delete()


# Every game


@every_game
@both
def test_a_game_has_its_page_its_rules_and_its_credits(box: ludotheque.Box, lang: str) -> None:
    page = Client(headers={"accept-language": lang}).get(f"/games/{box.key}").text
    assert f"<h1>{box.say('name', lang)}</h1>" in page
    assert re.search(r'<p class="credits">[^<]{10,}', page)
    headings = re.findall(r"^## ", words.rules(box.rules.stem, lang), re.MULTILINE)
    assert page.count("<h2") > len(headings) >= 1
    for part in diagrams.parts(box.rules, lang):
        if not isinstance(part, str):
            ET.fromstring(Client().get(f"/games/{box.key}/positions/{part.name}.svg").text)  # noqa: S314 - ours


@pytest.mark.parametrize(("lang", "word"), [("en", "reconstruct"), ("fr", "reconst")])
def test_tricolore_says_that_it_is_a_reconstruction(lang: str, word: str) -> None:
    page = Client(headers={"accept-language": lang}).get("/games/tricolore").text
    assert word in re.findall(r'<p class="credits">([^<]*)', page)[0].lower()


@every_game
def test_a_game_has_a_thumbnail_by_day_and_by_night(box: ludotheque.Box) -> None:
    drawn = [Client().get(f"/games/{box.key}/picture.svg{query}").text for query in ("?theme=day", "?theme=night")]
    assert len(set(drawn)) == 2
    for picture in drawn:
        ET.fromstring(picture)  # noqa: S314 - ours
    assert f"/games/{box.key}/picture.svg" in Client().get("/").text


@every_game
@both
def test_a_game_has_a_lesson(box: ludotheque.Box, lang: str) -> None:
    person, steps = Client(headers={"accept-language": lang}), tasks(box.rules)
    assert len(steps) >= 2
    assert f"/games/{box.key}/lesson/1" in person.get(f"/games/{box.key}").text
    for number, task in enumerate(steps, 1):
        right = next(move for move in task.solutions() if task.answer(move, lang).verdict == "right")
        page = person.post(f"/games/{box.key}/lesson/{number}", {"move": right}).text
        assert 'class="sheet answer right"' in page


@every_game
@pytest.mark.parametrize("way", ["screen", "link", "open", "computer"])
def test_a_game_is_played_in_all_ways_by_all_numbers_of_people(box: ludotheque.Box, way: str) -> None:
    page = Client().get(f"/games/{box.key}").text
    if box.key in kind_keys():
        kind = f"/puzzles/{box.key}"
        assert {f'href="{kind}"', f'href="{kind}#own"'} <= set(re.findall(r'href="[^"]*"', page)), (
            "puzzles have theirs"
        )
        assert Client().post(f"/games/{box.key}/new", {"name-0": "Ada"})["Location"] == kind
        return
    assert f'name="way" value="{way}"' in page
    for seats in box.seats:
        Table.objects.all().delete()
        assert Client().post(f"/games/{box.key}/new", {"way": way, "seats": seats, "seat": "0"}).status_code == 302
        table = Table.objects.get()
        assert (table.status == Table.Status.PLAYING) == (way in ("screen", "computer"))
        kinds = [seat.kind for seat in table.seats.all()]
        others = {"screen": "person", "computer": "computer"}.get(way, "free")
        assert kinds == ["person"] + [others] * (seats - 1)
        assert table.listed == (way == "open")


# Every word


def marked(value: object) -> object:
    """Words of ours, recognisable: each sentence between brackets that occur nowhere else."""
    if isinstance(value, dict):
        return {name: marked(part) for name, part in value.items()}
    return f"⟦{value}⟧" if isinstance(value, str) else value


class Visible(HTMLParser):
    """What a page says: its text, and what is said for those who do not see it; pictures are another matter."""

    SPOKEN = ("aria-label", "title", "placeholder", "alt", "content")

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("svg", "script", "code", "article")
        told = dict(attrs)
        if tag == "meta" and told.get("name") != "description":
            return
        if not self.silent:
            self.said += [str(value) for name, value in attrs if name in self.SPOKEN or name.startswith("data-say")]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("svg", "script", "code", "article")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def unmarked(page: str) -> list[str]:
    """What a page says in words that are not ours."""
    reader = Visible()
    reader.feed(page)
    left = "\n".join(reader.said)
    while re.search(r"⟦[^⟦⟧]*⟧", left):
        left = re.sub(r"⟦[^⟦⟧]*⟧", " ", left)
    return re.findall(r"[^\W\d_]{3,}", left)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language in which every sentence of ours is marked."""
    site, page = words.site, words.page
    monkeypatch.setattr(words, "site", lambda lang: marked(site(lang)))
    monkeypatch.setattr(words, "page", lambda stem, lang: marked(page(stem, lang)))
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Sentences that were found, and pages that were put together before."""
    for module in (words, move_words, fragments, move_list, position, previews):
        for found in vars(module).values():
            if hasattr(found, "cache_clear"):
                found.cache_clear()


PAWN = re.compile(r"[sbg]{6}")  # the six sides of a pawn of Tricolore
NAMES = {"Ada", "Bob", "Cleo", "Dan", "English", "français", "tetrods"}
DATES = {str(name) for names in (MONTHS, WEEKDAYS, WEEKDAYS_ABBR) for name in names.values()}  # Django's own words


def foreign(page: str, match: ludotheque.Match | None) -> set[str]:
    """Words on a page that are neither ours nor a name nor part of how moves and positions are written."""
    moves = set(re.findall(r"[^\W\d_]{3,}", " ".join(match.game.texts))) if match else set()
    return {word for word in unmarked(page) if word not in NAMES | DATES | moves and not PAWN.fullmatch(word)}


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?players=2",
        "/mine",
        "/mine?show=finished",
        "/mine?show=away",
        "/about",
        "/nothing",
        "/replay",
        "/puzzles",
        "/puzzles?name=chess",
        "/puzzles/booklet",
        "/puzzles/hepta-solo",
        "/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5",
    ],
)
def test_the_house_says_nothing_but_its_words(path: str) -> None:
    seating.sit(seating.open_table("pizza", 3, {}, listed=True).id, "ada", 0, "Ada")
    page = browser("ada").get(path).text
    assert page.count("⟦") > 10
    if path == "/about":
        page = re.sub(r'<div class="page rules">.*?</div>', "", page, flags=re.DOTALL)  # one long text of ours
    assert foreign(page, None) == set()


@pytest.mark.usefixtures("pseudo")
@every_game
def test_the_pages_of_a_game_say_nothing_but_our_words(box: ludotheque.Box) -> None:
    for path in (f"/games/{box.key}", f"/games/{box.key}/lesson/1"):
        page = re.sub(r'<(div id="task"|p id="hand").*?</(div|p)>', "", Client().get(path).text, flags=re.DOTALL)
        assert foreign(page, box.match()) == set()
    assert foreign(Client().post(f"/games/{box.key}/new", {"seats": "77"}).text, box.match()) == set()


@pytest.mark.usefixtures("pseudo")
@every_game
def test_tables_and_replays_say_nothing_but_our_words(box: ludotheque.Box) -> None:
    waiting = seating.open_table(box.key, max(box.seats), {})
    assert foreign(browser("ada").get(f"/t/{waiting.id}").text, box.match()) == set()
    table = seated(box.key, max(box.seats))
    for moves in (0, 10, 25):
        table.play_at_once(moves)
        for visitor in ("ada", "stranger"):
            assert foreign(browser(visitor).get(f"/t/{table.id}").text, table.match) == set()
    table.give_up()
    assert (find(table.id) is None) == box.rules.keeps_secrets
    for path in (f"/t/{table.id}", f"/replay/{table.id}"):
        assert foreign(Client().get(path, follow=True).text, table.match) == set()


def test_french_is_not_english() -> None:
    """A sentence of some length that is the same in both languages was not translated."""
    pairs = [(words.site("en"), words.site("fr"))]
    for box in ludotheque.games():
        stem = box.rules.stem
        pairs += [
            (words.page(stem, "en"), words.page(stem, "fr")),
            (words.lesson(stem, "en"), words.lesson(stem, "fr")),
        ]
    same = [
        sentence
        for english, french in pairs
        for name, sentence in _leaves(english).items()
        if sentence == _leaves(french)[name] and len(re.findall(r"[a-z]{3,}", re.sub(r"\{.*?\}", "", sentence))) > 3
    ]
    assert same == []


def _leaves(table: object, path: str = "") -> dict[str, str]:
    if isinstance(table, dict):
        return {name: text for key, part in table.items() for name, text in _leaves(part, f"{path}.{key}").items()}
    return {path: str(table)}
