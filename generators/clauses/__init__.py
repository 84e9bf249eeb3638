"""Clauses in memory: chunks of tokens, patterns that make them, blocks that hold them."""
