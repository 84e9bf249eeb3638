"""The sections of a spec, one file each: their texts to boards, names, variables and clauses."""
