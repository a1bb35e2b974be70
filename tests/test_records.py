"""Records across versions: what is written is the newest, and older ones are upgraded step by step."""

import json
from collections.abc import Callable

import pytest

import ludotheque
from ludotheque import BadRecord, records
from ludotheque.match import Match
from ludotheque.records import Record


def played() -> Match:
    match = ludotheque.game("pizza").match(seats=2, seed="a secret")
    for seat in (0, 1):
        match.play(seat, match.moves(seat)[0])
    return match


def renamed(old: str, new: str) -> Callable[[Record], Record]:
    """An upgrade that gives a field another name."""

    def upgrade(record: Record) -> Record:
        return {new if name == old else name: value for name, value in record.items()}

    return upgrade


def test_what_is_written_is_the_current_version() -> None:
    record = json.loads(played().save())
    assert (record["format"], record["version"]) == (records.FORMAT, records.VERSION)
    assert set(record) == set(records.REQUIRED)


def test_every_older_version_has_its_upgrade() -> None:
    assert sorted(records.UPGRADES) == list(range(1, records.VERSION))


def test_older_records_are_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if two more versions had come: one that renamed `events` to `moves`, one that renamed `moves` to `log`."""
    match = played()
    old = renamed("log", "events")(json.loads(match.save())) | {"version": 1}
    monkeypatch.setattr(records, "VERSION", 3)
    monkeypatch.setattr(records, "UPGRADES", {1: renamed("events", "moves"), 2: renamed("moves", "log")})
    loaded = ludotheque.load(json.dumps(old))
    assert loaded == match
    assert json.loads(loaded.save())["version"] == 3
    halfway = renamed("events", "moves")(old) | {"version": 2}
    assert ludotheque.load(json.dumps(halfway)) == match


def test_an_upgraded_record_is_checked_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    old = json.loads(played().save()) | {"scores": [9, 9]}
    monkeypatch.setattr(records, "VERSION", 2)
    monkeypatch.setattr(records, "UPGRADES", {1: lambda record: record})
    with pytest.raises(BadRecord, match="scores"):
        ludotheque.load(json.dumps(old))


def test_a_record_that_only_pretends_to_be_old_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "VERSION", 2)
    monkeypatch.setattr(records, "UPGRADES", {1: lambda record: {**record, "log": record["events"]}})
    with pytest.raises(BadRecord, match="not of version 1"):
        ludotheque.load(played().save().replace('"version": 2', '"version": 1'))


@pytest.mark.parametrize("version", [0, -1, 2, 10**30, 1.5, True, None, "1", [1]])
def test_versions_that_are_not_known_are_refused(version: object) -> None:
    record = json.loads(played().save()) | {"version": version}
    with pytest.raises(BadRecord, match="version"):
        ludotheque.load(json.dumps(record))
