"""Campaigns: many instances, solvers and seeds from one file."""
