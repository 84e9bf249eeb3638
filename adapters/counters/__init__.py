"""Counters that work on the board, without a formula: independent checks of other counts."""
