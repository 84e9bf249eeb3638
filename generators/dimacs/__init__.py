"""DIMACS files of formulas: entries of the header, document, and text of the clauses."""
