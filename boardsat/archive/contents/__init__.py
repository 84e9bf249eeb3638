"""The contents of an archive: a record and a recipe for every instance, files, the manifest."""
