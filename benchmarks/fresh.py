"""From a fresh clone to a game on the screen, by the README alone, with nothing kept from before.

    scripts/benchmark fresh

Clones this repository into a folder of its own, runs `scripts/serve` there with an empty cache for packages and for
compiled code, sets a table against the computer, and tells how long each step took. Processor time is told as well,
since most of the first step is unpacking and the clock depends on what else the machine is doing.
"""

import os
import re
import resource
import subprocess
import tempfile
import time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).parent.parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        since, here = time.monotonic(), Path(folder) / "fresh"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(here)], check=True)  # noqa: S603, S607
        kept = {"LUDOTHEQUE_CACHE": f"{folder}/cache", "PIP_CACHE_DIR": f"{folder}/pip", "LUDOTHEQUE_LOG": "ERROR"}
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | kept
        serve = [str(here / "scripts" / "serve")]
        subprocess.run([*serve, "--set-up-only"], env=environment, check=True, stderr=subprocess.DEVNULL)  # noqa: S603
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        worked = used.ru_utime + used.ru_stime
        print(f"clone and set-up: {time.monotonic() - since:.0f} s (processor: {worked:.0f} s)")
        site = subprocess.Popen([*serve, "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            address = _opened(site)
            print(f"open: {time.monotonic() - since:.0f} s")
            _sit(address)
            print(f"a table against the computer on the screen: {time.monotonic() - since:.0f} s")
        finally:
            site.terminate()
            site.wait()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _opened(site: "subprocess.Popen[str]") -> str:
    assert site.stdout is not None
    for line in site.stdout:
        if found := re.search(r"http://[^/\s]+", line):
            return found[0]
    raise RuntimeError("it did not open")


def _sit(address: str) -> None:
    """Set a table as the form on the game's page would, and look at it."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    page = browser.open(f"{address}/games/hepta").read().decode()
    token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[0]
    form = urlencode({"csrfmiddlewaretoken": token, "way": "computer", "level": "2", "as-usual": "yes"})
    table = browser.open(Request(f"{address}/games/hepta/new", form.encode())).read().decode()  # noqa: S310 - ours
    assert 'id="board"' in table


if __name__ == "__main__":
    main()
