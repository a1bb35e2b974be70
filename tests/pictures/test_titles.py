"""Titles in the reader's language: every phrase a picture says has its words in French."""

import re
from random import Random

import pytest

import ludotheque
from ludotheque import words
from ludotheque.pictures.output.render import render_match
from ludotheque.pictures.output.titles import translated
from variants import Variant, everything

# Cells, pieces, cards with their holes, roles printed on the pizza, names of dogs: the same in every language.
NAMES = r"[a-z]\d|[ITLSOMABCD]\d?|[hv]\d|×?\d+|[○■]+|\d(st|nd|rd)|Rex|Fifi|Daisy|Zorro|\d+@\S+"
TITLE = re.compile(r"<title>([^<]*)</title>")

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


@every_variant
def test_every_phrase_has_french_words(variant: Variant) -> None:
    if variant.box.key == "nim":
        pytest.skip("a plug-in may leave its titles in English")
    known = words.page(variant.box.rules.stem, "en")["titles"]
    assert isinstance(known, dict)
    phrases = sorted((str(phrase) for phrase in known.values()), key=len, reverse=True)
    allowed = re.compile(rf"(?:{'|'.join(map(re.escape, phrases))}|{NAMES}|[ :;,·/–-])*")
    random, match = Random(3), variant.match(3)
    while not match.over and len(match.events) < 70:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        if len(match.events) % 10 == 0 or match.over:
            for title in TITLE.findall(render_match(match, random.choice((None, *range(match.seats)))))[1:]:
                assert allowed.fullmatch(title), title


def test_the_longest_phrase_counts() -> None:
    said = translated("<title>c2: captured gold pawn</title><text>gold</text>", "tricolore", "fr")
    assert said == "<title>c2\N{NO-BREAK SPACE}: pion doré pris</title><text>gold</text>"


def test_the_picture_is_named_in_the_language() -> None:
    match = ludotheque.game("hepta-solo").match()
    assert "<title>Hepta solo</title>" in render_match(match, None)
    french = render_match(match, None, lang="fr")
    assert "bloqueur</title>" in french
    assert "blocker</title>" not in french
    assert re.sub(TITLE, "", french) == re.sub(TITLE, "", render_match(match, None))
