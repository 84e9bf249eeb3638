"""The runs of a validation: their order, their workers, and their results."""
