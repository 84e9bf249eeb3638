"""Graphs for parameters of specs: from files, by construction (`gnm 10 20 SEED`), and modified.

There is a module for each kind of construction: simple, cubic, directed and bipartite graphs.
"""
