"""Pages: the one of a campaign, and the parts that all pages share."""
