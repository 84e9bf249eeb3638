"""Fuzz targets: one module for each kind of input."""
