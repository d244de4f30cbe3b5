"""The step-size rules, one file for each family. Each rule is its formula: no cap, no safeguard, no epsilon."""
