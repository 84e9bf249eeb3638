"""How clauses travel: chunks of tokens, patterns that make them, blocks that hold them."""
