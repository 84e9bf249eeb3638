"""The count workflow: choose a counter, check the projection and the count, report."""
