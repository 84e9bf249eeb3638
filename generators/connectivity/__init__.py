"""Connectivity: graphs whose edges or vertices are literals, as a spec names them."""
