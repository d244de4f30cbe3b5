"""Work in other processes: pools, workers that survive a crash, limits of time, and no process left behind."""
