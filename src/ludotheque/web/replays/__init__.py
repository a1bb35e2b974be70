"""Finished matches, records brought from elsewhere, what is made once for all who look, and the analysis."""
