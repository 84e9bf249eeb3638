"""Weights of literals, for counting, as a spec declares them."""
