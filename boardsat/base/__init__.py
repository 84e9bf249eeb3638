"""Foundation without domain knowledge, which every other package may import."""
