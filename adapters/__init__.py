"""DIMACS -> solver -> checked answer -> board; for now, reading DIMACS."""
