"""Instances of an archive in the form that a competition requires."""
