"""The why workflow: which constraints and clues of an unsatisfiable instance exclude each other."""
