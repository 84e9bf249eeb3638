"""Child processes: each has a name, none outlives us, and one may wait before its work."""
