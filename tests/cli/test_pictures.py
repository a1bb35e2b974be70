"""`ludotheque show`, `animate`, `rules` and `learn`: what they write and say, and nothing that is still secret."""

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

import ludotheque
from cli.terminal import Keep, Run, random_match
from ludotheque.lessons import tasks
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.raster import flattened, png

every_key = pytest.mark.parametrize("key", [box.key for box in ludotheque.games()])
PIXEL = (2, 2)


def size(data: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(data)).size


# show


def test_a_position_as_svg(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = random_match("hepta", legs=1)
    file = tmp_path / "x.svg"
    said = run("show", kept(match), "-o", str(file)).stdout
    assert "x.svg written" in said
    assert file.read_text(encoding="utf-8").count('class="face') >= sum(match.scores)
    run("show", kept(match), "--at", "3", "--night", "--lang", "fr", "-o", str(file))
    text = file.read_text(encoding="utf-8")
    assert text.count('id="blocker-') == 3
    assert "picture hepta night" in text
    assert "bloqueur</title>" in text


def test_a_position_as_png_by_day_and_by_night(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = random_match("hepta", legs=1)
    for night, paper in (((), (250, 245, 234)), (("--night",), (29, 28, 34))):
        file = tmp_path / "x.png"
        run("show", kept(match), "--width", "200", *night, "-o", str(file))
        with Image.open(file) as image:
            assert image.width == 200
            assert image.convert("RGB").getpixel(PIXEL) == paper


def test_what_is_sealed_is_not_drawn(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = ludotheque.game("pizza").match(seats=3, seed=1)
    for seat, text in ((0, "d4"), (1, "d2"), (2, "c4"), (1, "cut 5")):
        match.play(seat, text)
    file = tmp_path / "x.svg"
    for words, knife in (((), False), (("--seat", "0"), False), (("--seat", "1"), True)):
        run("show", kept(match), *words, "-o", str(file))
        assert ("knife-1" in file.read_text(encoding="utf-8")) is knife


def test_what_is_forgotten_is_not_drawn() -> None:
    """Of an unfinished game with hidden owners, no board from before the last placement can be had."""
    match = random_match("hundsgemein", seats=2, moves=40)
    for seat in (None, 0, 1):
        boards = frames(match, seat)
        assert [frame.event for frame in boards] == match.shown(seat)
        assert boards[-1].state == match.seen(seat)
        assert boards[-1].picture() == match.picture(seat)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("-o", "x.jpg"), "I can only write .svg / .png"),
        (("--at", "999", "-o", "x.svg"), "the last one is"),
        (("--seat", "2", "-o", "x.svg"), "no seat 2"),
        (("--width", "5", "-o", "x.png"), "from 16 to 4000"),
    ],
)
def test_complaints(run: Run, kept: Keep, words: tuple[str, ...], complaint: str) -> None:
    assert complaint in run("show", kept(random_match("hepta", legs=1)), *words, code=2).stderr


def test_where_nothing_can_be_written(run: Run, kept: Keep) -> None:
    record = kept(random_match("hepta", legs=1))
    assert "no file" in run("show", record, "-o", "/nowhere/x.svg", code=1).stderr


@every_key
def test_every_picture_can_be_turned_into_pixels(key: str) -> None:
    svg = random_match(key, moves=40).picture(None)
    flat, paper = flattened(svg)
    assert "var(" not in flat
    assert paper == "#faf5ea"
    assert size(png(svg, 96))[0] == 96


# animate


def test_a_film_as_svg(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = random_match("hepta", legs=1)
    file = tmp_path / "x.svg"
    run("animate", kept(match), "--seconds", "0.5", "-o", str(file))
    root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314
    films = [element for element in root.iter() if element.tag.endswith("animate")]
    assert len(films) >= len(match.events) - 1  # all but the choice of a shape put something on the board
    assert len({element.get("dur") for element in films}) == 1
    assert file.stat().st_size < 200_000


def test_a_film_as_gif(run: Run, kept: Keep, tmp_path: Path) -> None:
    match = random_match("hepta", legs=1, moves=6)
    file = tmp_path / "x.gif"
    run("animate", kept(match), "--width", "120", "-o", str(file))
    with Image.open(file) as image:
        assert getattr(image, "n_frames", 1) == 7
    assert "only write .svg / .gif" in run("animate", kept(match), "-o", "x.png", code=2).stderr


# rules and learn


@every_key
def test_rules_are_printed_with_their_diagrams(run: Run, key: str) -> None:
    for lang in ("en", "fr"):
        said = run("rules", key, "--lang", lang).stdout
        assert "position:" not in said
        assert ludotheque.game(key).say("name", lang) in said
    assert "But du jeu" in said or key == "nim"


@every_key
def test_every_lesson_can_be_played_to_its_end(run: Run, key: str) -> None:
    typed = "\n".join(f"\n{task.solutions()[-1]}" for task in tasks(ludotheque.game(key).rules))
    said = run("learn", key, "--lang", "fr", typed=typed + "\n").stdout
    assert said.count("✓") == len(tasks(ludotheque.game(key).rules))
    assert all(task.example() in said for task in tasks(ludotheque.game(key).rules))
    assert "À vous de jouer" in said


def test_wrong_moves_are_answered(run: Run) -> None:
    said = run("learn", "hepta", typed="d4\nd44\nb2\nL\nquit\n").stdout
    assert "There is a blocker already" in said
    assert "cannot make sense of “d44”" in said
    assert "give two pieces away" in said
    assert "3 of" not in said
