"""File to arrays: reader, header, model check, copies for solvers, and the GBD hash."""
