"""DIMACS to solver to checked answer to board; knows nothing of encodings."""
