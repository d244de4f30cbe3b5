"""From what a search found to the simplest instance that keeps a margin."""
