"""Solve workflow: run a solver on an instance and check its answer."""
