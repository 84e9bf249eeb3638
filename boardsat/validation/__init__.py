"""Validation: every encoding against every solver, what all of it together says, and why.

The flow: `plan` lists the runs, `running` does them in workers and keeps each in the `store`,
`evidence` and `variants` give further formulas, `compare` the verdict, `triage` makes small what
contradicts, `report` shows it all.
"""
