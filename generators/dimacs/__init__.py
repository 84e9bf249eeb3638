"""Formula to file: header, text and safe writing."""
