"""Which claims are tried on which problems by which methods: one grid, and the tally of its verdicts."""
