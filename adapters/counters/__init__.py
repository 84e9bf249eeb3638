"""Counters that never see a clause: they check what the formulas and their solvers say."""
