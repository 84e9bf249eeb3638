"""What users write, read and checked: YAML, specs, settings and graph files."""
