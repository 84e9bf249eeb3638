"""Solutions as people see them: text for a terminal, SVG for a page."""
