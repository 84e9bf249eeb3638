"""What came of a campaign: rows of its runs, rankings, plots, and a page."""
