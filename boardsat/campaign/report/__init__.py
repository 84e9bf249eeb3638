"""Results of a campaign: table of runs, rankings, page, and plots for a paper."""
