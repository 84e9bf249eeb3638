"""Workflows that join generators and adapters: solve, count, sample, explain, validate."""
