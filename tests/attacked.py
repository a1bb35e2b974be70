"""What others feel while somebody attacks: the short form of `scripts/benchmark adversary`, which has the figures."""

import time

from attack.catalogue import under_attack
from attack.others import others
from metronome import metronome
from waiting import TIMEOUT_S, until

ATTACK_S = 6.0  # at least, so that what an attacker holds open adds up
MOVES = 20  # of others, at least
FELT_S = 1.0  # on a machine that is free


def assert_nobody_waits(port: int, attack: str) -> None:
    """Others play on while this attack goes on, and none of them feels it much."""
    with (
        metronome() as machine,
        others(port, move_timeout_s=TIMEOUT_S) as felt,
        under_attack(attack, port, TIMEOUT_S),
    ):
        time.sleep(ATTACK_S)
        until(lambda: len(felt.moves_s) > MOVES or bool(felt.mistakes), "others do not play")
    bound_s = machine.bound_s(FELT_S)
    assert felt.slowest_move_s < bound_s
    assert felt.slowest_look_s < bound_s
