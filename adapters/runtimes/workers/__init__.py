"""The child processes of the embedded runtime: a library, a file, and an answer in print."""
