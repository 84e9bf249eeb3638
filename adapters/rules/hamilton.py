"""A Hamiltonian cycle or path is a tour of a graph."""

from boardsat.adapters.rules.tour import faults

__all__ = ["faults"]
