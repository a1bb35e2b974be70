"""Reading a record: everything in it is checked, and every refusal says where it is wrong.

The format is documented in `docs/reference/record.md`; `record.schema.json` beside this file is its schema.
"""

import json
from collections.abc import Callable
from functools import partial

from ludotheque.errors import BadRecord, LudothequeError, quoted
from ludotheque.game import AnyGame
from ludotheque.luck import Luck
from ludotheque.match import FORMAT, VERSION, Event, Match, Pencil, Undo

LONGEST = 4_000_000  # characters: ten thousand times a long game
FIELDS = ("format", "version", "game", "seats", "options", "luck", "log", "over", "scores", "winners")
MAY_HAVE = ("ending",)


def load(text: str, find: Callable[[str], AnyGame], pencil: Pencil | None = None) -> Match:
    """The match a record holds; `find` gives a game by its key."""
    record = _fields(_parsed(text), FIELDS, "a record", MAY_HAVE)
    if record["format"] != FORMAT:
        raise _bad(f"This is not a Ludothèque record: its format is {quoted(record['format'])}, not {FORMAT}.")
    if record["version"] != VERSION or isinstance(record["version"], bool):
        raise _bad(f"This record has version {quoted(record['version'])}; this ludothèque reads version {VERSION}.")
    match = _match(record, find, pencil)
    _replay(match, _log(record["log"]))
    if "ending" in record:
        _end(match, record["ending"])
    _agree(record, json.loads(match.save()))
    return match


def _agree(record: dict[str, object], again: dict[str, object]) -> None:
    """The record says what the match it holds would say: all options, and the result that its moves give."""
    for name, found in again.items():
        if json.dumps(record[name], sort_keys=True) != json.dumps(found, sort_keys=True):
            raise _bad(f"The record says {name} is {quoted(record[name])}, but it should be {quoted(found)}.")


def _parsed(text: str) -> object:
    if not isinstance(text, str):
        raise _bad(f"A record is text, not {quoted(type(text).__name__)}.")
    if len(text) > LONGEST:
        raise _bad(f"This is too long for a record: {len(text):,} characters.")
    try:
        parsed: object = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _bad(f"This is not a record: it is not readable as JSON ({type(error).__name__}).") from error
    return parsed


def _match(record: dict[str, object], find: Callable[[str], AnyGame], pencil: Pencil | None) -> Match:
    options = record["options"]
    if not isinstance(options, dict):
        raise _bad("options must be an object of names and values.")
    if not isinstance(record["seats"], int):
        raise _bad(f"seats must be a number, not {quoted(record['seats'])}.")
    try:
        match = Match(find(_text(record["game"], "game")), record["seats"], None, options, pencil)
    except LudothequeError as error:
        raise BadRecord(error.reason, error.code) from error
    match.luck = _luck(record["luck"])
    return match


def _luck(value: object) -> Luck | None:
    if value is None:
        return None
    luck = _fields(value, ("seed", "commitment", "table", "entropy"), "luck")
    entropy = luck["entropy"]
    if not isinstance(entropy, list) or len(entropy) > 100:
        raise _bad("luck's entropy must be a list of texts.")
    found = Luck(
        _text(luck["seed"], "seed"),
        _text(luck["table"], "table"),
        tuple(_text(part, "entropy") for part in entropy),
    )
    if luck["commitment"] != found.commitment:
        raise _bad("The seed does not fit the commitment published for it.", "forged-luck")
    return found


def _log(value: object) -> list[Event | Undo]:
    if not isinstance(value, list):
        raise _bad("log must be a list.")
    return [_entry(number, entry) for number, entry in enumerate(value, 1)]


def _entry(number: int, entry: object) -> Event | Undo:
    match entry:
        case ["luck", str(text)]:
            return "luck", text
        case ["undo", bool(_)]:
            pass
        case ["undo", int(steps)]:
            return "undo", steps
        case [bool(_), _]:
            pass
        case [int(seat), str(text)]:
            return seat, text
    raise _bad(f"Entry {number} of the log is neither a move nor an undo: {quoted(entry)}.")


def _replay(match: Match, log: list[Event | Undo]) -> None:
    for number, entry in enumerate(log, 1):
        due = match.due()
        if due is not None and entry != ("luck", due):
            drawn = f"luck drew {quoted(due)}, not {quoted(entry[1])}"
            raise _bad(f"Entry {number} of the log: {drawn}.", "forged-luck")
        try:
            match.enter(entry)
        except LudothequeError as error:
            raise BadRecord(f"Entry {number} of the log: {error.reason}", error.code) from error
    if match.due() is not None:
        raise _bad("The log breaks off before luck has acted.")


def _end(played: Match, ending: object) -> None:
    """Somebody gave up, or all agreed on a draw."""
    match ending:
        case {"how": "resign", "seat": int(seat), **rest} if not rest and not isinstance(seat, bool):
            end = partial(played.resign, seat)
        case {"how": "draw", **rest} if not rest:
            end = partial(played.agree)
        case _:
            raise _bad(f"ending is neither a seat that gave up nor a draw: {quoted(ending)}.")
    try:
        end()
    except LudothequeError as error:
        raise BadRecord(f"The ending: {error.reason}", error.code) from error


def _fields(value: object, names: tuple[str, ...], what: str, may_have: tuple[str, ...] = ()) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _bad(f"{what} must be a JSON object.")
    missing = [name for name in names if name not in value]
    unknown = [name for name in value if name not in names + may_have]
    if missing or unknown:
        wrong = f"lacks {missing[0]}" if missing else f"has an unknown field {quoted(unknown[0])}"
        raise _bad(f"{what} {wrong}.")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or len(value) > 1000:
        raise _bad(f"{what} must be a text of at most 1000 characters.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _bad(f"{what} has a character that cannot be written.") from error
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _bad(reason: str, code: str = "bad-record") -> BadRecord:
    return BadRecord(reason[0].upper() + reason[1:], code)
