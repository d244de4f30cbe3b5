"""Short cuts for quadratics: runs known by their inner products alone, and runs in the eigenbasis."""
