"""Finished matches to look back at: every position, the analysis, luck made again, records from elsewhere."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils import timezone

import ludotheque
from ludotheque import words
from ludotheque.search.analysis import Judgement
from ludotheque.search.levels import evaluation_simulations
from ludotheque.web.models import Replay
from ludotheque.web.players.questions import Question
from ludotheque.web.replays import analysis, details
from ludotheque.web.replays.finished import find
from ludotheque.web.table import seating
from ludotheque.web.words import seat_name
from web.people import Round, browser, seated, seated_alike

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
SHORT = {"legs": 1, "rounds": 2, "limit": 30, "quiet": 30}


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Question]]:
    """A judge who finds every third move bad, at once; no process is started."""
    asked: list[Question] = []

    def judgement(question: Question, text: str, simulations: int) -> Judgement:
        assert 0 < simulations <= evaluation_simulations(ludotheque.game(question.game).rules, question.seats)
        asked.append(question)
        seats = len(ludotheque.game(question.game).rules.scores(question.seen))
        bad = len(asked) % 3 == 0
        return Judgement(0.3 if bad else 0.0, "better", ("better", text), (1 / seats,) * seats, False)

    monkeypatch.setattr(analysis, "judgement", judgement)
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    yield asked
    Replay.objects.all().delete()


def played(box: ludotheque.Box) -> Round:
    options = {option.name: SHORT[option.name] for option in box.options if option.name in SHORT}
    table = seated(box.key, max(box.seats), **options)
    table.play_at_once(300)
    table.give_up()
    return table


@every_game
def test_every_finished_match_has_its_page(box: ludotheque.Box) -> None:
    table = played(box)
    last = len(table.match.events)
    for lang in words.LANGUAGES:
        page = Client(headers={"accept-language": lang}).get(f"/replay/{table.id}")
        assert page.status_code == 200
        assert page.text.count('<li id="log-') == last + 1
        assert (words.say(None, lang, "web", "being-analysed") in page.text) == (max(box.seats) > 1)
        assert "style=" not in page.text
    pictures = {Client().get(f"/replay/{table.id}/at/{step}?lang=fr").text[:4] for step in range(0, last + 1, 7)}
    assert pictures == {"<svg"}
    assert Client().get(f"/replay/{table.id}/at/{last + 1}").status_code == 404


@every_game
def test_every_finished_match_is_analysed(box: ludotheque.Box, judge: list[Question]) -> None:
    table = played(box)
    found = find(table.id)
    assert found is not None
    if max(box.seats) == 1:
        assert not analysis.possible(found)
        return
    analysis.analyse(found)
    assert len(judge) == found.moves
    page = Client(headers={"accept-language": "fr"}).get(f"/replay/{table.id}").text
    assert page.count("<polyline") == max(box.seats)
    assert page.count('class="curve-mark') - min(5, found.moves // 3) in (0, 1), "the last move, too, if it decided"
    assert "joue better." in page, "a move that is none any more goes by its text"
    assert page.count("<tr>") == found.moves + 2, "the curve as a table, and the end"


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_roles_are_those_of_the_leg_that_is_shown(lang: str, judge: list[Question]) -> None:
    table = seated("tfortwo", 2, legs=2)
    table.play_at_once(300)
    found = find(table.id)
    assert found is not None
    assert judge == []
    analysis.analyse(found)
    end = found.match.ended_legs()[0][0] + 1
    roles = [seat_name("tfortwo", 2, role, lang) for role in range(2)]
    visitor = Client(headers={"accept-language": lang})

    def shown(step: int) -> list[str]:
        page = visitor.get(f"/replay/{table.id}?step={step}").text
        return [name.strip() for name in re.findall(r'<span data-leg="\d">(.*?)</span>', page, re.DOTALL)]

    assert [shown(step) for step in (0, end)] == [roles, roles], "the finished board is that of its leg"
    assert [shown(step) for step in (end + 1, found.match.length)] == [roles[::-1], roles[::-1]]
    page = visitor.get(f"/replay/{table.id}").text
    for event, leg in ((0, 0), (end, 1)):
        row = re.search(rf'<th scope="row">{event + 1}\. (.*?)</th>', page)
        seat = found.match.event(event)[0]
        assert row is not None
        assert isinstance(seat, int)
        assert f"({roles[found.match.role_of(seat, leg)]})" in row[1]


def test_nothing_of_a_running_match() -> None:
    table = seated_alike("hundsgemein", 3)
    table.play_at_once(20)
    assert find(table.id) is None
    assert Client().get(f"/replay/{table.id}")["Location"] == f"/t/{table.id}"
    for path in ("at/3", "progress"):
        assert Client().get(f"/replay/{table.id}/{path}").status_code == 404
    assert Client().get("/replay/nothing").status_code == 404
    assert not Replay.objects.exists()


def test_a_match_given_up_is_open_as_a_whole() -> None:
    table = seated_alike("hundsgemein", 3)  # by other luck it may be over before
    table.play_at_once(40)
    before = browser("ada").get(f"/t/{table.id}/at/5").status_code
    table.give_up()
    page = Client().get(f"/replay/{table.id}?step=5").text
    assert Client().get(f"/replay/{table.id}/at/5").text in page
    assert before in (200, 404)
    assert "Ada" in page


def test_an_analysis_goes_on_where_it_was(judge: list[Question]) -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    found = find(table.id)
    assert found is not None
    analysis.analyse(found)
    half = Replay.objects.get().steps[: found.moves // 2]
    Replay.objects.update(steps=half, whole=False)
    judge.clear()
    again = find(table.id)
    assert again is not None
    analysis.analyse(again)
    assert len(judge) == found.moves - found.moves // 2
    kept = Replay.objects.get()
    assert [step["number"] for step in kept.steps] == [
        number for number, (actor, _) in enumerate(table.match.events) if actor != "luck"
    ]
    assert asdict(analysis.steps(kept)[0]).keys() == half[0].keys()


def test_one_process_at_a_time_and_few_matches_together() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    found = find(table.id)
    assert found is not None
    kept = found.replay
    others = [
        Replay.objects.create(pk=str(number), claimed=timezone.now()) for number in range(analysis.MAX_CONCURRENT)
    ]
    assert not analysis._claimed(kept), "there are enough already"
    for other in others:
        other.delete()
    assert analysis._claimed(kept)
    assert not analysis._claimed(kept)
    Replay.objects.update(claimed=timezone.now() - analysis.CLAIM_EXPIRES_AFTER - timedelta(seconds=1))
    assert analysis._claimed(kept), "it fell silent"
    Replay.objects.update(claimed=timezone.now() + timedelta(hours=1))
    assert analysis._claimed(kept), "the clock was put back an hour"
    Replay.objects.update(whole=True, claimed=None)
    assert not analysis._claimed(kept)


def test_nobody_thinks_where_nobody_can() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    with override_settings(THINKER=""):
        assert 'id="analysis"' not in Client().get(f"/replay/{table.id}").text


def test_luck_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated("pizza", 2, rounds=2)
    table.play_at_once()
    draws = sum(actor == "luck" for actor, _ in table.match.log)
    page = Client().get(f"/replay/{table.id}").text
    assert f"all draws of luck ({draws})" in page
    assert table.table.commitment in page
    monkeypatch.setattr(type(table.match), "save", lambda match: _forged(match) if match.luck else "", raising=True)
    details.clear()  # the draws of a match that is over are made again once
    assert "do not follow from its secret" in Client().get(f"/replay/{table.id}").text


SAVE = ludotheque.Match.save


def _forged(match: ludotheque.Match) -> str:
    record = json.loads(SAVE(match))
    record["luck"]["seed"] = "another"
    return json.dumps(record)


def test_names_are_escaped() -> None:
    table = seating.open_table("hepta", 2, {"legs": 1})
    for seat, (visitor, name) in enumerate((("ada", "<b>Bo&b</b>"), ("bob", "<b>Bo&bby</b>"))):
        seating.sit(table.id, visitor, seat, name)
    Round(table).play_at_once()
    found = find(table.id)
    assert found is not None
    analysis.analyse(found)
    page = Client().get(f"/replay/{table.id}").text
    assert "<b>Bo" not in page
    assert re.search(r"<title>&lt;b&gt;Bo&amp;b", page)


def saved(**options: int) -> str:
    table = seated("pizza", 2, rounds=2, **options)
    table.play_at_once()
    return str(Client().get(f"/t/{table.id}/record").text)


@pytest.mark.parametrize("as_file", [True, False])
def test_a_record_is_brought_and_looked_at(as_file: bool) -> None:
    record = saved()

    def form() -> dict[str, object]:
        return {"file": SimpleUploadedFile("evening.json", record.encode())} if as_file else {"text": record}

    page = Client().post("/replay", form(), follow=True)
    assert page.status_code == 200
    match = ludotheque.load(record)
    assert page.text.count('<li id="log-') == len(match.events) + 1
    assert match.luck is not None
    assert match.luck.seed not in page.text
    again = Client().post("/replay", form())
    assert again["Location"] == page.redirect_chain[0][0], "the same record is kept once"
    assert Client().get(f"{again['Location']}/at/1").text.startswith("<svg")


def test_a_record_of_a_match_that_goes_on_is_not_analysed() -> None:
    match = ludotheque.game("hepta").match(seed=1)
    match.play(0, "d4")
    page = Client().post("/replay", {"text": match.save()}, follow=True).text
    assert "Not played to its end." in page
    assert 'id="analysis"' not in page


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_what_is_no_record_is_refused_in_words(lang: str) -> None:
    forged = json.loads(saved())
    forged["luck"]["seed"] = "another"
    known = Replay.objects.count()
    for text in ("", "{}", "x" * 60_001, "[" * 50_000, json.dumps(forged), '{"format": "ludotheque-record"}'):
        page = Client(headers={"accept-language": lang}).post("/replay", {"text": text})
        assert page.status_code == 400
        assert 'role="alert"' in page.text
    assert (
        words.say(None, lang, "web", "record-forged")[:20]
        in Client(headers={"accept-language": lang}).post("/replay", {"text": json.dumps(forged)}).text
    )
    binary = SimpleUploadedFile("picture.png", bytes(range(256)) * 300)
    assert Client().post("/replay", {"file": binary}).status_code == 400
    assert Replay.objects.count() == known
