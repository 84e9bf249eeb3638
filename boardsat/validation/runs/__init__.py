"""The runs of a validation: which comes next, who does it, and what came of it."""
