"""Where the vertices of a graph are drawn: a planar one without crossings."""
