"""Engines that run jobs on the workers of a Dask scheduler instead of the cores of this machine.

Dask is imported only when a campaign is started on a cluster.
"""
