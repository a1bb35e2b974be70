"""Golden playthroughs and perft tables: what every game did when it was last looked at, kept as data.

    python tests/golden.py GAME…     writes the files of these games anew (all games if none is named)

Look at the difference before you commit it: a change here is a change of the rules or of the order of moves.
"""

import hashlib
import json
import sys
from pathlib import Path
from random import Random

import ludotheque
from ludotheque import Box, Match
from ludotheque.search.perft import perft

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from variants import Variant, variants

DATA = Path(__file__).parent / "data"
SHORTEST = 60  # events of a solitaire, which random play does not end
NODES = 20_000  # perft goes as deep as this allows
LOOKS = (0, 10, 16, 30)  # events of a game after which it is counted


def golden_file(box: Box) -> Path:
    return DATA / "golden" / f"{box.rules.stem}.json"


def perft_file(box: Box) -> Path:
    return DATA / "perft" / f"{box.rules.stem}.json"


def offer(match: Match) -> str:
    """What everyone may do now, in order, as a short hash."""
    offered = [[actor, match.moves(actor)] for actor in match.to_act]
    return hashlib.sha256(json.dumps(offered).encode()).hexdigest()[:8]


def playthrough(variant: Variant) -> dict[str, object]:
    """A random game as a record, with a hash of what was offered before each event."""
    match, random, offers = variant.match("golden", by_hand=True), Random(str(variant)), []
    while not match.over and (variant.seats > 1 or len(match.events) < SHORTEST):
        offers.append(offer(match))
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    return {"offers": offers, "record": json.loads(match.save())}


def replay(golden: dict[str, object]) -> Match:
    """Play a golden game again; stops with an error where something else is offered."""
    record = golden["record"]
    assert isinstance(record, dict)
    match = ludotheque.game(record["game"]).match(record["seats"], luck=None, **record["options"])
    assert isinstance(golden["offers"], list)
    for number, (expected, (actor, text)) in enumerate(zip(golden["offers"], record["log"], strict=True)):
        assert offer(match) == expected, f"other moves before event {number} ({text})"
        match.play(actor, text)
    return match


def perft_table(variant: Variant) -> dict[str, object]:
    """Counts from several positions of a random game, each as deep as is cheap."""
    match = variant.match(by_hand=True)
    random, positions = Random(str(variant)), []
    for number in range(LOOKS[-1] + 1):
        if match.over or match.leg:
            break
        if number in LOOKS:
            positions.append({"events": match.events, "counts": counts(match)})
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in variant.options.items()}
    return {"seats": variant.seats, "options": options, "positions": positions}


def counts(match: Match) -> list[int]:
    found: list[int] = []
    while not found or (found[-1] and found[-1] ** ((len(found) + 1) / len(found)) < NODES):
        found.append(perft(match.game, match.state, len(found) + 1))
    return found


def write(box: Box) -> None:
    for file, make in ((golden_file(box), playthrough), (perft_file(box), perft_table)):
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = [json.dumps(make(variant), ensure_ascii=False) for variant in variants(box)]
        file.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    for key in sys.argv[1:] or [box.key for box in ludotheque.games()]:
        write(ludotheque.game(key))
