"""The truth about a step-size rule: its runs on a battery of problems, what is wrong with it, which theorems it obeys."""
