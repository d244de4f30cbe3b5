"""The prover shows why a mutant is true if its claim is, from the formulas and never from runs.

`explanation` is its door. `implication` compares a mutant with a claim, `derivation` one relation with another. These rest on
signs (`facts`, `span`), on normal forms (`normal_form`, `polynomial`), on bounds (`order`, `enclosure`, `nonnegative_sums`)
and on what is true of every function (`lemmas`). `domain` says where a formula has a value. What is not shown is "".
"""
