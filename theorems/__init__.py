"""Claims: one package a paper, one file a section, in the paper's order and letters."""
