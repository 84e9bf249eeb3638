"""Hamiltonian cycle or path: a tour of a graph."""

BASE = "tour"
