"""Metadata of an archive in formats that other programs read."""
