"""Processes of one house tell each other what happened, and nobody waits for whoever does not listen."""

import asyncio
import errno
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from channels.layers import channel_layers

from ludotheque.web.live import subscriptions
from ludotheque.web.models import Table
from ludotheque.web.server import neighbours
from ludotheque.web.server.neighbours import Message, Neighbours
from ludotheque.web.table import actions


class Process:
    """One of several, as far as words are concerned."""

    def __init__(self, folder: Path) -> None:
        self.layer = Neighbours(str(folder))
        self.channel = ""

    async def listen(self, *groups: str) -> None:
        self.channel = await self.layer.new_channel()
        for group in groups:
            await self.layer.group_add(group, self.channel)

    async def hears(self) -> Message:
        return await asyncio.wait_for(self.layer.receive(self.channel), 10)

    async def hears_nothing(self) -> bool:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(self.layer.receive(self.channel), 0.1)
        return True


@asynccontextmanager
async def processes(folder: Path, many: int, *groups: str) -> AsyncIterator[list[Process]]:
    made = [Process(folder) for _ in range(many)]
    for each in made:
        await each.listen(*groups)
    yield made
    for each in made:
        each.layer.close()


def ears(folder: Path) -> int:
    return len(list(folder.glob(f"*{neighbours.EAR}")))


def test_all_others_hear_what_one_says(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 3, "table.a") as (first, second, third):
            await first.layer.group_send("table.a", {"table": "a", "version": 4})
            assert await second.hears() == await third.hears() == {"table": "a", "version": 4}
            assert await first.hears_nothing(), "it knows"
            third.layer.say({"table.a": {"version": 5}})
            assert await first.hears() == await second.hears() == {"version": 5}
        assert ears(tmp_path) == 0

    asyncio.run(story())


def test_nobody_hears_of_tables_that_he_does_not_watch(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2, "table.a") as (first, second):
            first.layer.say({"table.b": {"version": 1}, "table.a": {"version": 2}})
            assert await second.hears() == {"version": 2}
            await second.layer.group_discard("table.a", second.channel)
            first.layer.say({"table.a": {"version": 3}})
            assert await second.hears_nothing()

    asyncio.run(story())


def test_whoever_only_speaks_is_heard(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 1, "table.a") as (listener,):
            speaker = Neighbours(str(tmp_path))
            await asyncio.to_thread(speaker.say, {"table.a": {"version": 1}})
            assert await listener.hears() == {"version": 1}
            speaker.close()

    asyncio.run(story())


def test_a_neighbour_who_died_is_passed_over_and_forgotten(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2, "table.a") as (first, second):
            dead = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
            for number, each in enumerate(dead):
                each.bind(str(tmp_path / f"{number}{neighbours.EAR}"))
            dead[0].close()  # before anybody has told it anything
            first.layer.say({"table.a": {"version": 1}})
            assert ears(tmp_path) == 3
            dead[1].close()  # after that
            first.layer.say({"table.a": {"version": 2}})
            assert [await second.hears(), await second.hears()] == [{"version": 1}, {"version": 2}]
            assert ears(tmp_path) == 2
            assert len(first.layer._lines) == 1

    asyncio.run(story())


def test_a_neighbour_who_does_not_listen_keeps_nobody_waiting_and_hears_the_newest_later(tmp_path: Path) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2, "table.a") as (first, second):
            deaf = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            deaf.bind(str(tmp_path / f"deaf{neighbours.EAR}"))
            begun = time.monotonic()
            for version in range(2000):
                first.layer.say({"table.a": {"version": version}, f"table.{version}": {"version": 1}})
                if version % 5 == 0:
                    await asyncio.sleep(0)  # for the one who does listen
            assert time.monotonic() - begun < 5
            heard = -1
            while heard < 1999:
                heard = int(str((await second.hears())["version"]))
            said: dict[str, Message] = {}
            deaf.settimeout(5)
            while said.get("table.a") != {"version": 1999} or len(said) < 2001:
                said |= dict(json.loads(await asyncio.to_thread(deaf.recv, neighbours.LONGEST)))
            assert said["table.1998"] == {"version": 1}, "nothing was lost"
            deaf.close()

    asyncio.run(story())


def test_a_mistake_of_our_own_takes_nobody_his_ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2, "table.a") as (first, second):
            with monkeypatch.context() as patched:
                patched.setattr(neighbours, "_datagrams", _no_more_files)
                first.layer.say({"table.a": {"version": 1}})
            assert ears(tmp_path) == 2
            first.layer.say({"table.a": {"version": 2}})
            assert await second.hears() == {"version": 2}

    asyncio.run(story())


def _no_more_files(_room: int) -> socket.socket:
    raise OSError(errno.EMFILE, "too many open files")


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\xff\x00",
        b"{",
        b"null",
        b"7",
        b'"ab"',
        b"[1]",
        b"[[1]]",
        b'[["table.a"]]',
        b'[["table.a", 5]]',
        b"[[[], {}]]",
    ],
)
def test_what_is_not_understood_is_ignored(tmp_path: Path, said: bytes) -> None:
    async def story() -> None:
        async with processes(tmp_path, 2, "table.a") as (first, second):
            stranger = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            stranger.sendto(said, str(tmp_path / second.channel))
            stranger.close()
            first.layer.say({"table.a": {"version": 2}})
            assert await second.hears() == {"version": 2}

    asyncio.run(story())


def test_whoever_begins_anew_in_another_loop_has_one_ear(tmp_path: Path) -> None:
    process = Process(tmp_path)
    asyncio.run(process.listen("table.a"))
    asyncio.run(process.listen("table.a"))
    assert ears(tmp_path) == 1
    process.layer.close()


def test_a_house_without_room_for_ears_opens_all_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        deep = tmp_path / ("long" * 30)  # more than the name of a socket may have
        deep.mkdir()
        async with processes(deep, 2, "table.a") as (first, second):
            first.layer.say({"table.a": {"version": 1}})
            assert await second.hears_nothing()

    asyncio.run(story())


def test_nobody_minds_that_the_folder_is_gone(tmp_path: Path) -> None:
    Neighbours(str(tmp_path / "gone")).say({"table.a": {"version": 1}})


def test_a_word_costs_little(tmp_path: Path) -> None:
    async def story() -> float:
        async with processes(tmp_path, 4, "table.a") as (first, *_):
            first.layer.say({"table.b": {"version": 0}})
            await asyncio.sleep(0.01)
            took = []
            for version in range(50):
                begun = time.thread_time()
                first.layer.say({"table.b": {"type": "table.changed", "table": "b", "version": version}})
                took.append(time.thread_time() - begun)
                await asyncio.sleep(0)
            return sorted(took)[len(took) // 2]

    assert asyncio.run(story()) < 0.001


def test_pages_are_told_of_what_another_process_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`push.py` over this layer: the other process says it, as it would."""
    here = Neighbours(str(tmp_path))
    monkeypatch.setitem(channel_layers.backends, "default", here)
    monkeypatch.setattr(subscriptions, "LOOK", 60)
    table = actions.open_table("hepta", 2, {})
    other = Neighbours(str(tmp_path))
    told: list[int] = []

    async def story() -> None:
        await subscriptions.watch(table.id, told.append)
        async with asyncio.timeout(10):
            while not ears(tmp_path):  # noqa: ASYNC110 - what it waits for calls nobody
                await asyncio.sleep(0.01)
            other.say({subscriptions.group(table.id): subscriptions._changed_to(Table(id=table.id, version=7))})
            while not told:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await subscriptions.unwatch(table.id, told.append)
        for task in subscriptions._tasks:
            task.cancel()

    asyncio.run(story())
    assert told == [7]
    here.close()
    other.close()
