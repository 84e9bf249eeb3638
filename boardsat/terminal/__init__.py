"""Output on a terminal: tables, progress, colours."""
