"""The report of a check: a folder with a page, figures, tables and provenance, made from the verdicts kept in a store."""
