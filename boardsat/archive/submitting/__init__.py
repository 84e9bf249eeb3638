"""Instances of an archive as a competition asks for them: chosen, renamed, described."""
