"""Samplers of the embedded runtime: worker processes that print random models or tours."""
