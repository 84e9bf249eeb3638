"""Minimal unsatisfiable subsets (MUS) of clause groups, confirmed by a second solver."""
