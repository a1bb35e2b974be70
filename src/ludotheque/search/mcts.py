"""Monte Carlo tree search for any game of the contract; compiled by `compiled.py`.

A simulation descends from the root to a leaf, gives it children once it was visited often enough (`expand`), plays
on from there at random (`simulate`), and adds the result to every node on its way (`backward`). Every seat has a
value of its own, so there may be more than two. Luck's moves are sampled by weight; sealed choices are found by
regret matching, or evaluated as a joint choice (`joint_choice.py`). Certain results are proven and not searched
again. Hidden information is the caller's business: it searches one guess after another with the same tree.
"""

from ludotheque.extras import extra
from ludotheque.game import LUCK
from ludotheque.search.compiled import Rules
from ludotheque.search.guided_playouts import playout
from ludotheque.search.heuristics import Evaluator, Objective, Position
from ludotheque.search.joint_choice import evaluate_joint_choice
from ludotheque.search.playouts import list_moves
from ludotheque.search.scratch import PATH_EDGE, PATH_NODE, PATH_SEATS, Scratch, SearchParams, first_actor
from ludotheque.search.selection import select, select_luck, select_sealed, update_regrets
from ludotheque.search.tree import (
    BLOCKS,
    EDGES,
    ESTIMATED,
    LINKS,
    NO_EDGE,
    NO_NODE,
    SEALED_NODE,
    SEATS,
    Tree,
    add_result,
    new_node,
    prove,
    prove_parent,
)

with extra("players"):
    import numpy as np

rules: Rules  # the game's, bound by `Machine.build`
evaluator: Evaluator  # the same
has_sealed: bool  # the same

CHECK_SIMULATIONS = 64  # between two checks whether the move is settled
MIN_SIMULATIONS = 1024  # before a search stops because the game seems decided
CATCH_UP = 0.75  # share of the remaining simulations that a lagging move can hope to get
SEALED_EDGES = 64  # a seat's, reserved for a sealed node


def search(  # noqa: PLR0917 - compiled: no keywords
    tree: Tree,
    scratch: Scratch,
    state: Position,
    simulations: int,
    left: int,
    objective: Objective,
    params: SearchParams,
) -> int:
    """Run so many simulations of those that are left, fewer once the move is settled; how many were run."""
    for done in range(simulations):
        if tree.nodes[0].proven:
            return done
        if params.stop_early and done % CHECK_SIMULATIONS == 0 and settled(tree, left - done, params):
            return done
        depth = simulate(tree, scratch, state, objective, params)
        backward(tree, scratch, depth, objective, params)
    return simulations


def settled(tree: Tree, left: int, params: SearchParams) -> bool:
    """Whether more simulations are useless: one legal move, no other can catch up, or the game is decided."""
    root = tree.nodes[0]
    if root.width == 0 or root.actor >= SEATS or root.visits < CHECK_SIMULATIONS:
        return False
    most = second = np.float32(0)
    best = root.first
    for edge in range(root.first, root.first + root.width):
        tries = tree.edges[edge].tries
        if tries > most:
            best, most, second = edge, tries, most
        else:
            second = max(second, tries)
    if root.width == 1 or most - second > CATCH_UP * left:
        return True
    mean = tree.edges[best].total / max(most, 1)
    return bool(root.visits >= MIN_SIMULATIONS and (mean >= params.stop_above or mean <= params.stop_below))


def simulate(tree: Tree, scratch: Scratch, state: Position, objective: Objective, params: SearchParams) -> int:
    """Descend to a leaf and play on from there; the depth of the leaf. The result is left in the scratch."""
    node = depth = _root()
    while True:
        scratch.path[depth, PATH_NODE] = node
        acting = rules.to_act(state)
        if tree.nodes[node].proven:
            _recall_values(tree, scratch, node, objective)
            return depth
        if acting == 0:
            evaluator.payoffs(state, objective, scratch.result)
            if params.solve:
                prove(tree, node, scratch.result, objective)
            return depth
        if has_sealed:  # noqa: SIM102 - a condition of its own, so that numba prunes the branch
            if node and params.joint_choices and _estimated(tree, scratch, node, state, acting, objective):
                return depth
        if tree.nodes[node].width == 0 and (
            (node and tree.nodes[node].visits < params.expand_visits)
            or not expand(tree, scratch, node, state, acting)
        ):
            playout(scratch, state, objective, params)
            return depth
        actor = tree.nodes[node].actor
        edge, child = NO_EDGE, NO_NODE
        if has_sealed:  # noqa: SIM102 - as above
            if actor == SEALED_NODE:
                edge = select_sealed(tree, scratch, node, depth, params)
                for seat in range(SEATS):
                    if scratch.path[depth, PATH_SEATS + seat] != NO_EDGE:
                        state = rules.play(state, seat, tree.edges[scratch.path[depth, PATH_SEATS + seat]].move)
                child = tree.links[edge]
        if actor != SEALED_NODE:
            edge = (
                select_luck(tree, scratch, node, state)
                if actor == LUCK
                else select(tree, scratch, node, state, params)
            )
            state = rules.play(state, actor, tree.edges[edge].move)
            child = tree.edges[edge].child
        scratch.path[depth, PATH_EDGE] = edge
        if child == NO_NODE:
            child = new_node(tree)
            if actor == SEALED_NODE:
                tree.links[edge] = child
            else:
                tree.edges[edge].child = child
        depth += 1
        if child == NO_NODE or depth >= params.max_depth:
            scratch.path[depth, PATH_NODE] = NO_NODE
            playout(scratch, state, objective, params)
            return depth
        node = child


def expand(tree: Tree, scratch: Scratch, node: int, state: Position, acting: int) -> bool:
    """Give a leaf its edges; false if there is no room."""
    if has_sealed:
        sealed = rules.sealed(state) & acting
        if sealed & (sealed - 1):
            return _expand_sealed(tree, scratch, node, state, sealed)
    actor = first_actor(acting)
    number = 0
    if actor == LUCK:  # any of its moves: one that is impossible now may be possible in another guess
        for first, stop in rules.spans(state, actor):
            for move in range(first, stop):
                scratch.found[number] = move
                number += 1
    else:
        number = list_moves(state, actor, scratch.found)
    start = tree.used[EDGES]
    if start + number > len(tree.edges):
        return False
    tree.used[EDGES] += number
    tree.nodes[node].actor, tree.nodes[node].first, tree.nodes[node].width = actor, start, number
    for index in range(number):
        tree.edges[start + index].move = scratch.found[index]
        if actor == LUCK and rules.legal(state, actor, scratch.found[index]):
            tree.edges[start + index].weight = rules.weight(state, scratch.found[index])
    return True


def _expand_sealed(tree: Tree, scratch: Scratch, node: int, state: Position, sealed: int) -> bool:
    """Give a leaf edges for each seat that chooses in secret, and a link for each combination."""
    block, combinations = tree.used[BLOCKS], 1
    if block == len(tree.blocks) or tree.used[EDGES] + SEATS * SEALED_EDGES > len(tree.edges):
        return False
    start = tree.used[EDGES]
    for seat in range(SEATS):
        number = 0
        if sealed >> seat & 1:
            number = list_moves(state, seat, scratch.found)
            combinations *= number
        tree.blocks[block, seat], tree.blocks[block, SEATS + seat] = start, number
        for index in range(number):
            tree.edges[start + index].move = scratch.found[index]
        start += number
    if tree.used[LINKS] + combinations > len(tree.links):
        return False
    tree.blocks[block, 2 * SEATS] = tree.used[LINKS]
    tree.nodes[node].first, tree.nodes[node].width = tree.used[EDGES], start - tree.used[EDGES]
    tree.nodes[node].actor, tree.nodes[node].block = SEALED_NODE, block
    tree.used[BLOCKS] += 1
    tree.used[LINKS] += combinations
    tree.used[EDGES] = start
    return True


def backward(tree: Tree, scratch: Scratch, depth: int, objective: Objective, params: SearchParams) -> None:
    """Add the result to all nodes of the path, from the leaf up, and prove what is certain now."""
    leaf = scratch.path[depth, PATH_NODE]
    if leaf != NO_NODE or depth == 0:
        add_result(tree, leaf, scratch.result, objective)
    for level in range(depth - 1, -1, -1):
        node, edge = scratch.path[level, PATH_NODE], scratch.path[level, PATH_EDGE]
        actor = tree.nodes[node].actor
        if has_sealed:  # noqa: SIM102 - as above
            if actor == SEALED_NODE:
                update_regrets(tree, scratch, node, level, edge)
        if actor != SEALED_NODE:
            tree.edges[edge].tries += 1
        if actor < SEATS:
            tree.edges[edge].total += scratch.result[actor]
        add_result(tree, node, scratch.result, objective)
        if (
            params.solve
            and actor != SEALED_NODE
            and tree.edges[edge].child != NO_NODE
            and tree.nodes[tree.edges[edge].child].proven
        ):
            prove_parent(tree, node, tree.edges[edge].child, objective, params.sure_win)


def _estimated(  # noqa: PLR0917 - compiled: no keywords
    tree: Tree, scratch: Scratch, node: int, state: Position, acting: int, objective: Objective
) -> bool:
    """Whether several seats choose in secret here and their joint choice was evaluated: once for each node."""
    choosing = rules.sealed(state) & acting
    if not choosing & (choosing - 1):
        return False
    if tree.nodes[node].block == ESTIMATED:
        _recall_values(tree, scratch, node, objective)
        return True
    if not evaluate_joint_choice(state, choosing, scratch.styles, objective, scratch.result):
        return False
    tree.nodes[node].block = ESTIMATED
    for seat in range(objective.seats):
        tree.values[node, SEATS + seat] = scratch.result[seat]
    return True


def _recall_values(tree: Tree, scratch: Scratch, node: int, objective: Objective) -> None:
    for seat in range(objective.seats):
        scratch.result[seat] = tree.values[node, SEATS + seat]


def _root() -> int:
    """The root, and its depth, as a 64-bit number: with a literal 0 numba would compile all callees once more."""
    return int(np.int64(0))
