"""What a validation says: while it runs, in a few lines, and as a page."""
