"""Validate workflow: run every encoding on every solver, compare the answers, and say why.

`run_matrix` lists the runs, and `schedule` divides the time among them. `metamorphic` derives
further runs, `evidence` determines the refuted answers and the reliable solvers, `consensus` the
verdict. `triage` selects what to reduce, `reduction` reduces it.
"""
