"""What an installation with one extra must do: `scripts/smoke` runs `python smoke.py EXTRA` in a fresh environment.

Every module of ours is imported: it works, or says which extra it lacks, and that is one that is not installed.
"""

import importlib
import os
import pkgutil
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from importlib.metadata import requires
from pathlib import Path

import ludotheque
from ludotheque import Match, MissingExtra

START_S = 120
COMMAND = str(Path(sys.executable).with_name("ludotheque"))


def finished(key: str = "hepta", seats: int | None = None) -> Match:
    match = ludotheque.game(key).match(seats, seed=7)
    while not match.over:
        match.play(match.to_act[0], match.moves(match.to_act[0])[-1])
    return match


def base() -> None:
    for box in ludotheque.games():
        match = box.match(seed=7)
        if match.to_act:
            match.play(match.to_act[0], match.moves(match.to_act[0])[0])
        assert ludotheque.load(match.save()) == match
        assert match.picture().startswith("<svg")
    assert finished("pizza", 3).over
    said = run("games")
    assert said.returncode == 1
    assert said.stderr.endswith('pip install "ludotheque[cli]"\n'), said.stderr


def players() -> None:
    from ludotheque.puzzles.making.puzzles import made
    from ludotheque.search.players import PlayerMemory, think_for

    match = ludotheque.game("hepta").match(seed=7)
    assert think_for(match, 0, simulations=20, memory=PlayerMemory()).move in match.moves(0)
    assert made("hepta-solo", 1, 1).seed


def pictures() -> None:
    from ludotheque.pictures.output.frames import frames
    from ludotheque.pictures.output.gif import gif
    from ludotheque.pictures.output.raster import png

    match = finished()
    assert png(match.picture(), 90).startswith(b"\x89PNG")
    assert gif(frames(match)[:3], 0.5, 90).startswith(b"GIF8")


def booklet() -> None:
    from ludotheque.pictures.output.booklet import printed
    from ludotheque.puzzles.making.names import in_booklet
    from ludotheque.puzzles.making.puzzles import made

    wanted = [made(*each) for each in in_booklet("tetrods", 2, 1)]
    assert printed(wanted, paper="a4", lang="fr").startswith(b"%PDF")


def learn() -> None:
    import gymnasium
    import pettingzoo

    assert gymnasium.__version__
    assert pettingzoo.__version__


def openspiel() -> None:
    import pyspiel

    from ludotheque.adapters.openspiel import register

    state = pyspiel.load_game(register(ludotheque.game("hepta").rules)).new_initial_state()
    assert state.legal_actions()


def cluster() -> None:
    from joblib import delayed

    from ludotheque.search.parallel import results

    for backend in ("dask", "ray"):
        assert sorted(results([delayed(abs)(-number) for number in range(4)], 2, backend)) == [0, 1, 2, 3]


def cli() -> None:
    record = Path("evening.json")
    record.write_text(finished().save(), encoding="utf-8")
    assert "Hepta" in command("games")
    command("rules", "hepta", "--lang", "fr")
    command("verify", str(record))
    command("show", str(record), "-o", "evening.svg")
    assert Path("evening.svg").read_text(encoding="utf-8").startswith("<svg")


def web() -> None:
    """The site opens, and a table can be made from its front page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "LUDOTHEQUE_DATA": str(Path("data").resolve())}
    words = [COMMAND, "serve", "--port", str(port)]
    server = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        assert b"Hepta" in page(f"http://127.0.0.1:{port}/", server)
        assert b"<svg" in page(f"http://127.0.0.1:{port}/games/hepta", server)
    finally:
        server.terminate()
        server.wait(30)


def scale() -> None:
    """What processes share is there; the services themselves are not."""
    os.environ |= {"REDIS_URL": "redis://127.0.0.1:1", "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    os.environ["LUDOTHEQUE_DATA"] = str(Path("data").resolve())
    from ludotheque.web.server import serve

    serve.configure_django()
    for name in ("web.jobs.queue", "web.server.redis_cache", "web.server.postgres.base"):
        importlib.import_module(f"ludotheque.{name}")
    importlib.import_module("channels_redis.pubsub")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)  # noqa: S603


def command(*words: str) -> str:
    done = run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def page(address: str, server: subprocess.Popen[bytes]) -> bytes:
    for _ in range(START_S):
        assert server.poll() is None, f"the site ended with {server.returncode}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - our own site
                body: bytes = answer.read()
                return body
        except ConnectionError:
            pass
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
        time.sleep(1)
    raise TimeoutError(address)


def all_of_it() -> None:
    for name, act in ACTS.items():
        if name not in ("all", "base", "scale"):  # `scale` changes the settings of the whole process
            act()


ACTS = {
    "base": base, "booklet": booklet, "cli": cli, "cluster": cluster, "learn": learn, "openspiel": openspiel,
    "pictures": pictures, "players": players, "scale": scale, "web": web, "all": all_of_it,
}  # fmt: skip


def brought(extra: str) -> set[str]:
    lines = (line.split("; extra == ") for line in requires("ludotheque") or ())
    return {line[0] for line in lines if line[1:] == [f"'{extra}'"]}


def modules(extra: str) -> int:
    """Import all there are; those of the site need its settings, and are imported by it."""
    here = {name for name in ACTS if name not in ("base", "all") and brought(name) <= brought(extra)}
    number = 0
    for module in pkgutil.walk_packages(ludotheque.__path__, "ludotheque.", onerror=lambda _: None):
        if re.search(r"\.(web\.|testing\.wire$|__main__$)", module.name):
            continue
        try:
            importlib.import_module(module.name)
            number += 1
        except MissingExtra as error:
            if error.values["extra"] in here or error.values["extra"] not in ACTS:
                raise
    return number


if __name__ == "__main__":
    wanted = sys.argv[1]
    assert "site-packages" in str(ludotheque.__file__), ludotheque.__file__
    os.environ.setdefault("LUDOTHEQUE_CACHE", tempfile.mkdtemp())
    found = modules(wanted)
    ACTS[wanted]()
    print(f"{wanted}: works, {found} modules")
