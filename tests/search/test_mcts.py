"""The tree search itself: proofs, bounded memory, and a tree that is kept from move to move."""

from random import Random

import ludotheque
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective
from ludotheque.search.mcts import search
from ludotheque.search.players import PlayerMemory, think_for
from ludotheque.search.scratch import SearchParams, new_scratch
from ludotheque.search.tree import EDGES, NODES, Tree, new_tree


def grown(nodes: int, edges: int, simulations: int) -> Tree:
    box = ludotheque.game("pegs")
    tree, scratch = new_tree(nodes, edges), new_scratch(1)
    run = machine(box.rules).build(search)
    objective = Objective(2, 0.1, 10.0, 0.0, 0.0, 1)
    assert run(tree, scratch, box.match(2).state, simulations, 1 << 40, objective, SearchParams()) == simulations
    return tree


def test_a_full_tree_grows_no_further_and_search_goes_on() -> None:
    tree = grown(50, 400, 3000)
    assert tree.used[NODES] <= 50
    assert tree.used[EDGES] <= 400
    assert tree.nodes["visits"][0] == 3000


def test_visits_add_up() -> None:
    tree = grown(20_000, 400_000, 2000)
    for node in range(int(tree.used[NODES])):
        first, width = int(tree.nodes["first"][node]), int(tree.nodes["width"][node])
        if width:
            tries = tree.edges["tries"][first : first + width].sum()
            assert 0 <= tree.nodes["visits"][node] - tries <= SearchParams().expand_visits
    assert (tree.values[:, :2].sum(axis=1) - tree.nodes["visits"]).max() < 1e-6


def test_a_thousand_moves_keep_memory_bounded() -> None:
    box, memory = ludotheque.game("tricolore"), PlayerMemory()
    sizes = set()
    match = box.match(3, seed=1, quiet=10_000)
    for _ in range(1000):
        if match.over:
            match = box.match(3, seed=2, quiet=10_000)
        seat = match.to_act[0]
        thought = think_for(match, int(seat), simulations=30, memory=memory)
        match.play(seat, str(thought.move))
        assert memory.tree is not None
        sizes.add(sum(part.nbytes for part in memory.tree))
    assert max(sizes) < 3_000_000


def test_the_tree_is_kept_from_one_move_to_the_next() -> None:
    match, memory = ludotheque.game("hepta").match(), PlayerMemory()
    first = think_for(match, 0, simulations=4000, memory=memory)
    match.play(0, str(first.move))
    again = think_for(match, 0, simulations=100, memory=memory)
    assert memory.tree is not None
    assert memory.tree.nodes["visits"][0] > 150
    assert again.move in match.moves(0)


def test_what_is_won_for_certain_is_proven() -> None:
    """In Pegs the last turn: whoever is ahead and may say done has won."""
    box = ludotheque.game("pegs")
    for seed in range(20):
        match, random = box.match(seed=seed), Random(seed)
        while not match.over:
            seat = match.to_act[0]
            found = match.moves(seat)
            lead = match.scores[int(seat)] - match.scores[1 - int(seat)]
            if "done" in found and lead > 0 and match.game.phase(match.state, int(seat)) == "lay-last":
                thought = think_for(match, int(seat), simulations=3000)
                assert thought.proven
                assert thought.expected[int(seat)] > 0.9
                return
            match.play(seat, random.choice(found))
    raise AssertionError("no such position")
