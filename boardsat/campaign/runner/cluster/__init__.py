"""Jobs on the workers of a Dask scheduler, where the jobs of one machine go to its own cores.

`dispatch` decides who gets which job, `remote` is what a Dask worker does with it, and `scheduler`
finds them. Dask is imported by nothing here before a campaign goes to a cluster.
"""
