"""The command line, and the workflows that join generators and adapters."""
