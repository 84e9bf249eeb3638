"""Graphs for parameters of specs: from files, by construction (`gnm 10 20 SEED`), and modified.

A module for each kind of construction: simple and cubic, planar, directed and bipartite graphs.
"""
