"""Hundsgemein (Dario Zaccariotto, Piatnik 2003): gangs of fleas lie in wait for the dogs that cross their district.

The district is 7×7 blocks without the centre, with six streets each way and a dog in every street: Rex 5, Fifi 4,
Daisy 3, Zorro 2. Everyone has fleas of four types, two of them face up. In turn, place one of your two on an empty
block, touching no flea of its type even at a corner, or throw one or both away; then new ones come up from your
stock. When no flea left could be placed, whoever has the most fleas along a street takes its dog, and a tie sets it
free. Most points win. Whose a flea is only shows at the end: remember!

Experts add up their longest unbroken rows on the two sides of a street. With the referee at the table fleas may be
placed against the rules, and stay, unless somebody objects before the next player has played.
"""

from ludotheque.game import Game
from ludotheque.games.hundsgemein.hidden import forgets, guess, view
from ludotheque.games.hundsgemein.scoring import scores, winners
from ludotheque.games.hundsgemein.state import TEXTS
from ludotheque.games.hundsgemein.turns import bounds, legal, may_wait, play, spans, start, to_act, weight
from ludotheque.games.hundsgemein.wording import describe, phase, refusal, tell
from ludotheque.options import Choice, Flag

GAME = Game(
    key="hundsgemein",
    seats=(2, 3, 4),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(Flag("expert"), Choice("referee", ("strict", "table")), Choice("owners", ("hidden", "open"))),
    bounds=bounds,
    weight=weight,
    may_wait=may_wait,
    forgets=forgets,
    view=view,
    guess=guess,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
