"""Methods, step-size rules, and the engine that runs them."""
