"""PNG files: each is drawn once, in another process, few wait, and few bytes are kept."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import resvg_py

from ludotheque.pictures.output.render import empty_board
from ludotheque.web.jobs import drawings, pool
from ludotheque.web.jobs.drawings import MAX_CACHED_BYTES, MAX_WAITING, MAX_WAITING_PER_ADDRESS, drawing
from ludotheque.web.refusals import Refused, WorkerUnavailable

PEOPLE = 6
TIMEOUT_S = 60


@pytest.fixture(autouse=True)
def _nothing_drawn_before() -> Iterator[None]:
    drawings.clear()
    yield
    drawings.clear()


def test_nothing_is_drawn_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(resvg_py, "svg_to_bytes")
    file, seconds = drawing("a", lambda: empty_board(night=False), 200, "here")
    assert file.startswith(b"\x89PNG")
    assert seconds > 0
    assert drawing("a", lambda: "", 200, "here") == (file, 0)


class SlowWorker:
    """A pool whose worker draws nothing until it may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_go_on, self.asked = threading.Event(), threading.Semaphore(0)
        self.drawn: list[str] = []
        monkeypatch.setattr(pool.drawing, "ask", self.draw)

    def draw(self, _draw: object, svg: str, _width: int) -> tuple[str, float]:
        self.drawn.append(svg)
        self.asked.release()
        assert self.may_go_on.wait(TIMEOUT_S)
        return "QUJD", 0.1


def test_the_same_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = SlowWorker(monkeypatch)
    with ThreadPoolExecutor(PEOPLE) as people:
        asked = [people.submit(drawing, "a", lambda: "svg", 200, str(number)) for number in range(PEOPLE)]
        assert worker.asked.acquire(timeout=TIMEOUT_S)
        worker.may_go_on.set()
        assert {each.result(TIMEOUT_S).file for each in asked} == {b"ABC"}
    assert worker.drawn == ["svg"]


def test_few_wait_of_all_and_fewer_of_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = SlowWorker(monkeypatch)
    with ThreadPoolExecutor(MAX_WAITING) as people:
        for number in range(MAX_WAITING):
            address = str(number // MAX_WAITING_PER_ADDRESS)
            people.submit(drawing, number, lambda: "svg", 200, address)
            assert worker.asked.acquire(timeout=TIMEOUT_S)
            if number == MAX_WAITING_PER_ADDRESS - 1:
                with pytest.raises(Refused):
                    drawing("one more", lambda: "svg", 200, address)
        with pytest.raises(Refused):
            drawing("one more", lambda: "svg", 200, "elsewhere")
        worker.may_go_on.set()
    assert drawing("one more", lambda: "svg", 200, "elsewhere").file == b"ABC"


def test_what_could_not_be_drawn_is_drawn_when_it_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise WorkerUnavailable

    with monkeypatch.context() as changed:
        changed.setattr(pool.drawing, "ask", away)
        for _ in range(MAX_WAITING_PER_ADDRESS + 1):
            with pytest.raises(WorkerUnavailable):
                drawing("a", lambda: "svg", 200, "here")
    SlowWorker(monkeypatch).may_go_on.set()
    assert drawing("a", lambda: "svg", 200, "here").file == b"ABC"


def test_what_is_kept_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    large = "QUFB" * (MAX_CACHED_BYTES // 8)  # a picture of three eighths of what may be kept
    monkeypatch.setattr(pool.drawing, "ask", lambda *_: (large, 0.1))
    for number in range(4):
        drawing(number, lambda: "svg", 200, "here")
    assert 0 < drawings._cached.currsize <= MAX_CACHED_BYTES
    assert list(drawings._cached) == [2, 3]
