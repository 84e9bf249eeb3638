"""What came of a campaign: rows of its runs, rankings, and plots for a paper."""
