"""The language of claims: trees over path quantities, with their JSON, LaTeX and text."""
