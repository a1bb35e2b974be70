"""Games for learners: thousands at once (`batch.py`), and environments of PettingZoo (`aec.py`, `parallel.py`).

What is observed is in `layout.py`, and for each game in `layouts/`.
"""
