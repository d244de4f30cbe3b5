"""Enclosures say how far the exact run may be from the stored one: by Lipschitz constants, by tubes, by steps that are exact."""
