"""The solve workflow: what a solver reads, its answer through every check, cuts of lazy files."""
