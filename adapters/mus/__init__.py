"""Unsatisfiable cores of formulas in groups: found, made minimal, and checked by another solver."""
