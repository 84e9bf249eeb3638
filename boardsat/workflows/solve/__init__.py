"""The solve workflow: input of the solver, every check of its answer, cuts of lazy files."""
