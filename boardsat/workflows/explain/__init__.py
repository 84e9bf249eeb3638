"""Explain workflow: minimal unsatisfiable subset of the constraints and clues of an instance."""
