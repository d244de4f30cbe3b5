"""A fuzzer of claims: random claims on random runs, each outcome of each evaluator against the plain definition."""
