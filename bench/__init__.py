"""Benchmarks: speed of boardsat beside other tools, measured side by side on one machine.

    python -m bench                  list the benchmarks
    python -m bench NAME ...         run some of them
    make bench                       run all of them; counts and papers take most of an hour

Every other module without an underscore is a benchmark: its first line names what is compared, and
`run()` returns the rows of the table. Both sides of a comparison run in turn in the same minutes,
and the best time of each counts, because other processes only add to it. Times are CPU times
unless a row says wall. The table is a report, not a test: a missed target is not a failure.
"""
