"""Whatever is thrown at the library, it answers with its own errors, says something useful and changes nothing."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import BadOption, BadRecord, IllegalMove, Match
from ludotheque.records import REQUIRED
from variants import everything

STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=10**50, max_value=10**60),
    st.floats(),
    st.text(),
    st.text("\x00\x1b\n\u202e\ud800a1-", min_size=1),
    st.sampled_from(["luck", "undo", "", "cut 1", "d4", "∞", "a" * 5000]),
)
JSON = st.recursive(
    STRANGE, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
VARIANTS = everything()


def some_match(seed: int) -> Match:
    """A match of any game, in the middle."""
    random = Random(seed)
    match = random.choice(VARIANTS).match(seed)
    for _ in range(random.randrange(25)):
        if match.over:
            break
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    return match


def is_a_message(text: str) -> bool:
    return text.isprintable() and 10 < len(text) < 400


@settings(max_examples=300)
@given(seed=st.integers(0, 40), actor=STRANGE, text=STRANGE)
def test_strange_moves(seed: int, actor: object, text: object) -> None:
    match = some_match(seed)
    before = match.save()
    legal = [(who, move) for who in match.to_act for move in match.moves(who)]
    if isinstance(actor, bool) or (actor, text) not in legal:
        with pytest.raises(IllegalMove) as error:
            match.play(actor, text)  # type: ignore[arg-type]
        assert is_a_message(error.value.reason)
    assert match.save() == before


@settings(max_examples=300)
@given(seed=st.integers(0, 40), name=st.text() | st.sampled_from(["legs", "rounds", "expert", "referee"]), value=JSON)
def test_strange_options(seed: int, name: str, value: object) -> None:
    box = some_match(seed).game.key
    known = {option.name: option for option in ludotheque.game(box).options}
    try:
        match = ludotheque.game(box).match(**{"seed": 1, name: value})  # type: ignore[arg-type]
    except BadOption as error:
        assert is_a_message(error.reason)  # noqa: PT017 - both ways are fine
    else:
        assert name in {*known, "seed", "table", "luck", "entropy", "seats"}
        assert name not in known or match.options[name] == known[name].check(value)


@settings(max_examples=300)
@given(st.text() | JSON.map(json.dumps))
def test_strange_records(text: str) -> None:
    with pytest.raises(BadRecord) as error:
        ludotheque.load(text)
    assert is_a_message(error.value.reason)


@settings(max_examples=400)
@given(seed=st.integers(0, 40), field=st.sampled_from(REQUIRED), value=JSON)
def test_a_record_with_one_field_exchanged(seed: int, field: str, value: object) -> None:
    record = json.loads(some_match(seed).save())
    if value == record[field] and type(value) is type(record[field]):
        return
    record[field] = value
    _loads_as_itself_or_not_at_all(json.dumps(record))


@settings(max_examples=400)
@given(seed=st.integers(0, 40), where=st.integers(0, 10**6), value=JSON, drop=st.booleans())
def test_a_record_with_one_entry_of_the_log_exchanged(seed: int, where: int, value: object, drop: bool) -> None:
    record = json.loads(some_match(seed).save())
    if record["log"]:
        where %= len(record["log"])
        record["log"][where : where + 1] = [] if drop else [value]
        _loads_as_itself_or_not_at_all(json.dumps(record))


@settings(max_examples=400)
@given(seed=st.integers(0, 40), where=st.integers(0, 10**6), mark=st.characters())
def test_a_record_with_one_character_exchanged(seed: int, where: int, mark: str) -> None:
    text = some_match(seed).save()
    where %= len(text)
    _loads_as_itself_or_not_at_all(text[:where] + mark + text[where + 1 :])


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "1" * 10_000, '{"a":' * 50_000, "NaN", "\ud800", "", "null", "x" * 5_000_000, '"\\ud800"'],
    ids=lambda text: text[:8],
)
def test_records_made_to_hurt(text: str) -> None:
    with pytest.raises(BadRecord):
        ludotheque.load(text)


@pytest.mark.parametrize("text", [b"{}", None, 7, ["{}"]])
def test_records_that_are_not_text(text: object) -> None:
    with pytest.raises(BadRecord, match="text"):
        ludotheque.load(text)  # type: ignore[arg-type]


def _loads_as_itself_or_not_at_all(text: str) -> None:
    """Either it is refused with a message, or what was read says the same when written again."""
    try:
        match = ludotheque.load(text)
    except BadRecord as error:
        assert is_a_message(error.reason)  # noqa: PT017 - both ways are fine
    else:
        assert json.loads(match.save()) == json.loads(text)
