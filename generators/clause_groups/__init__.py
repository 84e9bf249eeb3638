"""Formulas in groups: which clauses belong to which constraint, and to which row of its `for`."""
