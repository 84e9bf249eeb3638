"""The archive workflow: instances become a folder that can be checked years later."""
