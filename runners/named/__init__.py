"""Runs of methods beyond gradients: prox, projections, resolvents, linear minimisation, components, draws and free vectors."""
