"""Batches of games for learners."""
