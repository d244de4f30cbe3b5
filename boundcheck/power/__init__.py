"""The mutation score measures the checker itself: of the mutants of true claims, how many does the falsifier break?

This room is a tool for maintainers, and no verdict depends on it. `mutants/` changes one thing in a claim; `kills/` breaks a
mutant on the suite's small problems in exact numbers; `prover/` shows from the formulas alone why a mutant that nothing breaks is
true. `fates` finds out which of these happens to each mutant, `journal` stores it, `mutation_run` does so for all of them in
several processes, and `score` and `page` report.
"""
