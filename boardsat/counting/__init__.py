"""The count workflow: a counter is chosen, its projection and count are checked and told."""
