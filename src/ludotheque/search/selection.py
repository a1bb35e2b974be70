"""Which edge a simulation follows: UCT for a seat, weights for luck, regret matching for sealed choices; compiled."""

import math

from ludotheque.extras import extra
from ludotheque.search.compiled import Rules
from ludotheque.search.guided_playouts import greediest_move, plays_greedily
from ludotheque.search.heuristics import Position
from ludotheque.search.playouts import list_moves, weighted_luck
from ludotheque.search.scratch import PATH_SEATS, Scratch, SearchParams, next_noise, random_below, random_unit
from ludotheque.search.tree import NO_EDGE, NO_NODE, SEATS, Tree, find_edge

with extra("players"):
    import numpy as np

rules: Rules  # the game's, bound by `Machine.build`

BLIND_CHANCE = 0.15  # how often a sealed choice is tried regardless of its regret


def select(tree: Tree, scratch: Scratch, node: int, state: Position, params: SearchParams) -> int:
    """The edge with the highest upper confidence bound; for a seat believed greedy, the one it takes."""
    actor, first, width = tree.nodes[node].actor, tree.nodes[node].first, tree.nodes[node].width
    if plays_greedily(scratch, actor, params):
        return find_edge(tree, node, greediest_move(scratch, state, actor, list_moves(state, actor, scratch.found)))
    visits = max(tree.nodes[node].visits, 1)
    mean = tree.values[node, actor] / visits
    bonus = params.explore * math.sqrt(math.log(visits + 1))
    offset = random_below(scratch, int(np.int64(width)))
    best, most = first + offset, -1e9
    if params.solve and params.careless[actor] > 0 and random_unit(scratch) < params.careless[actor]:
        return int(best)
    for index in range(width):
        edge = first + index + offset
        if edge >= first + width:
            edge -= width
        child, tries = tree.edges[edge].child, tree.edges[edge].tries
        if child != NO_NODE and tree.nodes[child].proven:
            bound = tree.values[child, SEATS + actor]
        else:
            bound = tree.edges[edge].total / tries if tries > 0 else mean
            bound += bonus / math.sqrt(tries + 1)
        if bound > most and (params.solve or rules.legal(state, actor, tree.edges[edge].move)):
            best, most = edge, bound
    return int(best)


def select_luck(tree: Tree, scratch: Scratch, node: int, state: Position) -> int:
    """A random edge by the weights of luck in this state."""
    number = list_moves(state, tree.nodes[node].actor, scratch.found)
    return find_edge(tree, node, weighted_luck(state, scratch.found, number, next_noise(scratch)))


def select_sealed(tree: Tree, scratch: Scratch, node: int, depth: int, params: SearchParams) -> int:
    """A choice for each seat by regret matching, left in the path; the link of the combination."""
    block = tree.nodes[node].block
    joint = 0
    for seat in range(SEATS):
        first, number = tree.blocks[block, seat], tree.blocks[block, SEATS + seat]
        scratch.path[depth, PATH_SEATS + seat] = NO_EDGE
        if number == 0:
            continue
        total = 0.0
        for edge in range(first, first + number):
            total += tree.edges[edge].total
        value, pick = random_unit(scratch), NO_EDGE
        blind = max(BLIND_CHANCE, params.careless[seat])
        for edge in range(first, first + number):
            likely = tree.edges[edge].total / total if total > 0 else 1 / number
            tree.edges[edge].tries += likely
            value -= (1 - blind) * likely + blind / number
            if pick == NO_EDGE and value < 0:
                pick = edge
        if pick == NO_EDGE:
            pick = first + number - 1
        scratch.path[depth, PATH_SEATS + seat] = pick
        joint = joint * number + pick - first
    return int(tree.blocks[block, 2 * SEATS] + joint)


def update_regrets(tree: Tree, scratch: Scratch, node: int, depth: int, link: int) -> None:
    """Add to each choice what it would have brought its seat beyond the result, the others' choices given."""
    block, stride = tree.nodes[node].block, 1
    for seat in range(SEATS - 1, -1, -1):
        first, number = tree.blocks[block, seat], tree.blocks[block, SEATS + seat]
        if number == 0:
            continue
        chosen = scratch.path[depth, PATH_SEATS + seat] - first
        for index in range(number):
            other = tree.links[link + (index - chosen) * stride]
            if index != chosen and other != NO_NODE and tree.nodes[other].visits > 0:
                more = tree.values[other, seat] / tree.nodes[other].visits - scratch.result[seat]
                tree.edges[first + index].total = max(tree.edges[first + index].total + more, 0.0)
        stride *= number
