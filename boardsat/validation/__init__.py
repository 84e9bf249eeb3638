"""Validation: every encoding on every solver, the verdict, and the reasons for it.

The flow: `plan` lists the runs, `boardsat/running` does them in workers and keeps each,
`evidence` and `variants` give further formulas, `compare` the verdict, `triage` makes small what
contradicts, `report` shows it all.
"""
