"""Benchmarks: speed of boardsat beside other tools, measured side by side on one machine.

    make bench                       all of them; counts and papers take most of an hour
    python -m bench NAME ...         some of them

Every other file here without an underscore is a benchmark: its first line says what it compares,
and `run()` gives the rows of the table. Both sides of a comparison run in turn in the same minutes,
and the best time of each counts, for other work on the machine only ever adds. Times are CPU times
unless a row says wall. It is a report, not a test: a target that is missed is no failure.
"""
