"""The engine runs methods: it asks rules for steps, records the columns that claims read, and ends a run with a reason."""
