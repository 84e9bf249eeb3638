"""Recordings of observable behaviour, to compare a refactored tree with the one before."""
