"""How the names of files end, which tells them from the names of problems."""

FILES = (".cnf", ".cnf.gz", ".cnf.xz", ".cnf.zst", ".dimacs")
PROGRAM = ".lp"
