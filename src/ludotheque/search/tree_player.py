"""Moves by tree search, which plays most duels: grow the tree within the budget, then read it."""

from collections.abc import Callable
from dataclasses import replace
from math import erf, sqrt
from typing import TypeAlias

from ludotheque.extras import extra
from ludotheque.game import LUCK
from ludotheque.search import heuristics, opponent_model, sealed
from ludotheque.search.compiled import built, machine
from ludotheque.search.heuristics import UNDECIDED, Objective, Position, Values
from ludotheque.search.mcts import search
from ludotheque.search.scratch import SearchParams, new_scratch
from ludotheque.search.thought import CLOCK_CHECK_S, Candidate, Task, Thought
from ludotheque.search.tree import NO_NODE, SEATS, Tree, best_edge, child_of, graft, new_tree

with extra("players"):
    import numpy as np

WinChance: TypeAlias = Callable[[Position, float], float]

ALMOST_WON = 0.985  # of the win: search may stop
GUESSES = 40  # of the hidden state, for one move
BATCH_SIMULATIONS = 64  # at first, between two looks at the clock
MIN_GUESS_SIMULATIONS = 8
MAX_NODES, MAX_EDGES = 200_000, 2_000_000  # of the largest tree: about 80 MB
MAX_LINE_MOVES = 12
MIN_LINE_VISITS = 20
RESULT_STD = 0.4  # of one simulation, for the confidence in a move


def choose(task: Task) -> Thought:
    """The move that the search prefers, and all it knows about the candidates."""
    tree = _grown(task)
    candidates = _candidates(task, tree)
    choice = pick(task, candidates)
    root = tree.nodes[0]
    proven = bool(root["proven"])
    values = tree.values[0, SEATS:] if proven else tree.values[0, :SEATS] / max(root["visits"], 1)
    expected = tuple(chance_of(task, float(value), proven=proven) for value in values[: task.objective.seats])
    line, sure = line_of(task, tree, choice.move), _confidence(candidates, root["visits"])
    told = tuple(replace(each, expected=chance_of(task, each.expected, proven=each.proven)) for each in candidates)
    return Thought(choice.move, expected, sure, proven, line, told)


def pick(task: Task, candidates: list[Candidate]) -> Candidate:
    """The best move or, for a rushed player, a random one by the softmax of what the moves promise."""
    if not task.rushed:
        return candidates[0]
    tried = [each for each in candidates if each.attention or each.proven] or candidates
    likely = sealed.softmax(np.array([each.expected for each in tried]), task.level.temperature)
    return task.random.choices(tried, likely.tolist())[0]


# Growing the tree


def _grown(task: Task) -> Tree:
    """The tree for this position, grown within the budget."""
    run = machine(task.game).build(search)
    first = task.possible_state()
    certain = first == task.view or not is_guess(task)
    tree = _planted(task, first if certain else None)
    scratch = new_scratch(task.random.getrandbits(60), task.styles)
    params = search_params(task, solve=certain)
    batch = BATCH_SIMULATIONS if certain else max(MIN_GUESS_SIMULATIONS, min(task.budget, MAX_NODES) // GUESSES)
    run(tree, scratch, first, 0, 0, task.objective, params)  # compiles it
    task.begin = task.clock()
    while not task.done or not task.over():
        state = first if certain else task.possible_state()
        begin = task.clock()
        number = min(batch, task.budget - task.done)
        done = run(tree, scratch, state, number, task.left(), task.objective, params)
        task.done += done
        if done < number:
            break  # more would change nothing
        if certain and task.clock() - begin < CLOCK_CHECK_S / 2:
            batch *= 2
    memory = task.memory
    memory.tree, memory.root, memory.objective = tree, first if certain else None, task.objective
    memory.seen = len(task.witnessed)
    return tree


def search_params(task: Task, *, solve: bool) -> SearchParams:
    params = SearchParams(
        explore=task.profile.explore,
        expand_visits=task.profile.expand_visits,
        horizon=task.profile.horizon,
        max_depth=task.max_depth,
        solve=solve,
        joint_choices=not task.rushed,
        careless=_careless(task.styles),
        greedy=_greed(task),
    )
    return _with_stops(params, task.objective)


def _careless(styles: Values) -> tuple[float, float, float, float]:
    """How likely each seat does not choose rationally."""
    first, second, third, fourth = (float(1 - likely[sealed.RATIONAL]) for likely in styles)
    return first, second, third, fourth


def _greed(task: Task) -> tuple[float, float, float, float]:
    """How likely each other seat is greedy, by the opponent model."""
    open_moves = getattr(heuristics.knowledge(task.game), "open_moves", None)
    seen = open_moves(task.view, task.witnessed) if open_moves and task.models_opponents else None
    return SearchParams().greedy if seen is None else opponent_model.infer_greed(task.game, seen, task.seat)


def _with_stops(params: SearchParams, objective: Objective) -> SearchParams:
    """The values at which a game counts as won or lost: none while only points count.

    Where points count for more than the win, an expected value does not tell who wins; a proven win does.
    """
    points, win = objective.points_weight, 1 - objective.points_weight
    if objective.decided_by == UNDECIDED:
        return params
    if win < points:
        return params._replace(sure_win=win + points / 2)
    return params._replace(
        sure_win=win,
        stop_above=ALMOST_WON * win + points / 2,
        stop_below=(1 - ALMOST_WON) * win + points / 2,
    )


def is_guess(task: Task) -> bool:
    """Whether a possible state is more than what the seat knows for certain."""
    return task.level.recall < 1 or getattr(heuristics.knowledge(task.game), "recall", None) is None


def _planted(task: Task, state: Position | None) -> Tree:
    """A tree to grow: the part of the remembered one that belongs to this state, or a fresh one."""
    memory = task.memory
    size = min(task.budget, MAX_NODES)
    nodes, edges = min(MAX_NODES, 2 * size + 1000), min(MAX_EDGES, 40 * size + 20_000)
    fresh = new_tree(nodes, edges, sealed=task.game.has_sealed)
    if state is None or memory.tree is None or memory.root is None or memory.objective != task.objective:
        return fresh
    node, now = 0, memory.root
    for actor, move in task.witnessed[memory.seen :]:
        node = child_of(memory.tree, node, actor, move)
        if node == NO_NODE:
            return fresh
        now = task.game.play(now, actor, move)
    if now == state and node:
        built(graft)(memory.tree, fresh, node)
    return fresh


# Reading the tree


def _candidates(task: Task, tree: Tree) -> list[Candidate]:
    """The moves at the root, the one to play first, then by attention."""
    root, texts = tree.nodes[0], task.game.texts
    mean = tree.values[0, task.seat] / max(root["visits"], 1)
    found = []
    for edge in tree.edges[root["first"] : root["first"] + root["width"]]:
        child = int(edge["child"])
        proven = child != NO_NODE and bool(tree.nodes[child]["proven"])
        expected = mean if not edge["tries"] else edge["total"] / edge["tries"]
        if proven:
            expected = tree.values[child, SEATS + task.seat]
        attention = float(edge["tries"]) / max(root["visits"], 1)
        found.append(Candidate(texts[edge["move"]], float(expected), attention, proven))
    best = texts[tree.edges[built(best_edge)(tree, 0)]["move"]] if found else ""
    return sorted(found, key=lambda each: (each.move != best, -each.attention, -each.expected))


def chance_of(task: Task, value: float, *, proven: bool) -> float:
    """What a value means for winning: where a player plays for the lead, how likely that lead wins."""
    win_chance: WinChance | None = getattr(heuristics.knowledge(task.game), "win_chance", None)
    if win_chance is None or task.objective.decided_by == UNDECIDED:
        return value
    lead = 2 * (value - 0.5) * task.objective.points_scale
    return 0.5 + 0.5 * ((lead > 0) - (lead < 0)) if proven else win_chance(task.view, lead)


def _confidence(candidates: list[Candidate], visits: int) -> float:
    """How likely the first candidate is better than the second, taking results for normal samples."""
    if len(candidates) < 2 or candidates[0].proven:
        return 1.0
    first, second = candidates[0], candidates[1]
    error = RESULT_STD * sqrt(1 / max(first.attention * visits, 1) + 1 / max(second.attention * visits, 1))
    return 0.5 + 0.5 * erf((first.expected - second.expected) / error / sqrt(2))


def line_of(task: Task, tree: Tree, first: str) -> tuple[tuple[int, str], ...]:
    """The principal variation, as far as it was visited often enough; it ends before luck or a sealed choice."""
    best = built(best_edge)
    line = [(task.seat, first)]
    node = child_of(tree, 0, task.seat, task.game.texts.index(first))
    while node != NO_NODE and tree.nodes[node]["width"] and len(line) < MAX_LINE_MOVES:
        actor = int(tree.nodes[node]["actor"])
        if actor >= LUCK or tree.nodes[node]["visits"] < MIN_LINE_VISITS:
            break
        edge = tree.edges[best(tree, node)]
        line.append((actor, task.game.texts[edge["move"]]))
        node = int(edge["child"])
    return tuple(line)
