"""Views of a solution: decoded from a model by the header of its file, and described as text."""
