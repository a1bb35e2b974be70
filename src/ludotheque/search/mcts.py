"""Tree search by playouts (MCTS), for any game of the contract; compiled by `search/compiled.py`.

Every seat has a value of its own, so three and four may play. Luck's moves are drawn by weight. Seats that choose in
secret decide at the same time, by regret matching, and their choices come out mixed; or else such a choice is judged
by all that may come of it (`joint_choice.py`). Results that are certain are proven and not searched again. What is hidden
is up to the caller, who searches on from one guess after another with the same tree. The tree is a set of arrays of
fixed size: when they are full, search goes on without growing it.

A simulation descends from the root to a leaf (`descend`), plays on at random from there (`playout`), and adds the
result to every node on its way (`ascend`).
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.game import LUCK
from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import DEEPEST, Objective, Position, Sense, Worths
from ludotheque.search.joint_choice import judge_seats, judge_together
from ludotheque.search.playouts import WIDEST, Noise, listed, scramble, weighted
from ludotheque.search.sealed import RATIONAL, STYLES

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]  # what the rules are asked about must have the width of their own numbers
Floats: TypeAlias = NDArray[np.float32]

rules: Rules  # the game's, given by `Machine.build`
sense: Sense  # the same
secrets: bool  # whether seats ever choose in secret, given too

SEATS = 4
SEALED = LUCK + 1  # as the actor of a node: several seats, each in secret
NONE = 0  # in place of a node: the root is nobody's child
NO_EDGE = -1
JUDGED = -1  # in place of a block
LONGEST = 2000  # moves of a playout
CHECK = 64  # simulations between two looks whether more are of use
FEW = 1024  # simulations that are enough where all seems decided
BLIND = 0.15  # how often a sealed choice is tried for no reason
CATCH_UP = 0.75  # which part of the remaining simulations a move that lags behind can hope to get
NODES, EDGES, SEALS, LINKS = range(4)  # what of a tree is in use, in `used`
NODE_, EDGE_ = 0, 1  # of the way down, in `path`: the node, the edge taken or the link; then sealed seats' edges


class SearchParams(NamedTuple):
    """How a search goes about it."""

    explore: float = 0.7  # how much a rarely tried move is favoured
    expand: int = 4  # visits after which a leaf gets children
    horizon: int = LONGEST  # moves after which a playout is cut short and judged, as soon as it can be
    deepest: int = DEEPEST  # moves the tree may reach down
    certain: float = 2.0  # what is worth as much needs no further search: won
    solve: bool = True  # whether results are proven; never if the state searched is a guess
    won: float = 2.0  # who can hope for as much needs hardly think
    lost: float = -1.0  # nor who can hope for no more
    together: bool = False  # whether choices in secret are judged by all that may come of them, and not searched
    careless: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # how likely a seat chooses just anything
    greedy: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # how likely it takes what one move brings


NODE = np.dtype(
    [
        ("actor", np.int64),
        ("visits", np.int32),
        ("first", np.int32),  # edge
        ("width", np.int32),  # number of edges, none at a leaf
        ("seal", np.int32),  # its block from 1 on, if it is sealed; or that it is judged for good
        ("proven", np.int64),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("move", np.int64),
        ("gain", np.float64),  # of a sealed node: regret
        ("tries", np.float32),  # of a sealed node: how often regret matching would have played it
        ("weight", np.float32),  # of luck
        ("child", np.int32),
    ],
    align=True,
)


class Tree(NamedTuple):
    """Nodes, what they are worth to each seat (first the sums of results, then what is proven), and their edges.

    A sealed node has a block with the first edge and the number of edges of each seat, and the first of its links,
    which lead to a child for each combination of choices.
    """

    nodes: NDArray[np.void]
    worths: Worths
    edges: NDArray[np.void]
    blocks: Longs
    links: Longs
    used: Longs


class Scratch(NamedTuple):
    """Room to work in: a random number, moves and their running weights, the way down, the result.

    Beside it lies how the seats choose in secret.
    """

    noise: NDArray[np.uint64]
    found: Longs
    sums: Longs
    path: Longs
    result: Worths
    styles: Worths


def new_tree(nodes: int, edges: int, *, sealed: bool = False) -> Tree:
    """An empty tree of bounded size, with its root."""
    seals = nodes // 16 + 16 if sealed else 1
    tree = Tree(
        nodes=np.zeros(nodes, NODE),
        worths=np.zeros((nodes, 2 * SEATS)),
        edges=np.zeros(edges, EDGE),
        blocks=np.zeros((seals, 2 * SEATS + 1), np.int64),
        links=np.zeros(seals * 216 if sealed else 1, np.int64),
        used=np.zeros(4, np.int64),
    )
    tree.used[NODES] = tree.used[SEALS] = 1
    return tree


def new_scratch(seed: int, styles: Worths | None = None) -> Scratch:
    """A scratch of one's own."""
    return Scratch(
        noise=np.array([(seed * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF | 1], np.uint64),
        found=np.empty(WIDEST, np.int64),
        sums=np.empty(WIDEST, np.int64),
        path=np.empty((DEEPEST + 1, 2 + SEATS), np.int64),
        result=np.zeros(SEATS),
        styles=all_rational() if styles is None else styles,
    )


def all_rational() -> Worths:
    """What is believed of seats of which nothing is known: that they choose well."""
    styles = np.zeros((SEATS, STYLES))
    styles[:, RATIONAL] = 1.0
    return styles


def search(  # noqa: PLR0917 - compiled: no keywords
    tree: Tree,
    scratch: Scratch,
    state: Position,
    simulations: int,
    left: int,
    objective: Objective,
    params: SearchParams,
) -> int:
    """Run so many simulations of those that are left; fewer if more would change nothing. How many it were."""
    for done in range(simulations):
        if tree.nodes[0].proven or (done % CHECK == 0 and settled(tree, left - done, params)):
            return done
        depth = descend(tree, scratch, state, objective, params)
        ascend(tree, scratch, depth, objective, params)
    return simulations


def settled(tree: Tree, left: int, params: SearchParams) -> bool:
    """Whether the move is clear: there is only one, or no other can catch up, or the game is as good as decided."""
    root = tree.nodes[0]
    if root.width == 0 or root.actor >= SEATS or root.visits < CHECK:
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
    hope = tree.edges[best].gain / max(most, 1)
    return bool(root.visits >= FEW and (hope >= params.won or hope <= params.lost))


def descend(tree: Tree, scratch: Scratch, state: Position, objective: Objective, params: SearchParams) -> int:
    """Go down to a leaf and play on from there; the depth of the leaf. The result is left on the scratch."""
    node = depth = _top()
    while True:
        scratch.path[depth, NODE_] = node
        acting = rules.to_act(state)
        if tree.nodes[node].proven:
            for seat in range(objective.seats):
                scratch.result[seat] = tree.worths[node, SEATS + seat]
            return depth
        if acting == 0:
            sense.worth(state, objective, scratch.result)
            if params.solve:
                _prove(tree, node, scratch.result, objective)
            return depth
        if secrets:  # noqa: SIM102 - alone numba leaves out what cannot happen
            if node and params.together and _judged(tree, scratch, node, state, acting, objective):
                return depth
        if tree.nodes[node].width == 0 and (
            (node and tree.nodes[node].visits < params.expand) or not _expand(tree, scratch, node, state, acting)
        ):
            playout(scratch, state, objective, params)
            return depth
        actor = tree.nodes[node].actor
        edge, child = NO_EDGE, NONE
        if secrets:  # noqa: SIM102 - as above
            if actor == SEALED:
                edge = _pick_sealed(tree, scratch, node, depth, params)
                for seat in range(SEATS):
                    if scratch.path[depth, 2 + seat] != NO_EDGE:
                        state = rules.play(state, seat, tree.edges[scratch.path[depth, 2 + seat]].move)
                child = tree.links[edge]
        if actor != SEALED:
            edge = (
                _pick_luck(tree, scratch, node, state) if actor == LUCK else _pick(tree, scratch, node, state, params)
            )
            state = rules.play(state, actor, tree.edges[edge].move)
            child = tree.edges[edge].child
        scratch.path[depth, EDGE_] = edge
        if child == NONE:
            child = _new_node(tree)
            if actor == SEALED:
                tree.links[edge] = child
            else:
                tree.edges[edge].child = child
        depth += 1
        if child == NONE or depth >= params.deepest:
            scratch.path[depth, NODE_] = NONE
            playout(scratch, state, objective, params)
            return depth
        node = child


def _judged(tree: Tree, scratch: Scratch, node: int, state: Position, acting: int, objective: Objective) -> bool:  # noqa: PLR0917
    """Whether several choose here in secret, and what may come of that has been judged: once for a node."""
    choosing = rules.sealed(state) & acting
    if not choosing & (choosing - 1):
        return False
    if tree.nodes[node].seal == JUDGED:
        for seat in range(objective.seats):
            scratch.result[seat] = tree.worths[node, SEATS + seat]
        return True
    if not judge_together(state, choosing, scratch.styles, objective, scratch.result):
        return False
    tree.nodes[node].seal = JUDGED
    for seat in range(objective.seats):
        tree.worths[node, SEATS + seat] = scratch.result[seat]
    return True


def sample(  # noqa: PLR0917 - compiled: no keywords
    scratch: Scratch, state: Position, playouts: int, objective: Objective, params: SearchParams, out: Worths
) -> None:
    """Add up the results of so many playouts."""
    for _ in range(playouts):
        playout(scratch, state, objective, params)
        for seat in range(objective.seats):
            out[seat] += scratch.result[seat]


def playout(scratch: Scratch, state: Position, objective: Objective, params: SearchParams) -> None:
    """Play on by weighted chance to the end, or to the horizon, and leave the worth of that on the scratch."""
    acting = rules.to_act(state)
    made = 0
    while acting:
        if made >= params.horizon and sense.calm(state):
            if secrets:
                judge_seats(state, scratch.styles, objective, scratch.result)
            else:
                sense.judge(state, objective, scratch.result)
            return
        if secrets:  # noqa: SIM102 - as above
            if params.together:
                choosing = rules.sealed(state) & acting
                if choosing & (choosing - 1) and judge_together(
                    state, choosing, scratch.styles, objective, scratch.result
                ):
                    return
        actor = _first(acting)
        state = rules.play(state, actor, _draw(scratch, state, actor, params))
        acting = rules.to_act(state)
        made += 1
    sense.worth(state, objective, scratch.result)


def ascend(tree: Tree, scratch: Scratch, depth: int, objective: Objective, params: SearchParams) -> None:
    """Add the result to all nodes on the way, from the leaf up, and prove what now is certain."""
    leaf = scratch.path[depth, NODE_]
    if leaf != NONE or depth == 0:
        _add(tree, leaf, scratch.result, objective)
    for level in range(depth - 1, -1, -1):
        node, edge = scratch.path[level, NODE_], scratch.path[level, EDGE_]
        actor = tree.nodes[node].actor
        if secrets:  # noqa: SIM102 - as above
            if actor == SEALED:
                _regret(tree, scratch, node, level, edge)
        if actor != SEALED:
            tree.edges[edge].tries += 1
        if actor < SEATS:
            tree.edges[edge].gain += scratch.result[actor]
        _add(tree, node, scratch.result, objective)
        if (
            params.solve
            and actor != SEALED
            and tree.edges[edge].child != NONE
            and tree.nodes[tree.edges[edge].child].proven
        ):
            _conclude(tree, node, tree.edges[edge].child, objective, params)


def best_edge(tree: Tree, node: int) -> int:
    """The edge to play: proven best, else tried most, and of those the better."""
    actor = tree.nodes[node].actor
    best, most = NO_EDGE, -1.0
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
        child = tree.edges[edge].child
        merit = tree.edges[edge].tries + (
            tree.edges[edge].gain / tree.edges[edge].tries if tree.edges[edge].tries > 0 else 0.0
        )
        if actor < SEATS and child != NONE and tree.nodes[child].proven:
            exact = tree.worths[child, SEATS + actor]
            mean = tree.worths[node, actor] / max(tree.nodes[node].visits, 1)
            merit = (
                1e9 + exact
                if tree.nodes[node].proven or exact > mean + 0.25
                else merit
                if exact >= mean - 0.05
                else 0.0
            )
        if merit > most:
            best, most = edge, merit
    return best


def graft(old: Tree, new: Tree, root: int) -> int:
    """Copy what hangs on a node into an empty tree, as its root; the number of nodes that came along."""
    _copy_node(old, new, root, 0)
    new.nodes[0].seal = root  # while copying: where a node comes from
    done = 0
    while done < new.used[NODES]:
        source = new.nodes[done].seal
        new.nodes[done].seal = 0
        if old.nodes[source].width and old.nodes[source].seal == 0:
            _copy_edges(old, new, source, done)
        done += 1
    if new.nodes[0].width == 0:
        new.nodes[0].proven = 0  # what proved it has not come along
    return done


def _copy_node(old: Tree, new: Tree, source: int, node: int) -> None:
    new.nodes[node].visits = old.nodes[source].visits
    new.nodes[node].actor = old.nodes[source].actor
    new.nodes[node].proven = old.nodes[source].proven
    for seat in range(SEATS):
        new.worths[node, seat] = old.worths[source, seat]
        new.worths[node, SEATS + seat] = old.worths[source, SEATS + seat]


def _copy_edges(old: Tree, new: Tree, source: int, node: int) -> None:
    """The edges of a node, and their children as new nodes; sealed nodes start afresh."""
    width = old.nodes[source].width
    start = new.used[EDGES]
    if start + width > len(new.edges) // 2:
        return
    new.used[EDGES] += width
    new.nodes[node].first, new.nodes[node].width = start, width
    for number in range(width):
        edge, copy = old.nodes[source].first + number, start + number
        new.edges[copy].move, new.edges[copy].tries, new.edges[copy].gain = (
            old.edges[edge].move,
            old.edges[edge].tries,
            old.edges[edge].gain,
        )
        new.edges[copy].weight = old.edges[edge].weight
        child = old.edges[edge].child
        if child != NONE and new.used[NODES] < len(new.nodes) // 2:
            fresh = new.used[NODES]
            new.used[NODES] += 1
            new.edges[copy].child = fresh
            _copy_node(old, new, child, fresh)
            new.nodes[fresh].seal = child


def _top() -> int:
    """The root, and its depth: for a plain 0 numba would compile everything it is handed to once more."""
    return int(np.int64(0))


def _first(acting: int) -> int:
    actor = 0
    while not acting >> actor & 1:
        actor += 1
    return actor


def _noise(scratch: Scratch) -> Noise:
    scratch.noise[0] = scramble(scratch.noise[0])
    return np.uint64(scratch.noise[0])


def _below(scratch: Scratch, limit: int) -> int:
    """A random number below a limit."""
    return int(_noise(scratch) >> np.uint64(33)) % limit


def _part(scratch: Scratch) -> float:
    """A random number between 0 and 1."""
    return float(_noise(scratch) >> np.uint64(11)) / (1 << 53)


def _draw(scratch: Scratch, state: Position, actor: int, params: SearchParams) -> int:
    """A move for a playout: luck's by its weights, a seat's by what we know of the game, or of the seat."""
    number = listed(state, actor, scratch.found)
    if number == 1:
        return int(scratch.found[0])
    if actor == LUCK:
        return weighted(state, scratch.found, number, _noise(scratch))
    if _is_greedy(scratch, actor, params):
        return _grabbed(scratch, state, actor, number)
    if sense.even():
        return int(scratch.found[_below(scratch, number)])
    total = 0
    for index in range(number):
        total += sense.weigh(state, actor, scratch.found[index])
        scratch.sums[index] = total
    value = _below(scratch, max(total, 1))
    low, high = 0, number - 1
    while low < high:
        middle = (low + high) // 2
        if scratch.sums[middle] > value:
            high = middle
        else:
            low = middle + 1
    return int(scratch.found[low])


def _is_greedy(scratch: Scratch, actor: int, params: SearchParams) -> bool:
    """Whether this time the seat is taken for one that looks no further than its own move."""
    return params.greedy[actor] > 0 and _part(scratch) < params.greedy[actor]


def _grabbed(scratch: Scratch, state: Position, actor: int, number: int) -> int:
    """The move that brings most at once, of those listed; any of several."""
    best, most, alike = NO_EDGE, -(1 << 30), 0
    for index in range(number):
        brings = sense.grab(state, actor, scratch.found[index])
        if brings > most:
            best, most, alike = index, brings, 1
        elif brings == most:
            alike += 1
            if _below(scratch, alike) == 0:
                best = index
    return int(scratch.found[best])


def _expand(tree: Tree, scratch: Scratch, node: int, state: Position, acting: int) -> bool:
    """Give a leaf its edges, if there is room."""
    if secrets:
        sealed = rules.sealed(state) & acting
        if sealed & (sealed - 1):
            return _expand_sealed(tree, scratch, node, state, sealed)
    actor = _first(acting)
    number = 0
    if actor == LUCK:  # any of its moves: what is not possible now may be in another guess
        for first, stop in rules.spans(state, actor):
            for move in range(first, stop):
                scratch.found[number] = move
                number += 1
    else:
        number = listed(state, actor, scratch.found)
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
    """A block of edges for each seat, and a link for each combination."""
    seal, combinations = tree.used[SEALS], 1
    if seal == len(tree.blocks) or tree.used[EDGES] + SEATS * 64 > len(tree.edges):
        return False
    start = tree.used[EDGES]
    for seat in range(SEATS):
        number = 0
        if sealed >> seat & 1:
            number = listed(state, seat, scratch.found)
            combinations *= number
        tree.blocks[seal, seat], tree.blocks[seal, SEATS + seat] = start, number
        for index in range(number):
            tree.edges[start + index].move = scratch.found[index]
        start += number
    if tree.used[LINKS] + combinations > len(tree.links):
        return False
    tree.blocks[seal, 2 * SEATS] = tree.used[LINKS]
    tree.nodes[node].first, tree.nodes[node].width = tree.used[EDGES], start - tree.used[EDGES]
    tree.nodes[node].actor, tree.nodes[node].seal = SEALED, seal
    tree.used[SEALS] += 1
    tree.used[LINKS] += combinations
    tree.used[EDGES] = start
    return True


def _new_node(tree: Tree) -> int:
    node = tree.used[NODES]
    if node == len(tree.nodes):
        return NONE
    tree.used[NODES] += 1
    return int(node)


def _pick(tree: Tree, scratch: Scratch, node: int, state: Position, params: SearchParams) -> int:
    """The edge that promises most: good so far, or tried too rarely to tell; for a greedy seat, the one it takes."""
    actor, first, width = tree.nodes[node].actor, tree.nodes[node].first, tree.nodes[node].width
    if _is_greedy(scratch, actor, params):
        return _edge(tree, node, _grabbed(scratch, state, actor, listed(state, actor, scratch.found)))
    visits = max(tree.nodes[node].visits, 1)
    mean = tree.worths[node, actor] / visits
    wonder = params.explore * math.sqrt(math.log(visits + 1))
    offset = _below(scratch, int(np.int64(width)))
    best, most = first + offset, -1e9
    if params.solve and params.careless[actor] > 0 and _part(scratch) < params.careless[actor]:
        return int(best)
    for index in range(width):
        edge = first + index + offset
        if edge >= first + width:
            edge -= width
        child, tries = tree.edges[edge].child, tree.edges[edge].tries
        if child != NONE and tree.nodes[child].proven:
            promise = tree.worths[child, SEATS + actor]
        else:
            promise = tree.edges[edge].gain / tries if tries > 0 else mean
            promise += wonder / math.sqrt(tries + 1)
        if promise > most and (params.solve or rules.legal(state, actor, tree.edges[edge].move)):
            best, most = edge, promise
    return int(best)


def _pick_luck(tree: Tree, scratch: Scratch, node: int, state: Position) -> int:
    """An edge of luck by the weights that hold in this state."""
    number = listed(state, tree.nodes[node].actor, scratch.found)
    return _edge(tree, node, weighted(state, scratch.found, number, _noise(scratch)))


def _edge(tree: Tree, node: int, move: int) -> int:
    """The edge of a move that the node has."""
    edge = tree.nodes[node].first
    last = edge + tree.nodes[node].width - 1
    while edge < last and tree.edges[edge].move != move:
        edge += 1
    return int(edge)


def _pick_sealed(tree: Tree, scratch: Scratch, node: int, depth: int, params: SearchParams) -> int:
    """A choice for each seat by its regrets; the link to where they lead together."""
    seal = tree.nodes[node].seal
    joint = 0
    for seat in range(SEATS):
        first, number = tree.blocks[seal, seat], tree.blocks[seal, SEATS + seat]
        scratch.path[depth, 2 + seat] = NO_EDGE
        if number == 0:
            continue
        total = 0.0
        for edge in range(first, first + number):
            total += tree.edges[edge].gain
        value, pick = _part(scratch), NO_EDGE
        blind = max(BLIND, params.careless[seat])
        for edge in range(first, first + number):
            likely = tree.edges[edge].gain / total if total > 0 else 1 / number
            tree.edges[edge].tries += likely
            value -= (1 - blind) * likely + blind / number
            if pick == NO_EDGE and value < 0:
                pick = edge
        if pick == NO_EDGE:
            pick = first + number - 1
        scratch.path[depth, 2 + seat] = pick
        joint = joint * number + pick - first
    return int(tree.blocks[seal, 2 * SEATS] + joint)


def _regret(tree: Tree, scratch: Scratch, node: int, level: int, link: int) -> None:
    """What each seat would have got more by each other choice, the others' given."""
    seal, stride = tree.nodes[node].seal, 1
    for seat in range(SEATS - 1, -1, -1):
        first, number = tree.blocks[seal, seat], tree.blocks[seal, SEATS + seat]
        if number == 0:
            continue
        chosen = scratch.path[level, 2 + seat] - first
        for index in range(number):
            other = tree.links[link + (index - chosen) * stride]
            if index != chosen and other != NONE and tree.nodes[other].visits > 0:
                more = tree.worths[other, seat] / tree.nodes[other].visits - scratch.result[seat]
                tree.edges[first + index].gain = max(tree.edges[first + index].gain + more, 0.0)
        stride *= number


def _add(tree: Tree, node: int, result: Worths, objective: Objective) -> None:
    tree.nodes[node].visits += 1
    for seat in range(objective.seats):
        tree.worths[node, seat] += result[seat]


def _prove(tree: Tree, node: int, worths: Worths, objective: Objective) -> None:
    tree.nodes[node].proven = True
    for seat in range(objective.seats):
        tree.worths[node, SEATS + seat] = worths[seat]


def _conclude(tree: Tree, node: int, child: int, objective: Objective, params: SearchParams) -> None:
    """Prove a node one of whose children has just been met proven, if that settles it."""
    actor = tree.nodes[node].actor
    if actor < SEATS and tree.worths[child, SEATS + actor] >= params.certain:
        _prove(tree, node, tree.worths[child, SEATS:], objective)
        return
    if objective.seats > 2 and actor != LUCK:
        return  # with more seats the choice of the others among equals would matter
    best, total = NONE, 0.0
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
        other = tree.edges[edge].child
        if actor == LUCK and tree.edges[edge].weight == 0:
            continue
        if other == NONE or not tree.nodes[other].proven:
            return
        total += tree.edges[edge].weight
        if actor != LUCK and (best == NONE or tree.worths[other, SEATS + actor] > tree.worths[best, SEATS + actor]):
            best = other
    if actor == LUCK:
        tree.nodes[node].proven = True
        for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
            for seat in range(objective.seats):
                if tree.edges[edge].weight > 0:
                    tree.worths[node, SEATS + seat] += (
                        tree.edges[edge].weight / total * tree.worths[tree.edges[edge].child, SEATS + seat]
                    )
    else:
        _prove(tree, node, tree.worths[best, SEATS:], objective)
