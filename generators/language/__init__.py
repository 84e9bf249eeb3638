"""Expression language of specs: parser, names and values, compiler, grounding of `for` and `if`."""
