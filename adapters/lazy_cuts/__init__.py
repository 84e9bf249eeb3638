"""Lazy constraints: what a file leaves out, and the cuts that a model violates."""
