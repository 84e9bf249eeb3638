"""Count workflow: select a counter, run it, check projection and count, compare."""
