"""The search tree and its memory: arrays of fixed size that hold nodes, edges and, for sealed choices, links.

Compiled (`compiled.py`) where nothing else is said, and without knowledge of any game. When the arrays are full the
tree stops growing and search goes on without new nodes.
"""

from typing import NamedTuple, TypeAlias

from ludotheque.extras import extra
from ludotheque.game import LUCK
from ludotheque.search.heuristics import Objective, Values

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Longs: TypeAlias = NDArray[np.int64]  # as wide as the numbers of the rules

SEATS = 4
SEALED_NODE = LUCK + 1  # as the actor of a node: several seats choose in secret
NO_NODE = 0  # the root is nobody's child
NO_EDGE = -1
ESTIMATED = -1  # in place of a block: the node's joint choice was evaluated once and for all
MAX_DEPTH = 400  # moves below the root
LINKS_PER_BLOCK = 216  # on average: three seats with six choices each
NODES, EDGES, BLOCKS, LINKS = range(4)  # indexes into `Tree.used`
CLEARLY_BETTER = 0.25  # a proven child whose value exceeds the node's mean by this is played
NOT_WORSE = 0.05  # a proven child whose value is below the mean by more is not

NODE = np.dtype(
    [
        ("actor", np.int64),
        ("visits", np.int32),
        ("first", np.int32),  # edge
        ("width", np.int32),  # number of edges; 0: a leaf
        ("block", np.int32),  # of a sealed node, from 1 on; or ESTIMATED
        ("proven", np.int64),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("move", np.int64),
        ("total", np.float64),  # sum of results for the actor; of a sealed node: regret
        ("tries", np.float32),  # of a sealed node: summed probabilities of regret matching
        ("weight", np.float32),  # of a move of luck
        ("child", np.int32),
    ],
    align=True,
)


class Tree(NamedTuple):
    """A search tree. `values` has for each node and seat the sum of results, then the proven value.

    A sealed node has a block: the first edge of each seat, the number of edges of each, and its first link. There is
    a link for each combination of choices; it holds the child that the combination leads to.
    """

    nodes: NDArray[np.void]
    values: Values
    edges: NDArray[np.void]
    blocks: Longs
    links: Longs
    used: Longs


def new_tree(nodes: int, edges: int, *, sealed: bool = False) -> Tree:
    """An empty tree with a root and room for so many nodes and edges."""
    blocks = nodes // 16 + 16 if sealed else 1
    tree = Tree(
        nodes=np.zeros(nodes, NODE),
        values=np.zeros((nodes, 2 * SEATS)),
        edges=np.zeros(edges, EDGE),
        blocks=np.zeros((blocks, 2 * SEATS + 1), np.int64),
        links=np.zeros(blocks * LINKS_PER_BLOCK if sealed else 1, np.int64),
        used=np.zeros(4, np.int64),
    )
    tree.used[NODES] = tree.used[BLOCKS] = 1
    return tree


def new_node(tree: Tree) -> int:
    """Room for one more node; `NO_NODE` if the tree is full."""
    node = tree.used[NODES]
    if node == len(tree.nodes):
        return NO_NODE
    tree.used[NODES] += 1
    return int(node)


def find_edge(tree: Tree, node: int, move: int) -> int:
    """The edge of a move that the node has."""
    edge = tree.nodes[node].first
    last = edge + tree.nodes[node].width - 1
    while edge < last and tree.edges[edge].move != move:
        edge += 1
    return int(edge)


def best_edge(tree: Tree, node: int) -> int:
    """The edge to play: proven best, else tried most, and of those the better."""
    actor = tree.nodes[node].actor
    best, most = NO_EDGE, -1.0
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
        child = tree.edges[edge].child
        merit = tree.edges[edge].tries + (
            tree.edges[edge].total / tree.edges[edge].tries if tree.edges[edge].tries > 0 else 0.0
        )
        if actor < SEATS and child != NO_NODE and tree.nodes[child].proven:
            exact = tree.values[child, SEATS + actor]
            mean = tree.values[node, actor] / max(tree.nodes[node].visits, 1)
            merit = (
                1e9 + exact
                if tree.nodes[node].proven or exact > mean + CLEARLY_BETTER
                else merit
                if exact >= mean - NOT_WORSE
                else 0.0
            )
        if merit > most:
            best, most = edge, merit
    return best


def child_of(tree: Tree, node: int, actor: int, move: int) -> int:
    """The child that a move of this actor leads to, or `NO_NODE`. Interpreted."""
    parent = tree.nodes[node]
    if parent["actor"] != actor:
        return NO_NODE
    for edge in tree.edges[parent["first"] : parent["first"] + parent["width"]]:
        if edge["move"] == move:
            return int(edge["child"])
    return NO_NODE


# Results


def add_result(tree: Tree, node: int, result: Values, objective: Objective) -> None:
    """Count a visit and its result."""
    tree.nodes[node].visits += 1
    for seat in range(objective.seats):
        tree.values[node, seat] += result[seat]


def prove(tree: Tree, node: int, values: Values, objective: Objective) -> None:
    """Keep values that are certain."""
    tree.nodes[node].proven = True
    for seat in range(objective.seats):
        tree.values[node, SEATS + seat] = values[seat]


def prove_parent(tree: Tree, node: int, child: int, objective: Objective, sure_win: float) -> None:
    """Prove a node from a proven child, if that settles it: by a sure win, or once all children are proven."""
    actor = tree.nodes[node].actor
    if actor < SEATS and tree.values[child, SEATS + actor] >= sure_win:
        prove(tree, node, tree.values[child, SEATS:], objective)
        return
    if objective.seats > 2 and actor != LUCK:
        return  # with more seats it would matter which of several equal moves the others choose
    best, total = NO_NODE, 0.0
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
        other = tree.edges[edge].child
        if actor == LUCK and tree.edges[edge].weight == 0:
            continue
        if other == NO_NODE or not tree.nodes[other].proven:
            return
        total += tree.edges[edge].weight
        if actor != LUCK and (
            best == NO_NODE or tree.values[other, SEATS + actor] > tree.values[best, SEATS + actor]
        ):
            best = other
    if actor == LUCK:
        _prove_luck(tree, node, total, objective)
    else:
        prove(tree, node, tree.values[best, SEATS:], objective)


def _prove_luck(tree: Tree, node: int, total: float, objective: Objective) -> None:
    """The mean of the proven children by the weights of luck, which add up to `total`."""
    tree.nodes[node].proven = True
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].width):
        for seat in range(objective.seats):
            if tree.edges[edge].weight > 0:
                tree.values[node, SEATS + seat] += (
                    tree.edges[edge].weight / total * tree.values[tree.edges[edge].child, SEATS + seat]
                )


# Reuse for the next move


def graft(old: Tree, new: Tree, root: int) -> int:
    """Copy the subtree of a node into an empty tree, as its root; the number of nodes copied."""
    _copy_node(old, new, root, 0)
    new.nodes[0].block = root  # while copying: where a node comes from
    done = 0
    while done < new.used[NODES]:
        source = new.nodes[done].block
        new.nodes[done].block = 0
        if old.nodes[source].width and old.nodes[source].block == 0:
            _copy_edges(old, new, source, done)
        done += 1
    if new.nodes[0].width == 0:
        new.nodes[0].proven = 0  # the moves that prove it were not copied
    return done


def _copy_node(old: Tree, new: Tree, source: int, node: int) -> None:
    new.nodes[node].visits = old.nodes[source].visits
    new.nodes[node].actor = old.nodes[source].actor
    new.nodes[node].proven = old.nodes[source].proven
    for seat in range(SEATS):
        new.values[node, seat] = old.values[source, seat]
        new.values[node, SEATS + seat] = old.values[source, SEATS + seat]


def _copy_edges(old: Tree, new: Tree, source: int, node: int) -> None:
    """The edges of a node, and their children as new nodes, up to half of the room. Sealed nodes become leaves."""
    width = old.nodes[source].width
    start = new.used[EDGES]
    if start + width > len(new.edges) // 2:
        return
    new.used[EDGES] += width
    new.nodes[node].first, new.nodes[node].width = start, width
    for number in range(width):
        edge, copy = old.nodes[source].first + number, start + number
        new.edges[copy].move, new.edges[copy].tries, new.edges[copy].total = (
            old.edges[edge].move,
            old.edges[edge].tries,
            old.edges[edge].total,
        )
        new.edges[copy].weight = old.edges[edge].weight
        child = old.edges[edge].child
        if child != NO_NODE and new.used[NODES] < len(new.nodes) // 2:
            fresh = new.used[NODES]
            new.used[NODES] += 1
            new.edges[copy].child = fresh
            _copy_node(old, new, child, fresh)
            new.nodes[fresh].block = child
