"""Graphs by construction, `complete 5` or `gnm 10 20 SEED`, and what every graph offers to a spec.

One file a kind of graph: `simple` ones, `digraph`s (which may be `dag`s), and `bipartite` ones.
"""
