"""The numerics that several families of problems share: chords, minimisers, eigenvalues and enclosures, each with its error."""
