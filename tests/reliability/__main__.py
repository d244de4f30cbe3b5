"""`python -m tests.reliability --inputs 3000 --seed 1` prints the table of docs/reliability.md."""

import sys

from .fuzzing import main

sys.exit(main(sys.argv[1:]))
