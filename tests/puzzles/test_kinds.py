"""A kind of puzzle is one record: it is found by itself, it is complete, and nobody else knows it by its key."""

import re
from pathlib import Path

import pytest

import ludotheque
from ludotheque import BadOption, words
from ludotheque.pictures.output.registry import picture_of
from ludotheque.puzzles import hepta_solo, pegs_solo, studies, tetrods
from ludotheque.puzzles.kinds import PuzzleKind, kind, kind_keys, kinds
from ludotheque.puzzles.making.names import PuzzleSpec, described, read
from ludotheque.puzzles.making.noise import seeded

SOURCE = Path(ludotheque.__file__ or "").parent
STEMS = {each.stem for each in kinds()}
OTHERS = [
    path
    for path in sorted(SOURCE.rglob("*"))
    if path.suffix in {".py", ".html", ".js"} and not STEMS & {path.stem, *path.parts}
]
every_kind = pytest.mark.parametrize("of", kinds(), ids=lambda of: of.key)


def test_kinds_are_found_by_themselves() -> None:
    assert kinds() == (tetrods.KIND, hepta_solo.KIND, pegs_solo.KIND)
    assert kind_keys() == tuple(each.key for each in kinds())
    with pytest.raises(BadOption, match="not of “chess”"):
        kind("chess")


def test_no_other_file_knows_a_kind_by_its_key() -> None:
    named = re.compile("|".join(f"[\"']{key}[\"']" for key in kind_keys()))
    found = [str(path.relative_to(SOURCE)) for path in OTHERS if named.search(path.read_text(encoding="utf-8"))]
    assert found == ["env/layouts/tfortwo.py", "games/tfortwo.py"], "whose position has tetrods"


@every_kind
def test_a_kind_is_complete(of: PuzzleKind) -> None:
    assert of.game.seats == (1,)
    assert len(of.grades) == 5
    assert picture_of(of.game).marked_text is not None
    assert (of.engine.rate is None) == (of.engine.position is None)
    assert of.key in studies.names()
    for lang in words.LANGUAGES:
        assert words.say(of.stem, lang, "puzzles", "own")
        assert len({words.say(of.stem, lang, "puzzles", "grades", str(grade)) for grade in of.grades}) == 5


@every_kind
def test_descriptions_are_read_as_they_are_written(of: PuzzleKind) -> None:
    spec = described(of.key, of.engine.generate(of.grades[0], seeded("any")))
    again = read(spec.description)
    assert isinstance(again, PuzzleSpec)
    assert again == spec
    if of.classic:
        assert isinstance(read(f"{of.key}:{of.classic}"), PuzzleSpec)
