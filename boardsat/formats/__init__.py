"""Files of other formats as clauses: for solvers and counters that read nothing else."""
