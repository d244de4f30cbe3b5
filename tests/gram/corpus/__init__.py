"""Claims of theorems/performance_estimation and the settings at which they are compared with PEPit: one file for each folder."""
