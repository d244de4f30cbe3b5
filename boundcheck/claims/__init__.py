"""What a claim is: a bound with its hypotheses, parameters, source and readings, and what lint finds before anything runs."""
