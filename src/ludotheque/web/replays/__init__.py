"""Finished matches and their analysis."""
