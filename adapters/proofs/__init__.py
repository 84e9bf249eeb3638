"""Proofs as files: which kind one is, and the form in which a checker can be trusted with it."""
