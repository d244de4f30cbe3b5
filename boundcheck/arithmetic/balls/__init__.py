"""Ball arithmetic by python-flint: a decided comparison is a proof, at any number of bits."""
