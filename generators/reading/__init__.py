"""User input, read and checked: YAML, specs, settings and graph files."""
