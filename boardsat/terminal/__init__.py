"""What a terminal shows: tables, progress, colours."""
