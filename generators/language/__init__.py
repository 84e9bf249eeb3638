"""The language of specs: text to trees, names to values, `for` and `if` to columns."""
