"""Validate workflow: run every solver on every encoding, compare the answers, give reasons.

`run_matrix` lists the runs, and `schedule` divides the time among them. `metamorphic` derives
further runs, `evidence` determines the refuted answers and the reliable solvers, `consensus` the
verdict. `triage` selects a formula to reduce, `reduction` reduces it.
"""
