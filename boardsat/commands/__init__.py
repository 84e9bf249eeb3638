"""Commands, one file each: its first line is the help, `add_arguments` and `run` do the rest."""
