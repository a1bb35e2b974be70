"""Names of people: readable, nobody else's, and nothing that the site itself would say."""

import unicodedata

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from ludotheque import words
from ludotheque.web import names
from ludotheque.web.models import Seat, Table
from ludotheque.web.models.table import LEVELS, MAX_NAME_CHARS
from ludotheque.web.refusals import Refused
from ludotheque.web.table import seating
from ludotheque.web.table.commands import Command, execute
from web.people import browser, seated

PEOPLE = (
    *("Zoë", "Łukasz", "田中", "Ольга", "محمد", "อรุณ", "👩\u200d🚀", "O’Neill", "Jean-Luc", "José", "Đặng", "Æ", "X"),
    *("Ἀθηνᾶ", "Ծովինար", "ნინო", "שָׁלוֹם", "བསྟན་འཛིན", "민준", "さくらA", "می\u200cخواهم", "സ്മിത", "李", "ป้ำ"),
    *("❤\ufe0f", "1\ufe0f⃣", "Lan", "Ian", "Basil"),
)
REFUSED = {
    "name-invisible": ("\u200b", "\u3164", "\u2800", "\u00ad", " \u2060 ", "\U000e0041", "\ufe0f", "\u200d\u200d"),
    "name-direction": ("A\u202eda", "\u202dAda", "Ada\u202a"),
    "name-stacked": ("Z\u0334\u0322\u031b\u0353a", "\u0301Ada", "a \u0301", "x\u0323\u0323", "ก" + "\u0e49" * 2),
    "name-unreadable": ("\ue000", "A\ufffd", "\U0010fffe", "\ufffc"),
    "name-mixed": ("Аda", "Olgа Petrova", "Сomputer", "Βob"),
    "name-reserved": (
        "Computer",
        "ORDINATEUR",
        "Ｃｏｍｐｕｔｅｒ",
        "𝓒𝓸𝓶𝓹𝓾𝓽𝓮𝓻",
        "C\u200bomputer",
        "C o m p u t e r",
        "C0mputer",
        "Cornputer",
        "Computer 2",
        "Maitre",
        "Débutant!",
        "Player 3",
        "somebody",
    ),
}


@pytest.mark.parametrize("name", PEOPLE)
def test_people_everywhere_have_names(name: str) -> None:
    kept = names.read(name)
    assert kept == unicodedata.normalize("NFC", name)
    assert names.read(kept) == kept


@pytest.mark.parametrize(("code", "name"), [(code, name) for code, all_ in REFUSED.items() for name in all_])
def test_each_mistake_has_its_own_sentence(code: str, name: str) -> None:
    with pytest.raises(Refused) as refused:
        names.read(name)
    assert refused.value.code == code
    told = [words.say(None, lang, "web", "refusals", code) for lang in words.LANGUAGES]
    assert len({*told, *(words.say(None, "en", "web", "refusals", other) for other in REFUSED if other != code)}) == 7


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_nobody_is_called_like_a_level(level: str, lang: str) -> None:
    with pytest.raises(Refused, match="name-reserved"):
        names.read(words.say(None, lang, "search", "levels", level))


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Ada\n\tLovelace \0 ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("𝓐𝓭𝓪", "Ada"),
        ("ｶﾞ", "ガ"),
        ("A\u200bd\u00ada\u200d", "Ada"),
        ("\u2067محمد\u2069", "محمد"),
        ("Ada\u3000\u00a0Lovelace", "Ada Lovelace"),
        ("x" * 500, "x" * MAX_NAME_CHARS),
        (" \x1b ", ""),
        ("", ""),
    ],
)
def test_what_is_mended_silently(written: str, kept: str) -> None:
    assert names.read(written) == kept


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("Ada", "ADA", True),
        ("Ada", "Ada.", True),
        ("Ada", "A da", True),
        ("Сосо", "Coco", True),
        ("ВОВ", "Bob", True),
        ("Al", "AI", True),
        ("Mary", "Rnary", True),
        ("Ada", "Ada 2", False),
        ("Zoe", "Zoé", False),
        ("Lan", "Ian", False),
        ("田中", "田口", False),
        ("😀", "😁", False),
    ],
)
def test_look_alikes(name: str, other: str, alike: bool) -> None:
    assert names.look_alike(name, other) == names.look_alike(other, name) == alike


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # over Redis other threads use `random`
@given(st.text(max_size=60) | st.text("\u200d\u200c\ufe0f\u202e\u0301aа👩 \u0e33", max_size=30))
def test_whatever_is_kept_is_one_short_readable_line(text: str) -> None:
    name = names.read_or_none(text)
    assert len(name) <= MAX_NAME_CHARS
    assert name == " ".join(name.split())
    assert all(mark.isprintable() or mark in (names.ZWJ, names.ZWNJ) for mark in name)
    assert names.read(name) == name, "what was kept once is kept again"


# Wherever names come in


def test_nobody_sits_down_under_the_name_of_another() -> None:
    table = seating.open_table("pizza", 3, {})
    seating.sit(table.id, "ada", 0, "Ada")
    for name in ("Ada", "ada", "Ａｄａ", "Аdа", "A\u200bda"):
        for ask in (_by_form, _by_command):
            assert ask(table, name) in ("name-taken", "name-mixed")
    assert table.seats.filter(kind=Seat.Kind.FREE).count() == 2
    assert _by_command(table, "Ada 2") == ""
    assert _by_command(table, "") == "", "whoever has no name goes by the seat"


def _by_command(table: Table, name: str) -> str:
    free = table.seats.filter(kind=Seat.Kind.FREE).first()
    assert free is not None
    return str(execute(table.id, "bob", Command("sit", seat=free.number, person=name), "en").get("code", ""))


def _by_form(table: Table, name: str) -> str:
    answer = browser("bob").post(f"/t/{table.id}/do", {"do": "sit", "seat": "1", "name": name})
    assert answer.status_code == 409
    codes = ("name-taken", "name-mixed")
    return next(code for code in codes if words.say(None, "en", "web", "refusals", code) in answer.text)


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_form_of_a_new_table_says_what_is_wrong_and_sets_none(lang: str) -> None:
    client = Client(headers={"accept-language": lang})
    round_one_screen = {"way": "screen", "seats": "3", "name-0": "Ada", "name-1": "\u202eBob", "name-2": "ADA"}
    answer = client.post("/games/pizza/new", round_one_screen)
    assert answer.status_code == 400
    for code in ("name-direction", "name-taken"):
        assert words.say(None, lang, "web", "refusals", code) in answer.text
    answer = client.post("/games/pizza/new", {"way": "link", "seats": "3", "name-0": "Computer"})
    assert words.say(None, lang, "web", "refusals", "name-reserved") in answer.text
    assert not Table.objects.exists()


def test_the_form_minds_only_the_names_that_are_used() -> None:
    client = Client()
    stale = {"way": "link", "seats": "3", "name-0": " Ａｄａ ", "name-1": "Computer", "name-2": "Ada"}
    assert client.post("/games/pizza/new", stale).status_code == 302
    assert {seat.name for seat in Seat.objects.all()} == {"Ada", ""}
    assert client.cookies["name"].value == "Ada"
    both = {"way": "screen", "seats": "3", "name-0": "Ada", "name-1": "Ada", "player-1": "2", "name-2": "Bob"}
    assert client.post("/games/pizza/new", both).status_code == 302, "the computer has no name"


def test_the_name_in_a_cookie_is_read_like_any_other() -> None:
    client = Client()
    client.cookies["name"] = "%E2%80%AEAda"
    assert "\u202e" not in client.get("/games/hepta").text
    client.cookies["name"] = "Zo%C3%AB"
    assert 'value="Zoë"' in client.get("/games/hepta").text


def test_a_record_from_elsewhere_brings_no_name_and_no_control_character() -> None:
    """Records have none; what is quoted of a bad one is bounded, and cannot turn the writing around."""
    answer = Client().post("/replay", {"text": '{"format": "\u202eAda\u200b' + "x" * 500 + '"}'})
    assert answer.status_code == 400
    assert "\u202e" not in answer.text
    assert "\u200b" not in answer.text
    assert "x" * 50 not in answer.text


def test_who_plays_on_keeps_a_name_that_may_be_kept() -> None:
    table = seated("hepta", 2)
    table.play_at_once()
    table.table.seats.filter(number=0).update(name="Computer")  # of a time when it could be chosen
    browser("ada").get(f"/t/{table.id}")
    answer = browser("ada").post(f"/replay/{table.id}/play-on", {"step": 0, "seat": 0, "level": "1"})
    assert answer.status_code == 302
    made = Table.objects.exclude(pk=table.id).get()
    assert {seat.name for seat in made.seats.all()} == {""}
