"""Worker processes of the embedded runtime, each with a library or a method of boardsat."""
