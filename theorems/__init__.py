"""The claims: one package a paper, one file a section, in the order and letters of the paper."""
