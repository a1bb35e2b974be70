"""Games for learners: thousands at once (`batch.py`), and environments of PettingZoo (`aec.py`, `parallel.py`).

What is observed is in `layout.py`, and for each game in `layouts/`.
"""

from ludotheque.extras import extra

with extra("learn"):
    import numba  # noqa: F401 - whatever is in here needs it
