"""Lazy constraints: enforced by cuts while solving, instead of by clauses of the file."""
