"""Validate workflow: run every encoding on every solver, compare the answers, and say why.

`run_matrix` lists the runs, and `schedule` divides the time among them. `metamorphic` and
`known_boards` derive further runs, `evidence` tells which answers are refuted and which solvers are
reliable, `consensus` gives the verdict. `triage` selects what to reduce, `reduction` reduces it.
"""
