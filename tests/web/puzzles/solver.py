"""Somebody who solves puzzles in the browser, as the tests need them."""

import json
import re
import time

from django.test import Client

from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec, read
from ludotheque.web.models import Attempt
from ludotheque.web.visitors import hashed

HEPTA = "hepta-solo:a2-b5-d1-d2-f1-f2-f5"
AT = "/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5"
TETRODS = "tetrods:a2-a5-a6-b1-b3-b6-c5-d6-e1-e5-e7-g2-g3"
AT_TETRODS = "/puzzles/tetrods/4/20261115"
PEGS = "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7"
AT_PEGS = "/puzzles/pegs-solo/10/a5-b4-b6-c1-c2-d6-e4-f7"
COMPILE_TIMEOUT_S = 180  # for the first of all to be compiled


def puzzle(description: str = HEPTA) -> PuzzleSpec:
    found = read(description)
    assert isinstance(found, PuzzleSpec)
    return found


def solution(description: str = HEPTA) -> list[str]:
    match = puzzle(description).match()
    moves = kind(match.game.key).engine.first(match.state)
    assert moves is not None
    return [match.game.texts[move] for move in moves]


def attempt(visitor: str = "ada", description: str = HEPTA) -> Attempt:
    return Attempt.objects.get(visitor=hashed(visitor), puzzle=description)


def post(client: Client, path: str = AT, **message: object) -> dict[str, object]:
    """What our script sends; the version is that of the position there."""
    if "version" not in message:
        shown = client.get(path)
        message["version"] = json.loads(re.findall(r'id="live"[^>]*>(.*?)</script>', shown.text)[0])["version"]
    reply = client.post(path, json.dumps(message), content_type="application/json")
    assert reply.status_code == 200
    answer: dict[str, object] = reply.json()
    return answer


def patiently(client: Client, path: str = AT, **message: object) -> dict[str, object]:
    """Ask until it is answered: the first time, much has to be compiled."""
    end = time.monotonic() + COMPILE_TIMEOUT_S
    while (answer := post(client, path, **message)).get("code") == "making":
        assert time.monotonic() < end
    return answer


def screen(answer: dict[str, object]) -> dict[str, object]:
    found = answer["screen"]
    assert isinstance(found, dict)
    return found
