"""A Hamiltonian cycle or path is a tour of a graph."""

from boardsat.adapters.rules.tour import violations

__all__ = ["violations"]
