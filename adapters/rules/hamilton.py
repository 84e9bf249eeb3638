"""Hamiltonian cycle or path: a tour of a graph."""

from boardsat.adapters.rules.tour import violations

__all__ = ["violations"]
