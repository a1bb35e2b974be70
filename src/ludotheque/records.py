"""Records: a match as JSON text. The one place that knows the format: it writes, reads and upgrades records.

The format is documented in `docs/reference/record.md`; `record.schema.json` beside this file is its schema. For a
new version, raise `VERSION`, let `write` write the new shape, and add to `UPGRADES` the function that upgrades a
record of the version before: older records are upgraded step by step and then read like any other.

Reading checks everything, and every refusal says where the record is wrong.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ludotheque.errors import BadRecord, LudothequeError, quoted
from ludotheque.luck import Luck

if TYPE_CHECKING:
    from ludotheque.match import Event, Match, Undo

Record: TypeAlias = dict[str, object]
NewMatch: TypeAlias = "Callable[[str, int, Mapping[str, object]], Match]"
"""new_match(key, seats, options): a match of the game of this key, luck played by hand."""

FORMAT = "ludotheque-record"
VERSION = 1
UPGRADES: dict[int, Callable[[Record], Record]] = {}
"""By version: a function that gives a record of the next one. It gets a record whose fields are not checked yet."""

MAX_RECORD_CHARS = 4_000_000  # ten thousand times a long game
MAX_TEXT_CHARS = 1000
TOO_LONG = "too-long"  # the code of such a refusal
MAX_ENTROPY_PARTS = 100
REQUIRED = ("format", "version", "game", "seats", "options", "luck", "log", "over", "scores", "winners")
OPTIONAL = ("ending",)


def write(match: "Match") -> str:
    """The record of a match: all that is needed to go on, luck's secret included."""
    luck = match.luck and {
        "seed": match.luck.seed,
        "commitment": match.luck.commitment,
        "table": match.luck.table,
        "entropy": list(match.luck.entropy),
    }
    record: Record = {
        "format": FORMAT,
        "version": VERSION,
        "game": match.game.key,
        "seats": match.seats,
        "options": match.options,
        "luck": luck,
        "log": match.log,
        "over": match.over,
        "scores": match.scores,
        "winners": match.winners,
    }
    if match.ending:
        record["ending"] = {name: value for name, value in match.ending._asdict().items() if value is not None}
    return json.dumps(record, ensure_ascii=False)


def read(text: str, new_match: NewMatch, max_entries: int | None = None) -> "Match":
    """The match that a record holds; refused before anything is played if its log is longer than `max_entries`."""
    record = _fields(_upgraded(_parsed(text)), REQUIRED, "a record", OPTIONAL)
    match = _new_match(record, new_match)
    log = _log(record["log"])
    if max_entries is not None and len(log) > max_entries:
        raise _bad(f"The log has {len(log):,} entries; at most {max_entries:,} are read here.", TOO_LONG)
    _replay(match, log)
    if "ending" in record:
        _end(match, record["ending"])
    _check_consistent(record, json.loads(write(match)))
    return match


# Versions


def _upgraded(value: object) -> Record:
    """The record in the current version."""
    record = _object(value, "a record")
    for name in ("format", "version"):
        if name not in record:
            raise _bad(f"a record lacks {name}.")
    if record["format"] != FORMAT:
        raise _bad(f"This is not a Ludothèque record: its format is {quoted(record['format'])}, not {FORMAT}.")
    while (version := record["version"]) != VERSION or isinstance(version, bool):
        if isinstance(version, bool) or not isinstance(version, int) or version not in UPGRADES:
            raise _bad(f"This record has version {quoted(version)}; this ludothèque reads version {VERSION}.")
        try:
            record = {**UPGRADES[version](record), "version": version + 1}
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise _bad(f"This record is not of version {version}, as it says ({type(error).__name__}).") from error
    return record


# Reading


def _check_consistent(record: Record, again: Record) -> None:
    """Refuse a record that differs from what the match it holds would write: options, result, commitment."""
    for name, found in again.items():
        if json.dumps(record[name], sort_keys=True) != json.dumps(found, sort_keys=True):
            raise _bad(f"The record says {name} is {quoted(record[name])}, but it should be {quoted(found)}.")


def _parsed(text: str) -> object:
    if not isinstance(text, str):
        raise _bad(f"A record is text, not {quoted(type(text).__name__)}.")
    if len(text) > MAX_RECORD_CHARS:
        raise _bad(f"This is too long for a record: {len(text):,} characters.", TOO_LONG)
    try:
        parsed: object = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _bad(f"This is not a record: it is not readable as JSON ({type(error).__name__}).") from error
    return parsed


def _new_match(record: Record, new_match: NewMatch) -> "Match":
    options = record["options"]
    if not isinstance(options, dict):
        raise _bad("options must be an object of names and values.")
    if not isinstance(record["seats"], int):
        raise _bad(f"seats must be a number, not {quoted(record['seats'])}.")
    try:
        match = new_match(_text(record["game"], "game"), record["seats"], options)
    except LudothequeError as error:
        raise BadRecord(error.reason, error.code) from error
    match.luck = _luck(record["luck"])
    return match


def _luck(value: object) -> Luck | None:
    if value is None:
        return None
    luck = _fields(value, ("seed", "commitment", "table", "entropy"), "luck")
    entropy = luck["entropy"]
    if not isinstance(entropy, list) or len(entropy) > MAX_ENTROPY_PARTS:
        raise _bad("luck's entropy must be a list of texts.")
    found = Luck(
        _text(luck["seed"], "seed"),
        _text(luck["table"], "table"),
        tuple(_text(part, "entropy") for part in entropy),
    )
    if luck["commitment"] != found.commitment:
        raise _bad("The seed does not fit the commitment published for it.", "forged-luck")
    return found


def _log(value: object) -> "list[Event | Undo]":
    if not isinstance(value, list):
        raise _bad("log must be a list.")
    return [_entry(number, entry) for number, entry in enumerate(value, 1)]


def _entry(number: int, entry: object) -> "Event | Undo":
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


def _replay(match: "Match", log: "list[Event | Undo]") -> None:
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


def _end(played: "Match", ending: object) -> None:
    """End a match as the record says: somebody resigned, or all agreed on a draw."""
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


def _fields(value: object, required: tuple[str, ...], what: str, optional: tuple[str, ...] = ()) -> Record:
    """A JSON object that has all these fields and no others."""
    record = _object(value, what)
    missing = [name for name in required if name not in record]
    unknown = [name for name in record if name not in required + optional]
    if missing or unknown:
        wrong = f"lacks {missing[0]}" if missing else f"has an unknown field {quoted(unknown[0])}"
        raise _bad(f"{what} {wrong}.")
    return record


def _object(value: object, what: str) -> Record:
    if not isinstance(value, dict):
        raise _bad(f"{what} must be a JSON object.")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARS:
        raise _bad(f"{what} must be a text of at most {MAX_TEXT_CHARS} characters.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _bad(f"{what} has a character that cannot be written.") from error
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _bad(reason: str, code: str = "bad-record") -> BadRecord:
    return BadRecord(reason[0].upper() + reason[1:], code)
