"""Everything that real browsers receive during a match, headers, files and pushes: nobody gets what is not theirs.

The exhaustive comparison is in `web/test_wire_secrecy.py`; here the whole chain is tested, from server to browser.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Route, WebSocket

from browser.people import Person, Site

Invite = Callable[..., Person]


@dataclass
class Received:
    """What one browser has received so far."""

    person: Person
    frames: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.person.page.on("websocket", self._listen)
        self.person.page.context.route("**/*", self._pass_on)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def _pass_on(self, route: Route) -> None:
        """Every request goes through here, so that no answer is missed."""
        answer = route.fetch(max_redirects=0, max_retries=2)  # as browsers do if a line was closed meanwhile
        self.answers.append(f"{answer.headers_array}\n{answer.body().decode('utf-8', 'replace')}")
        route.fulfill(response=answer)

    def everything(self) -> str:
        return "\n".join([*self.answers, *self.frames])

    def cookies(self) -> list[str]:
        return [str(cookie["value"]) for cookie in self.person.page.context.cookies() if cookie["name"] == "visitor"]


def company(invite: Invite, game: str, **options: str) -> tuple[str, list[Received]]:
    """Ada, Bob and Cléo at a table, and a spectator; the last of the list."""
    got = [Received(invite()), Received(invite()), Received(invite(lang="fr")), Received(invite())]
    address = got[0].person.set_table(game, seats=3, **options)
    got[1].person.join(address, "Bob")
    got[2].person.join(address, "Cléo")
    got[3].person.page.goto(address)
    got[3].person.page.wait_for_selector("#board svg")
    return address, got


def nobody_has_anothers(got: list[Received], link: str) -> None:
    cookies = [one.cookies() for one in got]
    for number, one in enumerate(got):
        received = one.everything()
        for other in range(len(got)):
            if other != number:
                assert not any(cookie in received for cookie in cookies[other])
        assert number == 0 or link.rpartition("/")[2] not in received


def make_link(ada: Person) -> str:
    """A link to her seat, on a page of its own."""
    with ada.page.expect_navigation():
        ada.page.click("form[action$=link] button")
    link = ada.page.input_value("#address")
    ada.page.go_back()
    ada.page.wait_for_selector("#board svg")
    return link


def test_sealed_cuts_seats_and_seeds_stay_where_they_belong(invite: Invite) -> None:
    address, got = company(invite, "pizza", rounds="1")
    people, spectator = [one.person for one in got[:3]], got[3]
    people[0].wait_for_turn()
    link = make_link(people[0])
    for person, number in zip(people, (0, 3, 6), strict=True):
        person.wait_for_turn()
        person.play_something(number)
    for chooser in (1, 0):
        people[chooser].wait_for_turn()
        known = len(spectator.frames)
        people[chooser].play_something(4)
        spectator.person.page.wait_for_selector(f"#place-{chooser} .chosen")
        assert (
            re.findall(r"(?:cut|couper) \d|cuts along|coupe selon|knife-\d", "".join(spectator.frames[known:])) == []
        )
        assert re.findall(r"(?:Ada|Bob)(?:</span>)? (?:cut|coupe)", got[2].everything()) == []
    people[2].wait_for_turn()
    people[2].play_something(2)
    for one in got:
        one.person.page.wait_for_selector("#after")
        assert len(set(re.findall(r"</span> ((?:cut|couper) \d)</code>", one.person.page.content()))) > 0, (
            "now everybody sees them"
        )
    nobody_has_anothers(got, link)
    before = [one.everything() for one in got]
    reply = spectator.person.page.request.get(f"{address}/record")
    seed = json.loads(reply.text())["luck"]["seed"]
    assert not any(seed in received for received in before)


def test_nobody_is_told_again_whose_fleas_lie_there(invite: Invite) -> None:
    _, got = company(invite, "hundsgemein")
    people, spectator = [one.person for one in got[:3]], got[3]
    link = make_link(people[0])
    for turn in range(9):
        mover = people[turn % 3]
        mover.wait_for_turn()
        version = spectator.person.version
        mover.play_something(turn * 11)
        spectator.person.wait_for_change(version)
        for one in got:
            placed = [text for text in one.person.page.locator("#log code").all_inner_texts() if "@" in text]
            assert len(placed) <= 1, "only the last flea has an owner"
    for frame in spectator.frames:
        assert len(set(re.findall(r"\b[A-D]@[a-g][1-7]\b", frame))) <= 2, "the last one, in place of the one before"
    nobody_has_anothers(got, link)


def test_the_keepers_rooms_work_under_the_policy(own_site: Site, invite: Invite) -> None:
    """Not one script or style of Django's is refused: every refusal would be a trouble in the console."""
    password = "only-for-this-test"  # noqa: S105
    environment = own_site.environment | {"DJANGO_SUPERUSER_PASSWORD": password}
    command = [
        sys.executable,
        "-m",
        "django",
        "createsuperuser",
        "--noinput",
        "--username",
        "keeper",
        "--email",
        "k@x.org",
    ]
    subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603 - ourselves
    keeper = invite(site=own_site)
    table = keeper.set_table("hepta", "screen").rpartition("/")[2]
    keeper.go("/status")
    keeper.page.fill("[name=username]", "keeper")
    keeper.page.fill("[name=password]", password)
    keeper.page.click("[type=submit]")
    keeper.page.wait_for_selector(".figures")
    assert keeper.page.locator(".figures .bad").count() == 0
    for path in (
        "/admin/",
        "/admin/web/table/",
        f"/admin/web/table/{table}/change/",
        f"/admin/web/table/{table}/delete/",
    ):
        keeper.go(path)
        keeper.page.wait_for_selector("#content")
    keeper.page.click("#content [type=submit]")
    keeper.page.wait_for_selector(".messagelist .success")
    keeper.troubles = [trouble for trouble in keeper.troubles if "404" not in trouble]  # Django's pages have no icon
