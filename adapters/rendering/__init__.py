"""Solutions drawn: text for a terminal, SVG for a page."""
