"""A match whose game keeps its secrets when it is over: the site gives out nothing that would tell them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import example
import ludotheque
from ludotheque.web.replays import analysis, uploads
from ludotheque.web.replays.finished import find
from web.people import VISITORS, Round, browser, seated


@pytest.fixture
def folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Round]:
    """Kuhn's poker after somebody has folded."""
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    with example.on_the_shelf(tmp_path, "kuhn"):
        table = seated("kuhn", 2)
        table.play(0, "bet")
        table.play(1, "fold")
        yield table


def dealt(table: Round, seat: int) -> str:
    """The card of a seat, in the word that only its texts have."""
    return str(table.match.events[seat][1])


def test_the_cards_of_whoever_folds_are_in_nothing_that_others_get(folded: Round) -> None:
    assert folded.match.over
    for who in ("ada", "stranger"):
        client = browser(who)
        got = [client.get(f"/t/{folded.id}{path}").text for path in ("", "/screen", "/at/1", "/at/2", "/at/4")]
        assert dealt(folded, 1) not in "".join(got)
        assert (dealt(folded, 0) in "".join(got)) == (who == "ada")


def test_there_is_no_record_no_replay_and_no_link_to_them(folded: Round) -> None:
    client = browser(VISITORS[0])
    replay = f"/replay/{folded.id}"
    for path in (
        f"/t/{folded.id}/record",
        f"{replay}/at/1",
        f"{replay}/turn/1",
        f"{replay}/progress",
        f"{replay}/preview.png",
    ):
        assert client.get(path).status_code == 404, path
    assert client.post(f"{replay}/play-on", {"step": 3, "seat": 0, "level": "1"}).status_code == 404
    assert client.get(f"/replay/{folded.id}")["Location"] == f"/t/{folded.id}"
    assert find(folded.id) is None
    page = client.get(f"/t/{folded.id}").text
    assert 'id="after"' in page
    assert 'id="to-replay"' not in page


def test_who_brings_a_record_has_it_all(folded: Round) -> None:
    brought = find(uploads.keep(uploads.read(folded.match.save())).id)
    assert brought is not None
    assert brought.match.shown(None) == folded.match.events
    assert ludotheque.load(folded.match.save()).shown(None) != folded.match.events
