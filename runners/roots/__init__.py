"""The roots that implicit step-size rules take: equations along a ray, and their solution in every arithmetic."""
