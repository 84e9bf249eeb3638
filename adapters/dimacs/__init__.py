"""DIMACS files: reader, header parser, model check, copies for solvers, and the GBD hash."""
