"""Specs, read and checked: their layers, sections and constraints."""
