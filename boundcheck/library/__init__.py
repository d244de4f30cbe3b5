"""Finding claims, problems, methods and rules: by name, in a file, or through the entry points of installed packages."""
