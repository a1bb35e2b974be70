"""Computer players: five levels for every duel, hints for learners.

`think` works from what a seat has witnessed and nothing else: its view of the position, and what it saw happen. The
same seed and number of simulations give the same thought. It can be stopped at any time and then says what it has.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import erf, sqrt, tanh
from random import Random
from threading import Event, Thread
from typing import NamedTuple, TypeAlias

import numpy as np

from ludotheque.game import LUCK, AnyGame, moves
from ludotheque.match import Match
from ludotheque.search import alphabeta, heuristics, mcts, opponent_model, sealed
from ludotheque.search.compiled import built, machine
from ludotheque.search.heuristics import Objective, Position, SearchProfile, Worths
from ludotheque.search.levels import LEVELS, Level, levels
from ludotheque.search.opponent_model import Outcomes, habits

Hope: TypeAlias = Callable[[Position, float], float]
Witnessed: TypeAlias = Sequence[tuple[int, int]]
Cancel: TypeAlias = Callable[[], bool]
Progress: TypeAlias = Callable[[float], None]
Clock: TypeAlias = Callable[[], float]

SLICE = 0.02  # seconds between two looks at the clock
ALMOST = 0.985  # of the win: as good as won
GUESSES = 40  # of what is hidden, in one thought
SOLVING = 0.3  # which part of the time may go into the attempt to solve an endgame
SOLVER_LOOKS = 3  # who looks less far ahead than that solves nothing
ENOUGH = 0.4  # of the budget: who has used as much will not come to the end of looking one move further
JUDGED = 400  # playouts that weigh as much as what an outcome seems worth at once: they go where chance takes them
HASTILY_JUDGED = 20  # the same for those in temperature
NODES_A_SIMULATION = 25  # positions that alpha-beta sees in the time of one simulation
NODES, EDGES = 200_000, 2_000_000  # of the largest tree: about 80 MB


class Series(NamedTuple):
    """How a series stands: the points of earlier legs by the roles of this one, and the legs still to come."""

    points: tuple[int, int]
    left: int


@dataclass(frozen=True)
class Candidate:
    """A move that was thought of: what it promises its seat, which part of the thinking went into it."""

    move: str
    expected: float
    attention: float
    proven: bool = False


@dataclass(frozen=True)
class Thought:
    """What came of thinking. No move means that the seat would rather say nothing now.

    `expected` is for each role what it can hope for, from 0 (all lost) to 1 (all won). `sure` is how likely the move
    is the best of those thought of. `proven` means that the expected result is certain if all play well.
    """

    move: str | None
    expected: tuple[float, ...]
    sure: float
    proven: bool = False
    line: tuple[tuple[int, str], ...] = ()
    options: tuple[Candidate, ...] = ()
    simulations: int = 0
    seconds: float = 0.0


@dataclass
class PlayerMemory:
    """What a player keeps from one thought to the next: the tree, and the state its root stands for."""

    tree: mcts.Tree | None = None
    spare: mcts.Tree | None = None
    root: Position | None = None
    objective: Objective | None = None
    seen: int = 0  # happenings


@dataclass
class _Task:
    """One thought on its way."""

    game: AnyGame
    view: Position
    witnessed: Witnessed
    seat: int
    level: Level
    objective: Objective
    profile: SearchProfile
    random: Random
    cancel: Cancel
    progress: Progress
    memory: PlayerMemory
    clock: Clock
    begin: float = 0.0
    reads: bool = True
    done: int = 0
    styles: Worths = field(default_factory=mcts.all_rational)

    @property
    def max_depth(self) -> int:
        return min(self.level.max_depth, heuristics.DEEPEST)

    @property
    def budget(self) -> int:
        return self.level.simulations

    def spent(self) -> float:
        """Seconds of thinking so far."""
        return self.clock() - self.begin

    def left(self) -> int:
        """How many more simulations there will be."""
        more = self.budget - self.done
        if self.done == 0:
            return more
        return min(more, int(self.done * (self.level.seconds / max(self.spent(), 1e-6) - 1)))

    def over(self) -> bool:
        """Whether time or simulations are used up; also the moment to report."""
        part = max(self.done / self.budget, self.spent() / self.level.seconds)
        self.progress(min(part, 1.0))
        return part >= 1 or self.cancel()


def think(
    game: AnyGame,
    view: Position,
    witnessed: Witnessed,
    seat: int,
    *,
    level: int | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 0,
    series: Series | None = None,
    cancel: Cancel = lambda: False,
    progress: Progress = lambda _part: None,
    memory: PlayerMemory | None = None,
    clock: Clock = time.perf_counter,
    reads: bool = True,
) -> Thought:
    """What the seat (its role in the rules) should do, from its view and from what it has witnessed.

    Give a level from 1 to 5, or let the strongest think for so many seconds or simulations. A memory handed from one
    thought to the next of the same seat saves work. The clock may be another, such as the processor's. Who plays to
    win reads how the others play; without that all are taken for good players, as hints and analysis do, which are to
    say what a position promises and not what is believed of somebody.
    """
    profile = _profile(game)
    objective = _objective(game, view, profile, series)
    how = _strength(levels(game, objective.seats), level, seconds, simulations)
    task = _Task(
        game,
        view,
        witnessed,
        seat,
        how,
        objective,
        profile,
        Random(f"{seed} {len(witnessed)} {seat}"),
        cancel,
        progress,
        memory or PlayerMemory(),
        clock,
        clock(),
        reads and not how.temperature,
    )
    if not moves(game, view, seat):
        raise ValueError(f"seat {seat} of {game.key} has nothing to decide")
    task.styles = _styles(task)
    thought = _reflex(task) or _sealed(task) or _calculated(task) or _searched(task)
    progress(1.0)
    return replace(thought, seconds=task.spent(), simulations=task.done)


def think_for(match: Match, seat: int, **how: object) -> Thought:
    """What a person of a match should do: hands `think` what that seat may know, and no more."""
    series = None
    if match.legs > 1:
        banked = [0, 0]
        here = match.game.scores(match.state)
        for person in range(match.seats):
            banked[match.role(person)] = match.scores[person] - here[match.role(person)]
        series = Series((banked[0], banked[1]), match.legs - match.leg - 1)
    return think(
        match.game,
        match.seen(seat),
        match.witnessed(seat),
        match.role(seat),
        series=series,
        **how,  # type: ignore[arg-type]
    )


def _strength(table: Mapping[int, Level], level: int | None, seconds: float | None, simulations: int | None) -> Level:
    if simulations is not None:
        return table[LEVELS[-1]]._replace(simulations=simulations, seconds=1e9)
    if seconds is not None:
        return table[LEVELS[-1]]._replace(seconds=seconds, simulations=1 << 40)
    if level is None or level not in table:
        raise ValueError(f"a level is one of {', '.join(map(str, table))}, not {level}")
    return table[level]


def _profile(game: AnyGame) -> SearchProfile:
    profile: SearchProfile = getattr(heuristics.knowledge(game), "PROFILE", SearchProfile())
    return profile


def _objective(game: AnyGame, view: Position, profile: SearchProfile, series: Series | None) -> Objective:
    """The win; in a series, points until the last leg, then the series."""
    seats = getattr(view, "seats", None) or len(game.scores(view))
    if series is None and not profile.par:
        return Objective(seats, profile.points, profile.scale, 0.0, 0.0, 1)
    if series is None or series.left:
        return Objective(seats, 1.0, profile.scale, -profile.par, 0.0, 0)
    return Objective(seats, profile.points, profile.scale, float(series.points[0]), float(series.points[1]), 2)


def _reflex(task: _Task) -> Thought | None:
    """What needs no thinking: a game's own reflexes, or a single move."""
    reflex = getattr(heuristics.knowledge(task.game), "reflex", None)
    if reflex is not None:
        found: tuple[str | None] | None = reflex(task.view, task.seat, task.random, task.level.notice_chance)
        if found is not None:
            return Thought(found[0], (), 1.0)
    return None


def _styles(task: _Task) -> Worths:
    """How the seats choose in secret, read from what they did so far.

    Who has to choose in secret and has seen nothing of the game answers nobody's habits.
    """
    known = heuristics.knowledge(task.game)
    chosen, placed = getattr(known, "chosen", None), getattr(known, "placed", None)
    blind = task.game.sealed(task.view) and not task.witnessed
    if chosen is None or placed is None or not task.reads or blind:
        return mcts.all_rational()
    seen, happened = task.view, task.witnessed
    return opponent_model.styles(task.game, chosen(seen, happened), placed(seen, happened), task.seat, task.objective)


def _possible(task: _Task) -> Position:
    """A state that may lie behind what the seat has seen."""
    recall = getattr(heuristics.knowledge(task.game), "recall", None)
    if recall is None:
        state: Position = task.game.guess(task.view, task.seat, task.random)
        return state
    found: Position = recall(task.view, task.witnessed, task.seat, task.random, task.level.recall)
    return found


# Choices in secret


def _sealed(task: _Task) -> Thought | None:
    """A choice in secret: all outcomes, what each is worth, and a choice at random from an equilibrium of that."""
    if not task.game.sealed(task.view) >> task.seat & 1:
        return None
    unseal = getattr(heuristics.knowledge(task.game), "unseal", None)
    state: Position = unseal(task.view) if unseal else _possible(task)
    acting = task.game.sealed(state) & task.game.to_act(state)
    seats = [seat for seat in range(LUCK) if acting >> seat & 1]
    choices = [moves(task.game, state, seat) for seat in seats]
    after = opponent_model.outcomes(task.game, state, seats, choices)
    leads = opponent_model.leads(task.game, after)
    worth = _worth(task, after, seats, leads)
    here = seats.index(task.seat)
    known = habits(worth, leads, seats, task.styles)
    mixes = sealed.logit_equilibrium(worth[seats], known)
    mine = mixes[here]
    mixes = [(1 - habit.sum()) * mix + habit for mix, habit in zip(mixes, known, strict=True)]
    gains = sealed.answers(worth[task.seat], mixes, here)
    likely = _careless_choice(task, worth[task.seat], here) if task.level.temperature else mine
    move = task.random.choices(choices[here], likely.tolist())[0]
    expected = tuple(sealed.expected(worth[seat], mixes) for seat in range(task.objective.seats))
    texts = task.game.texts
    ranked = sorted(range(len(mine)), key=lambda index: -mine[index])
    options = tuple(
        Candidate(texts[choices[here][index]], float(gains[index]), float(mine[index])) for index in ranked
    )
    return Thought(texts[move], expected, float(mine.max()), options=options)


def _careless_choice(task: _Task, worth: Worths, here: int) -> sealed.Mix:
    """How likely one in temperature makes each choice."""
    return sealed.naive(worth.ravel(), sealed.cells(worth.shape)[here], worth.shape[here], task.level.temperature)


def _worth(task: _Task, after: Outcomes, seats: list[int], leads: Worths) -> Worths:
    """For each seat and combination of choices what the position after it is worth: at once, and by playouts."""
    shape, judged = leads.shape[1:], HASTILY_JUDGED if task.level.temperature else JUDGED
    sums = judged * np.moveaxis(opponent_model.at_once(task.game, after, task.objective, task.styles), 0, -1)
    numbers = np.full(shape, float(judged))
    sample, scratch = (
        machine(task.game).build(mcts.sample),
        mcts.new_scratch(task.random.getrandbits(60), task.styles),
    )
    params = mcts.SearchParams(horizon=task.profile.horizon)
    portion = max(1, min(16, task.budget // (4 * len(after))))
    focus = np.ones(shape)
    task.begin = task.clock()
    while not task.done or not task.over():
        for cell, there in after.items():
            playouts = max(1, round(portion * float(focus[cell])))
            sample(scratch, there, playouts, task.objective, params, sums[cell])
            numbers[cell] += playouts
            task.done += playouts
        worth = np.moveaxis(sums / numbers[..., None], -1, 0)
        known = habits(worth, leads, seats, task.styles)
        focus = 0.4 + 0.6 * _reach(sealed.equilibrium(worth[seats], 200, known))
    return np.moveaxis(sums / numbers[..., None], -1, 0)


def _reach(mixes: list[sealed.Mix]) -> sealed.Mix:
    """How likely each combination is, relative to the average."""
    reach = np.ones(())
    for mix in mixes:
        reach = np.multiply.outer(reach, mix * len(mix))
    return reach


# Calculation


def _calculated(task: _Task) -> Thought | None:
    """By alpha-beta: as the game's player, or to solve an endgame; nothing if there is no solution in sight."""
    player = task.objective.seats in task.profile.alphabeta
    found = moves(task.game, task.view, task.seat)
    if not player and (len(found) > task.profile.solves or task.max_depth < SOLVER_LOOKS):
        return None
    task.random.shuffle(found)
    plan = np.array(found)
    part = 1.0 if player else SOLVING
    work = alphabeta.new_work(len(task.game.texts), 1 << 20 if task.budget > 10_000 else 1 << 16)
    proven, depth, values = _deepened(task, plan, work, part, task.max_depth if player else alphabeta.DEEPEST)
    if not player and not proven:
        task.done = 0
        return None
    sign = 1 if task.seat == 0 else -1
    texts = task.game.texts
    ranked = sorted(range(len(plan)), key=lambda index: -sign * values[index])
    hopes = [_hope(int(values[index]), task) for index in ranked]
    options = [
        Candidate(texts[plan[index]], hopes[rank][task.seat], 1 / (rank + 1), proven)
        for rank, index in enumerate(ranked)
    ]
    choice = _choice(task, options)
    chosen = options.index(choice)
    sure = 1.0 if proven else min(0.5 + 0.05 * depth, 0.95)
    return Thought(choice.move, hopes[chosen], sure, proven, _best_line(task, choice.move, work), tuple(options))


def _deepened(
    task: _Task, plan: sealed.Places, work: alphabeta.Work, part: float, looks: int
) -> tuple[bool, int, sealed.Places]:
    """Value all moves deeper and deeper, the best first: whether that proves it, how deep it went, the values."""
    ponder = machine(task.game).build(alphabeta.ponder)
    sign = 1 if task.seat == 0 else -1
    slack = int(200 * task.profile.scale * task.level.temperature)
    values, kept = np.zeros(len(plan), np.int64), np.zeros(len(plan), np.int64)
    ponder(task.view, plan[:1], values, 1, 0, work, task.objective)  # compiles it
    task.begin = task.clock()
    work.counts[:] = 0
    work.counts[alphabeta.LIMIT] = max(int(task.budget * NODES_A_SIMULATION * part), 4 * len(plan))
    proven, depth = False, 0
    with _watch(task, work, part):
        while depth < looks and not proven:
            work.counts[alphabeta.JUDGED] = 0
            if not ponder(task.view, plan, values, depth + 1, slack, work, task.objective):
                break
            depth += 1
            order = np.argsort(-sign * values, kind="stable")
            plan[:], values = plan[order], values[order]
            kept = values.copy()
            best = sign * int(values[0])
            proven = work.counts[alphabeta.JUDGED] == 0 or best > alphabeta.WIN // 2 or len(plan) == 1
            task.done = int(work.counts[alphabeta.NODES]) // NODES_A_SIMULATION + 1
            task.over()
            if part == 1 and work.counts[alphabeta.NODES] > ENOUGH * work.counts[alphabeta.LIMIT]:
                break
    return proven, depth, kept


@contextmanager
def _watch(task: _Task, work: alphabeta.Work, part: float) -> Iterator[None]:
    """Stop the work when time is up or somebody says so, from a thread beside it."""
    finished = Event()

    def watch() -> None:
        while not finished.wait(SLICE):
            if task.spent() > task.level.seconds * part or task.cancel():
                work.counts[alphabeta.STOP] = 1

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def _hope(value: int, task: _Task) -> tuple[float, float]:
    """What a value of alpha-beta means for the two seats."""
    won = (value > alphabeta.WIN // 2) - (value < -alphabeta.WIN // 2)
    lead = (value - won * alphabeta.WIN) / 100 / task.objective.scale
    part = min(max(0.5 + 0.5 * lead, 0.0), 1.0)
    if task.objective.decides == 0:
        return part, 1 - part
    share = 0.5 + 0.5 * won if won else 0.5 + 0.4 * tanh(lead)
    mine = (1 - task.objective.points) * share + task.objective.points * part
    return mine, 1 - mine


def _best_line(task: _Task, first: str, work: alphabeta.Work) -> tuple[tuple[int, str], ...]:
    """The moves the table of positions holds for best, from the first on."""
    key, texts = machine(task.game).sense.key, task.game.texts
    state: Position = task.game.play(task.view, task.seat, texts.index(first))
    line = [(task.seat, first)]
    while len(line) < 12 and (acting := task.game.to_act(state)):
        number = key(state)
        entry = work.table[number & (len(work.table) - 1)]
        actor = 0 if acting & 1 else 1
        move = int(entry["move"])
        if entry["key"] != number or move not in moves(task.game, state, actor):
            break
        line.append((actor, texts[move]))
        state = task.game.play(state, actor, move)
    return tuple(line)


# Everything else


def _searched(task: _Task) -> Thought:
    tree = _grown(task)
    options = _options(task, tree)
    choice = _choice(task, options)
    root = tree.nodes[0]
    proven = bool(root["proven"])
    worths = tree.worths[0, mcts.SEATS :] if proven else tree.worths[0, : mcts.SEATS] / max(root["visits"], 1)
    expected = tuple(_chance(task, float(worth), proven=proven) for worth in worths[: task.objective.seats])
    line, sure = _line(task, tree, choice.move), _sure(options, root["visits"])
    told = tuple(replace(option, expected=_chance(task, option.expected, proven=option.proven)) for option in options)
    return Thought(choice.move, expected, sure, proven, line, told)


def _chance(task: _Task, worth: float, *, proven: bool) -> float:
    """What a worth means for winning: where a player plays for the lead, how likely that is to be enough."""
    hope: Hope | None = getattr(heuristics.knowledge(task.game), "hope", None)
    if hope is None or not task.objective.decides:
        return worth
    lead = 2 * (worth - 0.5) * task.objective.scale
    return 0.5 + 0.5 * ((lead > 0) - (lead < 0)) if proven else hope(task.view, lead)


def _grown(task: _Task) -> mcts.Tree:
    """The tree for this position, grown as far as the budget goes."""
    run = machine(task.game).build(mcts.search)
    first = _possible(task)
    open_ = first == task.view or not _hides(task)
    tree = _planted(task, first if open_ else None)
    scratch = mcts.new_scratch(task.random.getrandbits(60), task.styles)
    params = mcts.SearchParams(
        explore=task.profile.explore,
        expand=task.profile.expand,
        horizon=task.profile.horizon,
        deepest=task.max_depth,
        solve=open_,
        together=not task.level.temperature,
        careless=_careless(task.styles),
        greedy=_greed(task),
        **_decided(task.objective),
    )
    portion = 64 if open_ else max(8, min(task.budget, NODES) // GUESSES)
    run(tree, scratch, first, 0, 0, task.objective, params)  # compiles it
    task.begin = task.clock()
    while not task.done or not task.over():
        state = first if open_ else _possible(task)
        begin = task.clock()
        number = min(portion, task.budget - task.done)
        done = run(tree, scratch, state, number, task.left(), task.objective, params)
        task.done += done
        if done < number:
            break  # more would change nothing
        if open_ and task.clock() - begin < SLICE / 2:
            portion *= 2
    task.memory.tree, task.memory.root, task.memory.objective = tree, first if open_ else None, task.objective
    task.memory.seen = len(task.witnessed)
    return tree


def _careless(styles: Worths) -> tuple[float, float, float, float]:
    """How likely each seat does not choose well."""
    first, second, third, fourth = (float(1 - likely[sealed.RATIONAL]) for likely in styles)
    return first, second, third, fourth


def _greed(task: _Task) -> tuple[float, float, float, float]:
    """How likely each other seat looks no further than its own move."""
    made = getattr(heuristics.knowledge(task.game), "made", None)
    seen = made(task.view, task.witnessed) if made and task.reads else None
    return mcts.SearchParams().greedy if seen is None else opponent_model.greed(task.game, seen, task.seat)


def _decided(objective: Objective) -> dict[str, float]:
    """The params that tell the search when a game is won or lost: never while only points count.

    Where it is mostly points that count, hopes do not tell who wins; a win that is proven does.
    """
    win = 1 - objective.points
    if not objective.decides:
        return {}
    if win < objective.points:
        return {"certain": win + objective.points / 2}
    return {
        "certain": win,
        "won": ALMOST * win + objective.points / 2,
        "lost": (1 - ALMOST) * win + objective.points / 2,
    }


def _hides(task: _Task) -> bool:
    """Whether what the seat knows leaves something open."""
    return task.level.recall < 1 or getattr(heuristics.knowledge(task.game), "recall", None) is None


def _planted(task: _Task, state: Position | None) -> mcts.Tree:
    """A tree to grow: what the last thought left of this position, or a fresh one."""
    memory = task.memory
    size = min(task.budget, NODES)
    nodes, edges = min(NODES, 2 * size + 1000), min(EDGES, 40 * size + 20_000)
    fresh = mcts.new_tree(nodes, edges, sealed=task.game.has_sealed)
    if state is None or memory.tree is None or memory.root is None or memory.objective != task.objective:
        return fresh
    node, now = 0, memory.root
    for actor, move in task.witnessed[memory.seen :]:
        node = _below(memory.tree, node, actor, move)
        if node == mcts.NONE:
            return fresh
        now = task.game.play(now, actor, move)
    if now == state and node:
        built(mcts.graft)(memory.tree, fresh, node)
    return fresh


def _below(tree: mcts.Tree, node: int, actor: int, move: int) -> int:
    """The node that a move leads to, if the tree has it."""
    root = tree.nodes[node]
    if root["actor"] != actor:
        return mcts.NONE
    for edge in tree.edges[root["first"] : root["first"] + root["width"]]:
        if edge["move"] == move:
            return int(edge["child"])
    return mcts.NONE


def _options(task: _Task, tree: mcts.Tree) -> list[Candidate]:
    """The moves at the root, those first that promise most and got most attention."""
    root, texts = tree.nodes[0], task.game.texts
    mean = tree.worths[0, task.seat] / max(root["visits"], 1)
    found = []
    for edge in tree.edges[root["first"] : root["first"] + root["width"]]:
        child = int(edge["child"])
        proven = child != mcts.NONE and bool(tree.nodes[child]["proven"])
        expected = mean if not edge["tries"] else edge["gain"] / edge["tries"]
        if proven:
            expected = tree.worths[child, mcts.SEATS + task.seat]
        attention = float(edge["tries"]) / max(root["visits"], 1)
        found.append(Candidate(texts[edge["move"]], float(expected), attention, proven))
    best = texts[tree.edges[built(mcts.best_edge)(tree, 0)]["move"]] if found else ""
    return sorted(found, key=lambda option: (option.move != best, -option.attention, -option.expected))


def _choice(task: _Task, options: list[Candidate]) -> Candidate:
    """The best move, or in temperature one that seemed about as good."""
    if task.level.temperature == 0:
        return options[0]
    tried = [option for option in options if option.attention or option.proven] or options
    likely = sealed.softmax(np.array([option.expected for option in tried]), task.level.temperature)
    return task.random.choices(tried, likely.tolist())[0]


def _sure(options: list[Candidate], visits: int) -> float:
    """How likely the first option is better than each other, taking results for samples."""
    if len(options) < 2 or options[0].proven:
        return 1.0
    first, second = options[0], options[1]
    spread = 0.4 * sqrt(1 / max(first.attention * visits, 1) + 1 / max(second.attention * visits, 1))
    return 0.5 + 0.5 * erf((first.expected - second.expected) / spread / sqrt(2))


def _line(task: _Task, tree: mcts.Tree, first: str) -> tuple[tuple[int, str], ...]:
    """The moves that the search expects, as long as it has looked at them often enough; luck's are left out."""
    best = built(mcts.best_edge)
    line = [(task.seat, first)]
    node = _below(tree, 0, task.seat, task.game.texts.index(first))
    while node != mcts.NONE and tree.nodes[node]["width"] and len(line) < 12:
        actor = int(tree.nodes[node]["actor"])
        if actor >= LUCK or tree.nodes[node]["visits"] < 20:
            break
        edge = tree.edges[best(tree, node)]
        line.append((actor, task.game.texts[edge["move"]]))
        node = int(edge["child"])
    return tuple(line)
