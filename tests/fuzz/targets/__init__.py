"""What is fuzzed: one kind of input a file."""
