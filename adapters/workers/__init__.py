"""Worker processes of the embedded runtime, each with a library or a method of boardsat.

A worker is a module whose function `main` takes the arguments of a command line, reads a file, and
prints an answer in the format of a competition; it returns the exit code. The module imports all
that it needs before it calls `run_measured(main)`, so that imports are not measured.
"""
