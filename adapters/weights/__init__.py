"""Weights of literals, for counting: read from comments, and made whole numbers or clauses."""
