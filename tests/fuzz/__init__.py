"""The fuzzer: hostile inputs for every reader, judged by oracles that share no code with it.

`make fuzz SECONDS=600` gives each target its share of the time, on every core. A target is one file
in targets/: the inputs to begin with, and what must hold of any input at all. What does not hold is
made small and kept in finds/, where tests/project/test_fuzz.py tries it again for ever.
"""
