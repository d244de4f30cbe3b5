"""What a function is. `oracles` holds the defaults of a problem: what follows from f alone, by definition."""
