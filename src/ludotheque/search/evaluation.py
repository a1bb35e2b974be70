"""What a position promises each seat, by a search of fixed effort: so that positions can be compared.

A player searches until its move is settled. An evaluation uses up its simulations, unless the value is proven, and
never looks at a clock: the same position has the same value, whoever asks and however busy the machine is. A move is
judged by three of them: before it, after it, and after the best move that the first one found.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from ludotheque.extras import extra
from ludotheque.game import LUCK, AnyGame, moves
from ludotheque.search import alphabeta, alphabeta_player, sealed_player, tree_player
from ludotheque.search.analysis import Evaluation, Judgement, compared
from ludotheque.search.compiled import built, machine
from ludotheque.search.heuristics import Objective, Position, Values
from ludotheque.search.levels import LEVELS, levels
from ludotheque.search.mcts import search
from ludotheque.search.players import NO_TIME_LIMIT_S, objective_of, profile_of
from ludotheque.search.scratch import new_scratch
from ludotheque.search.thought import PlayerMemory, Series, Task, Witnessed
from ludotheque.search.tree import NO_NODE, SEATS, Tree, best_edge, new_tree

with extra("players"):
    import numpy as np

SEED = "evaluation"
SOLVER_SIMULATIONS = 40_000  # the attempt to solve an endgame takes a share of this effort
NODES_PER_SIMULATION, EDGES_PER_SIMULATION = 2, 40  # room in the tree
MAX_CACHED = 64  # the position after a move is that before the next one


def judge(
    game: AnyGame,
    view: Position,
    witnessed: Witnessed,
    role: int,
    text: str,
    *,
    simulations: int,
    series: Series | None = None,
) -> Judgement:
    """The judgement of a move by what its seat could know: nothing that it could not see is used."""
    task = _task(game, view, role, objective_of(game, view, profile_of(game), series), simulations, witnessed)
    if game.sealed(view) >> role & 1:
        return _choice_judged(task, text)
    states = _possible_states(task)
    if not game.to_act(states[0]) >> role & 1:  # it objects, which the states that are searched leave out
        return Judgement(0.0, None, (), (), proven=False)
    before = _evaluated(task, states)
    if not _is_legal(game, states[0], role, text):
        return Judgement(0.0, before.best, before.line, before.expected, before.proven)
    return compared(role, text, before, lambda move: _evaluated(task, _all_after(task, states, move)))


def _choice_judged(task: Task, text: str) -> Judgement:
    """A choice in secret is judged by what it promised against the mixes of the others, not by what they chose."""
    joint = sealed_player.joint_choice(task, sealed_player.before_choices(task), focused=False)
    texts, roles = task.game.texts, range(task.objective.seats)
    promised = np.array([joint.values(role, task.seat) for role in roles]).T
    after = {
        texts[move]: Evaluation(tuple(map(float, values)))
        for move, values in zip(joint.choices[joint.seats.index(task.seat)], promised, strict=True)
    }
    best = max(after, key=lambda move: after[move].expected[task.seat])
    before = Evaluation(tuple(joint.promise(role) for role in roles), line=(best,))
    return compared(task.seat, text, before, after.__getitem__)


# What the seat takes for possible


def _possible_states(task: Task) -> list[Position]:
    """The state behind what the seat has seen or, if it does not know, many guesses."""
    first = task.possible_state()
    if first == task.view or not tree_player.is_guess(task):
        return [first]
    return [first, *(task.possible_state() for _ in range(tree_player.GUESSES - 1))]


def _all_after(task: Task, states: Sequence[Position], text: str) -> list[Position]:
    """The states after a move, as far as it is possible in them and the same actors are to act then."""
    game, role, move = task.game, task.seat, task.game.numbers[text]
    after = [game.play(state, role, move) for state in states if _is_legal(game, state, role, text)]
    return [state for state in after if game.to_act(state) == game.to_act(after[0])]


def _is_legal(game: AnyGame, state: Position, role: int, text: str) -> bool:
    return game.numbers[text] in moves(game, state, role)


def _evaluated(task: Task, states: Sequence[Position]) -> Evaluation:
    game, objective, simulations = task.game, task.objective, task.budget
    if len(states) == 1:
        return of_state(game, states[0], objective, simulations)
    return _by_tree(_at(game, states[0], objective, simulations), states)


# The value of a state


@lru_cache(maxsize=MAX_CACHED)
def of_state(game: AnyGame, state: Position, objective: Objective, simulations: int) -> Evaluation:
    """What a state promises: exactly if it is over or can be solved, else by a search of so many simulations."""
    task = _at(game, state, objective, simulations)
    acting = game.to_act(state)
    if not acting:
        return _outcome(task)
    if game.sealed(state) & acting:
        joint = sealed_player.joint_choice(task, state, focused=False)
        return Evaluation(tuple(joint.promise(role) for role in range(objective.seats)))
    if not acting >> LUCK & 1 and (found := _by_alphabeta(task)):
        return found
    return _by_tree(task, [state])


def _at(game: AnyGame, state: Position, objective: Objective, simulations: int) -> Task:
    """The task of the first actor in this state."""
    acting = game.to_act(state)
    actor = next((actor for actor in range(LUCK + 1) if acting >> actor & 1), 0)
    return _task(game, state, actor, objective, simulations)


def _task(  # noqa: PLR0917 - in the order of `Task`
    game: AnyGame, view: Position, seat: int, objective: Objective, simulations: int, witnessed: Witnessed = ()
) -> Task:
    """A task without a clock: only its simulations end it."""
    strongest = levels(game, objective.seats)[LEVELS[-1]]
    return Task(
        game,
        view,
        witnessed,
        seat,
        strongest._replace(simulations=simulations, seconds=NO_TIME_LIMIT_S),
        objective,
        profile_of(game),
        Random(SEED),
        cancel=lambda: False,
        progress=lambda _part: None,
        memory=PlayerMemory(),
        clock=lambda: 0.0,
        models_opponents=False,
    )


def _outcome(task: Task) -> Evaluation:
    out: Values = np.zeros(SEATS)
    machine(task.game).evaluator.payoffs(task.view, task.objective, out)
    return _told(task, out, proven=True)


def _told(task: Task, values: Values, line: tuple[str, ...] = (), *, proven: bool) -> Evaluation:
    roles = range(task.objective.seats)
    expected = tuple(tree_player.chance_of(task, float(values[role]), proven=proven) for role in roles)
    return Evaluation(expected, proven, line)


def _by_alphabeta(task: Task) -> Evaluation | None:
    """By alpha-beta, where it is this game's player or can solve the position.

    An estimate favours whoever moved last, so an odd and an even depth are averaged.
    """
    is_player = task.objective.seats in task.profile.alphabeta
    found = moves(task.game, task.view, task.seat)
    if not is_player and len(found) > task.profile.solve_moves:
        return None
    order, buffers = np.array(found), alphabeta.new_buffers(len(task.game.texts), alphabeta_player.LARGE_TABLE)
    if is_player:
        reached = alphabeta_player.deepened(task, order, buffers, 1.0, task.max_depth, until_exact=True)
    else:
        solving = _task(task.game, task.view, task.seat, task.objective, SOLVER_SIMULATIONS)
        share, depth = alphabeta_player.SOLVING_SHARE, alphabeta.MAX_PLY
        reached = alphabeta_player.deepened(solving, order, buffers, share, depth, until_exact=True)
    if not is_player and not reached.exact:
        return None
    last, earlier = (alphabeta_player.expected_of(int(value), task) for value in (reached.values[0], reached.earlier))
    expected = last if reached.exact else ((last[0] + earlier[0]) / 2, (last[1] + earlier[1]) / 2)
    line = alphabeta_player.line_of(task, task.game.texts[order[0]], buffers)
    return Evaluation(expected, reached.exact, tuple(text for _, text in line))


def _by_tree(task: Task, states: Sequence[Position]) -> Evaluation:
    """By tree search; of several states each gets its share of the simulations, in one tree."""
    tree = _grown(task, states)
    root = tree.nodes[0]
    proven = bool(root["proven"])
    if root["actor"] >= LUCK or not root["width"]:
        return _told(task, _mean(tree, 0), proven=proven)
    edge = tree.edges[built(best_edge)(tree, 0)]
    line = tuple(text for _, text in tree_player.line_of(task, tree, task.game.texts[edge["move"]]))
    child = int(edge["child"])
    # The mean of a node is too low for whoever moves there, by what it tried in vain. Those of a node and of its best
    # child err in favour of different seats.
    values = _mean(tree, 0) if proven or child == NO_NODE else (_mean(tree, 0) + _mean(tree, child)) / 2
    return _told(task, values, line, proven=proven)


def _grown(task: Task, states: Sequence[Position]) -> Tree:
    nodes, edges = (each * task.budget + 20_000 for each in (NODES_PER_SIMULATION, EDGES_PER_SIMULATION))
    tree, scratch = new_tree(nodes, edges, sealed=task.game.has_sealed), new_scratch(task.random.getrandbits(60))
    params = tree_player.search_params(task, solve=len(states) == 1)._replace(stop_early=False)
    run = machine(task.game).build(search)
    share = -(-task.budget // len(states))
    for state in states:
        run(tree, scratch, state, share, 0, task.objective, params)
    return tree


def _mean(tree: Tree, node: int) -> Values:
    """What a node promises each seat: the proven values, else the mean of all results."""
    if tree.nodes[node]["proven"]:
        return tree.values[node, SEATS:]
    mean: Values = tree.values[node, :SEATS] / max(tree.nodes[node]["visits"], 1)
    return mean
