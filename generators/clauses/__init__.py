"""Clauses in memory: patterns that generate them, blocks of constraints, and weights."""
