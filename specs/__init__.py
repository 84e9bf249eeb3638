"""Problem specs, one folder a problem, one YAML file an encoding."""
