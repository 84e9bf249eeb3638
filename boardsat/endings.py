"""Suffixes of file names, which distinguish files from names of problems."""

FILES = (".cnf", ".cnf.gz", ".cnf.xz", ".cnf.zst", ".dimacs")
PROGRAM = ".lp"
