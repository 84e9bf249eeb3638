"""The child processes of the embedded runtime: each runs a library on a file."""
