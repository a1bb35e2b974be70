"""Two cards, the chips put in, and what one can say: always the same places, so nothing appears and nothing goes."""

from ludotheque.game import LUCK
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.svg import circle, group, moved, rect, text_at, title

from . import BETS, CARDS, CHECK, DEAL, HIDDEN, SHOWN, STACK, State

MARKS = {card: card[0].upper() for card in CARDS}


def draw(state: State, _seat: int, _story: Story) -> str:
    cards = "".join(_card(owner, card) for owner, card in enumerate(state.cards))
    chips = "".join(_chips(owner, paid) for owner, paid in enumerate(state.paid))
    return cards + chips + "".join(_button(number) for number in range(len(BETS)))


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    return (BETS[move - CHECK],) if CHECK <= move < DEAL else ()


def ghost(_state: State, _actor: int, move: int) -> str:
    return rect(*_place(move - CHECK), 180, 80, rx=12, class_="ghost kuhn-said")


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    dealt = before.turn
    found = []
    for actor, move in news:
        if actor != LUCK:
            found.append(AnimationStep("show", BETS[move - CHECK], sentence=BETS[move - CHECK]))
        elif after.phase != SHOWN:
            known = (("card", CARDS[move]),) if move < CHECK else ()
            sentence = "deal-card" if known else "deal"
            found.append(AnimationStep("show", f"card-{dealt}", 0, "", sentence, (_owner(dealt), *known)))
    if after.phase == SHOWN:
        found += [
            AnimationStep("show", f"card-{owner}", 1, "", "shows", (_owner(owner), ("card", CARDS[card - 1])))
            for owner, card in enumerate(after.cards)
        ]
    return found


def text(state: State) -> str:
    cards = " ".join("·?"[card == HIDDEN] if card in (0, HIDDEN) else MARKS[CARDS[card - 1]] for card in state.cards)
    return f"{cards}   {'o' * state.paid[0]} | {'o' * state.paid[1]}"


def _owner(seat: int) -> tuple[str, str]:
    return "seat:owner", str(seat)


def _card(owner: int, card: int) -> str:
    known = card not in (0, HIDDEN)
    said = f"card {owner + 1}: {CARDS[card - 1] if known else 'face down' if card else 'none'}"
    kind = "kuhn-face" if known else "kuhn-back" if card else "kuhn-none"
    face = text_at(90, 130, MARKS[CARDS[card - 1]], class_="kuhn-mark") if known else ""
    whole = [title(said), rect(0, 0, 180, 260, rx=16, class_=kind), face]
    return group(whole, id=f"card-{owner}", transform=moved(40 + 580 * owner, 40))


def _chips(owner: int, paid: int) -> str:
    places = [
        circle(350 + 140 * owner, 100 + 90 * chip, 32, class_=f"seat{owner}") for chip in range(min(paid, STACK))
    ]
    return group([title(f"chips {owner + 1}: {paid}"), *places], id=f"chips-{owner}")


def _place(number: int) -> tuple[int, int]:
    return 24 + 202 * number, 340


def _button(number: int) -> str:
    x, y = _place(number)
    label = text_at(x + 90, y + 40, BETS[number], class_="kuhn-word", data_words="")
    return group([title(BETS[number]), rect(x, y, 180, 80, rx=12, class_="kuhn-said"), label], id=BETS[number])


PICTURE = Picture(
    size=(840, 450), draw=draw, picks=picks, ghost=ghost, steps=steps, text=text, ignores_seat=True, fixed_picks=True
)
