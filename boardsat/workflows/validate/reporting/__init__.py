"""Reports of a validation: while it runs, as a summary, and as a page."""
