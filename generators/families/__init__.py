"""Constraint families, one file each: from a compiled constraint to blocks of clauses."""
