"""The archive workflow: instances become a folder that can be verified years later."""
