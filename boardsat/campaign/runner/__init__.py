"""Runner of validations, archives and campaigns: jobs in, records out.

A job is small plain data. The pool gives it to a worker process, which generates the formula where
it runs, and its record is added to a store that survives a crash.
"""
