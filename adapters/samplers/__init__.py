"""Samplers: each is a process of its own, and prints models or tours that it draws at random."""
