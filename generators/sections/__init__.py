"""The sections of a spec, one file each: texts to boards, names, variables and clauses."""
