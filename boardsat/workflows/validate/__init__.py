"""Validation: every encoding on every solver, the verdict, and the reasons for it.

The flow: `plan` lists the runs, `boardsat/campaign/runner` does them in workers and keeps each,
`known_boards` and `variants` give further formulas, `evidence` tells which answers are refuted and
which solvers are reliable, `compare` gives the verdict, `triage` makes small what contradicts,
`reporting` shows it all.
"""
