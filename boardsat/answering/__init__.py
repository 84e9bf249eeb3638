"""The solve workflow from its beginning: what each solver reads, and the best model where asked."""
