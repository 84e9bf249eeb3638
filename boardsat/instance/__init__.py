"""Input of a workflow: a catalogue problem, a spec, a formula file or a formula in memory."""
