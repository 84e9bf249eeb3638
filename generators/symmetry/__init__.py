"""The symmetries of a board, which of them a formula has, and the clauses that break them."""
