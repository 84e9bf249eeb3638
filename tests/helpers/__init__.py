"""Helpers shared by the tests: formulas, instances, commands, clusters and oracles."""
