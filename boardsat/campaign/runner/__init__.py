"""The one runner of validations, archives and campaigns: jobs in, records out.

A job is small plain data, `pool` gives it to a `worker`, which makes the formula where it runs, and
its record is kept in a `store` that survives whatever happens later.
"""
